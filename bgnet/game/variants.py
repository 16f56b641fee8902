"""The games that bgnet plays: each variant is a row of data and a rules module.

The variant owns the state. How wide a board row is, how it is turned round, which plays are
legal, when a game is over, which throw comes next: all of that is asked of the variant, and
nothing elsewhere asks which game it is. Backgammon, Nackgammon and Hypergammon share one rules
module (``standard``) and differ in the start; a game with rules of its own brings a module of
its own that offers the functions of ``Rules``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from . import board, dice, rulebooks, russian, standard
from .plays import Plays
from .steps import Steps


class Rules(Protocol):
    """What a rules module offers. Rows are ``(n, width)`` int8, seen by the side to decide."""

    @property
    def flip(self) -> Callable[[np.ndarray], np.ndarray]:
        """``flip(rows)``: the same positions seen by the other side."""

    @property
    def legal_plays(self) -> Callable[[np.ndarray, np.ndarray], Plays]:
        """``legal_plays(rows, rolls)``: every distinct row that a legal play reaches."""

    @property
    def result(self) -> Callable[[np.ndarray, int], np.ndarray]:
        """``result(rows, men)``: (n,) int8 outcome for the side to roll, or ONGOING."""

    @property
    def possible(self) -> Callable[[np.ndarray, int], np.ndarray]:
        """``possible(rows, men)``: (n, 6) bool, the outcomes that can still come about."""

    @property
    def contact(self) -> Callable[[np.ndarray], np.ndarray]:
        """``contact(rows)``: (n,) bool, whether men may still be hit."""

    @property
    def forced_rolls(self) -> Callable[[np.ndarray], np.ndarray]:
        """``forced_rolls(rows)``: (n, 2) int8, the throw already fixed, or 0 0 to throw dice."""

    @property
    def pip_counts(self) -> Callable[[np.ndarray], np.ndarray]:
        """``pip_counts(rows)``: (n, 2) int16, pips left: the side to roll, its opponent."""


    @property
    def problem(self) -> Callable[[np.ndarray, int], str | None]:
        """``problem(row, men)``: why one row cannot come about, apart from the number of men, as
        a sentence; None if it can."""

    @property
    def steps(self) -> Steps:
        """The module that knows the single steps of a play."""


class Column(NamedTuple):
    """The least and the greatest value that a column of a board row can hold."""

    low: int
    high: int


@dataclass(frozen=True, eq=False)
class Variant:
    """A game: its name, its start, and the module that knows its rules."""

    name: str
    """How commands and files call it."""
    summary: str
    """One line for people."""
    men: int
    """Men a side."""
    start: np.ndarray
    """``(width,)`` int8, the row before the first throw."""
    columns: tuple[Column, ...]
    """The range of every column of a row: what a table-lookup encoder needs to know."""
    rules: Rules = field(default=standard, repr=False)
    """The rules module."""
    rulebook: str = field(default=rulebooks.STANDARD, repr=False)
    """The rules as players read them, the start apart."""
    homes_apart: bool = True
    """Whether each side bears off from a table of its own, where the other has no business once
    both are home: the bear-off tables hold then."""
    rethrow: bool = False
    """Whether the starter throws again for his first move (Foster) or plays the dice that
    decided who starts (IBA)."""

    @property
    def width(self) -> int:
        """Columns of a board row."""
        return len(self.start)

    def starts(self, n: int) -> np.ndarray:
        """n games before their first throw, ``(n, width)`` int8."""
        return np.repeat(self.start[None], n, axis=0)

    def flip(self, rows: np.ndarray) -> np.ndarray:
        """The same positions seen by the other side, ``(n, width)`` int8."""
        return self.rules.flip(rows)

    def legal_plays(self, rows: np.ndarray, rolls: np.ndarray) -> Plays:
        """Every distinct row that a legal play can reach; see ``Plays``."""
        return self.rules.legal_plays(rows, rolls)

    def seen_by_player(self, plays: Plays) -> np.ndarray:
        """``(m, width)`` int8: the rows of plays as the sides that made them see them."""
        turned = self.flip(plays.boards)
        if plays.again is None:
            return turned
        return np.where(plays.again[:, None], plays.boards, turned)

    def result(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` int8: the outcome for the side that rolls next, or ONGOING."""
        return self.rules.result(rows, self.men)

    def possible(self, rows: np.ndarray) -> np.ndarray:
        """``(n, 6)`` bool: the outcomes that the rules still allow."""
        return self.rules.possible(rows, self.men)

    def contact(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: whether men may still be hit; False is a race."""
        return self.rules.contact(rows)

    def pip_counts(self, rows: np.ndarray) -> np.ndarray:
        """``(n, 2)`` int16: pips left of the side that rolls and of its opponent."""
        return self.rules.pip_counts(rows)

    def forced_rolls(self, rows: np.ndarray) -> np.ndarray:
        """``(n, 2)`` int8: the throw that is already fixed, or 0 0 where dice are thrown."""
        return self.rules.forced_rolls(rows)

    def opening_rolls(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """``(n, 2)`` int8: first throws of n games, by this variant's opening rule."""
        return dice.opening_roll(rng, n, self.rethrow)

    def next_rolls(self, rng: np.random.Generator, rows: np.ndarray) -> np.ndarray:
        """``(n, 2)`` int8: the throws to be played from these rows, fixed or fallen.

        Dice are drawn for every row, fixed or not, so that one row's luck never depends on
        another's state.
        """
        forced = self.forced_rolls(rows)
        return np.where(forced > 0, forced, dice.roll(rng, len(rows)))


def standard_columns(men: int) -> tuple[Column, ...]:
    """Ranges of the 26 columns of a standard board with so many men a side."""
    points = [Column(-men, men)] * (board.SLOTS - 2)
    return (Column(-men, 0), *points, Column(0, men))


def _variant(name: str, summary: str, setup: dict[int, int]) -> Variant:
    """A variant with the standard rules, both sides starting alike."""
    men = sum(setup.values())
    start = board.place(setup, setup)
    start.flags.writeable = False
    return Variant(name, summary, men, start, standard_columns(men))


STANDARD = _variant("backgammon", "backgammon as everybody plays it", {24: 2, 13: 5, 8: 3, 6: 5})
NACKGAMMON = _variant(
    "nackgammon", "two more men back (Nack Ballard)", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
)
HYPERGAMMON = _variant("hypergammon", "three men a side", {24: 1, 23: 1, 22: 1})
HYPERGAMMON_2 = _variant("hypergammon2", "two men a side: solved exactly", {24: 1, 23: 1})
HYPERGAMMON_1 = _variant("hypergammon1", "one man a side: solved exactly", {24: 1})
RUSSIAN = Variant(
    name="russian",
    summary="men enter from off the board, and both sides move the same way",
    men=15,
    start=russian.START,
    # The men on bars and points, those waiting, the first throws to come, the complement pending.
    columns=(
        *standard_columns(15),
        *(Column(0, 15), Column(-15, 0), Column(0, 1), Column(-1, 0), Column(0, 6)),
    ),
    rules=russian,
    rulebook=rulebooks.RUSSIAN,
    homes_apart=False,
    rethrow=True,
)

#: Every variant by name.
VARIANTS = {
    v.name: v
    for v in (STANDARD, NACKGAMMON, HYPERGAMMON, HYPERGAMMON_2, HYPERGAMMON_1, RUSSIAN)
}


def legal_plays(rows: np.ndarray, rolls: np.ndarray, variant: Variant = STANDARD) -> Plays:
    """Every distinct position that a legal play of the roll can reach.

    Args:
        rows: ``(n, width)`` int8, seen by the side that plays.
        rolls: ``(n, 2)`` int8, dice 1..6 in any order.
        variant: the game.

    Returns:
        ``Plays``: rows already turned to the side that decides next, ``owner`` ascending.
        A dance is one row, the same position turned round.

    >>> plays = legal_plays(STANDARD.starts(1), np.array([[3, 1]]))
    >>> len(plays.boards)
    16
    """
    return variant.legal_plays(rows, rolls)
