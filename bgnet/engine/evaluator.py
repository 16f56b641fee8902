"""The one evaluator: chances of the six outcomes in any position.

Finished games are exact, bear-offs come from tables, everything else is asked of the network, with
what the rules make impossible masked out. Engine, arena and frontends all go through here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..game import scoring
from ..game.variants import Variant
from ..nets.outcomes import masked_softmax


class Exact(Protocol):
    """Something that knows some positions for certain, such as a bear-off table."""

    def covers(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: the positions that it knows."""

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """``(n, 6)`` float32 of positions that it covers."""


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
            at = np.flatnonzero(self.exact.covers(rows) & ~known)
            if len(at):
                chances[at] = self.exact.outcomes(rows[at])
                known[at] = True
        return chances, known
