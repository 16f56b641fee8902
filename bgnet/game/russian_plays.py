"""The legal plays of Russian backgammon on whole batches of rows.

How the generator works, and why it never meets a row twice, is told in ``standard``; here men
waiting are one more source, which lands where the bar does. Its slow twin is
``tests/russian_reference.py``.
"""

import numpy as np

from .masks import POINTS, U, bearing_off, bit, expand, mask
from .plays import Plays
from .russian_row import BAR, EXCHANGE, FIRST, OPPONENT_FIRST, PENDING, WAITING, WIDTH, flip

_MASKED = slice(0, WAITING + 1)  # the columns that a mask covers
_BAR_BIT, _WAITING_BIT = U(1 << BAR), U(1 << WAITING)
_BLOCK = 1024  # rows at a time: keeps the intermediate arrays in the cache


def _landings() -> np.ndarray:
    """(7 * 32,) int64: at die * 32 + source, the point where a man lands, 0 if he goes off."""
    table = np.zeros((7, 32), np.int64)
    for die in range(1, 7):
        for source in range(1, WAITING + 1):
            table[die, source] = max(min(source, BAR) - die, 0)
    return table.ravel()


def _steps() -> np.ndarray:
    """(7 * 32, 31) int8: at die * 32 + source, what a step changes in the opponent's view."""
    table = np.zeros((7 * 32, WIDTH), np.int8)
    for key, landing in enumerate(_LANDING):
        if key >= 32 and 1 <= key % 32 <= WAITING:
            table[key, EXCHANGE[key % 32]] += 1
            table[key, landing] -= landing > 0
    return table


_LANDING = _landings()
_LANDING_BIT = bit(_LANDING) & POINTS
_STEP = _steps()


def _open(blocked: np.ndarray, die: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Mask of the sources (bar and waiting included) from which the die lands on the board.

    Args:
        blocked: ``(n,)`` uint32, points held by the opponent.
        die: ``(n,)`` uint32.
        first: ``(n,)`` bool; a first throw that can enter a man may do nothing else.
    """
    entering = ~(blocked >> (U(BAR) - die)) & U(1)
    onward = ~(blocked << die) & (~U(1) << die) & POINTS
    elsewhere = np.where(first & (entering > 0), U(0), onward)
    return elsewhere | entering * (_WAITING_BIT | _BAR_BIT)


def _sources(occupied: np.ndarray, free: np.ndarray, die: np.ndarray) -> np.ndarray:
    """Mask of the sources from which one man can play the die. All ``(n,)`` uint32."""
    movers = np.where(occupied & _BAR_BIT, _BAR_BIT, occupied)
    return movers & free | bearing_off(occupied, die)


def _after(
    occupied: np.ndarray, single: np.ndarray, source: np.ndarray, key: np.ndarray
) -> np.ndarray:
    """Where the mover's men are after a step; ``single`` has the source's bit if it empties."""
    return occupied ^ (bit(source) & single) | _LANDING_BIT.take(key)


def _grid(
    masks: tuple[np.ndarray, np.ndarray],
    high: np.ndarray,
    low: np.ndarray,
    free_high: np.ndarray,
    free_low: np.ndarray,
) -> np.ndarray:
    """Pairs of sources from which two different dice can both be played, in either order.

    Args:
        masks: two of ``(n,)`` uint32, where the mover's men are and where a man is alone.
        high, low: ``(n,)`` uint32, the dice.
        free_high, free_low: ``(n,)`` uint32, sources from which each lands (``_open``).

    Returns:
        ``(n * 1024,)`` bool at owner * 1024 + source of the larger die * 32 + of the smaller.
    """
    occupied, single = masks
    owner, source = expand(_sources(occupied, free_high, high))
    then = _after(occupied[owner], single[owner], source, high[owner] * 32 + source)
    smaller = np.zeros(len(occupied) * 32, np.uint32)
    smaller[owner * 32 + source] = _sources(then, free_low[owner], low[owner])
    grid = np.unpackbits(smaller.view(np.uint8), bitorder="little").view(bool)

    owner, source = expand(_sources(occupied, free_low, low))
    then = _after(occupied[owner], single[owner], source, low[owner] * 32 + source)
    state, other = expand(_sources(then, free_high[owner], high[owner]))
    grid[owner[state] * 1024 + other * 32 + source[state]] = True
    return grid


def _drop_twins(
    grid: np.ndarray, blots: np.ndarray, high: np.ndarray, low: np.ndarray
) -> np.ndarray:
    """Of pairs that reach the same row keep one.

    A pair takes up two men and puts two down; two pairs come to the same only if a man passes on,
    both men go off, or one enters from the bar and one from those waiting.

    Args:
        grid: ``(n * 1024,)`` bool, changed in place.
        blots: ``(n,)`` uint32.
        high, low: ``(n,)`` int64, the dice.

    Returns:
        ascending int64, the keys that remain.
    """
    keys = np.flatnonzero(grid)
    owner, x, y = keys >> 10, keys >> 5 & 31, keys & 31
    a, b = high[owner] * 32, low[owner] * 32
    # One man plays both dice, by way of either of two empty points.
    passing = np.flatnonzero(y == _LANDING.take(a + x))
    i, from_, a1, b1 = owner[passing], x[passing], a[passing], b[passing]
    stops = _LANDING_BIT.take(a1 + from_) | _LANDING_BIT.take(b1 + from_)
    twin = grid[i * 1024 + _LANDING.take(b1 + from_) * 32 + from_] & (blots[i] & stops == 0)
    drop = [passing[twin]]
    # Two men go off, with either die each.
    off = np.flatnonzero((x < y) & (y * 32 <= b))
    drop.append(off[grid[owner[off] * 1024 + y[off] * 32 + x[off]]])
    # The last man on the bar and one waiting enter on the same two points.
    drop.append(np.flatnonzero((x == WAITING) & (y == BAR)))
    for twins in drop:
        grid[keys[twins]] = False
    return keys[grid[keys]]


def _step(rows: np.ndarray, blots: np.ndarray, key: np.ndarray) -> None:
    """Make one step in place, hitting what stands alone.

    Args:
        rows: ``(m, 31)`` int8 in the opponent's view.
        blots: ``(m,)`` uint32, the opponent's blots that are still there.
        key: ``(m,)`` int64, die * 32 + source.
    """
    rows += _STEP.take(key, axis=0)
    hits = np.flatnonzero(blots & _LANDING_BIT.take(key))
    rows[hits, _LANDING.take(key[hits])] -= 1
    rows[hits, BAR] += 1


Rows = tuple[np.ndarray, np.ndarray]  # owner (m,), rows (m, 31) in the opponent's view


def _unequal(rows: np.ndarray, turned: np.ndarray, high: np.ndarray, low: np.ndarray) -> list[Rows]:
    """All plays of throws that are no doublet; ``turned`` is what a dance leaves."""
    occupied, single = mask(rows[:, _MASKED] > 0), mask(rows[:, _MASKED] == 1)
    blocked = mask(rows[:, _MASKED] < -1) & POINTS
    blots = mask(rows[:, _MASKED] == -1) & POINTS
    first = rows[:, FIRST] > 0
    dice = [die.astype(U) for die in (high, low)]
    free = [_open(blocked, die, first) for die in dice]
    grid = _grid((occupied, single), *dice, *free)
    keys = _drop_twins(grid, blots, high, low)
    owner = keys >> 10
    plays = turned.take(owner, axis=0)
    larger, smaller = high[owner] * 32 + (keys >> 5 & 31), low[owner] * 32 + (keys & 31)
    of = blots[owner]
    _step(plays, of, larger)
    _step(plays, of & ~_LANDING_BIT.take(larger), smaller)
    found = [(owner, plays)]

    # Neither order plays both dice: the larger if it can be played, else the smaller, else none.
    rest = np.ones(len(rows), bool)
    rest[owner] = False
    for die, lands, can_land in zip((high, low), dice, free, strict=True):
        left = np.flatnonzero(rest)
        if not len(left):
            return found
        at, source = expand(_sources(occupied[left], can_land[left], lands[left]))
        owner = left[at]
        plays = turned.take(owner, axis=0)
        _step(plays, blots[owner], die[owner] * 32 + source)
        found.append((owner, plays))
        rest[owner] = False
    dances = np.flatnonzero(rest)
    found.append((dances, turned[dances]))
    return found


def _ceilings() -> np.ndarray:
    """(32,) uint32: sources left to a doublet's next step, which comes from no higher point.

    The bar, always first, leaves them all.
    """
    table = (U(2) << np.arange(32, dtype=U)) - U(1)
    table[BAR] |= _WAITING_BIT
    return table


_CEILING = _ceilings()


def _four(rows: np.ndarray, turned: np.ndarray, die: np.ndarray) -> tuple[list[Rows], np.ndarray]:
    """All plays of one number up to four times, as many as possible.

    Returns:
        The plays by the number of steps, 0 to 4; and of the last, ``(m,)`` bool, whether men
        are left.
    """
    occupied = mask(rows[:, _MASKED] > 0)
    blocked = mask(rows[:, _MASKED] < -1) & POINTS
    blots = mask(rows[:, _MASKED] == -1) & POINTS
    free = _open(blocked, die.astype(U), rows[:, FIRST] > 0)
    owner, plays = np.arange(len(rows)), turned
    ceiling = np.full(len(rows), ~U(0))
    found = []
    for _ in range(4):
        sources = _sources(occupied, free[owner], die[owner].astype(U)) & ceiling
        parent, source = expand(sources)
        goes_on = np.zeros(len(rows), bool)
        goes_on[owner[parent]] = True
        final = np.flatnonzero(~goes_on[owner])
        found.append((owner[final], plays[final]))
        owner, before, plays = owner[parent], occupied[parent], plays.take(parent, axis=0)
        key = die[owner] * 32 + source
        at = EXCHANGE.take(source)
        single = np.where(plays[np.arange(len(plays)), at] == -1, ~U(0), U(0))
        occupied = _after(before, single, source, key)
        ceiling = _CEILING.take(source)
        # Where a man of mine already stands the blot is gone.
        _step(plays, blots[owner] & ~before, key)
    found.append((owner, plays))
    return found, occupied != 0


def _doublets(
    rows: np.ndarray, turned: np.ndarray, die: np.ndarray
) -> tuple[list[Rows], list[np.ndarray]]:
    """All plays of doublets and complements; with them, where the same side decides again."""
    found, men_left = _four(rows, turned, die)
    owner, plays = found[-1]
    again = men_left & (rows[owner, FIRST] == 0)
    bonus = np.flatnonzero(again)
    kept = flip(plays[bonus])
    complement = np.where(rows[:, PENDING] == 0, 7 - die, 0)
    kept[:, PENDING] = complement[owner[bonus]]
    plays[bonus] = kept
    return found, [np.zeros(len(o), bool) for o, _ in found[:-1]] + [again]


def _block(rows: np.ndarray, rolls: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Owners, rows and again flags of the plays of up to ``_BLOCK`` rows."""
    high = rolls.max(axis=1).astype(np.int64)
    low = rolls.min(axis=1).astype(np.int64)
    turned = flip(rows)
    turned[:, OPPONENT_FIRST] = turned[:, PENDING] = 0
    part = np.flatnonzero(high != low)
    unequal = _unequal(rows[part], turned[part], high[part], low[part])
    found = [(part[owner], after) for owner, after in unequal]
    again = [np.zeros(len(owner), bool) for owner, _ in unequal]
    part = np.flatnonzero(high == low)
    doublets, repeats = _doublets(rows[part], turned[part], high[part])
    found += [(part[owner], after) for owner, after in doublets]
    owner = np.concatenate([o for o, _ in found])
    order = np.argsort(owner, kind="stable")
    after = np.concatenate([r for _, r in found]).take(order, axis=0)
    return owner[order], after, np.concatenate(again + repeats)[order]


def legal_plays(rows: np.ndarray, rolls: np.ndarray) -> Plays:
    """Every distinct row that a legal play of the roll can reach.

    Args:
        rows: ``(n, 31)`` int8, seen by the side that plays.
        rolls: ``(n, 2)`` integers 1..6, in any order; where a complement is pending, that one
            twice (``forced_rolls``).

    Returns:
        ``Plays``, rows seen by the side that decides next: the same one where ``again`` is set,
        after all four numbers of a doublet or of its complement, else the opponent. Owner
        ascending. Within one owner rows ascend by the source of the larger die, then of the
        smaller (the bar counting 25, men waiting 26); of a doublet by the source of the first
        step, then of the second and so on, steps counted from the highest source down.

    >>> from bgnet.game.russian_row import START
    >>> plays = legal_plays(START[None], np.array([[6, 3]]))
    >>> plays.boards[:, [19, 22]].tolist(), plays.again.tolist()   # seen by the opponent
    ([[-1, -1]], [False])
    """
    starts = range(0, max(len(rows), 1), _BLOCK)
    blocks = [_block(rows[i : i + _BLOCK], rolls[i : i + _BLOCK]) for i in starts]
    owners = [owner + i for i, (owner, _, _) in zip(starts, blocks, strict=True)]
    return Plays(
        np.concatenate([after for _, after, _ in blocks]),
        np.concatenate(owners),
        np.concatenate([again for _, _, again in blocks]),
    )
