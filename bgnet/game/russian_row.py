"""The row of Russian backgammon: what the game remembers, column by column.

(31,) int8, seen by the side to decide: its own men positive, the opponent's negative. Since both
sides walk the same way, turning a row round exchanges the sides and leaves every man on its
point::

    0          the opponent's men on the bar      26  my men waiting to enter
    1 .. 24    the points, moving down for both   27  the opponent's men waiting
    25         my men on the bar                  28  1 while my first throw is to come
                                                  29  -1 while the opponent's is to come
                                                  30  the complement to be played now, or 0
"""

import numpy as np

OPPONENT_BAR, BAR = 0, 25
WAITING, OPPONENT_WAITING = 26, 27
FIRST, OPPONENT_FIRST = 28, 29
PENDING = 30
WIDTH = 31

#: Where each column goes when the sides are exchanged.
EXCHANGE = np.arange(WIDTH)
for _a, _b in ((OPPONENT_BAR, BAR), (WAITING, OPPONENT_WAITING), (FIRST, OPPONENT_FIRST)):
    EXCHANGE[[_a, _b]] = _b, _a


def place(
    men: dict[int, int],
    opponent: dict[int, int],
    *,
    first: bool = False,
    opponent_first: bool = False,
    pending: int = 0,
) -> np.ndarray:
    """Set up a row from the men of each side.

    Args:
        men: point (25 = bar, 26 = waiting) -> number of men, for the side to decide.
        opponent: the same for the other side; the points are the same for both.
        first: the first throw of the side to decide is still to come.
        opponent_first: that of the other side is.
        pending: the complement to be played now, 0 for none.

    Returns:
        ``(31,)`` int8 row, seen by the side to decide.

    >>> place({24: 2, 26: 13}, {25: 1, 26: 14})[[0, 24, 25, 26, 27]].tolist()
    [-1, 2, 0, 13, -14]
    """
    row = np.zeros(WIDTH, np.int8)
    for slot, count in men.items():
        row[slot] += count
    for slot, count in opponent.items():
        row[EXCHANGE[slot]] -= count
    row[[FIRST, OPPONENT_FIRST, PENDING]] = first, -opponent_first, pending
    return row


#: The row before the first throw.
START = place({WAITING: 15}, {WAITING: 15}, first=True, opponent_first=True)
START.flags.writeable = False


def flip(rows: np.ndarray) -> np.ndarray:
    """Exchange the sides: what the other side sees. Men stay on their points.

    Args:
        rows: ``(n, 31)`` or ``(31,)`` int8.

    Returns:
        The same shape; ``flip(flip(rows)) == rows``.

    >>> bool((flip(START) == START).all())
    True
    """
    return -rows.take(EXCHANGE, axis=-1)
