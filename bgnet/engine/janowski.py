"""The live cube: what the right to double is worth, from chances and stakes alone.

After R. Janowski, *Take-Points in Money Games* (1993). Two extremes can be worked out exactly. A
*dead* cube is never turned again: the game is worth its cubeless mean. A *live* cube is turned at
the very moment at which the other side can no longer take; in between, the worth of the game
rises in a straight line with the chance of winning. A real cube lies between the two, and its
worth is interpolated: ``x`` live and ``1 - x`` dead, where ``x`` is the **efficiency** of the cube.

Where the live cube is turned follows from the cube one step up: the side that is doubled takes if
owning that cube is worth more than passing. Beginning at a cube that neither side can use any
more, one works downwards step by step (in a match; for money the steps are all alike, which gives
Janowski's closed formula). The same recursion serves money, matches and the making of a match
equity table.

All worths are those of one side, called *I* here, in any unit in which the other side's are the
negatives; chances of winning are mine too.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Values = np.ndarray | float


class Step(NamedTuple):
    """The stakes while the cube shows one value. Arrays broadcast with the positions."""

    win: Values
    """Worth of winning, the share of gammons reckoned in."""
    lose: Values
    """Worth of losing, likewise."""
    cash: Values
    """Worth of my turning the cube from here and being passed."""
    drop: Values
    """Worth of his turning it and my passing."""
    mine: np.ndarray | bool
    """Whether I could turn it if I had access to it."""
    his: np.ndarray | bool
    """Whether he could."""


class Window(NamedTuple):
    """The stretch of winning chances in which a live cube at one value lies still."""

    low: Values
    """Chance at which he turns the cube and I may as well pass: my take point; 0 if he cannot."""
    low_worth: Values
    """What the game is worth there."""
    high: Values
    """Chance at which I turn it and he may as well pass: my cash point; 1 if I cannot."""
    high_worth: Values
    """What the game is worth there."""


def money_window(win: Values, lose: Values) -> Window:
    """The window of a money game with no highest cube (Janowski 1993, live cube).

    Args:
        win: mean points of a game won, per point of the cube: 1 if there are no gammons.
        lose: mean points of a game lost, negative.

    >>> money_window(1.0, -1.0)
    Window(low=0.2, low_worth=-1.0, high=0.8, high_worth=1.0)
    """
    span = win - lose + 0.5
    return Window((-lose - 0.5) / span, -1.0, (-lose + 1) / span, 1.0)


def window(steps: Sequence[Step]) -> Window:
    """The window of the first step, worked out from the last downwards.

    Args:
        steps: stakes of the cube as it stands, turned once, twice, ... The last is one that
            nobody can turn; what it says of turning is passed over.

    >>> nobody = Step(4.0, -4.0, 4.0, -4.0, False, False)
    >>> once = Step(2.0, -2.0, 2.0, -2.0, True, True)
    >>> print(*window([once, nobody]))   # who takes is left with a dead cube
    0.25 -2.0 0.75 2.0
    """
    last = steps[-1]
    above = Window(0.0, last.lose, 1.0, last.win)
    for step, turned in zip(steps[-2::-1], steps[:0:-1], strict=True):
        # Doubled out of this step he owns the next cube, whose worth to me rises from the low
        # end of its window, or from a lost game, to a game won.
        cash = above.low + (1 - above.low) * _share(above.low_worth, step.cash, turned.win)
        take = above.high * _share(turned.lose, step.drop, above.high_worth)
        above = Window(
            np.where(step.his, take, 0.0),
            np.where(step.his, step.drop, step.lose),
            np.where(step.mine, cash, 1.0),
            np.where(step.mine, step.cash, step.win),
        )
    return above


def _share(start: Values, value: Values, end: Values) -> Values:
    """How far value is on the way from start to end, 0..1; 1 if there is no way to go."""
    way = np.asarray(end - start, np.float64)
    gone = np.asarray(value - start, np.float64)
    return np.clip(np.divide(gone, way, out=np.ones(np.broadcast(gone, way).shape),
                             where=way > 0), 0, 1)  # fmt: skip


def live_worth(chance: np.ndarray, win: Values, lose: Values, still: Window) -> np.ndarray:
    """Worth of the game with a live cube.

    Args:
        chance: ``(n,)`` chances of my winning.
        win: worth of winning at the cube as it stands.
        lose: worth of losing.
        still: the window of this cube; an end is 0 or 1 for a side without access to the cube.

    Returns:
        ``(n,)`` float64: straight lines from a lost game through the ends of the window to a
        game won.

    >>> live_worth(np.array([0.1, 0.5, 0.9]), 1.0, -1.0, money_window(1.0, -1.0)).round(6) + 0
    array([-1.,  0.,  1.])
    """
    low, low_worth, high, high_worth = still
    below = lose + (low_worth - lose) * _share(0.0, chance, low)
    inside = low_worth + (high_worth - low_worth) * _share(low, chance, high)
    above = high_worth + (win - high_worth) * _share(high, chance, 1.0)
    return np.where(chance < low, below, np.where(chance <= high, inside, above))
