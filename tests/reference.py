"""The slow twin of the standard rules: obvious, recursive, and wrong only where the rules are.

Boards here are plain tuples of 26 ints in the convention of ``bgnet.game.board``: my men
positive, my bar at 25, his men negative, his bar at 0. Nothing here uses the fast code.
"""

import itertools
import random
from collections.abc import Iterator

Board = tuple[int, ...]

EMPTY: Board = (0,) * 26
START: Board = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
NACKGAMMON_START: Board = tuple(
    {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}.get(p, 0) - {1: 2, 2: 2, 12: 4, 17: 3, 19: 4}.get(p, 0)
    for p in range(26)
)
HYPERGAMMON_START: Board = tuple((p in (22, 23, 24)) - (p in (1, 2, 3)) for p in range(26))
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def flip(board: Board) -> Board:
    """What the other side sees."""
    return tuple(-count for count in reversed(board))


def may_move(board: Board, point: int, die: int) -> bool:
    """Whether the man on this point may be moved by this one number."""
    if board[point] < 1:
        return False
    if board[25] > 0 and point != 25:
        return False
    if point - die >= 1:
        return board[point - die] >= -1
    highest = max(p for p in range(1, 26) if board[p] > 0)
    if highest > 6:
        return False
    return point in (die, highest)


def move(board: Board, point: int, die: int) -> Board:
    """The board after moving one man, hitting or bearing off as it comes."""
    after = list(board)
    after[point] -= 1
    target = point - die
    if target >= 1:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after)


def sequences(board: Board, dice: tuple[int, ...]) -> Iterator[tuple[Board, tuple[int, ...]]]:
    """Every way of playing these numbers in this order until one cannot be played.

    Yields the board at the end and the numbers played.
    """
    points = [p for p in range(1, 26) if may_move(board, p, dice[0])] if dice else []
    if not points:
        yield board, ()
    for point in points:
        for end, played in sequences(move(board, point, dice[0]), dice[1:]):
            yield end, (dice[0], *played)


def legal_results(board: Board, roll: tuple[int, int]) -> set[Board]:
    """Every board that a legal play reaches, turned round to the opponent."""
    first, second = (int(die) for die in roll)
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    ends = [end for order in orders for end in sequences(board, order)]
    longest = max(len(played) for _, played in ends)
    ends = [(end, played) for end, played in ends if len(played) == longest]
    if longest == 1:
        larger = max(played[0] for _, played in ends)
        ends = [(end, played) for end, played in ends if played[0] == larger]
    return {flip(end) for end, _ in ends}


def perft(board: Board, depth: int) -> int:
    """Plays of so many turns from here, over the 21 rolls each turn, a result counted once."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1) for roll in ROLLS for after in legal_results(board, roll))


def random_game(rng: random.Random, start: Board) -> list[Board]:
    """The boards of one game of random plays, as the side to roll sees each, last play left out."""
    boards = [start]
    while True:
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        after = rng.choice(sorted(legal_results(boards[-1], roll)))
        if not any(count < 0 for count in after):
            return boards
        boards.append(after)


def scatter(rng: random.Random, mine: list[int], his: list[int], most: int = 15) -> Board:
    """A board of random men of mine on the points given, and of his on those given.

    No side has more than ``most`` men or none; a point never holds both sides.
    """
    board = [0] * 26
    for points, bar, sign in ((mine, 25, 1), (his, 0, -1)):
        spots = rng.choices(points, k=rng.randint(1, 6))
        for _ in range(rng.randint(1, most)):
            point = rng.choice(spots)
            board[bar if board[point] * sign < 0 else point] += sign
    return tuple(board)


def random_board(rng: random.Random) -> Board:
    """A board placed by hand, so to speak: of one of the kinds where generators go wrong."""
    points = list(range(1, 25))
    home, away = points[:6], points[18:]
    kind = rng.randrange(7)
    if kind == 0:  # anything anywhere, bars included
        return scatter(rng, [*points, 25], [*points, 0])
    if kind == 1:  # few men
        return scatter(rng, [*points, 25], [*points, 0], most=3)
    if kind == 2:  # bearing off, undisturbed
        return scatter(rng, home, away)
    if kind == 3:  # bearing off against men on the bar or in the way, a straggler outside
        return scatter(rng, [*home * 6, 7, 9], [*home, 0, 0])
    if kind == 4:  # entering against a strong home table
        return scatter(rng, [25, 25, *points], away)
    board = [0] * 26
    if kind == 5:  # a closed or nearly closed table, men on the bar
        for point in rng.sample(away, rng.randint(4, 6)):
            board[point] = -2
        board[25] = rng.randint(1, 4)
    else:  # a prime anywhere, men behind it
        low = rng.randint(2, 18)
        for point in range(low, low + rng.randint(3, 6)):
            board[point] = -2
    for _ in range(rng.randint(1, 11)):
        point = rng.choice(points)
        if board[point] >= 0:
            board[point] += 1
    if max(board) <= 0:
        board[25] = 1
    return tuple(board)


def random_boards(rng: random.Random, n: int) -> list[Board]:
    """n varied boards: half placed at random, half met in random games of the three starts."""
    placed = [random_board(rng) for _ in range(n // 2)]
    starts = itertools.cycle((START, NACKGAMMON_START, HYPERGAMMON_START))
    met: list[Board] = []
    while len(met) < n - len(placed):
        game = random_game(rng, next(starts))
        met += rng.sample(game, min(8, len(game)))
    return placed + met[: n - len(placed)]
