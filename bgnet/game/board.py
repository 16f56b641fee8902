"""The board: one array convention, stated once, that everything else follows.

A board is a row of 26 int8, **seen by the side that rolls next**::

    index   25      24 23 ... 13 12 ... 2 1      0
            my bar  points, moving down -->      the opponent's bar
            (>= 0)  mine positive, his negative  (<= 0)

The side that rolls moves from high points to low ones and bears off from points 6 to 1.
Men borne off are not stored: they are the variant's men minus those on the board.
Boards come in batches, ``(n, 26)``; ``n = 0`` works, and one board is a batch of one.
"""

import numpy as np

OPPONENT_BAR = 0
BAR = 25
HOME = 6  # my home table is points 1..6
SLOTS = 26

#: Weight of one of my men in the pip count: its point, the bar counting 25.
_MY_PIPS = np.arange(SLOTS, dtype=np.int16)


def place(men: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    """Set up a board from the men on each side's own points.

    Args:
        men: point (25 = bar) -> number of men, for the side that rolls.
        opponent: the same for the other side, **in its own numbering**.

    Returns:
        ``(26,)`` int8 board, seen by the side that rolls.

    >>> place({6: 5}, {24: 2})[[1, 6]].tolist()
    [-2, 5]
    """
    board = np.zeros(SLOTS, np.int8)
    for point, count in men.items():
        board[point] += count
    for point, count in opponent.items():
        board[BAR - point] -= count
    return board


_SETUP = {24: 2, 13: 5, 8: 3, 6: 5}
#: The opening position, (26,) int8.
START = place(_SETUP, _SETUP)
START.flags.writeable = False


def flip(boards: np.ndarray) -> np.ndarray:
    """Turn boards round: what the other side sees.

    Args:
        boards: ``(n, 26)`` or ``(26,)`` int8.

    Returns:
        The same shape; point p becomes point 25 - p and colours are exchanged.
        ``flip(flip(b)) == b``.

    >>> bool((flip(START) == START).all())
    True
    """
    return -boards[..., ::-1]


def pip_counts(boards: np.ndarray) -> np.ndarray:
    """Pips that each side still has to move, the bar counting 25.

    Args:
        boards: ``(n, 26)`` int8.

    Returns:
        ``(n, 2)`` int16: the side that rolls, its opponent.

    >>> pip_counts(START[None]).tolist()
    [[167, 167]]
    """
    mine = np.maximum(boards, 0) @ _MY_PIPS
    his = np.minimum(boards, 0) @ (_MY_PIPS - BAR)
    return np.stack([mine, his], axis=1)


def men_on_board(boards: np.ndarray) -> np.ndarray:
    """Men that each side has on the board or on the bar.

    Args:
        boards: ``(n, 26)`` int8.

    Returns:
        ``(n, 2)`` int8: the side that rolls, its opponent.

    >>> men_on_board(START[None]).tolist()
    [[15, 15]]
    """
    # Along columns numpy adds a whole batch at a time, several times faster than row by row.
    columns = np.ascontiguousarray(boards.T)
    mine = np.maximum(columns, 0).sum(axis=0, dtype=np.int8)
    his = -np.minimum(columns, 0).sum(axis=0, dtype=np.int8)
    return np.stack([mine, his], axis=1)
