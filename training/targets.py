"""What a network should have said of recorded turns: lambda-returns, with luck or without.

Pure functions, tested with numbers worked out by hand.
"""

import numpy as np

from bgnet.nets.outcomes import flip

from .selfplay import Segment


def lambda_returns(
    next_values: np.ndarray, ended: np.ndarray, again: np.ndarray | None, lam: float
) -> np.ndarray:
    """The forward view of TD(lambda): each position's mixture of what later positions said.

    Seen from position t, the position after it is the opponent's to roll, so its chances are
    turned round, unless the same side decides again::

        G[t] = turn( (1 - lam) V[t+1] + lam G[t+1] )        the game goes on
        G[t] = turn( V[t+1] )                               the game ended: V is exact
        G[T-1] = turn( V[T] )                               the record ends here

    (Sutton 1988; Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, chapter 12, with no
    discount and rewards only at the end.)

    Args:
        next_values: ``(T, n, 6)`` float32, ``V[t+1]``: chances in the position after turn t, for
            the side that decides there; of an ended game the exact outcome.
        ended: ``(T, n)`` bool, games that ended with turn t; position t + 1 is a new game.
        again: ``(T, n)`` bool, turns after which the same side decides; None for never.
        lam: lambda, 0 (only the next position counts) to 1 (only how the game ends).

    Returns:
        ``(T, n, 6)`` float32: targets for the side that rolls in position t.

    >>> v = np.zeros((1, 1, 6), np.float32); v[..., 3] = 1      # the opponent has lost
    >>> lambda_returns(v, np.ones((1, 1), bool), None, 0.7).tolist()
    [[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]
    """
    returns = np.empty_like(next_values)
    later = next_values[-1]
    for t in range(len(next_values) - 1, -1, -1):
        goes_on = ~ended[t][:, None]
        mixed = next_values[t] + np.float32(lam) * goes_on * (later - next_values[t])
        later = returns[t] = _seen_before(mixed, again, t)
    return returns


def look_ahead_returns(ahead: np.ndarray, segment: Segment, lam: float) -> np.ndarray:
    """Lambda-returns with the luck taken out: look-ahead, put right by the look-ahead after it.

    Look-ahead L from position t is the mean over all rolls of V, what the network says after the
    best play. One of these rolls was thrown, and where it led there is a look-ahead too, which
    knows better than V by so much; that much, on average, L is wrong::

        G[t] = L[t] + lam turn( G[t+1] - V[t+1] )     the game goes on, after the best play
        G[t] = L[t]                                   otherwise, and where the record ends

    The luck of the throw is in both terms of the difference, so what is left of it is as small as
    the network's own errors. (Watkins's Q(lambda), 1989, cuts at plays that are not the best, as
    here; taking the luck out is the analysts' variance reduction, Montgomery, *Variance reduction*,
    GammOnLine 2000.)

    Args:
        ahead: ``(T, n, 6)`` float32, L, chances by look-ahead for the side that rolls.
        segment: the turns; its ``next_values`` are V[t+1].
        lam: lambda, 0 (look-ahead alone) to 1.

    Returns:
        ``(T, n, 6)`` float32: targets for the side that rolls in position t. They sum to 1; a
        chance near 0 may come out a little below it.
    """
    returns = ahead.copy()
    for t in range(len(ahead) - 2, -1, -1):
        counts = segment.best[t] & ~segment.ended[t]
        wrong = np.float32(lam) * counts[:, None] * (returns[t + 1] - segment.next_values[t])
        returns[t] += _seen_before(wrong, segment.again, t)
    return returns


def _seen_before(chances: np.ndarray, again: np.ndarray | None, t: int) -> np.ndarray:
    """``(n, 6)`` chances in position t + 1, as seen by the side that rolled in position t."""
    turned = flip(chances)
    return turned if again is None else np.where(again[t][:, None], chances, turned)
