"""The slow twin of Russian backgammon: the rules as a person plays them, one man at a time.

A position is two named sides and a pending complement; rows (see ``bgnet.game.russian``) are
only read and written at the edge, by ``position`` and ``row``.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

Row = tuple[int, ...]

MEN = 15
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
ENTERING_TABLE = range(19, 25)


class Side(NamedTuple):
    """One side's men. ``points[p - 1]`` is how many stand on point p."""

    points: tuple[int, ...] = (0,) * 24
    bar: int = 0
    waiting: int = 0  # not yet entered
    fresh: bool = False  # its first throw is still to come

    def count(self, point: int) -> int:
        return self.points[point - 1]

    def put(self, point: int, change: int) -> "Side":
        points = list(self.points)
        points[point - 1] += change
        return self._replace(points=tuple(points))

    def total(self) -> int:
        return sum(self.points) + self.bar + self.waiting


class Position(NamedTuple):
    """``me`` is the side that decides."""

    me: Side
    him: Side
    pending: int = 0  # the complement that must be played next, 0 for none


START = Position(Side(waiting=MEN, fresh=True), Side(waiting=MEN, fresh=True))


def position(row: Row) -> Position:
    """Read a row."""
    me = Side(tuple(max(c, 0) for c in row[1:25]), row[25], row[26], row[28] == 1)
    him = Side(tuple(max(-c, 0) for c in row[1:25]), -row[0], -row[27], row[29] == -1)
    return Position(me, him, row[30])


def row(where: Position) -> Row:
    """Write a row."""
    me, him, pending = where
    points = [mine - his for mine, his in zip(me.points, him.points, strict=True)]
    fresh = (int(me.fresh), -int(him.fresh))
    return (-him.bar, *points, me.bar, me.waiting, -him.waiting, *fresh, pending)


def land(where: Position, point: int) -> Position | None:
    """Put down one man of mine on a point, capturing a blot; None if the point is held."""
    me, him, pending = where
    if him.count(point) >= 2:
        return None
    if him.count(point) == 1:
        him = him.put(point, -1)
        him = him._replace(bar=him.bar + 1)
    return Position(me.put(point, 1), him, pending)


def ways(where: Position, number: int) -> Iterator[Position]:
    """Every way of playing one number with one man."""
    me = where.me
    entered = land(where, 25 - number)
    if me.bar:  # a captured man comes before anything else
        if entered:
            yield entered._replace(me=entered.me._replace(bar=me.bar - 1))
        return
    if me.waiting and entered:
        yield entered._replace(me=entered.me._replace(waiting=me.waiting - 1))
        if me.fresh:  # on his first throw he enters with every number that can
            return
    occupied = [p for p in range(1, 25) if me.count(p)]
    all_home = not me.waiting and all(p <= 6 for p in occupied)
    for point in occupied:
        lifted = where._replace(me=me.put(point, -1))
        if point > number:
            moved = land(lifted, point - number)
            if moved:
                yield moved
        elif all_home and (point == number or point == max(occupied)):
            yield lifted


def play_in_order(where: Position, numbers: tuple[int, ...]) -> tuple[set[Position], int]:
    """Play the numbers in this order for as long as any way of playing goes on.

    Returns the positions at the end of the longest ways, and how many numbers those played.
    """
    reached = {where}
    for played, number in enumerate(numbers):
        further = {after for so_far in reached for after in ways(so_far, number)}
        if not further:
            return reached, played
        reached = further
    return reached, len(numbers)


def pass_on(where: Position) -> Position:
    """The other side's turn."""
    return Position(where.him, where.me)


def decisions(where: Position, throw: tuple[int, int]) -> set[tuple[Position, bool]]:
    """Every position that a legal play reaches, seen by the side that decides next.

    With each, whether that is the same side again.
    """
    high, low = max(throw), min(throw)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = [play_in_order(where, order) for order in orders]
    most = max(played for _, played in found)
    if most == 1 and found[0][1] == 1:  # the larger number is played if only one can be
        found = found[:1]
    ends = {end for reached, played in found if played == most for end in reached}

    bonus = high == low and most == 4 and not where.me.fresh
    results = set()
    for end in ends:
        end = Position(end.me._replace(fresh=False), end.him)
        if not bonus or end.me.total() == 0:
            results.add((pass_on(end), False))
        elif where.pending:
            results.add((end, True))  # a further throw
        else:
            results.add((end._replace(pending=7 - high), True))
    return results


def legal_results(before: Row, throw: tuple[int, int]) -> set[tuple[Row, bool]]:
    """The same from row to rows."""
    return {(row(end), again) for end, again in decisions(position(before), throw)}


def outcome(where: Position) -> str | None:
    """What the side to decide got, or None while the game goes on."""
    for loser, verb in ((where.me, "lose"), (where.him, "win")):
        winner = where.him if loser is where.me else where.me
        if winner.total() == 0:
            if loser.total() < MEN:
                return verb
            back = loser.bar or loser.waiting or any(loser.count(p) for p in ENTERING_TABLE)
            return f"{verb} backgammon" if back else f"{verb} gammon"
    return None


def throw_for(rng: random.Random, where: Position) -> tuple[int, int]:
    """The throw that is to be played: the pending complement, or dice."""
    if where.pending:
        return where.pending, where.pending
    return rng.randint(1, 6), rng.randint(1, 6)


def random_game(rng: random.Random) -> list[Row]:
    """The rows of one game of random plays, each seen by the side to decide; the end included."""
    where, rows = START, [row(START)]
    while outcome(where) is None:
        choices = sorted(decisions(where, throw_for(rng, where)))
        where, _ = rng.choice(choices)
        rows.append(row(where))
    return rows


def random_side(rng: random.Random, free: list[int], pool: list[int], captured: bool) -> Side:
    """One side placed at random on points of the pool that are still free, which it then takes."""
    points = [p for p in pool if p in free]
    points = rng.sample(points, min(len(points), rng.randint(1, 8)))
    left = MEN - rng.choice([0, 0, 0, rng.randint(0, 14)])  # the rest borne off
    waiting = 0
    if left == MEN and rng.random() < 0.6:
        waiting = rng.choice([1, 2, 3, rng.randint(0, 15)])
    bar = rng.randint(1, 4) if captured else 0
    bar = min(bar, left - waiting)
    if not points:
        left, waiting, bar = MEN, MEN, 0
    side = Side(bar=bar, waiting=waiting)
    for _ in range(left - waiting - bar):
        side = side.put(rng.choice(points), 1)
    for point in range(1, 25):
        if side.count(point):
            free.remove(point)
    return side


POOLS = [
    list(range(1, 25)),
    list(range(1, 7)),
    [1, 2, 3, 4, 5, 6, 6, 7, 8],
    list(ENTERING_TABLE),
    list(range(13, 25)),
]


def random_position(rng: random.Random) -> Position:
    """A position placed by hand, so to speak, of the kinds where a generator could go wrong."""
    free = list(range(1, 25))
    him = random_side(rng, free, sorted(set(rng.choice(POOLS))), rng.random() < 0.3)
    if rng.random() < 0.15:  # my first throw is to come
        return Position(START.me, him)
    me = random_side(rng, free, sorted(set(rng.choice(POOLS))), rng.random() < 0.3)
    if rng.random() < 0.05:
        him = START.him
    if me.waiting == MEN and rng.random() < 0.5:
        me = me._replace(fresh=True)
    pending = rng.choice([0, 0, 0, rng.randint(1, 6)])
    return Position(me, him, 0 if me.fresh else pending)


def random_rows(rng: random.Random, n: int) -> list[Row]:
    """n varied rows, none of a finished game: half placed at random, half met in random games."""
    placed = [row(random_position(rng)) for _ in range(n // 2)]
    met: list[Row] = []
    while len(met) < n - len(placed):
        game = random_game(rng)[:-1]
        met += rng.sample(game, min(20, len(game)))
    return placed + met[: n - len(placed)]
