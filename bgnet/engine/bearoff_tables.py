"""The mathematics of the bear-off tables: what the cache keeps and ``bearoff`` looks up.

A *home position* is how many men one side has on its points 1..6, six counts. Home positions
of up to 15 men are numbered 0..54263 so that fewer men come first (``index``); number 0 is no
man at all, and positions of at most m men are the first C(m + 6, 6) numbers.

With every man at home and nobody to hit, each die can always be played while men are left, so
the plays of a roll are all the ways of playing its dice one after another. Every play lowers
the pips; tables are filled pip count by pip count, each in one vectorised step.
"""

from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np

from ..game.board import HOME
from ..game.dice import ROLLS


def positions_of(men: int) -> int:
    """How many home positions have at most so many men.

    >>> positions_of(1)
    7
    """
    return comb(men + HOME, HOME)


#: Most men a side in the one-sided table.
MEN = 15
POSITIONS = positions_of(MEN)  # 54,264
#: Most men a side in the two-sided table.
TWO_SIDED_MEN = 6
TWO_SIDED_POSITIONS = positions_of(TWO_SIDED_MEN)  # 924
#: Columns of a distribution, 0..23 rolls; the chance that any position takes more is 1e-12.
ROLLS_KEPT = 24

#: [k, s]: home positions on k + 1 points of fewer than s men.
_FEWER = np.array([[comb(s + k, k + 1) for s in range(MEN + 1)] for k in range(HOME)], np.int32)
#: Points from the highest down, as columns of six counts.
_DOWNWARDS = range(HOME - 1, -1, -1)
_CHANCES = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2) / 36  # in float64


def index(counts: np.ndarray) -> np.ndarray:
    """Number home positions, fewer men first (the combinatorial number system).

    With s(k) the men on the k highest points, a position's number is the sum over k = 1..6 of
    C(s(k) + k - 1, k), a bijection; gnubg's databases are in the same order.

    Args:
        counts: ``(n, 6)`` integers, one side's men on its points 1..6, at most 15 together.

    Returns:
        ``(n,)`` int32, 0..54263; 0 is no man at all.

    >>> index(np.array([[0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]])).tolist()
    [0, 1, 54263]
    """
    men = np.zeros(len(counts), np.int8)
    number = np.zeros(len(counts), np.int32)
    for k, point in enumerate(_DOWNWARDS):
        men += counts[:, point]
        number += _FEWER[k].take(men)
    return number


def home_positions(men: int = MEN) -> np.ndarray:
    """All home positions of at most so many men, in the order of ``index``.

    Returns:
        ``(C(men + 6, 6), 6)`` int8 counts on points 1..6.

    >>> home_positions(1)[:3].tolist()
    [[0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]
    """
    places = np.array(list(combinations_with_replacement(range(HOME + 1), men)), np.int8)
    counts = (places[:, :, None] == np.arange(1, HOME + 1)).sum(1, dtype=np.int8)
    positions = np.empty_like(counts)
    positions[index(counts)] = counts
    return positions


def steps(positions: np.ndarray, leaving: bool = False) -> np.ndarray:
    """Play one man with one die, in every way.

    Args:
        positions: ``(n, 6)`` int8, all home positions of up to some number of men, in order.
        leaving: the men leave six points for the next one, so that a die too large does for any
            of them, not only for the last.

    Returns:
        ``(n, 6, 6)`` int32: [position, die - 1, point - 1] is the number of the position after
        playing a man from that point; n where no man may be played. The empty position steps
        to itself.
    """
    n = len(positions)
    result = np.full((n, HOME, HOME), n, np.int32)
    for point in range(1, HOME + 1):
        above = positions[:, point:].any(1)
        for die in range(1, HOME + 1):
            legal = positions[:, point - 1] > 0
            if point < die and not leaving:  # a die too large takes the highest man off
                legal &= ~above
            after = positions[legal]
            after[:, point - 1] -= 1
            if point > die:
                after[:, point - die - 1] += 1
            result[legal, die - 1, point - 1] = index(after)
    result[0, :, 0] = 0
    return result


class OneSided(NamedTuple):
    """How long home positions take, by number of position; float32."""

    finish: np.ndarray
    """``(54264, 24)``: chance that the last man is off with exactly so many rolls."""
    unfinished: np.ndarray
    """``(54264, 24)``: chance that men are left after one roll *fewer*; 1 in column 0."""
    unsaved: np.ndarray
    """``(54264, 24)``: chance that no man is off after one roll fewer, playing for that."""
    mean: np.ndarray
    """``(54264,)``: mean number of rolls to bear the last man off."""


def one_sided() -> OneSided:
    """Work out the one-sided table.

    A side alone plays to finish in the fewest rolls on average, or, where it plays to save a
    gammon, to have its first man off in the fewest. Equal means (to 2**-40 of a roll): the play
    that leaves fewer men, then the one whose position has the lower number.
    """
    positions = home_positions()
    step = steps(positions)
    finish, mean = _fewest_rolls(positions, step)
    # Playing for the first man only, a man borne off ends it: as good as the empty position.
    men = np.append(positions.sum(1, dtype=np.int8), 0)
    borne_off = (men[step] < men[:-1, None, None]) & (step < POSITIONS)
    first, _ = _fewest_rolls(positions, np.where(borne_off, 0, step))
    return OneSided(
        finish.astype(np.float32), _survival(finish), _survival(first), mean.astype(np.float32)
    )


def stragglers() -> np.ndarray:
    """How long men take to leave six points behind them, playing for the fewest rolls on average.

    Returns:
        ``(924, 24)`` float32, by number of position, six men at most, each counted on the point
        that says how many pips it needs: chance that some are left after one roll *fewer*.
    """
    positions = home_positions(TWO_SIDED_MEN)
    gone, _ = _fewest_rolls(positions, steps(positions, leaving=True))
    return _survival(gone)


def _survival(chance: np.ndarray) -> np.ndarray:
    """From the chance of exactly n rolls to that of n or more, both ``(m, 24)``."""
    return np.cumsum(chance[:, ::-1], axis=1)[:, ::-1].astype(np.float32)


def _fewest_rolls(positions: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distribution of rolls to reach the empty position, minimising the mean.

    A position's *key* is its mean in 2**-40 of a roll followed by its number, in one int64:
    the smallest key is the best position, ties included, and tells which position it is.

    Args:
        positions: ``(n, 6)`` int8.
        step: ``(n, 6, 6)`` int32 as from ``steps``.

    Returns:
        ``(n, 24)`` float64 chances and ``(n,)`` float64 means.
    """
    n = len(positions)
    mean = np.zeros(n)
    chance = np.zeros((n, ROLLS_KEPT))
    chance[0, 0] = 1
    # [k]: best key after playing one die k times; row n, no legal play, is never the best.
    played = np.zeros((5, n + 1, HOME), np.int64)
    played[:, n] = np.iinfo(np.int64).max
    pips = positions @ np.arange(1, HOME + 1)
    larger, smaller = (ROLLS - 1).T
    doublet = larger == smaller
    for level in range(1, pips.max() + 1):
        here = np.flatnonzero(pips == level)
        after = step[here]  # (m, die, point)
        played[1, here] = played[0, after, 0].min(2)
        both = played[1, after].min(2)  # (m, first die, second die)
        best = np.minimum(both[:, larger, smaller], both[:, smaller, larger])
        played[2, here] = both[:, range(HOME), range(HOME)]
        for k in (3, 4):
            played[k, here] = played[k - 1, after, np.arange(HOME)[:, None]].min(2)
        best[:, doublet] = played[4, here]
        successor = best & 0xFFFF
        mean[here] = 1 + mean[successor] @ _CHANCES
        for roll, weight in enumerate(_CHANCES):
            chance[here, 1:] += weight * chance[successor[:, roll], :-1]
        played[0, here] = (np.round(mean[here] * 2**40).astype(np.int64) << 16 | here)[:, None]
    return chance, mean


#: Planes of the two-sided table: equities of the side that rolls, money play, cube at 1.
#: HELD planes forbid a double now; the others contain the best cube action.
CUBELESS, CENTRED, OWNED, OPPONENTS, CENTRED_HELD, OWNED_HELD = range(6)


def two_sided() -> np.ndarray:
    """Work out the two-sided table: exact equities with both sides playing their best.

    The cube follows money play without Jacoby (no gammon is possible): the side that rolls may
    double first if the cube is centred or its own, its opponent passes or takes and owns it.
    See Keeler and Spencer, Optimal doubling in backgammon (1975), for the model.

    Returns:
        ``(6, 924, 924)`` float32: [plane, position of the side that rolls, of its opponent];
        +1 in row 0 (it has already won), -1 in the rest of column 0.
    """
    positions = home_positions(TWO_SIDED_MEN)
    pips = positions @ np.arange(1, HOME + 1)
    order = np.argsort(pips, kind="stable")
    slices = [slice(*np.searchsorted(pips[order], [p, p + 1])) for p in range(pips.max() + 1)]
    successor, first = _all_plays(steps(positions), order)

    equity = np.ones((6, len(positions), len(positions)))
    equity[:, 1:, 0] = -1
    # What a side that has played has: [cube as it sees it, its position, the roller's].
    waiting = np.ones((4, len(positions), len(positions)))
    for total in range(2, 2 * len(slices) - 1):
        for p in range(max(1, total - len(slices) + 1), min(total, len(slices))):
            mine, his = slices[p], slices[total - p]
            starts = first[mine.start * len(ROLLS) : mine.stop * len(ROLLS) + 1]
            plays = waiting[:, successor[starts[0] : starts[-1]], his]
            best = np.maximum.reduceat(plays, starts[:-1] - starts[0], axis=1)
            best = best.reshape(4, mine.stop - mine.start, len(ROLLS), -1)
            rolled = np.einsum("r,cirj->cij", _CHANCES, best)
            doubled = np.minimum(2 * rolled[OPPONENTS], 1)
            equity[:4, mine, his] = rolled
            equity[CENTRED_HELD:, mine, his] = rolled[[CENTRED, OWNED]]
            equity[CENTRED, mine, his] = np.maximum(rolled[CENTRED], doubled)
            equity[OWNED, mine, his] = np.maximum(rolled[OWNED], doubled)
            # The opponent's cube is the one that I own, seen from the other side.
            seen = equity[[CUBELESS, CENTRED, OPPONENTS, OWNED], mine, his]
            waiting[:, his, mine] = -seen.transpose(0, 2, 1)
    number = np.argsort(order)
    return equity[:, number[:, None], number].astype(np.float32, order="C")


def _all_plays(step: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every distinct position after every roll, positions renumbered by their place in order.

    Returns:
        ``(m,)`` int64 positions; those of position i and roll r are neighbours, beginning at
        entry 21 i + r of the second result, ``(21 n + 1,)`` int64, which ends with m.
    """
    n = len(step)
    place = np.append(np.argsort(order), n)
    step = place[np.concatenate([step[order], np.full((1, HOME, HOME), n)])]
    found = []
    for r, (a, b) in enumerate(ROLLS):
        for dice in [(a, a, a, a)] if a == b else [(a, b), (b, a)]:
            owner, position = np.arange(n), np.arange(n)
            for die in dice:
                after = step[position, die - 1]
                distinct = np.unique((owner[:, None] * (n + 1) + after)[after < n])
                owner, position = np.divmod(distinct, n + 1)
            found.append((owner * len(ROLLS) + r) * n + position)
    owner, position = np.divmod(np.unique(np.concatenate(found)), n)
    return position, np.searchsorted(owner, np.arange(n * len(ROLLS) + 1))
