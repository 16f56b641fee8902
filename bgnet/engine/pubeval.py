"""Pubeval, the benchmark player that Gerald Tesauro gave to the public (1993).

A linear function of the number of men on each point, with one set of weights for positions where
the sides can still hit each other and one for races. It plays a decent intermediate game and
knows nothing of the safety of blots.
"""

from pathlib import Path

import numpy as np

from ..game.board import BAR, OPPONENT_BAR, SLOTS, flip
from ..game.plays import Plays
from ..game.variants import STANDARD, Variant
from .player import best_rows

_WEIGHTS = Path(__file__).parents[1] / "data" / "pubeval.txt"
_MEN = 15
_WIN = 1e8  # all men off: better than anything else


def _table(weights: np.ndarray) -> np.ndarray:
    """What every number of men on every slot adds to the score.

    Args:
        weights: ``(122,)``, one of the two vectors.

    Returns:
        ``(26, 31)`` float64 at slot, count + 15, mine positive, for the side that moved.
    """
    count = np.arange(-_MEN, _MEN + 1)
    inputs = np.stack(
        [count == -1, count == 1, count >= 2, count == 3, np.maximum(count - 3, 0) / 2]
    )
    table = np.zeros((SLOTS, len(count)))
    table[24:0:-1] = weights[:120].reshape(24, 5) @ inputs
    table[OPPONENT_BAR] = weights[120] * np.maximum(-count, 0) / 2
    # My men off, in fifteenths: all of them, less those that are on some slot.
    table -= weights[121] * np.maximum(count, 0) / _MEN
    table[BAR] += weights[121]
    return table


class Pubeval:
    """The player: the weights of a race or of contact, as the position was before the play."""

    name = "pubeval"

    def __init__(self, variant: Variant = STANDARD) -> None:
        self.variant = variant
        self._tables = np.stack([_table(weights) for weights in np.loadtxt(_WEIGHTS).T])

    def scores(self, boards: np.ndarray, race: np.ndarray) -> np.ndarray:
        """Pubeval's scores.

        Args:
            boards: ``(m, 26)`` int8 after a play, **seen by the side that moved**.
            race: ``(m,)`` bool, which weights to use.

        Returns:
            ``(m,)`` float64, in units of its own; the greater the better for that side.
        """
        cells = np.arange(SLOTS) * (2 * _MEN + 1) + _MEN + boards
        cells += race[:, None] * self._tables[0].size
        scores = self._tables.ravel().take(cells).sum(axis=1)
        scores[~(boards > 0).any(axis=1)] = _WIN
        return scores

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The play of the highest score; see ``Player``."""
        race = ~self.variant.contact(boards)[plays.owner]
        return best_rows(self.scores(flip(plays.boards), race), plays, len(boards))
