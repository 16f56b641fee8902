"""The rules of backgammon on whole batches of boards: the fast move generator.

How it works. Per board, four 32-bit masks say where the mover stands, where he has a single man,
which points are held against him and where a lone adverse man stands; bit p is point p. All
points from which a die can be played are then a few shifts (``_sources``), and turning the set
bits into rows is one ``unpackbits`` and one ``flatnonzero`` (``expand``).

*Two different dice.* A play is a pair (source of the larger die, source of the smaller). Both
orders of the dice are tried, and the union of their pairs taken. The men taken up and put down
by a pair are its two sources and its two landing points, so two pairs can only reach the same
board if in both of them a man passes on, or both men go off:

1. one man plays both numbers, stopping at either of two points, and hits at neither;
2. both men are borne off and have exchanged dice.

Those twins are dropped, and nothing else has to be compared.

*Doublets.* Steps are taken in non-increasing order of their sources. Every reachable board is
reached by exactly one such sequence: working down from the highest point, the number of steps
from each point is fixed by the boards before and after. So nothing has to be compared at all.

The twin in ``tests/reference.py`` says the same slowly.
"""

import numpy as np

from . import board, scoring, steps
from .board import BAR, OPPONENT_BAR, SLOTS, flip, pip_counts
from .masks import POINTS, U, bearing_off, bit, expand, mask
from .plays import Plays

__all__ = [
    "contact", "flip", "forced_rolls", "legal_plays", "pip_counts", "possible", "problem", "result",
    "steps",
]  # fmt: skip

_BAR_BIT = U(1 << BAR)
_BLOCK = 1024  # boards at a time: keeps the intermediate arrays in the cache


def _step_table() -> np.ndarray:
    """(7 * 32, 26) int8: at die * 32 + source, what a step changes in the opponent's view."""
    table = np.zeros((7, 32, SLOTS), np.int8)
    for die in range(1, 7):
        for source in range(1, BAR + 1):
            table[die, source, BAR - source] += 1
            if source > die:
                table[die, source, BAR - (source - die)] -= 1
    return table.reshape(-1, SLOTS)


_STEP = _step_table()


def _sources(occupied: np.ndarray, blocked: np.ndarray, die: np.ndarray) -> np.ndarray:
    """Mask of the points from which one man can play the die. All (n,) uint32."""
    movers = np.where(occupied >= _BAR_BIT, _BAR_BIT, occupied)
    return movers & ~(blocked << die) & (~U(1) << die) | bearing_off(occupied, die)


def _after(occupied: np.ndarray, single: np.ndarray, source: np.ndarray, die: np.ndarray
           ) -> np.ndarray:
    """Where the mover stands after one step; ``single`` has the source's bit if it empties."""
    return occupied ^ (source & single) | source >> die & POINTS


def _pairs(occupied: np.ndarray, single: np.ndarray, blocked: np.ndarray, blots: np.ndarray,
           high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Ways to play two different dice with both of them, each board once.

    Returns:
        Ascending keys ``owner * 1024 + source of the larger die * 32 + source of the smaller``.
    """
    owner, source = expand(_sources(occupied, blocked, high))
    then = _after(occupied[owner], single[owner], bit(source), high[owner])
    high_first = np.zeros(len(occupied) * 32, np.uint32)
    high_first[owner * 32 + source] = _sources(then, blocked[owner], low[owner])
    grid = np.unpackbits(high_first.view(np.uint8), bitorder="little").view(bool)

    owner, source = expand(_sources(occupied, blocked, low))
    then = _after(occupied[owner], single[owner], bit(source), low[owner])
    state, other = expand(_sources(then, blocked[owner], high[owner]))
    grid[owner[state] * 1024 + other * 32 + source[state]] = True

    keys = np.flatnonzero(grid)
    owner, x, y = keys >> 10, keys >> 5 & 31, keys & 31
    a, b = high[owner].astype(np.int64), low[owner].astype(np.int64)
    # 1. x plays larger then smaller; does the same man get there smaller first, hitting no one?
    passing = np.flatnonzero((y == x - a) & (x > b))
    i, from_, a1, b1 = owner[passing], x[passing], a[passing], b[passing]
    stops = bit(from_ - a1) | bit(from_ - b1)
    twin = grid[i * 1024 + (from_ - b1) * 32 + from_] & (blots[i] & stops == 0)
    grid[keys[passing[twin]]] = False
    # 2. both men go off with either die
    off = np.flatnonzero((x < y) & (y <= b))
    twin = grid[owner[off] * 1024 + y[off] * 32 + x[off]]
    grid[keys[off[twin]]] = False
    return keys[grid[keys]]


def _stepped(rows: np.ndarray, blots: np.ndarray, source: np.ndarray, die: np.ndarray) -> None:
    """Make one step in place: rows (m, 26) in the opponent's view, blots (m,) of the start."""
    rows += _STEP.take(die * 32 + source, axis=0)
    landing = source - die
    hits = np.flatnonzero(blots >> np.maximum(landing, 0).astype(U) & 1)
    rows[hits, BAR - landing[hits]] -= 1
    rows[hits, BAR] += 1


Rows = tuple[np.ndarray, np.ndarray]  # owner (m,), boards (m, 26) turned to the opponent


def _unequal(boards: np.ndarray, high: np.ndarray, low: np.ndarray) -> list[Rows]:
    """All plays of rolls that are no doublet."""
    occupied, single = mask(boards > 0), mask(boards == 1)
    blocked, blots = mask(boards < -1) & POINTS, mask(boards == -1) & POINTS
    turned = flip(boards)
    die_high, die_low = high.astype(U), low.astype(U)
    keys = _pairs(occupied, single, blocked, blots, die_high, die_low)
    owner = keys >> 10
    rows = turned.take(owner, axis=0)
    x, y, ahead = keys >> 5 & 31, keys & 31, blots[owner]
    _stepped(rows, ahead, x, high[owner])
    _stepped(rows, ahead & ~(bit(x) >> die_high[owner]), y, low[owner])  # a blot is hit once
    found = [(owner, rows)]

    # Neither order plays both dice: the larger if it can be played, else the smaller, else none.
    rest = np.ones(len(boards), bool)
    rest[owner] = False
    for die in (high, low):
        left = np.flatnonzero(rest)
        if not len(left):
            return found
        at, source = expand(_sources(occupied[left], blocked[left], die[left].astype(U)))
        owner = left[at]
        rows = turned.take(owner, axis=0)
        _stepped(rows, blots[owner], source, die[owner])
        found.append((owner, rows))
        rest[owner] = False
    dances = np.flatnonzero(rest)
    found.append((dances, turned[dances]))
    return found


def _doublets(boards: np.ndarray, die: np.ndarray) -> list[Rows]:
    """All plays of doublets: up to four steps, as many as possible."""
    occupied = mask(boards > 0)
    blocked, blots = mask(boards < -1) & POINTS, mask(boards == -1) & POINTS
    owner, rows = np.arange(len(boards)), flip(boards)
    ceiling = np.full(len(boards), ~U(0))  # no step may start above the one before it
    found = []
    for _ in range(4):
        bits = _sources(occupied, blocked[owner], die[owner].astype(U)) & ceiling
        parent, source = expand(bits)
        goes_on = np.zeros(len(boards), bool)
        goes_on[owner[parent]] = True
        final = np.flatnonzero(~goes_on[owner])
        found.append((owner[final], rows[final]))
        owner, before, rows = owner[parent], occupied[parent], rows.take(parent, axis=0)
        left = bit(source)
        single = np.where(rows[np.arange(len(rows)), BAR - source] == -1, left, U(0))
        occupied = _after(before, single, left, die[owner].astype(U))
        ceiling = (left << U(1)) - U(1)
        # A blot is hit once: not by a second man, who finds the first one standing there.
        _stepped(rows, blots[owner] & ~before, source, die[owner])
    found.append((owner, rows))
    return found


def _block(boards: np.ndarray, rolls: np.ndarray) -> Rows:
    """Plays of up to ``_BLOCK`` boards."""
    high = rolls.max(axis=1).astype(np.int64)
    low = rolls.min(axis=1).astype(np.int64)
    unequal, equal = np.flatnonzero(high != low), np.flatnonzero(high == low)
    found = [(unequal[o], r) for o, r in _unequal(boards[unequal], high[unequal], low[unequal])]
    found += [(equal[o], r) for o, r in _doublets(boards[equal], high[equal])]
    owner = np.concatenate([o for o, _ in found])
    order = np.argsort(owner, kind="stable")
    return owner[order], np.concatenate([r for _, r in found]).take(order, axis=0)


def legal_plays(boards: np.ndarray, rolls: np.ndarray) -> Plays:
    """Every distinct board that a legal play of the roll can reach.

    Both numbers are played if possible, of one only the larger if possible, of a doublet as many
    as possible. A dance is one row, the board turned round.

    Args:
        boards: ``(n, 26)`` int8, seen by the side that plays.
        rolls: ``(n, 2)`` integers 1..6, in any order.

    Returns:
        ``Plays``, boards turned to the opponent, owner ascending. Within one owner rows ascend by
        the source of the larger die, then of the smaller; of a doublet by the source of the
        first step, then of the second and so on, steps counted from the highest point down.

    >>> from bgnet.game.board import START
    >>> plays = legal_plays(START[None], np.array([[5, 5]]))
    >>> len(plays.boards), plays.owner.tolist()
    (4, [0, 0, 0, 0])
    """
    blocks = [
        _block(boards[i : i + _BLOCK], rolls[i : i + _BLOCK])
        for i in range(0, max(len(boards), 1), _BLOCK)
    ]
    if len(blocks) == 1:
        owner, rows = blocks[0]
        return Plays(rows, owner)
    owners = [owner + i * _BLOCK for i, (owner, _) in enumerate(blocks)]
    return Plays(np.concatenate([rows for _, rows in blocks]), np.concatenate(owners))


def forced_rolls(boards: np.ndarray) -> np.ndarray:
    """No throw is ever fixed beforehand: ``(n, 2)`` int8 zeros."""
    return np.zeros((len(boards), 2), np.int8)


def result(boards: np.ndarray, men: int) -> np.ndarray:
    """How games have ended for the side that would roll next.

    A side with no men left has won. The loser lost a gammon if he has borne off none of his men,
    a backgammon if besides he has a man on the bar or in the winner's home table (IBA).

    Args:
        boards: ``(n, 26)`` int8.
        men: men a side at the start.

    Returns:
        ``(n,)`` int8: an outcome of ``bgnet.game.scoring``, or ONGOING.

    >>> from bgnet.game.board import place
    >>> lost = place({20: 4, 3: 11}, {})   # four men still in the winner's home table
    >>> scoring.OUTCOMES[result(lost[None], 15)[0]]
    'lose backgammon'
    """
    outcome = np.full(len(boards), scoring.ONGOING, np.int8)
    for won, over, view in (
        (True, mask(boards > 0) == 0, flip),
        (False, mask(boards < 0) == 0, np.asarray),
    ):
        at = np.flatnonzero(over)
        if len(at):
            loser = view(boards[at])
            none_off = board.men_on_board(loser)[:, 0] == men
            far = (loser[:, 19:] > 0).any(axis=1)
            level = none_off * (1 + far)
            outcome[at] = (scoring.WIN if won else scoring.LOSE) + level
    return outcome


def contact(boards: np.ndarray) -> np.ndarray:
    """Whether the sides have still to pass each other, so that men may be hit.

    Args:
        boards: ``(n, 26)`` int8.

    Returns:
        ``(n,)`` bool; False is a race.

    >>> from bgnet.game.board import START, place
    >>> contact(np.stack([START, place({6: 15}, {6: 15})])).tolist()
    [True, False]
    """
    return _behind(mask(boards > 0), mask(boards < 0))


def _behind(mine: np.ndarray, his: np.ndarray) -> np.ndarray:
    """My highest man is above his lowest."""
    return mine > (his & -his.astype(np.int32).view(U))


def possible(boards: np.ndarray, men: int) -> np.ndarray:
    """Which outcomes the rules still allow.

    No gammon once the loser has borne off a man. No backgammon either, nor once he has no man on
    the bar or in the winner's home table and none can be sent back there: the sides have passed.

    Args:
        boards: ``(n, 26)`` int8, seen by the side that rolls.
        men: men a side at the start.

    Returns:
        ``(n, 6)`` bool in the order of ``scoring.OUTCOMES``.

    >>> from bgnet.game.board import place
    >>> possible(place({4: 3}, {6: 15})[None], 15).astype(int).tolist()
    [[1, 1, 0, 1, 0, 0]]
    """
    none_off = board.men_on_board(boards) == men
    mine, his = mask(boards > 0), mask(boards < 0)
    contact = _behind(mine, his)  # somebody can still be hit
    allowed = np.ones((len(boards), 6), bool)
    allowed[:, scoring.WIN_GAMMON] = none_off[:, 1]
    allowed[:, scoring.WIN_BACKGAMMON] = none_off[:, 1] & (contact | (his & U(127) != 0))
    allowed[:, scoring.LOSE_GAMMON] = none_off[:, 0]
    allowed[:, scoring.LOSE_BACKGAMMON] = none_off[:, 0] & (contact | (mine >> U(19) != 0))
    return allowed


def problem(board: np.ndarray, men: int) -> str | None:
    """Why a board cannot come about in a game, apart from the number of men; None if it can.

    Args:
        board: ``(26,)`` integers, seen by the side that rolls.
        men: men a side at the start.

    >>> problem(np.full(26, -1), 15)
    "slot 25 is the bar of the side on roll, slot 0 its opponent's"
    """
    if board[BAR] < 0 or board[OPPONENT_BAR] > 0:
        return "slot 25 is the bar of the side on roll, slot 0 its opponent's"
    return None
