"""``bgnet duel``, ``benchmark``, ``report`` and ``perft``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.arena.decisions import YARDSTICK, read
from bgnet.cli import main
from bgnet.cli.perft import perft
from bgnet.engine import networks
from bgnet.game.variants import HYPERGAMMON, RUSSIAN, STANDARD


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A network, shipped as the default."""
    path = tiny_network(tmp_path)
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The JSON that a command answers."""
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""  # no progress bar where nobody looks
    return json.loads(out)


# -- duel ------------------------------------------------------------------------------------


def test_duel_keys(capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "duel", "foster", "random", "--games", "20", "--seed", "4")
    assert (got["schema"], got["a"], got["b"], got["games"]) == (1, "foster", "random", 20)
    assert got["win_rate"] > 0.9 and got["ppg"] > 1 and got["standard_error"] > 0
    assert 1 >= got["win_gammon_rate"] >= got["win_backgammon_rate"] >= 0
    assert {"lose_gammon_rate", "lose_backgammon_rate", "seed"} <= set(got)


def test_the_same_seed_is_the_same_duel(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["duel", "random", "pipcount", "--games", "10", "--seed"]
    first = answer(capsys, *words, "1")
    assert answer(capsys, *words, "1") == first
    assert answer(capsys, *words, "2") != first


def test_a_network_is_level_with_itself(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "duel", "default", net, "--games", "10")
    assert (got["ppg"], got["win_rate"]) == (0, 0.5)


def test_two_random_players_draw_different_lots(capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "duel", "random", "random", "--games", "20")
    assert got["standard_error"] > 0


def test_duel_for_people_and_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["duel", "pipcount", "random", "--games", "10", "--variant", "hypergammon"]
    assert main([*words, "--scoring", "american"]) == 0
    assert capsys.readouterr().out.startswith("pipcount against random: ")


# -- benchmark -------------------------------------------------------------------------------


def test_benchmark_keys(capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "benchmark", "--player", "pubeval")
    assert got["player"] == "pubeval" and 40 < got["error_rate"] < 45
    assert set(got["by_class"]) == {"contact", "crashed", "race"}
    assert got["by_class"]["race"]["decisions"] == 403
    assert answer(capsys, "benchmark", str(YARDSTICK), "--player", "pubeval") == got


def test_benchmark_of_a_file_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decisions = read(YARDSTICK)
    rows = STANDARD.flip(decisions.plays.boards).tolist()
    mine = [
        [row, float(worth)]
        for row, worth, owner in zip(
            rows, decisions.equities, decisions.plays.owner, strict=True
        )
        if owner == 0
    ]
    line = {"board": decisions.boards[0].tolist(), "dice": decisions.rolls[0].tolist(),
            "class": "only", "plays": mine}  # fmt: skip
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(line) + "\n")
    got = answer(capsys, "benchmark", str(path), "--player", "pipcount")
    assert (got["decisions"], list(got["by_class"])) == (1, ["only"])


def test_benchmark_for_people(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("default on ")
    assert lines[2].split()[:2] == ["class", "decisions"]
    assert lines[-1].split()[:2] == ["all", "3,000"]


# -- report ----------------------------------------------------------------------------------


def test_report_of_what_is_shipped(
    net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_network(tmp_path, "hypergammon")
    plot = tmp_path / "report.svg"
    words = ["report", "--games", "4", "--variant", "hypergammon", "--plot", str(plot)]
    got = answer(capsys, *words)
    assert [row["player"] for row in got["players"]] == ["hypergammon"]
    assert [result["b"] for result in got["players"][0]["duels"]] == ["random", "pipcount"]
    assert got["players"][0]["error_rates"] is None  # the yardstick is of backgammon
    assert plot.read_text().startswith("<?xml")


def test_report_of_named_players(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "foster", "pubeval", "--against", "random", "--games", "4"]
    assert main(words) == 0
    assert "\nagainst random  " in capsys.readouterr().out
    assert main([*words, "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| player | error rate")


def test_nothing_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    assert main(["report"]) == 2
    assert "there is no shipped network of backgammon" in capsys.readouterr().err


# -- perft -----------------------------------------------------------------------------------


def test_perft_of_the_opening(capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "perft")
    assert got["positions"] == 447
    assert list(got["by_roll"].values()) == [
        42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11
    ]  # fmt: skip
    assert answer(capsys, "perft", "--depth", "2")["positions"] == 202_782


def test_perft_of_a_position_with_dice(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["perft", "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "--depth"]
    assert answer(capsys, *words, "1")["by_roll"] == {"31": 16}
    two = answer(capsys, *words, "2")
    assert two["by_roll"] == {"31": answer(capsys, "perft", "--depth", "2")["by_roll"]["31"]}


def test_finished_games_do_not_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    over = "XGID=" + "-" * 23 + "o--:0:0:1:00:0:0:0:0:10"
    assert answer(capsys, "perft", over)["positions"] == 0
    # A man each, both off with the next roll: 21 ends, and nothing behind them.
    last = "XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10"
    assert answer(capsys, "perft", last, "--depth", "1")["positions"] == 21
    assert answer(capsys, "perft", last, "--depth", "2")["positions"] == 0


def test_perft_of_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    by_hand = sum(
        len(HYPERGAMMON.legal_plays(HYPERGAMMON.starts(1), np.array([[a, b]], np.int8)).boards)
        for a in range(1, 7)
        for b in range(1, a + 1)
    )
    assert answer(capsys, "perft", "--variant", "hypergammon")["positions"] == by_hand
    # The first throws of a Russian game can be played in one way only.
    assert perft(RUSSIAN.starts(1), 1, RUSSIAN) == 21


def test_perft_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft"]) == 0
    out = capsys.readouterr().out
    assert "all         447" in out and "positions/s" in out


# -- duels with the cube ---------------------------------------------------------------------


def test_duel_of_matches(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "duel", "default", "foster", "--match", "3", "--games", "10")
    assert (got["match"], got["matches"], got["b"]) == (3, 10, "foster")
    assert got["win_rate"] < 0.5 and got["win_rate_error"] >= 0 and got["games"] >= 10
    assert {"ppg", "standard_error", "double_rate", "drop_rate", "seed"} <= set(got)
    assert main(["duel", "default", net, "--match", "3", "--games", "4"]) == 0
    assert "wins 50.0% ± 0.0% of 4 matches to 3" in capsys.readouterr().out


def test_duel_for_money_with_the_cube(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    got = answer(capsys, "duel", "default", "foster", "--cube", "--games", "10")
    assert (got["match"], got["matches"], got["games"]) == (0, 10, 10)
    assert got["ppg"] < 0
    assert main(["duel", "default", net, "--cube", "--match", "3"]) == 2
    assert "--cube is for money games" in capsys.readouterr().err
    assert main(["duel", "foster", "random", "--cube"]) == 2
    assert "can judge a double" in capsys.readouterr().err
    assert main(["duel", "default", net, "--match", "99"]) == 2
    assert "'99' is more than 64" in capsys.readouterr().err
