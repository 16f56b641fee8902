"""Hypergammon with one or two men a side, solved: the truth to measure networks against.

With so few men every position fits in a table (26 positions of one man, 351 of two, for either
side). The value of a position is the mean over the 21 rolls of the best play's value, turned
round. Men that are hit start again, so that positions lead back to each other, and the equations
are solved by value iteration (Shapley 1953): begin with zero everywhere and apply them until
nothing changes. With the best plays known the chances of the six outcomes follow in the same way.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from ..game.board import BAR, SLOTS, flip
from ..game.dice import CHANCES, ROLLS
from ..game.scoring import ONGOING, SCORINGS
from ..game.variants import STANDARD, Variant
from ..nets import outcomes as six
from ..nets.outcomes import equity
from .bearoff_cache import cached
from .evaluator import Evaluator, Exact

MOST_MEN = 2
#: Iterations end when no value has changed by more.
_PRECISE = 1e-7
_BLOCK = 4096  # positions whose plays are generated at once


class SolvedError(ValueError):
    """A game that is not solved."""


class _Moves(NamedTuple):
    """Where one roll leads, from all positions in play."""

    after: np.ndarray
    """``(m,)`` int32, numbers of the positions that plays reach, seen by the opponent."""
    firsts: np.ndarray
    """``(live,)`` int64, where the plays of each position begin."""


class Solved(Exact):
    """Every position of a game of standard rules with one or two men a side.

    >>> from bgnet.game.board import place
    >>> from bgnet.game.variants import HYPERGAMMON_1
    >>> table = Solved(HYPERGAMMON_1)
    >>> table.outcomes(place({1: 1}, {1: 1})[None]).tolist()    # with one man all is a gammon
    [[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(self, variant: Variant, scoring: str = "english") -> None:
        """Load the table, or solve the game: a minute for two men, and then it is kept on the disk.

        Args:
            variant: the game.
            scoring: a key of ``SCORINGS``, what both sides play for.

        Raises:
            SolvedError: another game than one of standard rules with one or two men.
        """
        if variant.rules is not STANDARD.rules or variant.men > MOST_MEN:
            raise SolvedError(
                f"{variant.name} is not solved: hypergammon1 and hypergammon2 are, with one and "
                "two men a side"
            )
        self.variant, self.scoring = variant, scoring
        self._places = places(variant.men)
        self._number = _numbers(self._places)
        name = f"hypergammon{variant.men}_{scoring}"
        self._outcomes = cached(name, lambda: {"outcomes": self._solve()})["outcomes"]

    # -- answers -----------------------------------------------------------------------------

    def covers(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: all of them."""
        return np.ones(len(rows), bool)

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """Chances of the six outcomes for the side that rolls, both playing perfectly.

        Args:
            rows: ``(n, 26)`` int8, seen by the side that rolls.

        Returns:
            ``(n, 6)`` float32.
        """
        return np.asarray(self._outcomes)[self.index(rows)]

    def equities(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` float32: cubeless equity in points, both sides playing perfectly."""
        return equity(self.outcomes(rows), self.scoring)

    def evaluator(self) -> Evaluator:
        """The evaluator that knows: a player made of it makes no mistake."""
        nothing = np.zeros((1, 6), np.float32)
        return Evaluator(self.variant, lambda rows: nothing.repeat(len(rows), 0), self)

    def positions(self) -> np.ndarray:
        """``(n, 26)`` int8: every position of a game in play."""
        rows, _ = self._rows()
        return rows[self.variant.result(rows) == ONGOING]

    def index(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` int64: the table's row of each position."""
        mine, his = _key(np.maximum(rows, 0)), _key(np.maximum(flip(rows), 0))
        return self._number[mine] * len(self._places) + self._number[his]

    # -- the solution ------------------------------------------------------------------------

    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """All positions that can be set up, ``(n, 26)`` int8, and their rows of the table."""
        count = len(self._places)
        mine = self._places.repeat(count, axis=0)
        his = np.tile(self._places[:, ::-1], (count, 1))
        apart = ~((mine > 0) & (his > 0)).any(axis=1)
        some = (mine.sum(axis=1) > 0) | (his.sum(axis=1) > 0)
        at = np.flatnonzero(apart & some)
        return (mine - his)[at], at

    def _solve(self) -> np.ndarray:
        """``(places squared, 6)`` float32 outcomes, by the number of the position."""
        rows, at = self._rows()
        result = self.variant.result(rows)
        over = result != ONGOING
        live = at[~over]
        exact = np.zeros((len(self._places) ** 2, 6), np.float32)
        exact[at[over], result[over]] = 1
        moves = [self._moves(rows[~over], roll) for roll in ROLLS]
        chances = CHANCES.astype(np.float64)

        values = (exact @ SCORINGS[self.scoring]).astype(np.float64)
        change = np.inf
        while change > _PRECISE:
            new = sum(
                chance * np.maximum.reduceat(-values[after], firsts)
                for chance, (after, firsts) in zip(chances, moves, strict=True)
            )
            change = np.abs(new - values[live]).max()
            values[live] = new

        best = np.stack([_best(values, *roll) for roll in moves])
        change = np.inf
        while change > _PRECISE:
            reached = np.einsum("r,rnk->nk", CHANCES, exact[best])
            change = np.abs(six.flip(reached) - exact[live]).max()
            exact[live] = six.flip(reached)
        exact[live] /= exact[live].sum(axis=1, keepdims=True)
        return exact

    def _moves(self, rows: np.ndarray, roll: np.ndarray) -> _Moves:
        """Where a roll leads from every position in play."""
        after, firsts, count = [], [], 0
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            plays = self.variant.legal_plays(block, np.tile(roll, (len(block), 1)))
            after.append(self.index(plays.boards).astype(np.int32))
            firsts.append(plays.firsts(len(block)) + count)
            count += len(plays.owner)
        return _Moves(np.concatenate(after), np.concatenate(firsts))


def _best(values: np.ndarray, after: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """``(live,)`` int32: the position that the best play reaches; of equal ones the first."""
    worth = -values[after]
    owner = np.zeros(len(after), np.int64)
    owner[firsts[1:]] = 1
    owner = owner.cumsum()
    candidates = np.flatnonzero(worth == np.maximum.reduceat(worth, firsts)[owner])
    return after[candidates[np.searchsorted(owner[candidates], np.arange(len(firsts)))]]


def places(men: int) -> np.ndarray:
    """Every way in which so many men of one side can stand, those borne off included.

    Returns:
        ``(n, 26)`` int8 counts on slots 1 to 25 (25 = bar); slot 0 stays empty.

    >>> len(places(1)), len(places(2))
    (26, 351)
    """
    stands = list(combinations_with_replacement(range(SLOTS), men))
    found = np.zeros((len(stands), SLOTS), np.int8)
    for row, slots in zip(found, stands, strict=True):
        np.add.at(row, list(slots), 1)
    found[:, 0] = 0  # borne off
    return found


_SLOTS = np.arange(SLOTS)
_KEY = _SLOTS * (MOST_MEN * BAR**2 + 1) + _SLOTS**2


def _key(men: np.ndarray) -> np.ndarray:
    """A number for every stand of up to two men: sum and sum of squares tell them apart."""
    return men @ _KEY


def _numbers(stands: np.ndarray) -> np.ndarray:
    """The number of a stand by its key."""
    keys = _key(stands)
    numbers = np.zeros(keys.max() + 1, np.int64)
    numbers[keys] = np.arange(len(keys))
    return numbers
