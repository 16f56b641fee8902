"""Rolls and plays as text: ``31: 8/5 6/5``.

The rules give positions; what was moved is worked out here, from before and after. Written the
shortest standard way: men that travel on are merged (``24/13``) unless they hit on the way
(``24/18*/13``), equal moves are counted (``8/5(2)``), ``*`` marks a hit. Read: every spelling
that is common.
"""

import re
from collections.abc import Sequence

import numpy as np

from ..game.board import BAR
from ..game.referee import Move, Roll, Verdict, judge, point_name
from ..game.russian_row import WAITING
from ..game.steps import OFF, Board, Step, sequences
from ..game.variants import STANDARD, Variant
from .errors import NotationError


def parse_roll(roll: str | Sequence[int]) -> Roll:
    """A roll of two dice, the larger first, from ``"31"``, ``"3-1"`` or ``(3, 1)``.

    Raises:
        NotationError: not two dice of 1 to 6.

    >>> parse_roll("13")
    (3, 1)
    """
    dice = re.fullmatch(r"\s*(\d)\s*[-,]?\s*(\d)\s*", roll) if isinstance(roll, str) else None
    pair = list(map(int, dice.groups() if dice else [])) if isinstance(roll, str) else list(roll)
    if len(pair) != 2 or not all(die in range(1, 7) for die in pair):
        raise NotationError(f"a roll is two dice of 1 to 6, such as 31, not {_shown(roll)}")
    return max(pair), min(pair)


def _shown(value: object) -> str:
    """A foreign value in a message, cut to a bearable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# -- writing ---------------------------------------------------------------------------------


def ways(
    board: np.ndarray, roll: Roll, variant: Variant = STANDARD
) -> dict[Board, tuple[Step, ...]]:
    """How to reach every position that dice of this roll can reach, legal or not.

    Args:
        board: ``(width,)`` int8, seen by the side that plays.
        roll: its two dice.
        variant: the game.

    Returns:
        The columns of men (``MEN``) after the play, not turned round -> the steps, die by die. Of
        several ways the one that plays the most dice, then the one of which most can be merged.
    """
    game = variant.rules.steps
    best: dict[Board, tuple[Step, ...]] = {}
    for row, steps in sequences(game, tuple(board.tolist()), (max(roll), min(roll))):
        after = row[game.MEN]
        if after not in best or _elegance(steps) < _elegance(best[after]):
            best[after] = steps
    return best


def _elegance(steps: tuple[Step, ...]) -> tuple[int, int]:
    return -len(steps), len(_journeys(steps))


def _journeys(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of each man moved, from the rearmost man on: as few men as possible."""
    left = sorted(steps, key=lambda s: (-min(s.source, BAR), s.source, -s.target, not s.hit))
    journeys = []
    while left:
        journey = [left.pop(0)]
        while onward := next((s for s in left if s.source == journey[-1].target), None):
            left.remove(onward)
            journey.append(onward)
        journeys.append(journey)
    return journeys


def format_steps(steps: Sequence[Step]) -> str:
    """Steps as the shortest standard text; no step at all is ``Cannot Move``.

    >>> format_steps([Step(13, 7, False), Step(24, 18, True), Step(18, 12, False)])
    '24/18*/12 13/7'
    """
    if not steps:
        return "Cannot Move"
    men: dict[tuple[int, ...], list[str]] = {}
    for journey in _journeys(steps):
        stops = [s for s in journey[:-1] if s.hit] + journey[-1:]
        path = "/".join(point_name(s.target) + "*" * s.hit for s in stops)
        # Of men who go the same way only the first can hit: he speaks for the others.
        way = (*(s.source for s in journey), journey[-1].target)
        men.setdefault(way, []).append(f"{point_name(journey[0].source)}/{path}")
    counted = ((texts[0], len(texts)) for texts in men.values())
    return " ".join(text if count == 1 else f"{text}({count})" for text, count in counted)


# -- reading ---------------------------------------------------------------------------------

_NOTHING = re.compile(
    r"(cannot|can't|can not|could not) move|no (legal )?(moves?|play)|pass(es)?|danc(e|es|ed)|-",
    re.IGNORECASE,
)
_POINT = r"(?:bar|enter|off|home|[bo]|\d{1,2})"
_CHAIN = re.compile(
    rf"(?P<points>{_POINT}\*?(?:[/-](?:{_POINT}|-)\*?)+)(?:\((?P<times>[1-4])\))?\*?",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_POINT}\*?", re.IGNORECASE)
_NAMES = {"enter": WAITING, "bar": BAR, "b": BAR, "off": OFF, "o": OFF, "home": OFF, "-": OFF}


def parse_moves(text: str) -> tuple[Move, ...]:
    """What a text says is moved; whether it is legal is another question.

    Read are ``bar``, ``b``, ``25``; ``enter`` for a man from off the board; ``off``, ``o``, ``0``,
    ``home``; ``8/5`` and ``8-5``; chains ``24/18/13``; ``8/5(2)``; ``*`` anywhere after a point;
    commas; bare numbers ``8 5 6 5``; and an empty text, ``Cannot Move``, ``pass`` and their like
    for no move.

    Raises:
        NotationError: with the column that cannot be read.

    >>> parse_moves("bar/22*, 6/5(2)")
    (Move(source=25, target=22), Move(source=6, target=5), Move(source=6, target=5))
    """
    words = [(m.group(), m.start() + 1) for m in re.finditer(r"[^\s,;]+", _without_nothing(text))]
    if words and all(_BARE.fullmatch(word) for word, _ in words):
        moves = _bare_moves(words)
    else:
        moves = _chained_moves(words)
    if len(moves) > 4:
        raise NotationError(f"a play is four moves at most, not {len(moves)}")
    return moves


def _chained_moves(words: list[tuple[str, int]]) -> tuple[Move, ...]:
    """Moves from words such as ``24/18/13`` and ``8/5(2)``."""
    moves: list[Move] = []
    for word, column in words:
        chain = _CHAIN.fullmatch(word)
        if not chain:
            raise NotationError(f"a move is like 8/5 or bar/22*, not {_shown(word)}", column=column)
        points = [_point(name, column) for name in _names(chain["points"])]
        moves += list(map(Move, points, points[1:])) * int(chain["times"] or 1)
    return tuple(moves)


def _without_nothing(text: str) -> str:
    """The text with words for "no move" blanked out, columns kept."""
    return re.sub(
        rf"(?<!\S)({_NOTHING.pattern})(?!\S)",
        lambda m: " " * len(m.group()),
        text,
        flags=re.IGNORECASE,
    )


def _names(chain: str) -> list[str]:
    """The points of a chain; a ``-`` behind a slash is a point (off), else it separates."""
    return re.findall(rf"{_POINT}|(?<=/)-", chain, re.IGNORECASE)


def _point(name: str, column: int) -> int:
    if name.lower() in _NAMES:
        return _NAMES[name.lower()]
    point = int(name)
    if point > BAR:
        raise NotationError(f"points go from 1 to 24, and {point} is none", column=column)
    return point


def _bare_moves(words: list[tuple[str, int]]) -> tuple[Move, ...]:
    """Moves from numbers alone, in pairs."""
    points = [_point(word.rstrip("*"), column) for word, column in words]
    if len(points) % 2:
        raise NotationError("bare numbers go in pairs: from, to", column=words[-1][1])
    return tuple(map(Move, points[::2], points[1::2]))


def parse_play(text: str, board: np.ndarray, roll: Roll, variant: Variant = STANDARD) -> Verdict:
    """The position that a play, given as text, leads to.

    Args:
        text: in any spelling that ``parse_moves`` reads.
        board: ``(width,)`` int8, seen by the side that plays.
        roll: its dice.
        variant: the game.

    Returns:
        The position, one of those that legal plays lead to, and whether the same side goes on.

    Raises:
        NotationError: the text cannot be read.
        IllegalPlayError: the play is not legal; its ``law`` is the one broken.

    >>> from bgnet.game.board import START
    >>> parse_play("8/5, 6/5", START, (3, 1)).board[[17, 19, 20]].tolist()
    [-2, -4, -2]
    """
    return judge(board, roll, parse_moves(text), variant)
