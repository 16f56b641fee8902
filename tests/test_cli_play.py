"""``bgnet play``: a human at the table, played by a script."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

import bgnet
from bgnet.cli import main
from bgnet.cli.table import Table
from bgnet.engine.engine import Engine
from bgnet.position import Position

Play = Callable[..., str]


@pytest.fixture
def play(net: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Say these lines at the table, then leave; what is printed."""

    def say(lines: Iterable[str], *words: str) -> str:
        said = iter(lines)

        def answer(prompt: str) -> str:
            print(prompt, end="")
            try:
                line = next(said)
            except StopIteration:
                raise EOFError from None
            print(f"[{line}]")
            return line

        monkeypatch.setattr("builtins.input", answer)
        assert main(["play", "--net", net, *words]) == 0
        return capsys.readouterr().out

    return say


#: With --ask-dice the human decides everything: he starts with 31.
OPENING = ["X", "31"]


def test_a_turn_and_the_reply(play: Play) -> None:
    out = play([*OPENING, "8/5 6/5", "64"], "--ask-dice")
    assert "X to play 31" not in out  # drawn once, before the throw
    assert "31> [8/5 6/5]" in out
    assert re.search(r"O throws 64 and plays \S+", out)
    assert out.endswith("The game is left unfinished.\n")


def test_an_illegal_play_is_refused_with_its_law(play: Play) -> None:
    out = play(["X", "65", "24/18", "13/8", "what", "24/13"], "--ask-dice")
    assert out.count("Not played: both numbers of 6-5 must be played.") == 2
    assert "Not played: column 1: a move is like 8/5" in out
    assert out.count("Not played") == 3 and "O's dice?" in out


def test_dice_that_are_none_are_asked_again(play: Play) -> None:
    out = play(["who?", "O", "17", "65", "x", "21"], "--ask-dice")
    assert "Say X if you start, O if bgnet does." in out
    assert "a roll is two dice of 1 to 6, such as 31, not '17'" in out
    assert "O throws 65" in out
    assert "Type the dice that you have thrown" in out
    assert "You throw 21." in out


def test_undo_goes_back_to_the_same_dice(play: Play) -> None:
    words = ["X", "undo", "31", "8/5 6/5", "64", "undo", "hint", "24/23 13/10"]
    out = play(words, "--ask-dice")
    assert "There is no play of yours to take back." in out
    assert out.count("31> ") == 3
    assert out.endswith("O's dice? \nThe game is left unfinished.\n")


def test_hint_before_and_after_the_throw(play: Play, net: str) -> None:
    out = play(["X", "hint", "31", "hint"], "--ask-dice")
    assert "win gammon" in out
    best = Engine.load(net).rank(Position(), "31")[0]
    assert re.search(rf"{re.escape(best.text)} +{re.escape(f'{best.equity:+.3f}')}", out)


def test_help_board_and_words_out_of_place(play: Play) -> None:
    out = play(["X", "help", "8/5", "31", "roll", "board", "quit"], "--ask-dice")
    assert "take back your last play" in out
    assert "Type the dice that you have thrown" in out
    assert "The dice are thrown" in out
    assert out.count("X: 167 pips") == 2
    assert out.endswith("The game is left unfinished.\n")


def test_resigning(play: Play) -> None:
    assert "O wins a backgammon: 3 points." in play([*OPENING, "resign backgammon"], "--ask-dice")
    out = play(["X", "resign match", "resign backgammon"], "--ask-dice", "--scoring", "american")
    assert "Resign a single game, a gammon or a backgammon." in out
    assert "O wins a backgammon: 1 point." in out


def test_too_little_is_not_accepted(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    # The last man of O goes off with any throw, and X has none off: a gammon for certain.
    table = Table(Engine.load(net, ply=2), None)
    table._position = Position.parse("XGID=------------HG----------a-:0:0:1:00:0:0:0:0:0")
    for what in ("resign", "resign single"):
        table._obey(what)
        assert capsys.readouterr().out == "O plays on: it expects to win more than that.\n"
    table._position = table._position.rolled("21")
    table._obey("resign")
    assert table._won is None
    table._obey("resign gammon")
    assert table._won == -2 and "O wins a gammon: 2 points." in capsys.readouterr().out


@pytest.mark.parametrize("variant", ["backgammon", "hypergammon"])
def test_whole_games(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    engine = Engine.load(str(tiny_network(tmp_path, variant)), variant, level="casual", rng=1)
    for seed in range(3):
        table = Table(engine, np.random.default_rng(seed))

        def answer(prompt: str, table: Table = table) -> str:
            position = table._position
            return position.legal_plays()[-1].text if position.roll else ""

        monkeypatch.setattr("builtins.input", answer)
        table.play()
        out = capsys.readouterr().out
        assert re.search(r"(You win|O wins) a [a-z ]+: [123] points?\.\n$", out)
        assert table._won


# -- the cube and matches --------------------------------------------------------------------

#: O has one man left and bears it off with any throw; X has two, so that 19 of 36 win.
LAST_ROLL = "XGID=--A--A------------------a-:{cube}:1:00:{score}:10"


def at_table(
    net: str, monkeypatch: pytest.MonkeyPatch, xgid: str, *lines: str
) -> tuple[Table, int | None]:
    """A table with this position, after the human has said this; and what play() answers."""
    table = Table(Engine.load(net), np.random.default_rng(1))
    said = iter(lines)

    def answer(prompt: str) -> str:
        print(prompt, end="")
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(table, "_open", lambda: None)
    table._position = Position.parse(xgid)
    return table, table.play()


def test_doubling_the_engine(
    net: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    xgid = LAST_ROLL.format(cube="0:0", score="0:0:0:0")
    table, won = at_table(net, monkeypatch, xgid, "hint", "double", "double")
    out = capsys.readouterr().out
    assert won is None and table._position.match.cube == 2
    assert "roll or double> " in out and "Cube: double, take." in out
    assert "O takes: the cube is at 2." in out
    assert "No double: the opponent owns the cube." in out
    certain = "XGID=-A----------------------o-:0:0:1:00:0:0:0:3:10"
    _, won = at_table(net, monkeypatch, certain, "double")
    assert won == 1 and "O drops: 1 point.\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("xgid", "rule"),
    [
        (LAST_ROLL.format(cube="0:0", score="2:0:1:3"), "nobody may double in the Crawford game"),
        (LAST_ROLL.format(cube="0:0", score="0:0:0:1"), "the cube is not used in a match to 1"),
        (LAST_ROLL.format(cube="0:0", score="0:0:0:7").replace(":00:", ":21:"),
         "a side may double only before it throws"),
    ],
)  # fmt: skip
def test_no_double_is_refused_with_the_rule(
    net: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    xgid: str, rule: str,
) -> None:  # fmt: skip
    at_table(net, monkeypatch, xgid, "double")
    assert f"No double: {rule}" in capsys.readouterr().out


#: O, at the top, is on roll and wins with 19 of 36.
HIS_ROLL = "XGID=-A------------------a--a--:{cube}:-1:00:0:0:0:0:10"


def test_the_engine_doubles(
    net: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    centred = HIS_ROLL.format(cube="0:0")
    _, won = at_table(net, monkeypatch, centred, "what", "hint", "drop")
    out = capsys.readouterr().out
    assert won == -1 and "O doubles to 2." in out and "The right answer: take." in out
    assert "O has doubled: take it or drop it" in out and "You drop: 1 point." in out
    _, won = at_table(net, monkeypatch, centred, "take", "", "1/off")
    assert "You take: the cube is at 2." in capsys.readouterr().out
    assert won in (-2, 2)
    at_table(net, monkeypatch, HIS_ROLL.format(cube="1:1"))
    assert "doubles" not in capsys.readouterr().out  # X owns the cube


def test_the_engine_resigns_what_is_lost(
    net: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = "XGID=-A------------------eaa---:1:1:-1:00:0:0:0:7:10"  # X bears off next
    _, won = at_table(net, monkeypatch, lost, "yes")
    assert won == 2 and "O resigns a single game. Accept?" in capsys.readouterr().out
    _, won = at_table(net, monkeypatch, lost, "no", "", "1/off")
    assert won == 2 and "O throws" in capsys.readouterr().out


def test_a_match_keeps_the_score(play: Play) -> None:
    out = play(["resign backgammon"] * 3, "--match", "7", "--seed", "2")
    assert "Match to 7: you 0, O 0." in out and "Match to 7: you 0, O 3." in out
    assert "Match to 7: you 0, O 6, the Crawford game: nobody may double." in out
    assert out.endswith("O wins the match to 7: you 0, O 9.\n")
    out = play(["resign"], "--match", "1", "--seed", "2")
    assert "unfinished" in out or out.endswith("O wins the match to 1: you 0, O 1.\n")


def test_the_same_seed_is_the_same_game(play: Play) -> None:
    words = ["", "hint", "resign backgammon"]
    assert play(words, "--seed", "5") == play(words, "--seed", "5")
    games = {play(words, "--seed", str(seed)) for seed in range(5)}
    assert len(games) > 1


def test_from_a_pipe(net: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bgnet", "play", "--net", net, "--ask-dice"],
        input="X\n31\n8/5 6/5\n", capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(bgnet.__file__).parents[1])},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The game is left unfinished.\n")
