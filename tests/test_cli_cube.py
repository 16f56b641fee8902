"""``bgnet eval`` and ``bgnet rollout`` with cube and score: known cases, rollouts, refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from bgnet.cli import main
from bgnet.engine import networks
from bgnet.engine.engine import Engine
from bgnet.position import Position

Capture = pytest.CaptureFixture[str]
LAST_ROLL = "XGID=--A--A------------------a-"  # 19 of 36 win
GAMMON = "XGID=-A-----------------eee----"  # won for certain
START = "XGID=-b----E-C---eE---c-e----B-"


def answer(capsys: Capture, net: str, command: str, *words: str) -> dict[str, Any]:
    """The JSON that a command answers."""
    assert main([command, *words, "--net", net, "--json"]) == 0
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    return json.loads(out)


# -- cases from the world --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xgid", "action", "no_double", "double_take"),
    [
        (f"{LAST_ROLL}:0:0:1:00:0:0:0:0:10", "double, take", 1 / 18, 1 / 9),
        (f"{LAST_ROLL}:0:0:1:00:3:3:0:5:10", "double, take", None, None),
        (f"{LAST_ROLL}:0:0:1:00:2:4:0:5:10", "double, take", None, None),
        (f"{GAMMON}:0:0:1:00:0:0:0:0:10", "too good to double, pass", 2, 4),
        (f"{GAMMON}:1:1:1:00:0:0:1:0:10", "too good to redouble, pass", 2, 4),
    ],
)
def test_cube_actions(
    net: str, capsys: Capture, xgid: str, action: str, no_double: float | None,
    double_take: float | None,
) -> None:  # fmt: skip
    cube = answer(capsys, net, "eval", xgid)["cube"]
    assert (cube["action"], cube["may_double"]) == (action, True)
    assert cube["equity"]["double_pass"] == 1
    if no_double is not None:
        assert cube["equity"]["no_double"] == pytest.approx(no_double, abs=1e-5)
        assert cube["equity"]["double_take"] == pytest.approx(double_take, abs=1e-5)
    assert main(["eval", xgid, "--net", net]) == 0
    assert f"Cube: {action}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("xgid", "rule"),
    [
        (f"{LAST_ROLL}:1:-1:1:00:0:0:0:0:10", "the opponent owns the cube"),
        (f"{START}:1:1:-1:00:4:2:0:7:10", "the opponent owns the cube"),
        (f"{START}:0:0:1:00:4:2:1:5:10", "nobody may double in the Crawford game"),
        (f"{START}:0:0:1:00:0:0:0:1:10", "the cube is not used in a match to 1 point"),
    ],
)
def test_no_double_is_allowed(net: str, capsys: Capture, xgid: str, rule: str) -> None:
    cube = answer(capsys, net, "eval", xgid)["cube"]
    assert (cube["may_double"], cube["action"]) == (False, "no double, take")
    assert cube["equity"]["double_take"] is cube["equity"]["double_pass"] is None
    assert main(["eval", xgid, "--net", net]) == 0
    assert f"No double: {rule}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("xgid", "told"),
    [
        (  # dice written low first; rules 3 are Jacoby and beavers
            "XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8",
            {"length": 0, "jacoby": True, "beavers": True, "cube": 1, "owner": "centre",
             "max_cube": 256, "on_roll": "bottom"},
        ),
        (  # owner and scores are those of bottom and top, whoever rolls
            f"{START}:1:1:-1:00:4:2:0:7:10",
            {"length": 7, "score": 2, "opponent_score": 4, "cube": 2, "owner": "his",
             "on_roll": "top"},
        ),
        (
            "XGID=--CBBBBaa--------bCbcbbAb-:2:-1:-1:00:0:0:2:0:8",
            {"cube": 4, "owner": "mine", "beavers": True, "jacoby": False, "max_cube": 256},
        ),
        (f"{START}:0:0:1:00:4:2:1:5:10", {"crawford": True, "length": 5}),
        (f"{START}:0:0:1:00:0:0:0:1:10", {"crawford": False, "length": 1}),
        ("4HPwATDgc/ABMA:UQmgAAAAEAAA", {"length": 5, "cube": 2, "crawford": False}),
        ("4HPwATDgc/ABMA:8AmgACAAIAAE", {"crawford": True, "length": 5}),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", {"jacoby": True, "length": 0, "cube": 1}),
    ],
)
def test_score_and_cube_are_read(
    net: str, capsys: Capture, xgid: str, told: dict[str, object]
) -> None:
    match = answer(capsys, net, "eval", xgid)["match"]
    assert {name: match[name] for name in told} == told


def test_dice_low_first_and_colours(net: str, capsys: Capture) -> None:
    got = answer(capsys, net, "eval", "XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8")
    assert got["dice"] == [6, 1]
    assert got["position"]["gnubg_id"] == "4HPkASjg2+ABMA"


def test_an_owned_cube_tells_plays_apart(net: str, capsys: Capture) -> None:
    got = answer(capsys, net, "eval", "XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8")
    equities = [play["equity"] for play in got["plays"]]
    assert got["ranked_by"] == "cubeful"
    assert len(set(equities)) > 5 and equities == sorted(equities, reverse=True)


@pytest.mark.parametrize(
    ("xgid", "equity"),
    [
        (f"{GAMMON}:1:-1:1:61:0:0:1:0:10", 2),  # 2 points on a cube of 2
        (f"{GAMMON}:0:0:1:61:0:0:1:0:10", 1),  # Jacoby, nobody has doubled
        (f"{GAMMON}:0:0:1:61:0:0:0:5:10", 2),  # never in a match
    ],
)
def test_gammons_under_the_jacoby_rule(
    net: str, capsys: Capture, xgid: str, equity: float
) -> None:
    got = answer(capsys, net, "eval", xgid)
    assert got["equity"] == got["plays"][0]["cubeless"] == equity


def shipped_or_skip() -> str:
    if "backgammon" not in networks.shipped():
        pytest.skip("no network is shipped yet")
    return "backgammon"


def test_the_opening_position_by_the_shipped_network(capsys: Capture) -> None:
    got = answer(capsys, shipped_or_skip(), "eval")
    gnubg = {"win": 0.525, "win_gammon": 0.149, "lose_gammon": 0.125}
    assert {name: got["outcomes"][name] for name in gnubg} == pytest.approx(gnubg, abs=0.03)


def test_the_bare_command(
    net: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(networks, "FOLDER", Path(net).parent)
    assert main(["eval"]) == 0
    assert "Cube: " in capsys.readouterr().out


def test_the_bear_off_is_exact(net: str, capsys: Capture) -> None:
    got = answer(capsys, net, "eval", f"{LAST_ROLL}:0:0:1:00:0:0:0:0:10")
    assert got["outcomes"]["win"] == pytest.approx(19 / 36, abs=1e-6)
    assert got["outcomes"]["win_gammon"] == got["outcomes"]["lose_gammon"] == 0


# -- offers ----------------------------------------------------------------------------------


def test_offers_on_the_table(net: str, capsys: Capture) -> None:
    cube = answer(capsys, net, "eval", f"{LAST_ROLL}:0:0:1:D:0:0:0:0:10")["cube"]
    assert (cube["offer"], cube["action"], cube["answer"]) == ("double", "double, take", "take")
    cube = answer(capsys, net, "eval", f"{GAMMON}:1:-1:1:B:0:0:2:0:10")["cube"]
    assert (cube["offer"], cube["action"], cube["answer"]) == ("beaver", None, "beaver")
    assert main(["eval", f"{GAMMON}:1:-1:1:B:0:0:2:0:10", "--net", net]) == 0
    assert "The right answer to the beaver: beaver." in capsys.readouterr().out


def test_match_chances_are_told(net: str, capsys: Capture) -> None:
    cube = answer(capsys, net, "eval", f"{LAST_ROLL}:0:0:1:00:3:3:0:5:10")["cube"]
    assert cube["match_chances"]["double_take"] == pytest.approx(19 / 36, abs=1e-6)
    assert main(["eval", f"{LAST_ROLL}:0:0:1:00:3:3:0:5:10", "--net", net]) == 0
    assert "match won" in capsys.readouterr().out


# -- rollouts --------------------------------------------------------------------------------

SHORT = ("--games", "108", "--truncate", "2")


def test_rollout_of_a_position(net: str, capsys: Capture) -> None:
    got = answer(capsys, net, "rollout", *SHORT)
    assert (got["games"], got["seed"], got["truncate"]) == (108, 1, 2)
    assert got["standard_error"] > 0 and set(got["standard_errors"]) == set(got["outcomes"])
    assert got["evaluation"]["equity"] == Engine.load(net).evaluate(Position()).equity
    assert got["cube"]["may_double"]
    assert answer(capsys, net, "rollout", *SHORT) == got
    assert answer(capsys, net, "rollout", *SHORT, "--seed", "2")["equity"] != got["equity"]


def test_rollout_of_plays(net: str, capsys: Capture) -> None:
    named = ("--play", "13/10 6/5", "--play", "8/5 6/5")
    got = answer(capsys, net, "rollout", "--dice", "31", *named, *SHORT)
    assert {play["play"] for play in got["plays"]} == {"13/10 6/5", "8/5 6/5"}
    first, second = got["plays"]
    assert first["lost"] == first["lost_error"] == 0 < second["lost_error"]
    assert second["lost"] == pytest.approx(first["equity"] - second["equity"])
    assert got["best"] == first["play"]
    top = answer(capsys, net, "rollout", "--dice", "31", "--top", "1", *SHORT)
    assert len(top["plays"]) == 1


def test_rollout_for_people(net: str, capsys: Capture) -> None:
    assert main(["rollout", "--net", net, *SHORT]) == 0
    out = capsys.readouterr().out
    assert "rolled out" in out and "standard error" in out and "108 games; with the luck" in out
    assert main(["rollout", "--net", net, "--dice", "31", *SHORT]) == 0
    assert "3 of 16 legal plays." in capsys.readouterr().out


def test_it_stops_at_a_standard_error(net: str, capsys: Capture) -> None:
    words = ("--truncate", "1", "--standard-error", "0.5")
    assert answer(capsys, net, "rollout", *words)["games"] == 324


def test_eval_with_a_rollout(net: str, capsys: Capture) -> None:
    last = f"{LAST_ROLL}:0:0:1:00:0:0:0:0:10"
    got = answer(capsys, net, "eval", "--rollout", last)
    assert got["rollout"]["games"] == 1296
    assert got["rollout"]["equity"] == pytest.approx(1 / 18, abs=1e-6)
    assert got["cube"]["action"] == "double, take"
    rolled = f"{LAST_ROLL}:0:0:1:31:0:0:0:0:10"
    got = answer(capsys, net, "eval", rolled, "--rollout", "54", "--play", "5/1")
    assert got["best"] == got["plays"][0]["play"]
    assert got["plays"][0]["rollout"]["lost"] == 0
    assert got["rated"]["loss"] == got["rated"]["rollout"]["lost"]


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["eval", f"{START}:0:0:1:00:7:2:0:7:10"], "a match to 7 is over at 7-2"),
        (["eval", f"{START}:0:0:1:00:0:0:0:99:10"], "not to 99"),
        (["eval", f"{START}:1:-1:1:D:0:0:0:0:10"], "no double: the opponent owns the cube"),
        (["eval", f"{START}:0:0:1:D:4:2:1:5:10"], "nobody may double in the Crawford game"),
        (["eval", f"{START}:0:0:1:D:0:0:0:0:10", "--dice", "31"], "must be answered before dice"),
        (["eval", "-", "--rollout"], "instead of -"),
        (["eval", "XGID=" + "-" * 23 + "o--:0:0:1:00:0:0:0:0:10", "--rollout"], "finished game"),
        (["rollout", "XGID=" + "-" * 23 + "o--:0:0:1:31:0:0:0:0:10"], "the game is over"),
        (["rollout", "--play", "8/5"], "--play needs the roll"),
        (["rollout", "--games", "1"], "'1' is not a whole number from 2 on"),
        (["rollout", "--truncate", "0"], "'0' is not a whole number from 1 on"),
        (["rollout", "--standard-error", "-1"], "'-1' is not a number of points"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    net: str, words: list[str], sentence: str, capsys: Capture
) -> None:
    assert main([*words, "--net", net]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert sentence in err
