"""Shots: how many of the 36 rolls hit a blot, counted by playing them all.

Foster prints the odds against being hit at each distance in *Backgammon, or Tric-Trac*. Counted
with the move generator his table comes out the same, but for a distance of 12: he gives 35 to 1,
as if 6-6 alone could do it, while 4-4 and 3-3 arrive there too. It is 33 to 3.
"""

from functools import cache

import numpy as np

from .board import BAR, place
from .dice import CHANCES, ROLLS
from .variants import STANDARD, Variant

#: Of each of the 21 rolls, how many of the 36 throws it is: 1 or 2.
_THROWS = np.rint(CHANCES * 36).astype(np.int64)
#: Distances at which a man on the board or the bar can find a blot.
DISTANCES = range(1, BAR)


def shots(rows: np.ndarray, variant: Variant = STANDARD) -> np.ndarray:
    """How many of the 36 throws can hit something.

    Args:
        rows: ``(n, width)`` int8, seen by the side that rolls.
        variant: the game.

    Returns:
        ``(n,)`` int64, 0 to 36: throws with a legal play after which the opponent has more pips
        to go than before.

    >>> shots(place({7: 1}, {24: 1})[None]).tolist()   # six points away: 17, as Foster says
    [17]
    """
    return hitting(rows, variant) @ _THROWS


def hitting(rows: np.ndarray, variant: Variant = STANDARD) -> np.ndarray:
    """Which rolls can hit something.

    Args: as for ``shots``.

    Returns:
        ``(n, 21)`` bool in the order of ``ROLLS``. Where the rules have fixed the throw, the
        other rolls are played all the same.
    """
    owner = np.repeat(np.arange(len(rows)), len(ROLLS))
    plays = variant.legal_plays(rows[owner], np.tile(ROLLS, (len(rows), 1)))
    his = variant.pip_counts(variant.flip(variant.seen_by_player(plays)))[:, 0]
    before = variant.pip_counts(rows)[:, 1]
    hits = np.zeros(len(owner), bool)
    hits[plays.owner[his > before[owner[plays.owner]]]] = True
    return hits.reshape(len(rows), len(ROLLS))


@cache
def open_shots() -> dict[int, int]:
    """Throws in 36 that hit a blot at each distance, with no point blocked between.

    >>> open_shots()[1], open_shots()[6], open_shots()[12]
    (11, 17, 3)
    """
    rows = np.stack([place({BAR: 1} if d == 24 else {d + 1: 1}, {24: 1}) for d in DISTANCES])
    return dict(zip(DISTANCES, shots(rows).tolist(), strict=True))


def odds(throws: int) -> str:
    """Throws in 36 as Foster writes them: the odds against.

    >>> odds(11)
    '25 to 11 against'
    """
    return f"{36 - throws} to {throws} against"
