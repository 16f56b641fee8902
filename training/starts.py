"""Where games of self-play begin."""

from collections.abc import Callable

import numpy as np

from bgnet.game.board import BAR, SLOTS
from bgnet.game.variants import Variant

#: Positions ``(n, width)`` int8 and their first throws ``(n, 2)`` int8.
Begun = tuple[np.ndarray, np.ndarray]


def game(variant: Variant, n: int, rng: np.random.Generator) -> Begun:
    """Where the rules say, with the opening throw."""
    return variant.starts(n), variant.opening_rolls(rng, n)


def scattered(variant: Variant, n: int, rng: np.random.Generator) -> Begun:
    """Half of them as ``game``; in the others every man anywhere: on a point, on his side's bar
    or borne off.

    >>> from bgnet.game.variants import HYPERGAMMON
    >>> scattered(HYPERGAMMON, 5, np.random.default_rng(1))[0].shape
    (5, 26)
    """
    rows, rolls = game(variant, n, rng)
    some = np.flatnonzero(rng.random(n) < 0.5)
    found = np.empty((0, SLOTS), np.int8)
    while len(found) < len(some):
        tastes = _tastes(n, rng)
        mine, his = (_thrown(variant.men, taste, rng) for taste in tastes)
        found = np.concatenate([found, _boards(mine, his)[_both_play(mine, his)]])
    rows[some] = found[: len(some)]
    rolls[some] = variant.next_rolls(rng, rows[some])
    return rows, rolls


def race(variant: Variant, n: int, rng: np.random.Generator) -> Begun:
    """The sides have passed each other, from just now to almost home, in well and badly made
    formations.

    >>> from bgnet.game.variants import STANDARD
    >>> rows, _ = race(STANDARD, 100, np.random.default_rng(1))
    >>> bool(STANDARD.contact(rows).any())
    False
    """
    found = np.empty((0, SLOTS), np.int8)
    while len(found) < n:
        # The last man of one side anywhere, that of the other somewhere nearer to his home.
        last = rng.integers(1, BAR - 1, n)
        other = rng.integers(1, BAR - last)
        first = rng.random(n) < 0.5
        mine = _formation(variant.men, np.where(first, last, other), rng)
        his = _formation(variant.men, np.where(first, other, last), rng)
        found = np.concatenate([found, _boards(mine, his)[_both_play(mine, his)]])
    return found[:n], variant.next_rolls(rng, found[:n])


def crashed(variant: Variant, n: int, rng: np.random.Generator) -> Begun:
    """Three of four as ``game``; in the others one side waits behind with its home given up, while
    the other brings its men home or bears them off.

    >>> from bgnet.game.variants import STANDARD
    >>> rows, _ = crashed(STANDARD, 1000, np.random.default_rng(1))
    >>> bool((rows == STANDARD.start).all(axis=1).mean() > 0.7)
    True
    """
    rows, rolls = game(variant, n, rng)
    some = np.flatnonzero(rng.random(n) < 0.25)
    found = np.empty((0, SLOTS), np.int8)
    while len(found) < len(some):
        waiting, coming = (_thrown(variant.men, taste, rng) for taste in _tastes_of_crashed(n, rng))
        first = (rng.random(n) < 0.5)[:, None]
        mine, his = np.where(first, waiting, coming), np.where(first, coming, waiting)
        boards = _boards(mine, his)
        found = np.concatenate([found, boards[_both_play(mine, his) & variant.contact(boards)]])
    rows[some] = found[: len(some)]
    rolls[some] = variant.next_rolls(rng, rows[some])
    return rows, rolls


def _tastes_of_crashed(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Tastes of the side that waits and of the one that comes, ``(n, 26)`` each seen by itself."""
    waiting, coming = np.zeros((2, n, SLOTS))
    waiting[:, 1:7] = rng.exponential(1.0, (n, 6)) * np.arange(6, 0, -1)  # deep points before all
    behind = rng.random((n, 8)) * (rng.random((n, 8)) < 0.3)  # points 18 to 24 and the bar
    share = rng.uniform(0.1, 0.5, (n, 1)) * waiting.sum(axis=1, keepdims=True)
    waiting[:, 18:] = share * behind / np.maximum(behind.sum(axis=1, keepdims=True), 1e-9)
    coming[:, 1:15] = rng.exponential(1.0, (n, 14)) ** 2
    coming[:, 7:15] *= rng.random((n, 1)) ** 2
    coming[:, 1:8] *= waiting[:, 24:17:-1] == 0
    coming[:, 0] = coming.sum(axis=1) * rng.random(n) * (rng.random(n) < 0.4)  # the tray
    return waiting, coming


def _tastes(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two sides' tastes, ``(n, 26)`` bool each seen by itself: every point is one side's alone,
    bar and tray are open to all."""
    mine = rng.random((n, SLOTS)) < 0.5
    his = ~mine[:, ::-1]
    for taste in (mine, his):
        taste[:, [0, BAR]] = True
    return mine, his


def _formation(men: int, last: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """``(n, 26)`` int8: men of one side, seen by it, none behind point ``last``; some may be off.

    Each formation has its own taste for points, and two of three like home better than the rest.
    """
    points = np.arange(SLOTS)
    taste = rng.exponential(1.0, (len(last), SLOTS)) ** 2
    homely = np.where(rng.random((len(last), 1)) < 2 / 3, 0.15, 1.0)
    taste *= np.where(points > 6, homely, 1.0)
    taste[:, 0] *= rng.random(len(last)) < 0.4  # the tray: in most races nobody is off yet
    taste[points > last[:, None]] = 0
    taste[np.arange(len(last)), last] += 1e-9  # never nowhere to go
    return _thrown(men, taste, rng)


def _thrown(men: int, taste: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """``(n, 26)`` int8: men of one side, seen by it, thrown at slots by weight ``(n, 26)``; those
    that fall into slot 0 are off."""
    weights = taste.astype(np.float64)
    placed = rng.multinomial(men, weights / weights.sum(axis=1, keepdims=True)).astype(np.int8)
    placed[:, 0] = 0
    return placed


def _boards(mine: np.ndarray, his: np.ndarray) -> np.ndarray:
    """Boards of two sides' men, each ``(n, 26)`` seen by itself."""
    return mine - his[:, ::-1]


def _both_play(mine: np.ndarray, his: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: both sides have men on the board."""
    return (mine.max(axis=1) > 0) & (his.max(axis=1) > 0)


#: Every kind of start by name.
STARTS: dict[str, Callable[[Variant, int, np.random.Generator], Begun]] = {
    "game": game,
    "scattered": scattered,
    "race": race,
    "crashed": crashed,
}
