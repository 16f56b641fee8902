"""Positions as text, whatever the game: which notation a text is in, and which can write a row.

A notation describes rows of certain columns, so the number of columns decides, not the name of
the game: every game on the board of backgammon has XGIDs and gnubg ids. A game whose rows are
like no other's has no text until a notation is added here.
"""

from typing import NamedTuple

import numpy as np

from ..game import russian_row
from ..game.board import SLOTS
from ..game.match import MatchState
from ..game.referee import Roll
from ..game.variants import STANDARD, Variant
from . import gnubg_id, russian, xgid
from .errors import NotationError


class Written(NamedTuple):
    """What a text says."""

    board: np.ndarray
    """``(width,)`` int8, seen by the side on roll."""
    match: MatchState
    roll: Roll | None


def parse(text: str, variant: Variant = STANDARD) -> Written:
    """Read a position.

    Args:
        text: an XGID (its prefix may be missing), a gnubg position id, a match id behind a colon
            or not, or a Russian position.
        variant: the game.

    Raises:
        NotationError: none of them, or not one of this game; and what is wrong.
        PositionError, MatchError: a position or a score that cannot come about.

    >>> parse("4HPwATDgc/ABMA:8AmgACAAIAAE").match.crawford
    True
    """
    text = text.strip()
    if text[: len(russian.PREFIX)].upper() == russian.PREFIX:
        _demand(russian_row.WIDTH, "a Russian position", variant)
        return Written(russian.parse_position(text), MatchState(), None)
    first, _, match_id = text.partition(":")
    if text[: len(xgid.PREFIX)].upper() == xgid.PREFIX or len(first) == 26:
        _demand(SLOTS, "an XGID", variant)
        return Written(*xgid.parse_xgid(text, variant))
    if len(first.removesuffix("==")) in (13, 14):
        _demand(SLOTS, "a gnubg id", variant)
        board = gnubg_id.parse_position(first, variant)
        match, roll = gnubg_id.parse_match(match_id) if match_id else (MatchState(), None)
        return Written(board, match, roll)
    raise NotationError(
        "a position is an XGID such as -b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10, "
        "a gnubg id such as 4HPwATDgc/ABMA, or, in Russian backgammon, "
        f"{russian.format_position(russian_row.START)} and the like"
    )


def _demand(width: int, notation: str, variant: Variant) -> None:
    if variant.width != width:
        raise NotationError(f"{notation} does not describe a position of {variant.name}")


def texts(
    board: np.ndarray, match: MatchState, roll: Roll | None = None, variant: Variant = STANDARD
) -> dict[str, str]:
    """A position in every notation that can write it, by the names that JSON answers use.

    Args:
        board: ``(width,)`` int8, seen by the side on roll.
        match: the match around it.
        roll: its dice, if thrown.
        variant: the game.

    >>> list(texts(STANDARD.start, MatchState()))
    ['xgid', 'gnubg_id']
    """
    if variant.width == SLOTS:
        return {
            "xgid": xgid.format_xgid(board, match, roll),
            "gnubg_id": gnubg_id.format_position(board),
        }
    if variant.width == russian_row.WIDTH:
        return {"russian": russian.format_position(board)}
    return {}
