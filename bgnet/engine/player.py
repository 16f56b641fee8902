"""Players: anything that chooses among the legal plays of a batch of positions.

Whoever asks (a duel, a benchmark, a frontend) generates the plays once and hands them over; a
player answers with the rows that it would play.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..game.plays import Plays
from ..game.variants import Variant


class PlayerError(ValueError):
    """A player that cannot be had; the message says why and what could be."""


class Player(Protocol):
    """What every player offers, from the random one to a network that looks ahead."""

    @property
    def name(self) -> str:
        """How tables and commands call it."""

    @property
    def variant(self) -> Variant:
        """The game that it plays."""

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """Choose a play in each of n positions.

        Args:
            boards: ``(n, width)`` int8, seen by the side that plays.
            rolls: ``(n, 2)`` int8, dice 1..6.
            plays: the legal plays of those rolls, as ``variant.legal_plays`` gives them.

        Returns:
            ``(n,)`` int64, indices of rows of ``plays``. Of equal plays the first row is chosen.
        """


def best_rows(values: np.ndarray, plays: Plays, n: int) -> np.ndarray:
    """The best play of each position.

    Args:
        values: ``(m,)`` floats, the worth of every row of ``plays`` **to the side that plays**.
        plays: the legal plays of n positions.
        n: how many positions.

    Returns:
        ``(n,)`` int64, indices of rows of ``plays``; of equal rows the first.

    >>> plays = Plays(np.zeros((5, 26), np.int8), np.array([0, 0, 0, 1, 1]))
    >>> best_rows(np.array([1, 3, 3, 5, 4]), plays, 2).tolist()
    [1, 3]
    """
    best = np.maximum.reduceat(values, plays.firsts(n))
    candidates = np.flatnonzero(values == best[plays.owner])
    return candidates[np.searchsorted(plays.owner[candidates], np.arange(n))]


@dataclass(frozen=True, eq=False)
class ValuePlayer:
    """A player that looks at nothing but the positions its plays lead to."""

    name: str
    """How tables and commands call it."""
    variant: Variant
    """The game that it plays."""
    values: Callable[[np.ndarray], np.ndarray]
    """``values(rows)``: ``(m, width)`` int8 to ``(m,)`` floats, the worth of each position **to
    the side that sees it**, in any unit."""

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The play whose position is worth most to the player; see ``Player``."""
        return best_rows(plays.sign() * self.values(plays.boards), plays, len(boards))
