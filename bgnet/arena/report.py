"""Reports: several players against several opponents, as a table and as a plot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..engine.player import Player
from .decisions import Decisions, ErrorRates, error_rate
from .duel import DuelResult, duel


class ReportError(ValueError):
    """A report that cannot be drawn; the message says why."""


@dataclass(frozen=True)
class Row:
    """What was measured of one player."""

    player: str
    """Its name."""
    error_rates: ErrorRates | None
    """What it loses on the decisions, or None where there were none."""
    duels: tuple[DuelResult, ...]
    """Its duels, one an opponent, seen by the player."""


def measure(players: Sequence[Player], opponents: Sequence[Player], games: int, seed: int,
            decisions: Decisions | None = None, scoring: str = "english",
            progress: Callable[[int], object] | None = None) -> list[Row]:
    """Measure every player against every opponent.

    Args:
        players: a row each.
        opponents: a column each; of the same game.
        games: how many a duel.
        seed: of the dice, the same in all duels.
        decisions: to measure error rates on, or None.
        scoring: a key of ``SCORINGS``.
        progress: told the number of games that have just ended, whenever some have.

    Returns:
        A ``Row`` a player, in their order.

    >>> from bgnet.engine.baselines import player
    >>> rows = measure([player("foster")], [player("random")], games=20, seed=1)
    >>> rows[0].duels[0].win_rate
    1.0
    """
    return [
        Row(
            player.name,
            error_rate(player, decisions) if decisions else None,
            tuple(duel(player, other, games, seed, scoring, progress) for other in opponents),
        )
        for player in players
    ]


def markdown_table(rows: Sequence[Row]) -> str:
    """A row a player, a column an opponent: points a game with standard errors, games won.

    >>> print(markdown_table([Row("mine", None, ())]))
    | player |
    |---|
    | mine |
    """
    head = ["player"]
    if any(row.error_rates for row in rows):
        head.append("error rate, millipoints")
    if rows:
        head += [f"points a game against {result.b}" for result in rows[0].duels]
    body = []
    for row in rows:
        cells = [row.player]
        if row.error_rates:
            cells.append(str(row.error_rates.overall))
        cells += [
            f"{result.ppg:+.3f} ± {result.standard_error:.3f} ({result.win_rate:.1%})"
            for result in row.duels
        ]
        body.append(cells)
    first, *rest = (f"| {' | '.join(cells)} |" for cells in [head, *body])
    return "\n".join([first, "|" + "---|" * len(head), *rest])


def plot(rows: Sequence[Row], path: Path) -> None:
    """Draw points a game of every player against every opponent, with two standard errors.

    Args:
        rows: what was measured.
        path: the picture to write; its ending (.png, .svg, .pdf) says the format.

    Raises:
        ReportError: matplotlib is not installed, or does not know the format.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ReportError('a plot needs matplotlib: pip install "bgnet[plots]"') from error
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    names = [row.player for row in rows]
    for results in zip(*(row.duels for row in rows), strict=True):
        points = [result.ppg for result in results]
        errors = [2 * result.standard_error for result in results]
        axes.errorbar(points, names, xerr=errors, fmt="o", capsize=3, label=results[0].b)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("points a game, with two standard errors")
    axes.invert_yaxis()
    axes.legend(title="against")
    try:
        figure.savefig(path)
    except ValueError as error:
        raise ReportError(f"cannot write {path}: {error}") from error
