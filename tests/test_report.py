"""Reports: what is measured, both tables, and the plot."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bgnet.arena.decisions import YARDSTICK, error_rate, read
from bgnet.arena.duel import duel
from bgnet.arena.report import ReportError, Row, markdown_table, measure, plot
from bgnet.cli.report import page
from bgnet.engine.baselines import player


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    players = [player("foster"), player("pubeval")]
    return measure(players, [player("pubeval"), player("foster")], 10, 2, read(YARDSTICK))


def test_rows_hold_what_duels_and_decisions_say(rows: list[Row]) -> None:
    assert [row.player for row in rows] == ["foster", "pubeval"]
    assert rows[0].duels[0] == duel(player("foster"), player("pubeval"), 10, 2)
    assert rows[1].error_rates == error_rate(player("pubeval"), read(YARDSTICK))
    assert rows[0].duels[1].ppg == rows[1].duels[0].ppg == 0  # against themselves


def test_progress_counts_every_game() -> None:
    ended: list[int] = []
    measure([player("foster")], [player("pubeval"), player("random")], 10, 1,
            progress=ended.append)  # fmt: skip
    assert sum(ended) == 20


def test_markdown_has_a_row_a_player_and_a_column_an_opponent(rows: list[Row]) -> None:
    lines = markdown_table(rows).splitlines()
    assert lines[1] == "|---|---|---|---|"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == [
        "player", "error rate, millipoints", "points a game against pubeval",
        "points a game against foster",
    ]  # fmt: skip
    result = rows[0].duels[0]
    won = f"{result.ppg:+.3f} ± {result.standard_error:.3f} ({result.win_rate:.1%})"
    assert cells[2] == ["foster", str(rows[0].error_rates.overall), won, "+0.000 ± 0.000 (50.0%)"]


def test_a_terminal_shows_player_by_player(rows: list[Row]) -> None:
    foster, pubeval = page(rows).split("\n\n")
    head, names, first, second = foster.splitlines()
    assert head == f"foster: {rows[0].error_rates.overall} millipoints a decision"
    assert names.split() == ["points", "a", "game", "games", "won"]
    result = rows[0].duels[0]
    points = f"{result.ppg:+.3f} ± {result.standard_error:.3f}"
    assert " ".join(first.split()) == f"against pubeval {points} {result.win_rate:.1%}"
    assert " ".join(second.split()) == "against foster +0.000 ± 0.000 50.0%"
    assert len({len(line) for line in (names, first, second)}) == 1  # columns line up
    assert pubeval.startswith("pubeval: ")


def test_a_terminal_of_80_columns_is_wide_enough(rows: list[Row]) -> None:
    far = "runs/" + "deep/" * 20 + "net.safetensors"
    wide = replace(rows[0], player=far, duels=(replace(rows[0].duels[0], b=far, win_rate=1.0),))
    shown = page([wide])
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("/deep/net.safetensors") == 2


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_plot_is_written(rows: list[Row], tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    path = tmp_path / f"plot.{ending}"
    plot(rows, path)
    content = path.read_bytes()
    assert content[:4] == b"\x89PNG" if ending == "png" else b"<svg" in content


def test_what_cannot_be_drawn_is_said(rows: list[Row], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    with pytest.raises(ReportError, match="cannot write"):
        plot(rows, tmp_path / "plot.nonsense")


def test_without_matplotlib(rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ReportError, match="pip install"):
        plot(rows, Path("plot.png"))


def test_no_rows_no_trouble() -> None:
    assert page([]) == ""
    assert markdown_table([]) == "| player |\n|---|"
