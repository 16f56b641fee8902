"""What a glance at the dice shows of a board: shots, points to be made, ways out, contact.

A sum over points cannot say any of this, and a network finds it hard to work out, since it
depends on many points at once. A set of points is 32 bits, point p being bit p, so that a die
moves every man of a side by one shift, and a batch of boards costs a few hundred operations.
"""

import numpy as np

from ..game.board import BAR, SLOTS
from ..game.masks import POINTS

#: Values for each side.
A_SIDE = 33

_BLOCK = 2048  # boards at a time: keeps the sets of all rolls in the cache
_ONE = np.uint32(1)
_DICE = np.arange(1, 7, dtype=np.uint32)[:, None]
#: Of the 15 mixed rolls those of 1 with all higher dice, of 2, ... 5.
_WITH_HIGHER = [slice(0, 5), slice(5, 9), slice(9, 12), slice(12, 14), slice(14, 15)]
_ALL = np.uint32(0xFFFFFFFF)
_ON_BAR = np.uint32(1 << BAR)
#: The quarters of the board, six points each: the five lower ones and the highest of all four.
_LOWER = np.uint32(sum(0b11111 << low for low in (1, 7, 13, 19)))
_SIXTHS = np.array([6, 12, 18, 24], np.uint32)[:, None]
_SIXTH = np.uint32(sum(1 << bit for bit in (6, 12, 18, 24)))
#: From where ways out are counted, and where also if nobody stands there.
_BACK = np.arange(14, BAR + 1, dtype=np.uint32)[:, None]
_EMPTY_TOO = [19 - 14, 21 - 14, 23 - 14, 25 - 14]
_REACH = 12  # pips that a mixed roll can go
_COLUMNS = np.arange(32)
#: ``(32, 8)``: of what ``_contact`` sums up; five columns of nothing make the product faster.
_MOMENTS = np.zeros((32, 8), np.float32)
_MOMENTS[:, :3] = _COLUMNS[:, None] ** [0, 1, 2]
#: ``(26, 32)`` int8: whether a column lies beyond a point.
_BEYOND = np.less(np.arange(SLOTS)[:, None], _COLUMNS).astype(np.int8)


def tactics(rows: np.ndarray) -> np.ndarray:
    """Shots, points to be made, ways out and contact of both sides.

    For each side, as if it were to roll, chances being shares of the 36 rolls::

        0      it can hit              1      it has a choice of two blots to hit
        2-5    it can hit in its home, its outfield, the outfield and the home opposite
        6      it can put two men on a blot
        7-10   it can make a point (or cover a blot) in these quarters, not breaking another
        11-22  a man on point 14, ... 24, on the bar gets more than six points on; 0: none there
        23-26  one would from points 19, 21, 23 and the bar, if he were there
        27     its rear man's point / 25
        28     how far that is past the rear man of the other side / 25, or 0
        29     pips that its men have to go past that man / 100
        30     men who have to / 15
        31     the rearmost point from 16 up that it holds / 25, or 0
        32     standard deviation of where its men are, points / 10

    Args:
        rows: ``(n, 26)`` int8, seen by the side that rolls.

    Returns:
        ``(n, 66)`` float32: the side that rolls, then the other side.

    >>> from bgnet.game.board import place
    >>> shot = place({8: 2}, {24: 1, 3: 5})  # the other side has a blot on my point 1
    >>> round(36 * float(tactics(shot[None])[0, 0]))  # 6-1, 5-2, 4-3
    6
    """
    values = np.empty((2, A_SIDE, len(rows)), np.float32)
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK]
        for_each = _for_each(some).reshape(A_SIDE, 2, len(some))
        values[:, :, start : start + _BLOCK] = for_each.swapaxes(0, 1)
    return values.reshape(2 * A_SIDE, len(rows)).T


def _for_each(rows: np.ndarray) -> np.ndarray:
    """The values of both sides of so many boards about to roll, ``(33, 2n)`` float32."""
    sides, men, pairs, threes, his, closed = _sides(rows)
    waiting = sides[:, BAR]
    values = np.empty((A_SIDE, len(sides)), np.float32)
    blots = his & ~closed & POINTS
    values[:6] = 0
    nearest = blots & (~blots + _ONE)
    aims = np.flatnonzero(men > nearest - _ONE)  # without a blot this wraps round, past all men
    values[:6, aims] = _shots(*(of[aims] for of in (men, waiting, blots, closed)))
    can_move = np.where(waiting == 0, _ALL, _ON_BAR)
    spare = (men & ~pairs | threes) & can_move
    made = _points_to_make(spare, pairs & can_move, men & ~pairs, closed | pairs)
    values[6] = _chance(made & blots)
    values[7:11] = _by_quarter(made)
    ways_out = _WAYS_OUT.take((closed >> (_BACK - _REACH)) & (_PATTERNS - 1))
    values[23:27] = ways_out[_EMPTY_TOO]
    values[11:23] = ways_out
    values[11:23] *= ((men >> _BACK) & _ONE).astype(np.float32)
    values[27:] = _contact(sides, men, pairs, his)
    return values


def _sides(rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Both sides of boards as if about to roll, and where they stand.

    Returns:
        ``(2n, 32)`` int8, six columns of nothing behind the board; then five times ``(2n,)``
        sets: points with a man, two, three; with a man of the other side, two.
    """
    n = len(rows)
    sides = np.zeros((2 * n, 32), np.int8)
    sides[:n, :SLOTS] = rows
    np.negative(rows[:, ::-1], out=sides[n:, :SLOTS])
    flags = np.empty((5, 2 * n, 32), bool)
    for least, flag in zip((1, 2, 3), flags, strict=False):
        np.greater_equal(sides, least, out=flag)
    np.less(sides, 0, out=flags[3])
    np.less(sides, -1, out=flags[4])
    return sides, *np.packbits(flags.ravel(), bitorder="little").view("<u4").reshape(5, 2 * n)


def _shots(men: np.ndarray, waiting: np.ndarray, blots: np.ndarray, closed: np.ndarray
           ) -> np.ndarray:
    """Values 0 to 5 of ``tactics``, ``(6, n)`` float32, of sides who may have a shot.

    Args:
        men: ``(n,)`` sets, where the side has men.
        waiting: ``(n,)`` int8, its men on the bar, who come first.
        blots: ``(n,)`` sets, the other side's blots.
        closed: ``(n,)`` sets, points that the other side holds.
    """
    hits = _hits(men, waiting, ~closed)
    hits &= blots
    return np.stack([_chance(hits), _chance(hits & (hits - _ONE)), *_by_quarter(hits)])


def _hits(men: np.ndarray, waiting: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Where men come down in the course of each roll.

    Args:
        men: ``(n,)`` sets, where the side has men.
        waiting: ``(n,)`` int8, its men on the bar, who come first.
        free: ``(n,)`` sets, points that the other side does not hold.

    Returns:
        ``(21, n)`` sets, the 15 mixed rolls first; points that are not free are to be left out.
    """
    hits = np.empty((21, len(men)), np.uint32)
    mixed, doublets = hits[:15], hits[15:]
    nobody = waiting == 0
    first = np.where(nobody, men, _ON_BAR)
    landed = first >> _DICE
    landed &= free
    entered = landed != 0
    # Who plays the second die: anybody after nobody or one man had to enter; else only the bar.
    then = landed | men
    then *= entered & (waiting == 1) | nobody
    then |= first
    second = np.empty_like(mixed)
    for i, rolls in enumerate(_WITH_HIGHER):
        np.right_shift(then[i], _DICE[i + 1 :], out=mixed[rolls])
        np.right_shift(then[i + 1 :], _DICE[i], out=second[rolls])
    mixed |= second
    doublets[:] = landed
    reached = np.where(nobody, np.uint32(0), men & ~_ON_BAR) * entered
    reached |= landed
    for step in range(1, 4):
        reached >>= _DICE
        doublets |= reached & np.where(waiting <= 4 - step, _ALL, np.uint32(0))
        reached &= free
    return hits


def _points_to_make(spare: np.ndarray, pairs: np.ndarray, single: np.ndarray, taken: np.ndarray
                    ) -> np.ndarray:
    """Where each roll can put two men together where none or one was.

    Args:
        spare: ``(n,)`` sets, where men stand who break no point if one leaves.
        pairs: where two may leave together.
        single: where the side has one man.
        taken: where it or the other side has two or more.

    Returns:
        ``(21, n)`` sets, the 15 mixed rolls first.
    """
    made = np.empty((21, len(spare)), np.uint32)
    mixed, doublets = made[:15], made[15:]
    one, two = spare >> _DICE, pairs >> _DICE
    np.bitwise_and(one, single, out=doublets)
    doublets |= two
    # Both dice where nobody is, either where one man is: there, not neither of the two.
    one ^= single
    for i, rolls in enumerate(_WITH_HIGHER):
        np.bitwise_and(one[i], one[i + 1 :], out=mixed[rolls])
    mixed ^= single
    made &= ~taken
    return made


def _chance(sets: np.ndarray) -> np.ndarray:
    """``(n,)`` chance that a roll's set, ``(21, n)``, is not empty."""
    some = (sets != 0).view(np.uint8)
    rolls = 2 * np.add.reduce(some[:15], dtype=np.uint8) + np.add.reduce(some[15:], dtype=np.uint8)
    return rolls / np.float32(36)


def _by_quarter(sets: np.ndarray) -> np.ndarray:
    """``(4, n)`` chances that a roll's set, ``(21, n)``, reaches into each quarter of the board."""
    # Adding five ones to the five lower bits of a quarter carries into the sixth unless all are 0.
    flags = sets & _LOWER
    flags += _LOWER
    flags |= sets
    flags &= _SIXTH
    # Six bits lie between two of these, room to count to 63.
    rolls = 2 * np.add.reduce(flags[:15]) + np.add.reduce(flags[15:])
    return ((rolls >> _SIXTHS) & np.uint32(63)).astype(np.float32) / np.float32(36)


def _contact(sides: np.ndarray, men: np.ndarray, pairs: np.ndarray, his: np.ndarray) -> np.ndarray:
    """Values 27 to 32 of ``tactics``, ``(6, n)`` float32."""
    rear, his_rear = _highest(men), _highest(his & (~his + _ONE))
    own = sides * (sides > 0)
    past = own * _BEYOND.take(his_rear, axis=0)
    total, first, second = (own.astype(np.float32) @ _MOMENTS).T[:3]
    men_past, pips_past = (past.astype(np.float32) @ _MOMENTS).T[:2]
    total = np.maximum(total, 1)
    variance = second / total - (first / total) ** 2
    return np.stack([
        rear / np.float32(25),
        np.maximum(rear - his_rear, 0) / np.float32(25),
        (pips_past - men_past * his_rear) / 100,
        men_past / 15,
        _highest(pairs & ~_ON_BAR & ~np.uint32(0xFFFF)) / np.float32(25),
        np.sqrt(np.maximum(variance, 0)) / 10,
    ])  # fmt: skip


def _highest(sets: np.ndarray) -> np.ndarray:
    """``(n,)`` int8: the highest point of each set; 0 of an empty one."""
    exponent = (sets.astype(np.float64).view(np.int64) >> 52) - 1023
    return np.maximum(exponent, 0).astype(np.int8)


_PATTERNS = 1 << _REACH


def _ways_out() -> np.ndarray:
    """Chance that a man gets more than six points on, by the pattern of closed points.

    Returns:
        ``(4096,)`` float32: bit 11 of the pattern is the point next to the man, bit 0 the
        twelfth from him.
    """
    pattern = np.arange(_PATTERNS)

    def free(pips: int) -> np.ndarray:
        return (pattern >> (_REACH - pips)) & 1 == 0 if pips <= _REACH else pattern >= 0

    rolls = np.zeros(_PATTERNS)
    for die in range(1, 7):
        steps, goes_on = np.zeros(_PATTERNS, int), pattern >= 0
        for step in range(1, 5):
            goes_on = goes_on & free(step * die)
            steps += goes_on
        rolls += steps * die > 6
        for other in range(1, die):
            if die + other > 6:
                rolls += 2 * (free(die + other) & (free(die) | free(other)))
    return (rolls / 36).astype(np.float32)


_WAYS_OUT = _ways_out()
