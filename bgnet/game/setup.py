"""Setting up men: which positions are possible at all (Foster's laws 1 and 2, IBA 16)."""

from collections.abc import Sequence

import numpy as np

from .board import BAR
from .variants import STANDARD, Variant


class PositionError(ValueError):
    """A position that cannot come about; the message says why."""


def set_up(mine: Sequence[int], his: Sequence[int], variant: Variant = STANDARD) -> np.ndarray:
    """Put up the men of both sides and check them.

    Args:
        mine: men of the side that rolls on slots 0..25 of its own numbering (0 holds none).
        his: the same for its opponent, **in his own numbering**.
        variant: the game.

    Returns:
        ``(26,)`` int8, seen by the side that rolls.

    Raises:
        PositionError: both sides on a point, or what ``check`` refuses.

    >>> men = [0] * 26
    >>> men[5], men[20] = 2, 1
    >>> set_up(men, men)
    Traceback (most recent call last):
    bgnet.game.setup.PositionError: both sides have men on point 5: one of them must go
    """
    for point in range(1, BAR):
        if mine[point] and his[BAR - point]:
            raise PositionError(f"both sides have men on point {point}: one of them must go")
    board = np.array(mine, np.int64) - np.array(his, np.int64)[::-1]
    check(board, variant)
    return board.astype(np.int8)


def check(board: np.ndarray, variant: Variant = STANDARD) -> None:
    """Refuse a board that cannot come about in this game.

    Args:
        board: ``(width,)`` integers, seen by the side that rolls.
        variant: the game.

    Raises:
        PositionError: one sentence that says what is wrong.

    >>> check(np.zeros(26, np.int8))
    Traceback (most recent call last):
    bgnet.game.setup.PositionError: neither side has a man left: one of them must have some
    """
    if board.shape != variant.start.shape:
        raise PositionError(
            f"a board of {variant.name} has {variant.width} slots, not the shape {board.shape}"
        )
    wrong = variant.rules.problem(board, variant.men)
    if wrong:
        raise PositionError(wrong)
    counts = board[variant.rules.steps.MEN]
    mine, his = int(counts[counts > 0].sum()), -int(counts[counts < 0].sum())
    for side, men in (("the side on roll", mine), ("its opponent", his)):
        if men > variant.men:
            raise PositionError(f"{side} has {men} men, but {variant.name} has {variant.men}")
    if mine == his == 0:
        raise PositionError("neither side has a man left: one of them must have some")
