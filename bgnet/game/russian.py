"""Russian backgammon: the rules, for players and for arrays.

The rules, and our choices where Foster is silent, are told in ``rulebooks.RUSSIAN``.

A doublet is up to three decisions of one side. After the upper faces the row comes
back with ``again`` set and a complement pending, which is the next (forced) roll; after the
complements it comes back with ``again`` set and dice to throw. That keeps every choice in the
tens or hundreds of rows, where eight steps at once would have tens of thousands.

The row is described in ``russian_row``, the generator in ``russian_plays``.
"""

import numpy as np

from . import russian_steps as steps
from . import scoring
from .russian_plays import legal_plays
from .russian_row import BAR, FIRST, OPPONENT_WAITING, PENDING, START, WAITING, flip, place

__all__ = [
    "START",
    "contact",
    "flip",
    "forced_rolls",
    "legal_plays",
    "pip_counts",
    "place",
    "possible",
    "problem",
    "result",
    "steps",
]

ENTERING_TABLE = 19  # points 19..24

_MEN = slice(0, OPPONENT_WAITING + 1)  # the columns that count men
_MINE = slice(0, WAITING + 1)  # those of the side to decide among them
#: Pips that a man has to move, by column.
_PIPS = np.minimum(np.arange(WAITING + 1), BAR).astype(np.int16)


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


def contact(rows: np.ndarray) -> np.ndarray:
    """Whether men may still be hit: always, since all go the same way and one side is behind.

    Args:
        rows: ``(n, width)`` int8.

    Returns:
        ``(n,)`` bool.
    """
    return np.ones(len(rows), bool)


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
    return np.stack([np.maximum(view[:, _MINE], 0) @ _PIPS for view in views], axis=1)


def problem(row: np.ndarray, men: int) -> str | None:
    """Why a row cannot come about in a game, apart from the number of men; None if it can.

    Args:
        row: ``(31,)`` integers, seen by the side to decide.
        men: men a side at the start.

    >>> problem(START, 15)
    >>> problem(place({3: 2}, {26: 15}, pending=7), 15)
    'a complement pending is 1 to 6, or 0 for none, not 7'
    """
    for name, side in (("the side on roll", row), ("its opponent", flip(row))):
        own = side[_MINE]
        left, waiting = int(own[own > 0].sum()), int(side[WAITING])
        if side[BAR] < 0 or waiting < 0 or side[FIRST] not in (0, 1):
            return f"{name} has a number of the wrong sign among its bar, waiting or first throw"
        if waiting and left < men:
            return f"{name} has men waiting and yet has borne off {men - left}"
        if side[FIRST] and waiting < men:
            return f"{name} has men on the board before its first throw"
    if not 0 <= row[PENDING] <= 6:
        return f"a complement pending is 1 to 6, or 0 for none, not {row[PENDING]}"
    if row[PENDING] and row[FIRST]:
        return "no complement can be pending before the first throw"
    return None
