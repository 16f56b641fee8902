"""What a network sees of a position: encoders, each under a name that never changes its meaning.

An encoder is a table with a row of input values for every (column, count) of a board, and the
inputs of a position are the **sum** of the rows that its columns pick. Anything that adds up over
the points can be said this way: the units of a point, men borne off, pips. The first layer of a
network is linear, so its product with the table can be worked out once, and a position then costs
26 look-ups instead of a matrix product (``Encoder.entries`` says which rows). What does not add up,
such as shots, an encoder may put behind those inputs (``Encoder.glance``).

To add an encoder, write a function like ``tesauro198`` below and add it to ``ENCODERS``. It says
how many columns it understands: a row with others would lose them silently.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ..game import russian_row as row
from ..game.board import BAR, OPPONENT_BAR, SLOTS
from ..game.variants import VARIANTS, Column, Variant
from .tactics import A_SIDE, tactics


class EncoderError(ValueError):
    """No encoder of that name, or not for that game."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """A table of input values, how board rows pick its rows, and what is seen besides."""

    name: str
    columns: tuple[Column, ...]
    """The columns of a board row, as the variant has them."""
    table: np.ndarray
    """``(entries, sums)`` float32, the rows of column 0 first, each from its low to its high."""
    glance: Callable[[np.ndarray], np.ndarray] | None = None
    """``glance(rows)``: ``(n, width)`` int8 to ``(n, glances)`` float32, what is no sum."""
    glances: int = 0
    """How many those are; they come behind the sums."""
    sums_alone: str = ""
    """Name of the encoder without a glance, if there is one."""

    @cached_property
    def offsets(self) -> np.ndarray:
        """``(width,)`` int32: column c of a board with count k picks row ``offsets[c] + k``."""
        return offsets(self.columns)

    @property
    def inputs(self) -> int:
        """How many values a network sees."""
        return self.table.shape[1] + self.glances

    def entries(self, rows: np.ndarray) -> np.ndarray:
        """Rows of the table that positions pick.

        Args:
            rows: ``(n, width)`` int8 boards, seen by the side that rolls.

        Returns:
            ``(n, width)`` int32.
        """
        return rows + self.offsets

    def encode(self, rows: np.ndarray) -> np.ndarray:
        """The inputs of positions, ``(n, inputs)`` float32.

        >>> from bgnet.game.board import START
        >>> encoder("tesauro198").encode(START[None]).shape
        (1, 198)
        """
        sums = lookup(self.table, self.entries(rows))
        return sums if self.glance is None else np.concatenate([sums, self.glance(rows)], axis=1)


def offsets(columns: tuple[Column, ...]) -> np.ndarray:
    """``(width,)`` int32: where count 0 of each column lies in a table."""
    starts = np.cumsum([0, *(c.high - c.low + 1 for c in columns[:-1])])
    return (starts - [c.low for c in columns]).astype(np.int32)


def lookup(table: np.ndarray, entries: np.ndarray) -> np.ndarray:
    """Sum of the table rows that each position picks.

    Args:
        table: ``(entries, k)`` float32.
        entries: ``(n, width)`` int32.

    Returns:
        ``(n, k)`` float32.
    """
    total = table.take(entries[:, 0], axis=0)
    for column in range(1, entries.shape[1]):
        total += table.take(entries[:, column], axis=0)
    return total


class Table:
    """Lays out a table while an encoder is being described."""

    def __init__(self, name: str, variant: Variant, width: int, inputs: int) -> None:
        """An empty table of so many inputs, for rows of so many columns.

        Raises:
            EncoderError: the variant's rows have other columns.
        """
        if variant.width != width:
            raise EncoderError(
                f"the encoder {name} reads rows of {width} columns, but those of {variant.name} "
                f"have {variant.width}; there are {', '.join(ENCODERS)}"
            )
        self.name = name
        self.columns = columns = variant.columns
        self.offsets = offsets(columns)
        self.values = np.zeros((self.offsets[-1] + columns[-1].high + 1, inputs), np.float32)

    def add(self, column: int, at: int | slice, value: Callable[[int], object]) -> None:
        """Give inputs ``at`` the value of the count in this column, on top of what they have."""
        low, high = self.columns[column]
        for count in range(low, high + 1):
            self.values[self.offsets[column] + count, at] += value(count)

    def add_men(self, column: int, at: int, side: int, worth: float) -> None:
        """Give input ``at`` so much for every man in this column, mine (side 1) or his (-1)."""
        self.add(column, at, lambda count: worth * max(side * count, 0))

    def encoder(self, glance: Callable[[np.ndarray], np.ndarray] | None = None, glances: int = 0,
                sums_alone: str = "") -> Encoder:
        """The finished encoder; see the fields of ``Encoder``."""
        return Encoder(self.name, self.columns, self.values, glance, glances, sums_alone)


def _point_units(count: int, unit: Callable[[int], list[float]]) -> list[float]:
    """The units of my men on a point, then those of his."""
    return unit(max(count, 0)) + unit(max(-count, 0))


def tesauro198(variant: Variant) -> Encoder:
    """TD-Gammon's 198 raw inputs (Tesauro 1992).

    For each point and side four units: one, two, three men or more, and half the men above three;
    men on the bar / 2, men off / 15, and two units for whose turn it is (here always 1 0).
    """
    table = Table("tesauro198", variant, SLOTS, 198)
    for point in range(1, BAR):
        at = (point - 1) * 8
        table.add(point, slice(at, at + 8), lambda k: _point_units(
            k, lambda m: [m >= 1, m >= 2, m >= 3, max(m - 3, 0) / 2]))
    table.add(BAR, 192, lambda k: k / 2)
    table.add(OPPONENT_BAR, 193, lambda k: -k / 2)
    for point in range(BAR + 1):
        table.add_men(point, 194, 1, -1 / variant.men)
        table.add_men(point, 195, -1, -1 / variant.men)
    table.add(BAR, slice(194, 198), lambda k: [1, 1, 1, 0])  # all men off, less those on the board
    return table.encoder()


def points(variant: Variant) -> Encoder:
    """Four units for each point, bar included, and side; men off and pips of both sides.

    The units say exactly one man (a blot), two or more (a point held), three or more, and a third
    of the men above three. A blot has its own sign, since it means the opposite of a point held.
    """
    return _points("points", variant).encoder()


def shots(variant: Variant) -> Encoder:
    """``points``, and behind them what a glance at the dice shows; see ``tactics``."""
    return _points("shots", variant).encoder(tactics, 2 * A_SIDE, "points")


def _points(name: str, variant: Variant) -> Table:
    """The table of ``points``."""
    table = Table(name, variant, SLOTS, 204)
    _add_points(table)
    for point in range(BAR + 1):
        table.add_men(point, 200, 1, -1 / variant.men)
        table.add_men(point, 201, -1, -1 / variant.men)
        table.add_men(point, 202, 1, point / 100)
        table.add_men(point, 203, -1, (BAR - point) / 100)
    table.add(BAR, slice(200, 202), lambda k: [1, 1])
    return table


def _add_points(table: Table) -> None:
    """Inputs 0 to 199 of ``points``: four units for every point, bar included, and side."""

    def unit(men: int) -> list[float]:
        return [men == 1, men >= 2, men >= 3, max(men - 3, 0) / 3]

    for point in range(1, BAR):
        at = (point - 1) * 8
        table.add(point, slice(at, at + 8), lambda k: _point_units(k, unit))
    table.add(BAR, slice(192, 196), lambda k: unit(k))
    table.add(OPPONENT_BAR, slice(196, 200), lambda k: unit(-k))


def russian(variant: Variant) -> Encoder:
    """The rows of Russian backgammon: the units of ``points``, and what the row remembers.

    Behind the units of points and bars, for each side: men off, pips (both sides count down to
    the same home), men waiting, whether there are any, and a first throw to come. Last, six units
    for the complement pending.
    """
    table = Table("russian", variant, row.WIDTH, 216)
    _add_points(table)
    sides = ((200, row.BAR, row.WAITING, row.FIRST, 1),
             (205, row.OPPONENT_BAR, row.OPPONENT_WAITING, row.OPPONENT_FIRST, -1))  # fmt: skip
    for at, bar, waiting, first, side in sides:
        for column in (bar, *range(1, BAR), waiting):
            pips = column if column in range(1, BAR) else BAR
            table.add_men(column, at, side, -1 / variant.men)
            table.add_men(column, at + 1, side, pips / 100)
        table.add(bar, at, lambda k: 1)  # all men off, less those that are not
        table.add_men(waiting, at + 2, side, 1 / variant.men)
        table.add(waiting, at + 3, lambda k: k != 0)
        table.add(first, at + 4, lambda k: k != 0)
    table.add(row.PENDING, slice(210, 216), lambda k: np.arange(1, 7) == k)
    return table.encoder()


#: Every encoder by name. A name never changes its meaning: checkpoints rely on it.
ENCODERS: dict[str, Callable[[Variant], Encoder]] = {
    "tesauro198": tesauro198,
    "points": points,
    "shots": shots,
    "russian": russian,
}


@cache
def encoder(name: str, variant: str = "backgammon") -> Encoder:
    """The encoder of that name for a variant.

    Args:
        name: a key of ``ENCODERS``.
        variant: a key of ``VARIANTS``.

    Raises:
        EncoderError: no such encoder, or one that does not know the variant's columns.

    >>> encoder("points").inputs
    204
    """
    if name not in ENCODERS:
        raise EncoderError(f"no encoder is called {name!r}; there are {', '.join(ENCODERS)}")
    return ENCODERS[name](VARIANTS[variant])
