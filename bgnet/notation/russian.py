"""Positions of Russian backgammon as text.

A **position** is one word, ``RUS=`` and five fields with colons between::

    RUS=-------------------bA-A---:12:13:-:0
        |                          |  |  | the complement to be played now, 0 for none
        |                          |  |  whose first throw is still to come: A, a, Aa or -
        |                          |  men of the small letters waiting to enter
        |                          men of the capitals waiting to enter
        26 letters: bar of the small letters, points 1 to 24, bar of the capitals

Capitals are the side to decide, small letters its opponent; ``A`` or ``a`` is one man, ``B`` two
and so on, ``-`` none. Both sides move from 24 down to 1, so that no point has two numbers.

**Plays** are written as in backgammon (``bgnet.notation.plays``); ``enter/19`` brings in a man
from off the board.
"""

import numpy as np

from ..game.russian_row import (
    BAR,
    FIRST,
    OPPONENT_BAR,
    OPPONENT_FIRST,
    OPPONENT_WAITING,
    PENDING,
    WAITING,
    WIDTH,
)
from ..game.setup import check
from ..game.variants import RUSSIAN
from .errors import NotationError

PREFIX = "RUS="
_FIRSTS = {"Aa": (1, -1), "A": (1, 0), "a": (0, -1), "-": (0, 0)}


def format_position(row: np.ndarray) -> str:
    """A row as text.

    Args:
        row: ``(31,)`` int8, seen by the side to decide.

    >>> format_position(RUSSIAN.start)
    'RUS=--------------------------:15:15:Aa:0'
    """
    letters = "".join(_letter(count) for count in row[: BAR + 1].tolist())
    first = "A" * int(row[FIRST]) + "a" * -int(row[OPPONENT_FIRST]) or "-"
    return f"{PREFIX}{letters}:{row[WAITING]}:{-row[OPPONENT_WAITING]}:{first}:{row[PENDING]}"


def _letter(count: int) -> str:
    if count == 0:
        return "-"
    return chr(64 + count) if count > 0 else chr(96 - count)


def parse_position(text: str) -> np.ndarray:
    """The row of a text; the prefix may be missing.

    Returns:
        ``(31,)`` int8, seen by the side to decide.

    Raises:
        NotationError: no such text; the message names the field.
        PositionError: a position that cannot come about.

    >>> bool((parse_position(format_position(RUSSIAN.start)) == RUSSIAN.start).all())
    True
    """
    text = text.strip()
    if text[: len(PREFIX)].upper() == PREFIX:
        text = text[len(PREFIX) :]
    fields = text.split(":")
    if len(fields) != 5:
        raise NotationError(
            "a Russian position has 5 fields with colons between: 26 letters, men waiting of "
            f"either side, first throws to come, complement pending; not {len(fields)}"
        )
    letters, waiting, his_waiting, first, pending = fields
    if first not in _FIRSTS:
        raise NotationError(f"first throws to come are A, a, Aa or -, not {first[:20]!r}")
    row = np.zeros(WIDTH, np.int64)
    row[: BAR + 1] = _men(letters)
    row[WAITING] = _number("men waiting", waiting)
    row[OPPONENT_WAITING] = -_number("men waiting", his_waiting)
    row[FIRST], row[OPPONENT_FIRST] = _FIRSTS[first]
    row[PENDING] = _number("complement pending", pending)
    check(row, RUSSIAN)
    return row.astype(np.int8)


def _men(letters: str) -> list[int]:
    """The counts of the 26 letters, those of the opponent negative."""
    if len(letters) != BAR + 1:
        raise NotationError(f"a Russian position begins with 26 letters, not {len(letters)}")
    counts = []
    for column, letter in enumerate(letters, 1):
        if "A" <= letter <= "O":
            counts.append(ord(letter) - 64)
        elif "a" <= letter <= "o":
            counts.append(96 - ord(letter))
        elif letter == "-":
            counts.append(0)
        else:
            raise NotationError(f"men are A to O, a to o or -, not {letter!r}", column=column)
    if counts[OPPONENT_BAR] > 0 or counts[BAR] < 0:
        raise NotationError(
            "the first letter is the bar of the small letters, the 26th that of the capitals"
        )
    return counts


def _number(name: str, text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    raise NotationError(f"the {name} of a Russian position is a number, not {text[:20]!r}")
