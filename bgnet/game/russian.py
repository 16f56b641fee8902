"""Russian backgammon: the rules, for players and for arrays.

**The game** (after Foster). Fifteen men a side, and none on the board at the start. Both sides
enter them on the same table, points 24 to 19, and move the same way round to the same home table,
points 6 to 1: a number n enters a man on point 25 - n, for either side. Otherwise men move, hit
blots, are shut out by two adverse men on a point, and are borne off as in backgammon.

* The first throw of each side enters men: a number that can enter one must do so, and only a
  number that cannot may move a man just entered. Shut out or not, the throw was the first one.
* With later throws a side may enter men, move men already entered, or do both. A number that
  enters no man is played with a man on the board if it can be.
* A man that was hit must be entered before any other man is entered or moved.
* A doublet, except on a side's first throw, is played four times, then its complement to seven
  four times (double four: four fours and four threes), and then the same side throws again. Upper
  faces come first, as many as possible; if not all four can be played, the complements and the
  further throw are lost. If not all four complements can be played, the further throw is lost.

Foster leaves some things unsaid. **Our choices**: a doublet on the first throw enters four men;
later on entering is never compulsory so long as the number can be played otherwise; as many
numbers as possible are played, and the larger if only one can be; men are borne off once all
fifteen are home, none waiting; a gammon is lost by a side that has borne off none, a backgammon
if besides it has a man on the bar, not yet entered, or in the entering table. Whoever bears off
his last man has won, whatever is left of a doublet.

**The row**, (31,) int8, seen by the side to decide: its own men positive, the opponent's negative.
Since both sides walk the same way, turning a row round exchanges the sides and leaves every man
on its point::

    0          the opponent's men on the bar      26  my men waiting to enter
    1 .. 24    the points, moving down for both   27  the opponent's men waiting
    25         my men on the bar                  28  1 while my first throw is to come
                                                  29  -1 while the opponent's is to come
                                                  30  the complement to be played now, or 0

**Decisions.** A doublet is up to three decisions of one side. After the upper faces the row comes
back with ``again`` set and a complement pending, which is the next (forced) roll; after the
complements it comes back with ``again`` set and dice to throw. That keeps every choice in the
tens or hundreds of rows, where eight steps at once would have tens of thousands.

How the generator works, and why it never meets a board twice, is told in ``standard``; here men
waiting are one more source, which lands where the bar does. Its slow twin is
``tests/russian_reference.py``.
"""

import numpy as np

from . import scoring
from .masks import POINTS, U, bearing_off, bit, expand, mask
from .plays import Plays

OPPONENT_BAR, BAR = 0, 25
WAITING, OPPONENT_WAITING = 26, 27
FIRST, OPPONENT_FIRST = 28, 29
PENDING = 30
WIDTH = 31
ENTERING_TABLE = 19  # points 19..24

_MEN = slice(0, OPPONENT_WAITING + 1)  # the columns that count men
_SOURCES = slice(0, WAITING + 1)  # the columns that a mask of my men covers
_BAR_BIT, _WAITING_BIT = U(1 << BAR), U(1 << WAITING)
_BLOCK = 1024  # rows at a time: keeps the intermediate arrays in the cache

#: Where each column goes when the sides are exchanged.
_EXCHANGE = np.arange(WIDTH)
for _a, _b in ((OPPONENT_BAR, BAR), (WAITING, OPPONENT_WAITING), (FIRST, OPPONENT_FIRST)):
    _EXCHANGE[[_a, _b]] = _b, _a


def _start() -> np.ndarray:
    row = np.zeros(WIDTH, np.int8)
    row[[WAITING, OPPONENT_WAITING]] = 15, -15
    row[[FIRST, OPPONENT_FIRST]] = 1, -1
    row.flags.writeable = False
    return row


#: The row before the first throw.
START = _start()


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
            table[key, _EXCHANGE[key % 32]] += 1
            table[key, landing] -= landing > 0
    return table


_LANDING = _landings()
_LANDING_BIT = bit(_LANDING) & POINTS
_STEP = _steps()


def flip(rows: np.ndarray) -> np.ndarray:
    """Exchange the sides: what the other side sees. Men stay on their points.

    Args:
        rows: ``(n, 31)`` or ``(31,)`` int8.

    Returns:
        The same shape; ``flip(flip(rows)) == rows``.

    >>> bool((flip(START) == START).all())
    True
    """
    return -rows.take(_EXCHANGE, axis=-1)


def _open(blocked: np.ndarray, die: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Mask of the sources (bar and waiting included) from which the die lands on the board.

    Args:
        blocked: ``(n,)`` uint32, points held by the opponent.
        die: ``(n,)`` uint32.
        first: ``(n,)`` bool; a first throw that can enter a man may do nothing else.
    """
    entering = ~(blocked >> (U(BAR) - die)) & U(1)
    onward = ~(blocked << die) & (~U(1) << die) & POINTS
    return np.where(first & (entering > 0), U(0), onward) | entering * _WAITING_BIT | (
        entering * _BAR_BIT
    )


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
    masks: tuple[np.ndarray, np.ndarray], high: np.ndarray, low: np.ndarray,
    free_high: np.ndarray, free_low: np.ndarray,
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


def _drop_twins(grid: np.ndarray, blots: np.ndarray, high: np.ndarray, low: np.ndarray
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


def _unequal(rows: np.ndarray, turned: np.ndarray, high: np.ndarray, low: np.ndarray
             ) -> list[Rows]:
    """All plays of throws that are no doublet; ``turned`` is what a dance leaves."""
    occupied, single = mask(rows[:, _SOURCES] > 0), mask(rows[:, _SOURCES] == 1)
    blocked = mask(rows[:, _SOURCES] < -1) & POINTS
    blots = mask(rows[:, _SOURCES] == -1) & POINTS
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
    occupied = mask(rows[:, _SOURCES] > 0)
    blocked = mask(rows[:, _SOURCES] < -1) & POINTS
    blots = mask(rows[:, _SOURCES] == -1) & POINTS
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
        at = _EXCHANGE.take(source)
        single = np.where(plays[np.arange(len(plays)), at] == -1, ~U(0), U(0))
        occupied = _after(before, single, source, key)
        ceiling = _CEILING.take(source)
        # Where one of mine already stands the blot is gone; no man returns to a point he left.
        _step(plays, blots[owner] & ~before, key)
    found.append((owner, plays))
    return found, occupied != 0


def _doublets(rows: np.ndarray, turned: np.ndarray, die: np.ndarray
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
    found: list[Rows] = []
    again: list[np.ndarray] = []
    part = np.flatnonzero(high != low)
    if len(part):
        plays = _unequal(rows[part], turned[part], high[part], low[part])
        found += [(part[owner], after) for owner, after in plays]
        again += [np.zeros(len(owner), bool) for owner, _ in plays]
    part = np.flatnonzero(high == low)
    if len(part):
        plays, repeats = _doublets(rows[part], turned[part], high[part])
        found += [(part[owner], after) for owner, after in plays]
        again += repeats
    owner = np.concatenate([o for o, _ in found] or [np.arange(0)])
    order = np.argsort(owner, kind="stable")
    after = np.concatenate([r for _, r in found] or [rows]).take(order, axis=0)
    return owner[order], after, np.concatenate(again or [np.zeros(0, bool)])[order]


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


def forced_rolls(rows: np.ndarray) -> np.ndarray:
    """The complement that must be played now.

    Args:
        rows: ``(n, 31)`` int8.

    Returns:
        ``(n, 2)`` int8: the pending complement twice, or 0 0 where dice are thrown.
    """
    return np.repeat(rows[:, PENDING, None], 2, axis=1)


def _men(rows: np.ndarray) -> np.ndarray:
    """Men not borne off, ``(n, 2)``: the side to decide, its opponent."""
    men = rows[:, _MEN]
    mine = np.maximum(men, 0).sum(axis=1, dtype=np.int16)
    return np.stack([mine, mine - men.sum(axis=1, dtype=np.int16)], axis=1)


def result(rows: np.ndarray, men: int) -> np.ndarray:
    """How games have ended for the side that would decide next.

    A side with no men left has won. The loser lost a gammon if he has borne off none, a
    backgammon if besides he has a man on the bar, waiting, or in the entering table.

    Args:
        rows: ``(n, 31)`` int8.
        men: men a side at the start.

    Returns:
        ``(n,)`` int8: an outcome of ``bgnet.game.scoring``, or ONGOING.
    """
    left = _men(rows)
    outcome = np.full(len(rows), scoring.ONGOING, np.int8)
    for winner, view, base in ((1, np.asarray, scoring.LOSE), (0, flip, scoring.WIN)):
        at = np.flatnonzero(left[:, winner] == 0)
        loser = view(rows[at])
        far = (loser[:, ENTERING_TABLE : WAITING + 1] > 0).any(axis=1)
        outcome[at] = base + (left[at, 1 - winner] == men) * (1 + far)
    return outcome


def possible(rows: np.ndarray, men: int) -> np.ndarray:
    """Which outcomes the rules still allow.

    No gammon and no backgammon once the loser has borne off a man. Short of that a backgammon
    can always come about: on one road some man is always behind an adverse one and may send him
    back to the bar.

    Args:
        rows: ``(n, 31)`` int8.
        men: men a side at the start.

    Returns:
        ``(n, 6)`` bool in the order of ``scoring.OUTCOMES``.

    >>> possible(START[None], 15).all()
    np.True_
    """
    none_off = _men(rows) == men
    allowed = np.ones((len(rows), 6), bool)
    allowed[:, scoring.WIN_GAMMON] = allowed[:, scoring.WIN_BACKGAMMON] = none_off[:, 1]
    allowed[:, scoring.LOSE_GAMMON] = allowed[:, scoring.LOSE_BACKGAMMON] = none_off[:, 0]
    return allowed


_PIPS = np.minimum(np.arange(WAITING + 1), BAR).astype(np.int16)


def pip_counts(rows: np.ndarray) -> np.ndarray:
    """Pips that each side still has to move; the bar and men waiting count 25.

    Args:
        rows: ``(n, 31)`` int8.

    Returns:
        ``(n, 2)`` int16: the side to decide, its opponent.

    >>> pip_counts(START[None]).tolist()
    [[375, 375]]
    """
    views = (rows, flip(rows))
    return np.stack([np.maximum(view[:, _SOURCES], 0) @ _PIPS for view in views], axis=1)
