"""Reports: what is measured, both tables, and the plot."""

import sys
from pathlib import Path

import pytest

from bgnet.arena.decisions import YARDSTICK, error_rate, read
from bgnet.arena.duel import duel
from bgnet.arena.report import ReportError, Row, markdown_table, measure, plot, text_table
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


def test_the_tables_hold_the_same_cells(rows: list[Row]) -> None:
    text, markdown = text_table(rows).splitlines(), markdown_table(rows).splitlines()
    assert markdown[1] == "|---|---|---|---|"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown]
    del cells[1]
    for line, row in zip(text, cells, strict=True):
        position = 0
        for cell in row:  # in this order, and in columns that line up
            position = line.index(cell, position) + len(cell)
    starts = {line.index(cell[2]) for line, cell in zip(text, cells, strict=True)}
    assert len(starts) == 1
    result = rows[0].duels[0]
    assert f"{result.ppg:+.3f} ± {result.standard_error:.3f}" in cells[1][2]
    assert cells[0] == [
        "player", "error rate, millipoints", "points a game against pubeval",
        "points a game against foster",
    ]  # fmt: skip


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
    assert text_table([]) == "player"
    assert markdown_table([]) == "| player |\n|---|"
