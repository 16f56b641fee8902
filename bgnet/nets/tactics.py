"""What a glance at the dice shows of a board: shots, points to be made, ways out, contact.

A sum over points cannot say any of this, and a network finds it hard to work out, since it
depends on many points at once. A set of points is 32 bits, point p being bit p, so that a die
moves every man of a side by one shift, and a batch of boards costs a few hundred operations.
"""

import numpy as np

from ..game.board import BAR, SLOTS, flip
from ..game.masks import POINTS, mask

#: Values for each side.
A_SIDE = 33

_BLOCK = 1024  # boards at a time: keeps the sets of all rolls in the cache
_DICE = np.arange(1, 7, dtype=np.uint32)[:, None]
#: The 15 mixed rolls as rows of ``_DICE``; the other order of the two dice follows behind.
_LOW, _HIGH = np.triu_indices(6, 1)
_FIRST = np.concatenate([_LOW, _HIGH])
_SECOND = _DICE[np.concatenate([_HIGH, _LOW])]
_ALL = np.uint32(0xFFFFFFFF)
_ON_BAR = np.uint32(1 << BAR)
#: The quarters of the board, mine first, two and two, and the bits just above each.
_HOMES, _FIELDS = np.uint32(0o77 << 1 | 0o77 << 13), np.uint32(0o77 << 7 | 0o77 << 19)
_HOMES_CARRY, _FIELDS_CARRY = np.uint32(1 << 7 | 1 << 19), np.uint32(1 << 13 | 1 << 25)
_CARRIES = np.array([7, 13, 19, 25], np.uint32)[:, None]
#: From where ways out are counted, and where also if nobody stands there.
_BACK = np.arange(14, BAR + 1, dtype=np.uint32)[:, None]
_EMPTY_TOO = [19 - 14, 21 - 14, 23 - 14, 25 - 14]
_REACH = 12  # pips that a mixed roll can go
_POINTS = np.arange(SLOTS, dtype=np.int8)[:, None]
_MOMENTS = np.stack([np.ones(SLOTS), np.arange(SLOTS), np.arange(SLOTS) ** 2]).astype(np.float32)


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
        for_each = _for_each(np.concatenate([some, flip(some)]))
        values[:, :, start : start + _BLOCK] = for_each.reshape(A_SIDE, 2, len(some)).swapaxes(0, 1)
    return values.reshape(2 * A_SIDE, len(rows)).T


def _for_each(sides: np.ndarray) -> np.ndarray:
    """The values of so many sides about to roll, ``(33, n)`` float32."""
    men, pairs, threes = (mask(sides >= least) for least in (1, 2, 3))
    his, closed = mask(sides < 0), mask(sides < -1)
    waiting = sides[:, BAR]
    values = np.empty((A_SIDE, len(sides)), np.float32)
    can_move = np.where(waiting == 0, _ALL, _ON_BAR)
    blots = his & ~closed & POINTS
    hits = _hits(men, waiting, blots, closed)
    values[0] = _chance(hits)
    values[1] = _chance(hits & (hits - np.uint32(1)))
    values[2:6] = _by_quarter(hits)
    spare = (men & ~pairs | threes) & can_move
    values[6], values[7:11] = _points_to_make(spare, pairs & can_move, men, pairs, blots, closed)
    ways_out = _WAYS_OUT.take((closed >> (_BACK - _REACH)) & (_PATTERNS - 1))
    values[11:23] = ways_out * ((men >> _BACK) & 1).astype(np.float32)
    values[23:27] = ways_out[_EMPTY_TOO]
    values[27:] = _contact(sides, men, pairs, his)
    return values


def _hits(men: np.ndarray, waiting: np.ndarray, blots: np.ndarray, closed: np.ndarray
          ) -> np.ndarray:
    """Which blots each roll can hit.

    Args:
        men: ``(n,)`` sets, where the side has men.
        waiting: ``(n,)`` int8, its men on the bar, who come first.
        blots: ``(n,)`` sets, the other side's blots.
        closed: ``(n,)`` sets, points that the other side holds.

    Returns:
        ``(21, n)`` sets, the 15 mixed rolls first.
    """
    nobody, free = waiting == 0, ~closed
    landed = ((men & np.where(nobody, _ALL, _ON_BAR)) >> _DICE) & free
    # Who plays on: after nobody or one man had to enter, anybody; else the next man on the bar.
    in_time = landed & np.where(waiting < 2, _ALL, np.uint32(0))
    others = men & np.where(nobody, _ALL, np.where(waiting == 1, ~_ON_BAR, _ON_BAR))
    may = nobody | (landed != 0)
    then = ((in_time | others) * may)[_FIRST] >> _SECOND
    hits = np.empty((21, len(men)), np.uint32)
    mixed, doublets = hits[:15], hits[15:]
    np.bitwise_or(then[:15], then[15:], out=mixed)
    mixed |= landed[_LOW]
    mixed |= landed[_HIGH]
    doublets[:] = landed
    reached = np.where(nobody, landed, (men & ~_ON_BAR | landed) * may)
    left = 4 - np.maximum(waiting, 1)
    for step in range(1, 4):
        going = reached >> _DICE
        doublets |= going & np.where(left >= step, _ALL, np.uint32(0))
        reached |= going & free
    hits &= blots
    return hits


def _points_to_make(spare: np.ndarray, pairs: np.ndarray, men: np.ndarray, held: np.ndarray,
                    blots: np.ndarray, closed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chances to put two men where none or one was.

    Args:
        spare: ``(n,)`` sets, where men stand who break no point if one leaves.
        pairs: where two may leave together.
        men: where the side has men.
        held: where it has two or more.
        blots: where the other side has one.
        closed: where the other side has more.

    Returns:
        ``(n,)`` chance to do so on a blot; ``(4, n)`` to do so, or cover a man, in each quarter.
    """
    one, two = spare >> _DICE, pairs >> _DICE
    low, high = one[_LOW], one[_HIGH]
    both = np.concatenate([low & high, two])
    on_blot = _chance(both & blots)
    single = men & ~held
    np.bitwise_or(low, high, out=low)
    both[:15] |= low & single
    both[15:] |= one & single
    both &= ~(closed | held)
    return on_blot, _by_quarter(both)


def _chance(sets: np.ndarray) -> np.ndarray:
    """``(n,)`` chance that a roll's set, ``(21, n)``, is not empty."""
    some = (sets != 0).view(np.uint8)
    rolls = 2 * np.add.reduce(some[:15], dtype=np.uint8) + np.add.reduce(some[15:], dtype=np.uint8)
    return rolls / np.float32(36)


def _by_quarter(sets: np.ndarray) -> np.ndarray:
    """``(4, n)`` chances that a roll's set, ``(21, n)``, reaches into each quarter of the board."""
    # Adding six ones to the six bits of a quarter carries into the next bit unless all are 0.
    flags = sets & _HOMES
    flags += _HOMES
    flags &= _HOMES_CARRY
    fields = sets & _FIELDS
    fields += _FIELDS
    fields &= _FIELDS_CARRY
    flags |= fields
    # Six bits lie between two carries, room to count to 63.
    mixed = flags[:5] + flags[5:10]
    mixed += flags[10:15]
    doublets = flags[15:18] + flags[18:]
    rolls = 2 * np.add.reduce(mixed) + np.add.reduce(doublets)
    return ((rolls >> _CARRIES) & 63) / np.float32(36)


def _contact(sides: np.ndarray, men: np.ndarray, pairs: np.ndarray, his: np.ndarray) -> np.ndarray:
    """Values 27 to 32 of ``tactics``, ``(6, n)`` float32."""
    rear, his_rear = _highest(men), _highest(his & (~his + np.uint32(1)))
    columns = np.ascontiguousarray(sides.T)
    np.maximum(columns, 0, out=columns)
    past = np.maximum(_POINTS - his_rear.astype(np.int8), 0)
    total, first, second = _MOMENTS @ columns.astype(np.float32)
    total = np.maximum(total, 1)
    variance = second / total - (first / total) ** 2
    return np.stack([
        rear / 25,
        np.maximum(rear - his_rear, 0) / 25,
        np.multiply(columns, past, dtype=np.int16).sum(axis=0, dtype=np.int16) / 100,
        (columns * (past > 0)).sum(axis=0, dtype=np.int8) / 15,
        _highest(pairs & ~_ON_BAR & ~np.uint32(0xFFFF)) / 25,
        np.sqrt(np.maximum(variance, 0)) / 10,
    ]).astype(np.float32)  # fmt: skip


def _highest(sets: np.ndarray) -> np.ndarray:
    """``(n,)`` int64: the highest point of each set; 0 of an empty one."""
    exponent = (sets.astype(np.float64).view(np.int64) >> 52) - 1023
    return np.maximum(exponent, 0)


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
