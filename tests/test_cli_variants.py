"""Commands on games other than backgammon: rules, shots, exact, and eval, perft, duel, play."""

import json
from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.cli import main
from bgnet.cli.play import Table
from bgnet.engine.engine import Engine
from bgnet.game.variants import VARIANTS
from bgnet.position import Laws, Position

Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_network(tmp_path_factory.mktemp("nets"), "russian", "russian"))


@pytest.mark.parametrize("game", VARIANTS)
def test_rules(game: str, capsys: Capture) -> None:
    text = said(capsys, "rules", game)
    assert text.startswith(f"{game}: ") and "+-13-14" in text and "borne off" in text
    assert max(map(len, text.splitlines())) <= 80


def test_rules_of_russian_backgammon_say_what_is_ours(capsys: Capture) -> None:
    text = said(capsys, "rules", "russian")
    assert "complement to\n  seven" in text or "complement to seven" in " ".join(text.split())
    assert "Our choices" in text


def test_shots(capsys: Capture) -> None:
    assert said(capsys, "shots", "1").splitlines()[1].split() == [
        "1", "11", "30.6%", "25", "to", "11", "against"]  # fmt: skip
    assert len(said(capsys, "shots").splitlines()) == 25
    answer = json.loads(said(capsys, "shots", "12", "--json"))
    assert answer["distances"] == [{"distance": 12, "throws": 3, "chance": 3 / 36}]
    blot = "XGID=-a----E-C---dE---c-e----B-:0:0:1:00:0:0:0:0:10"
    answer = json.loads(said(capsys, "shots", blot, "--json"))
    assert answer["position"]["xgid"] == blot and "51" in answer["rolls"]
    assert answer["throws"] == sum(1 if a == b else 2 for a, b in answer["rolls"])


@pytest.mark.parametrize("where", ["0", "25", "-3", "nonsense"])
def test_no_shots(where: str, capsys: Capture) -> None:
    assert main(["shots", where]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("BGNET_CACHE", str(tmp_path))
    path = tiny_network(tmp_path, "hypergammon1")
    assert "+0.4527" in said(capsys, "exact")
    answer = json.loads(said(capsys, "exact", "--net", str(path), "--json", "--games", "50"))
    assert answer["equity"] == pytest.approx(0.45277, abs=1e-4)
    assert answer["errors"]["all_positions"]["positions"] == 601
    assert answer["errors"]["met_in_perfect_play"]["mean"] > 0.1
    assert "met in perfect play" in said(capsys, "exact", "--net", str(path))
    assert main(["exact", "--variant", "hypergammon"]) == 2
    assert "is not solved" in capsys.readouterr().err


RUSSIAN = ("--variant", "russian")


def test_eval_of_a_russian_position(net: str, capsys: Capture) -> None:
    bonus = "RUS=------------------abA-------A:13:12:-:4"
    text = "RUS=-------------------aA-A---:13:14:-:4"
    answer = json.loads(said(capsys, "eval", text, *RUSSIAN, "--net", net, "--json"))
    assert answer["position"] == {"russian": text} and answer["dice"] == [4, 4]
    assert "enter/21(4)" in [play["play"] for play in answer["plays"]]
    page = said(capsys, "eval", text, *RUSSIAN, "--net", net, "--play", "enter/21(4)")
    assert text in page and "Your play, enter/21(4), is number" in page
    assert main(["eval", bonus, *RUSSIAN, "--net", net]) == 2
    assert main(["eval", text]) == 2
    assert "does not describe a position of backgammon" in capsys.readouterr().err


def test_perft_of_a_russian_position(capsys: Capture) -> None:
    # Whatever is thrown, a first throw only enters men, and in one way.
    answer = json.loads(said(capsys, "perft", *RUSSIAN, "--json", "--depth", "2"))
    assert answer["positions"] == 21**2 and answer["position"]["russian"].startswith("RUS=")


def test_duel_of_russian_players(net: str, capsys: Capture) -> None:
    answer = json.loads(said(capsys, "duel", net, "prime", *RUSSIAN, "--games", "20", "--json"))
    assert (answer["variant"], answer["b"]) == ("russian", "prime")


def test_play_a_russian_game(
    net: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = iter(["X", "63", "enter/19 enter/22", "51", "22", "enter/23(4)", "5/off", "hint",
                  "quit"])  # fmt: skip
    monkeypatch.setattr("builtins.input", lambda prompt="": next(words))
    out = said(capsys, "play", *RUSSIAN, "--net", net, "--ask-dice")
    assert "You go on with 55." in out and "play" in out and "left unfinished" in out


def test_whole_russian_games(net: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine.load(net, "russian")
    table = Table(engine, np.random.default_rng(1))

    def answer(prompt: str) -> str:
        position = table._position
        return position.legal_plays()[-1].text if position.roll else ""

    monkeypatch.setattr("builtins.input", answer)
    table.play()
    out = capsys.readouterr().out
    assert table._position.result and "point" in out.splitlines()[-1]
    assert "You throw again." in out and "O goes on with" in out


def test_playing_by_fosters_laws(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tiny_network(tmp_path))
    words = iter(["X", "31", "8/6", "31", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(words))
    out = said(capsys, "play", "--net", path, "--ask-dice", "--laws", "foster")
    assert "O lets your error stand: 8/6 is 2 points, which 3-1 is not." in out


def test_the_engine_lets_stand_what_it_likes(tmp_path: Path) -> None:
    engine = Engine.load(str(tiny_network(tmp_path)))
    table = Table(engine, None, by_foster=True)
    table._position = position = Position(roll="31")
    best = engine.rank(position)[0].equity
    liked = 0
    for text in ("24/23 24/22 8/7", "6/2 6/2", "13/11 13/10", "6/4 6/2", "13/8", "24/18"):
        ruled = table._rule(text)
        worth = -engine.evaluate(position.play(text, laws=Laws(errors_stand=True))).equity
        assert (ruled is not None) == (worth <= best)
        liked += ruled is not None
    assert liked


def test_thrown_off_too_early_in_a_game(tmp_path: Path, capsys: Capture) -> None:
    engine = Engine.load(str(tiny_network(tmp_path)))
    table = Table(engine, None, by_foster=True)
    table._position = Position(roll="61")
    table._obey("6/off 8/7")
    assert "Thrown off too early, your men are on the bar: 6/off" in capsys.readouterr().out
    assert table._position.board[0] == -1
