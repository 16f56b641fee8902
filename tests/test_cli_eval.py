"""``bgnet eval``: its JSON for programs, its page for people, positions by the line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bgnet
from bgnet.cli import main
from bgnet.engine.engine import Engine
from bgnet.position import Position

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def answer(capsys: pytest.CaptureFixture[str], net: str, *words: str) -> dict[str, Any]:
    """The JSON that ``bgnet eval`` answers."""
    assert main(["eval", *words, "--net", net, "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


def test_keys_of_a_position(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, net)
    assert got["schema"] == 1
    assert got["position"] == {"xgid": START, "gnubg_id": "4HPwATDgc/ABMA"}
    assert list(got["outcomes"]) == [
        "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
    ]  # fmt: skip
    assert (got["dice"], got["plays"], got["best"], got["result"]) == (None, [], None, None)


def test_numbers_are_those_of_the_engine_unrounded(
    net: str, capsys: pytest.CaptureFixture[str]
) -> None:
    got = answer(capsys, net, "--dice", "31")
    engine = Engine.load(net)
    evaluation = engine.evaluate(Position())
    assert got["equity"] == evaluation.equity
    assert got["outcomes"]["win"] == pytest.approx(sum(evaluation.outcomes[:3]), abs=1e-12)
    assert got["outcomes"]["lose_backgammon"] == evaluation.outcomes[5]
    ranked = engine.rank(Position(), "31")
    assert [play["play"] for play in got["plays"]] == [play.text for play in ranked]
    assert [play["equity"] for play in got["plays"]] == [play.equity for play in ranked]
    assert got["best"] == ranked[0].text


def test_gammons_count_within_wins(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    for play in answer(capsys, net, "--dice", "66")["plays"]:
        win, gammon, backgammon, lost, lost_backgammon = play["outcomes"].values()
        assert 1 >= win >= gammon >= backgammon >= 0
        assert 1 - win + 1e-6 >= lost >= lost_backgammon >= 0
        # Equity is the sum of the five, each being worth one point more.
        assert play["equity"] == pytest.approx(
            2 * win - 1 + gammon + backgammon - lost - lost_backgammon, abs=1e-5
        )


@pytest.mark.parametrize(
    "words",
    [
        ["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"],
        ["-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:0:10"],
        ["-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:0:10", "--dice", "3-1"],
        ["4HPwATDgc/ABMA", "--dice", "31"],
        ["4HPwATDgc/ABMA:cAn7AAAAAAAE", "--dice", "13"],
        ["--dice", "31", START],
    ],
)
def test_one_question_in_many_spellings(
    net: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    got = answer(capsys, net, *words)
    assert got["dice"] == [3, 1]
    assert len(got["plays"]) == 16


def test_top_and_rated(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    every = answer(capsys, net, "--dice", "31")
    got = answer(capsys, net, "--dice", "31", "--top", "3", "--play", "6/5, 8/5")
    assert got["plays"] == every["plays"][:3]
    rank = [play["play"] for play in every["plays"]].index("8/5 6/5")
    assert got["rated"]["play"] == "8/5 6/5"
    assert got["rated"]["rank"] == rank + 1
    loss = every["plays"][0]["equity"] - every["plays"][rank]["equity"]
    assert got["rated"]["loss"] == loss >= 0


def test_a_dance_is_a_play(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    closed = "XGID=-A-----------------bbbbbbA:0:0:1:31:0:0:0:0:10"
    got = answer(capsys, net, closed)
    assert [play["play"] for play in got["plays"]] == ["Cannot Move"]
    assert got["best"] == "Cannot Move"


def test_a_finished_game(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    over = "XGID=" + "-" * 23 + "o--:0:0:1:31:0:0:0:0:10"
    got = answer(capsys, net, over)
    assert (got["result"], got["equity"], got["plays"]) == ("win gammon", 2, [])
    assert list(got["outcomes"].values()) == [1, 1, 0, 0, 0]
    assert main(["eval", over, "--dice", "31", "--net", net]) == 2
    assert "the game is over" in capsys.readouterr().err
    assert main(["eval", over, "--net", net]) == 0
    assert "The game is over: for X, win gammon." in capsys.readouterr().out


def test_american_scoring_and_look_ahead(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, net, "--scoring", "american", "--dice", "65", "--ply", "1")
    assert got["equity"] == pytest.approx(2 * got["outcomes"]["win"] - 1, abs=1e-5)
    assert got["plays"][0]["ply"] == 1


def test_the_page_for_people(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "--net", net, "--dice", "31", "--top", "5", "--play", "8/5 6/5"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith("+-13-14-15-16-17-18-+---+")
    assert "5 of 16 legal plays." in out
    assert "Your play, 8/5 6/5, is number" in out
    assert max(map(len, out.splitlines())) <= 100


# -- positions by the line -------------------------------------------------------------------


def stream(net: str, lines: bytes, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """What ``bgnet eval -`` answers, and its status."""
    done = subprocess.run(
        [sys.executable, "-m", "bgnet", "eval", "-", "--net", net, *words], input=lines,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(bgnet.__file__).parents[1])},
    )  # fmt: skip
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_line_an_answer(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    rolled = START.replace(":00:", ":31:")
    status, answers = stream(net, f"{START}\r\n{rolled}\n4HPwATDgc/ABMA".encode())
    assert status == 0
    assert answers[1]["plays"] and not answers[0]["plays"]
    alone = answer(capsys, net, rolled)
    assert alone["best"] == answers[1]["best"]
    assert alone["equity"] == pytest.approx(answers[1]["equity"], abs=1e-6)
    assert answers[0]["outcomes"] == pytest.approx(answers[2]["outcomes"], abs=1e-6)


def test_bad_lines_are_told_by_number_and_the_others_answered(net: str) -> None:
    lines = b"4HPwATDgc/ABMA\nnonsense\n\n\xff\xfe\x00\n4HPwATDgc/ABMA\n"
    status, answers = stream(net, lines, "--dice", "31", "--top", "1")
    assert status == 2
    assert [got.get("line") for got in answers] == [None, 2, 3, 4, None]
    assert all("error" in got for got in answers[1:4])
    assert [len(got["plays"]) for got in (answers[0], answers[4])] == [1, 1]


def test_a_score_outside_the_match_equity_table_is_one_bad_line(net: str) -> None:
    far = START.replace(":0:10", ":99:10")
    status, answers = stream(net, f"{START}\n{far}\n{START}\n".encode())
    assert (status, [got.get("line") for got in answers]) == (2, [None, 2, None])
    assert "not to 99" in answers[1]["error"]
    assert answers[0] == answers[2]


def test_many_lines_in_batches(net: str) -> None:
    status, answers = stream(net, b"4HPwATDgc/ABMA\n" * 700 + b"x\n")
    assert (status, len(answers), answers[-1]["line"]) == (2, 701, 701)


def test_bad_dice_for_all_and_an_empty_stream(net: str) -> None:
    status, answers = stream(net, b"4HPwATDgc/ABMA\n", "--dice", "77")
    assert (status, answers[0]["line"]) == (2, 1)
    assert stream(net, b"") == (0, [])


def test_one_who_waits_for_every_answer_gets_it(net: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bgnet", "eval", "-", "--net", net],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(bgnet.__file__).parents[1])},
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        for _ in range(3):
            process.stdin.write(b"4HPwATDgc/ABMA\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["schema"] == 1
        process.stdin.close()
    assert process.returncode == 0
