"""The one evaluator: chances of the six outcomes in any position.

Finished games are exact, bear-offs come from tables, everything else is asked of the network, with
what the rules make impossible masked out. Engine, arena and frontends all go through here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ..game import scoring
from ..game.plays import Plays
from ..game.variants import Variant
from ..nets.outcomes import masked_softmax, softmax
from .filters import Filter, best_of_each


class Exact(Protocol):
    """Something that knows some positions for certain, such as a bear-off table."""

    def covers(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: the positions that it knows."""

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """``(n, 6)`` float32 of positions that it covers."""

    def refine(self, rows: np.ndarray, outcomes: np.ndarray) -> None:
        """Correct, in place, ``(n, 6)`` chances of other positions where it knows better; by
        default it does not."""
        return None


_CERTAIN = np.eye(6, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Chances in any position of one variant."""

    variant: Variant
    """The game."""
    logits: Callable[[np.ndarray], np.ndarray]
    """``logits(rows)``: ``(n, width)`` int8 to ``(n, 6)`` float32, a network's answer."""
    exact: Exact | None = None
    """Positions known for certain, never asked of the network."""
    scout: "Scout | None" = None
    """Who tells, where there are many plays to compare, which of them to ask about; or nobody."""

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """Chances of the six outcomes for the side that rolls next.

        Args:
            rows: ``(n, width)`` int8, seen by the side that rolls.

        Returns:
            ``(n, 6)`` float32.
        """
        return self.chances(rows)[0]

    def chances(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same, and which of them are certain knowledge.

        Returns:
            ``(n, 6)`` float32, and ``(n,)`` bool: the game is over, or a table knows the rest.
        """
        chances = masked_softmax(self.logits(rows), self.variant.possible(rows))
        result = self.variant.result(rows)
        known = result != scoring.ONGOING
        chances[known] = _CERTAIN[result[known]]
        if self.exact is not None:
            self.exact.refine(rows, chances)
            at = np.flatnonzero(self.exact.covers(rows) & ~known)
            if len(at):
                chances[at] = self.exact.outcomes(rows[at])
                known[at] = True
        return chances, known


@dataclass(frozen=True, eq=False)
class Scout:
    """A small network that goes ahead, so that the real one is asked about promising plays only.

    Look-ahead compares some twenty plays for each of 21 rolls, and nearly all of them are out of
    the question even for a network of a few units, which answers ten times as fast.
    """

    #: At most so many plays of a position are promising.
    KEEP: ClassVar[int] = 6

    variant: Variant
    """The game."""
    logits: Callable[[np.ndarray], np.ndarray]
    """What the small network answers; see ``Evaluator``."""
    within: float
    """How far below the best play, in the scout's eyes, the really best one may lie, in points."""

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """Rough chances, ``(n, 6)`` float32: fast, so the network's word goes even where it gives
        a chance to what the rules make impossible. Only finished games are exact."""
        chances = softmax(self.logits(rows))
        result = self.variant.result(rows)
        over = np.flatnonzero(result != scoring.ONGOING)
        chances[over] = _CERTAIN[result[over]]
        return chances

    def promising(self, values: np.ndarray, plays: Plays) -> np.ndarray:
        """Which plays are worth a real look.

        Args:
            values: ``(m,)`` floats, the scout's value of every play **to the side that plays**.
            plays: the legal plays of some positions.

        Returns:
            ``(k,)`` int64 rows of ``plays``, ascending, one or more of every position.

        >>> plays = Plays(np.zeros((4, 26), np.int8), np.array([0, 0, 0, 1]))
        >>> from bgnet.game.variants import STANDARD
        >>> scout = Scout(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32), 0.1)
        >>> scout.promising(np.array([0.3, 0.5, 0.45, 0.1]), plays).tolist()
        [1, 2, 3]
        """
        every = np.arange(len(values))
        return best_of_each(every, values, plays.owner, Filter(self.KEEP, self.within))
