"""How far an evaluator is from the truth, where the truth is known: the solved games."""

from typing import NamedTuple

import numpy as np

from ..engine.evaluator import Evaluator
from ..engine.hypergammon import Solved
from ..engine.search import Search
from ..game.scoring import ONGOING
from ..nets.outcomes import equity


class EquityError(NamedTuple):
    """How far an evaluator is from the truth, in points of equity."""

    positions: int
    """Positions compared."""
    mean: float
    """Mean absolute error."""
    worst: float
    """Greatest absolute error."""


def equity_error(evaluator: Evaluator, table: Solved, rows: np.ndarray) -> EquityError:
    """Compare an evaluator's equities with the exact ones.

    Args:
        evaluator: of the same game.
        table: the truth.
        rows: ``(n, 26)`` int8, n > 0.
    """
    said = equity(evaluator.outcomes(rows), table.scoring)
    error = np.abs(said - table.equities(rows))
    return EquityError(len(rows), float(error.mean()), float(error.max()))


def met_in_play(table: Solved, games: int, rng: np.random.Generator) -> np.ndarray:
    """Positions before the throw, as perfect play meets them, each as often as it comes about.

    Args:
        table: who plays both sides.
        games: how many games, in lockstep.
        rng: where the dice come from.

    Returns:
        ``(n, width)`` int8.
    """
    variant, player = table.variant, Search(table.evaluator(), 0, table.scoring)
    rows, rolls = variant.starts(games), variant.opening_rolls(rng, games)
    met = []
    while len(rows):
        met.append(rows)
        plays = variant.legal_plays(rows, rolls)
        rows = plays.boards[player.choose(rows, rolls, plays)]
        rows = rows[variant.result(rows) == ONGOING]
        rolls = variant.next_rolls(rng, rows)
    return np.concatenate(met)
