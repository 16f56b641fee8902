"""Probabilities of the six outcomes, what they are worth, and gnubg's way of writing them.

Everything inside bgnet uses ``(n, 6)`` float32 rows: win, win gammon, win backgammon, lose, lose
gammon, lose backgammon, exclusive, sum 1, for the side that rolls next. gnubg and most other
programs print five cumulative numbers instead: win (of any kind), win gammon or better, win
backgammon, lose gammon or better, lose backgammon. The two meet only here.
"""

import numpy as np

from ..game.scoring import SCORINGS

#: What the five cumulative numbers are called, in gnubg's order.
CUMULATIVE = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def flip(outcomes: np.ndarray) -> np.ndarray:
    """The same chances for the other side: wins and losses exchanged.

    Args:
        outcomes: ``(..., 6)``.

    >>> flip(np.array([0.6, 0.2, 0, 0.2, 0, 0])).tolist()
    [0.2, 0.0, 0.0, 0.6, 0.2, 0.0]
    """
    return np.concatenate([outcomes[..., 3:], outcomes[..., :3]], axis=-1)


def equity(outcomes: np.ndarray, scoring: str = "english") -> np.ndarray:
    """Cubeless equity in points of the side that the outcomes belong to.

    Args:
        outcomes: ``(..., 6)``.
        scoring: a key of ``SCORINGS``: english, or american where every game counts one.

    >>> round(float(equity(np.array([0.3, 0.15, 0.05, 0.35, 0.12, 0.03]))), 6)
    0.07
    """
    return mean_points(outcomes, SCORINGS[scoring])


def mean_points(outcomes: np.ndarray, payoffs: np.ndarray) -> np.ndarray:
    """What outcomes are worth on average, by what each of them pays.

    Column by column: a matrix product rounds a row according to its place in the batch, and equal
    plays would no longer be equal.

    Args:
        outcomes: ``(..., 6)``.
        payoffs: ``(6,)``, or ``(..., 6)`` where they differ from row to row.

    Returns:
        ``(...)`` of the dtype of the outcomes.

    >>> float(mean_points(np.array([0.75, 0, 0, 0.25, 0, 0]), np.array([2, 4, 6, -2, -4, -6])))
    1.0
    """
    payoffs = payoffs.astype(outcomes.dtype)
    part = [outcomes[..., i] * payoffs[..., i] for i in range(6)]
    # Games won and lost apart: seen by the other side it is exactly the contrary.
    return (part[0] + part[1] + part[2]) + (part[3] + part[4] + part[5])


def to_cumulative(outcomes: np.ndarray) -> np.ndarray:
    """Six exclusive chances as gnubg's five cumulative ones.

    Args:
        outcomes: ``(..., 6)``.

    Returns:
        ``(..., 5)``: see ``CUMULATIVE``.

    >>> to_cumulative(np.array([0.25, 0.25, 0, 0.5, 0, 0])).tolist()
    [0.5, 0.25, 0.0, 0.0, 0.0]
    """
    win = outcomes[..., 2::-1].cumsum(axis=-1)[..., ::-1]
    lose = outcomes[..., :3:-1].cumsum(axis=-1)[..., ::-1]
    return np.concatenate([win, lose], axis=-1)


def from_cumulative(chances: np.ndarray) -> np.ndarray:
    """gnubg's five cumulative chances as six exclusive ones.

    Args:
        chances: ``(..., 5)``.

    Returns:
        ``(..., 6)``.

    >>> from_cumulative(np.array([0.5, 0.25, 0, 0, 0])).tolist()
    [0.25, 0.25, 0.0, 0.5, 0.0, 0.0]
    """
    win, gammon, backgammon, lose_gammon, lose_backgammon = np.moveaxis(chances, -1, 0)
    return np.stack(
        [
            win - gammon,
            gammon - backgammon,
            backgammon,
            1 - win - lose_gammon,
            lose_gammon - lose_backgammon,
            lose_backgammon,
        ],
        axis=-1,
    )


def masked_softmax(logits: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Chances from a network's logits, exactly 0 for what the rules make impossible.

    Args:
        logits: ``(n, 6)`` float32.
        allowed: ``(n, 6)`` bool, at least one true in each row.

    Returns:
        ``(n, 6)`` float32, rows sum to 1.

    >>> masked_softmax(np.zeros((1, 6), np.float32), np.array([[1, 0, 0, 1, 0, 0]], bool)).tolist()
    [[0.5, 0.0, 0.0, 0.5, 0.0, 0.0]]
    """
    # Six long columns: numpy is several times faster along them than across rows of six.
    return _softmax(np.where(allowed.T, logits.T, np.float32(-np.inf)))


def softmax(logits: np.ndarray) -> np.ndarray:
    """Chances from logits, without a thought of the rules; ``(n, 6)`` float32 both.

    >>> softmax(np.zeros((1, 6), np.float32))[0, 0].round(3)
    np.float32(0.167)
    """
    return _softmax(np.array(logits.T, order="C"))


def _softmax(columns: np.ndarray) -> np.ndarray:
    """The softmax of each column, ``(6, n)`` to ``(n, 6)``; works in place."""
    columns -= columns.max(axis=0)
    np.exp(columns, out=columns)
    columns /= columns.sum(axis=0)
    return columns.T
