"""The board drawn, as text for terminals and as SVG for pages.

X sits at the bottom and O at the top; the match's seat says which of them is on roll. Points are
numbered for X, who moves down from 24 to 1 and bears off at the right. Where both sides go the
same way, the numbers are those of both.
"""

from typing import NamedTuple

import numpy as np

from ..game.board import BAR, OPPONENT_BAR, SLOTS
from ..game.match import MatchState, Offer, Owner
from ..game.referee import Roll
from ..game.variants import STANDARD, Variant

_TOP, _BOTTOM = range(13, 25), range(12, 0, -1)
_ROWS = 5


class _Scene(NamedTuple):
    """What both drawings show, as it lies on the table."""

    board: np.ndarray
    """``(26,)`` int8, seen by X."""
    off: tuple[int, int]
    """Men borne off by X and by O."""
    notes: tuple[str, str, str, str]
    """A line on O, on cube and match, on X, on the turn."""


def _scene(board: np.ndarray, match: MatchState, roll: Roll | None, variant: Variant) -> _Scene:
    """Turn the view of the side on roll into that of the table."""
    rows = board[None] if match.seat else variant.flip(board[None])
    men = rows[0, variant.rules.steps.MEN]
    sides = [np.maximum(sign * men, 0) for sign in (1, -1)]
    off = [variant.men - int(own.sum()) for own in sides]
    waiting = [int(own[SLOTS:].sum()) for own in sides]  # beside the board: not yet entered
    x, o = (
        f"{side}: {pips} pips, {gone} off" + (f", {left} to enter" if left else "")
        for side, pips, gone, left in zip(
            "XO", variant.pip_counts(rows)[0].tolist(), off, waiting, strict=True
        )
    )
    return _Scene(men[:SLOTS], (off[0], off[1]), (o, _table(match), x, _turn(match, roll)))


def _table(match: MatchState) -> str:
    """Cube and score in a line."""
    me, him = "OX"[match.seat], "XO"[match.seat]
    owner = {Owner.CENTRE: "", Owner.MINE: f" with {me}", Owner.HIS: f" with {him}"}[match.owner]
    scores = {me: match.score, him: match.opponent_score}
    game = f"match to {match.length}, X {scores['X']} O {scores['O']}" if match.length else "money"
    rules = (("Crawford", match.crawford), ("Jacoby", match.jacoby), ("beavers", match.beavers))
    return ", ".join([f"cube {match.cube}{owner}", game, *(name for name, on in rules if on)])


def _turn(match: MatchState, roll: Roll | None) -> str:
    """Whose turn it is, in a line."""
    me, him = "OX"[match.seat], "XO"[match.seat]
    if match.offer is not Offer.NONE:
        asker, answerer = (him, me) if match.offer is Offer.BEAVER else (me, him)
        return f"{asker} offers a {match.offer} to {2 * match.cube}, {answerer} to answer"
    return f"{me} to play {roll[0]}{roll[1]}" if roll else f"{me} to roll"


# -- text ------------------------------------------------------------------------------------


def draw_text(
    board: np.ndarray, match: MatchState, roll: Roll | None = None, variant: Variant = STANDARD
) -> str:
    """The board in plain ASCII, without a line end at the end.

    Args:
        board: ``(width,)`` int8, seen by the side on roll.
        match: score, cube, and the seat of the side on roll.
        roll: its dice, if thrown.
        variant: the game.

    >>> from bgnet.game.board import START
    >>> print(draw_text(START, MatchState(), (3, 1)))
    +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
    |  X           O    |   |  O              X |  O: 167 pips, 0 off
    |  X           O    |   |  O              X |
    |  X           O    |   |  O                |
    |  X                |   |  O                |
    |  X                |   |  O                |
    |                   |BAR|                   |  cube 1, money
    |  O                |   |  X                |
    |  O                |   |  X                |
    |  O           X    |   |  X                |
    |  O           X    |   |  X              O |
    |  O           X    |   |  X              O |  X: 167 pips, 0 off
    +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  X to play 31
    """
    scene = _scene(board, match, roll, variant)
    upper = [_row(scene.board, _TOP, BAR, row) for row in range(_ROWS)]
    lower = [_row(scene.board, _BOTTOM, OPPONENT_BAR, row) for row in reversed(range(_ROWS))]
    gap = " " * 19
    lines = [_edge(_TOP), *upper, f"|{gap}|BAR|{gap}|", *lower, _edge(_BOTTOM)]
    for row, note in zip((1, 6, 11, 12), scene.notes, strict=True):
        lines[row] += f"  {note}"
    return "\n".join(lines)


def _edge(points: range) -> str:
    """The frame with the numbers of the points."""
    numbers = [f"-{point:->2}" for point in points]
    left, right = "".join(numbers[:6]), "".join(numbers[6:])
    return f"+{left}-+---+{right}-+"


def _row(board: np.ndarray, points: range, bar: int, row: int) -> str:
    """A row of men, counted from the edge; the bar fills from the middle of the board."""
    cells = [f" {_man(int(board[point]), row):>2}" for point in points]
    middle = _man(int(board[bar]), _ROWS - 1 - row)
    return f"|{''.join(cells[:6])} |{middle:^3}|{''.join(cells[6:])} |"


def _man(count: int, row: int) -> str:
    """What stands in a row of a point: a man, nothing, or how many men there are in all."""
    if abs(count) <= row:
        return ""
    if row == _ROWS - 1 and abs(count) > _ROWS:
        return str(abs(count))
    return "X" if count > 0 else "O"


# -- SVG -------------------------------------------------------------------------------------

_CELL = 40  # a man's diameter; everything else is counted in it
_WIDTH, _HEIGHT = 15 * _CELL, 12 * _CELL
_MARGIN = 4
_COLOURS = {
    ".table": "fill:#e8dcc0",
    ".frame": "fill:none;stroke:#6b4a2b;stroke-width:3",
    ".bar": "fill:#6b4a2b",
    ".dark": "fill:#a9744f",
    ".light": "fill:#d9b98a",
    ".X": "fill:#f8f4ea;stroke:#333",
    ".O": "fill:#333;stroke:#000",
    "text": "font:14px sans-serif;text-anchor:middle;fill:#000",
    "text.onO": "fill:#fff",
    "text.note": "text-anchor:start",
    ".die": "fill:#fff;stroke:#333",
    ".cube": "fill:#fff;stroke:#333",
}
#: Confined to our drawings: a page may hold much else.
_STYLE = "".join(f".bgnet-board {name}{{{rule}}}" for name, rule in _COLOURS.items())


def draw_svg(
    board: np.ndarray, match: MatchState, roll: Roll | None = None, variant: Variant = STANDARD
) -> str:
    """The board as an SVG document that needs nothing else.

    Args: as for ``draw_text``.

    >>> from bgnet.game.board import START
    >>> draw_svg(START, MatchState()).count("<circle")
    30
    """
    scene = _scene(board, match, roll, variant)
    box = f"{-_MARGIN} {-_MARGIN} {_WIDTH} {_HEIGHT + 2 * _CELL}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bgnet-board" role="img" viewBox="{box}">',
        f"<title>{scene.notes[3]}</title><style>{_STYLE}</style>",
        f'<rect class="table" width="{13 * _CELL}" height="{_HEIGHT}"/>',
        f'<rect class="bar" x="{6 * _CELL}" width="{_CELL}" height="{_HEIGHT}"/>',
        *map(_triangle, range(1, BAR)),
    ]
    for point in range(BAR + 1):
        parts += _pile(point, int(scene.board[point]))
    parts += _tray(scene.off)
    parts += _cube(match)
    parts += _thrown(match, roll)
    parts.append(f'<rect class="frame" width="{13 * _CELL}" height="{_HEIGHT}"/>')
    for line, note in enumerate(scene.notes):
        x, y = (line % 2 * 6.5 + 0.2) * _CELL, _HEIGHT + (line // 2 + 0.7) * _CELL
        parts.append(f'<text class="note" x="{x:g}" y="{y:g}">{note}</text>')
    return "\n".join([*parts, "</svg>"])


def _column(point: int) -> float:
    """Centre of a point's column."""
    if point in (BAR, OPPONENT_BAR):
        return 6.5 * _CELL
    column = point - 13 if point > 12 else 12 - point
    return (column + (column > 5) + 0.5) * _CELL


def _triangle(point: int) -> str:
    x, top = _column(point), point > 12
    base, tip = (0, 5 * _CELL) if top else (_HEIGHT, _HEIGHT - 5 * _CELL)
    shade = "light" if point % 2 else "dark"
    half = _CELL / 2
    number = _CELL * 5.4 if top else _HEIGHT - _CELL * 5.2
    return (
        f'<path class="{shade}" d="M{x - half:g} {base}L{x:g} {tip}L{x + half:g} {base}Z"/>'
        f'<text x="{x:g}" y="{number:g}">{point}</text>'
    )


def _pile(point: int, count: int) -> list[str]:
    """The men of a point or a bar; more than five are counted on the last."""
    side, shown = "X" if count > 0 else "O", min(abs(count), _ROWS)
    x, parts = _column(point), []
    for row in range(shown):
        if point in (BAR, OPPONENT_BAR):
            y = _HEIGHT / 2 + (row + 0.7) * _CELL * (1 if point == OPPONENT_BAR else -1)
        else:
            y = (row + 0.5) * _CELL if point > 12 else _HEIGHT - (row + 0.5) * _CELL
        parts.append(f'<circle class="{side}" cx="{x:g}" cy="{y:g}" r="{_CELL * 0.47:g}"/>')
    if abs(count) > _ROWS:
        parts.append(f'<text class="on{side}" x="{x:g}" y="{y + 5:g}">{abs(count)}</text>')
    return parts


def _tray(off: tuple[int, int]) -> list[str]:
    """Men borne off, as bars in the tray at the right."""
    parts = []
    for side, count in zip("XO", off, strict=True):
        for n in range(count):
            y = _HEIGHT - (n + 1) * 11 if side == "X" else n * 11
            parts.append(
                f'<rect class="{side}" x="{13.3 * _CELL:g}" y="{y}" width="{_CELL}" height="9"/>'
            )
    return parts


def _cube(match: MatchState) -> list[str]:
    """The cube in the tray, beside its owner; in the Crawford game and to 1 point none."""
    if match.crawford or match.length == 1:
        return []
    at_bottom = (match.owner is Owner.MINE) == bool(match.seat)
    row = 5.5 if match.owner is Owner.CENTRE else 7.2 if at_bottom else 3.8
    x, y = 13.3 * _CELL, row * _CELL
    return [
        f'<rect class="cube" x="{x:g}" y="{y:g}" width="{_CELL}" height="{_CELL}" rx="5"/>',
        f'<text x="{x + _CELL / 2:g}" y="{y + _CELL / 2 + 5:g}">{match.cube}</text>',
    ]


def _thrown(match: MatchState, roll: Roll | None) -> list[str]:
    """The dice, in the right half for X and in the left for O."""
    parts = []
    for n, die in enumerate(roll or ()):
        x, y = ((9 if match.seat else 2) + n * 1.2) * _CELL, 5.6 * _CELL
        parts.append(
            f'<rect class="die" x="{x:g}" y="{y:g}" width="32" height="32" rx="6"/>'
            f'<text x="{x + 16:g}" y="{y + 21:g}">{die}</text>'
        )
    return parts
