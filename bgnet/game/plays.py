"""The result of looking for legal plays: flat rows, each with its owner."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Plays:
    """Every distinct position that legal plays reach, for a batch of positions.

    The rows of one position are neighbours; every position owns at least one (a dance).
    """

    boards: np.ndarray
    """``(m, width)`` int8, seen by **the side that decides next**: the opponent, unless
    ``again`` says otherwise."""
    owner: np.ndarray
    """``(m,)`` int64, ascending: which position of the batch each row came from."""
    again: np.ndarray | None = None
    """``(m,)`` bool, rows after which the same side decides again (not turned round, values not
    negated), or None where the game never has any."""

    def take(self, rows: np.ndarray) -> "Plays":
        """Some of the plays: rows ``(k,)`` int64, ascending, with one or more of every owner."""
        again = None if self.again is None else self.again[rows]
        return Plays(self.boards.take(rows, axis=0), self.owner[rows], again)

    def firsts(self, n: int) -> np.ndarray:
        """``(n,)`` int64: where the rows of each of the n positions begin."""
        return np.searchsorted(self.owner, np.arange(n))

    def sign(self) -> np.ndarray | float:
        """What turns the value of a row, as its own viewer sees it, into the player's: -1, or
        +1 where the same side decides again. ``(m,)`` float32, or a plain -1."""
        if self.again is None:
            return -1.0
        return np.where(self.again, np.float32(1), np.float32(-1))
