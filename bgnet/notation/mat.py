"""Matches in Jellyfish's ``.mat`` format, which nearly every program reads and writes.

A title (`` 5 point match``), then for each game a line `` Game 1``, a line of names and scores,
and numbered rows of two columns, the left one for player 0::

      1) 31: 8/5 6/5                 52: 13/11 13/8
      2)  Doubles => 2                Takes
      3) 65: 24/13                   42:
          Wins 2 points

A roll without a play is a dance. Nothing is written for a resignation: the game just ends with
its ``Wins``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import NamedTuple

from ..game.match import Offer
from ..game.referee import IllegalPlayError
from ..game.variants import (
    HYPERGAMMON,
    HYPERGAMMON_1,
    HYPERGAMMON_2,
    NACKGAMMON,
    STANDARD,
    Variant,
)
from .errors import NotationError
from .record import Action, GameRecord, Kind, MatchRecord, Moment, Scoresheet

_TITLE = re.compile(r"\s*(\d{1,6}) point match\b.*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+\d+\s*", re.IGNORECASE)
_NAMES = re.compile(r"\s*(.*?)\s*:\s*(\d{1,6})(?:\s\s+|\t+)(.*?)\s*:\s*(\d{1,6})\s*")
_TAG = re.compile(r"\s*;\s*\[\s*(\w+)\s+\"(.*)\"\s*\]\s*")
_ROW = re.compile(r"\s*\d{1,6}\)")
_CELL = re.compile(
    r"(?<!\S)(?:(?P<roll>[1-6]{2}):"
    r"|(?P<double>(?:re)?doubles)\b|(?P<beaver>beavers|raccoons)\b"
    r"|(?P<take>takes|accepts)\b|(?P<drop>drops|passes|rejects)\b"
    r"|(?P<resign>resign(?:s|ed)?)\b|wins\s+(?P<wins>\d{1,7})\s+points?\b)",
    re.IGNORECASE,
)
_END = re.compile(r"\s*(?:wins\s+\d|resign)", re.IGNORECASE)
_LONGEST = 2000
_RIGHT_GAP = 10  # blanks that say: the left cell is empty
_RIGHT_COLUMN = 20  # a result from here on belongs to the right player
#: As gnubg names them.
_VARIATIONS = {
    STANDARD: "Backgammon",
    NACKGAMMON: "NackGammon",
    HYPERGAMMON: "HyperGammon (3)",
    HYPERGAMMON_2: "HyperGammon (2)",
    HYPERGAMMON_1: "HyperGammon (1)",
}
_OWN_TAGS = {"variation", "jacoby", "beaver"}
_YES = {"1", "on", "true", "yes"}


# -- reading ---------------------------------------------------------------------------------


class _Cell(NamedTuple):
    """A cell of a row, and where it stands."""

    kind: str  # a group of _CELL
    player: int
    value: str  # the dice of a roll, the points of a win
    text: str
    line: int
    column: int


@dataclass
class _Game:
    """A game as it stands in the file."""

    line: int
    scores: tuple[int, int] | None = None
    cells: list[_Cell] = field(default_factory=list)


@dataclass
class _File:
    """A file taken apart."""

    length: int | None = None
    players: tuple[str, str] = ("", "")
    games: list[_Game] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def parse_mat(text: str, variant: Variant = STANDARD) -> MatchRecord:
    """Read a match.

    Lines that say nothing are passed over with a warning in the record. The Crawford game is
    the first one in which one side needs a point, unless somebody doubles in it. A record may
    end before its game does.

    Args:
        text: the file.
        variant: the game, unless a ``Variation`` tag names it.

    Raises:
        NotationError: with line and column: no match, or a play that the rules forbid.
    """
    file = _take_apart(text)
    tags = {name.lower(): value.lower() for name, value in file.tags}
    if not file.games:
        raise NotationError("no game found: a .mat file has a line such as 'Game 1'")
    if file.length is None:
        file.warnings.append("no line such as '5 point match': taken for money")
    variation = _plain(tags.get("variation", ""))
    named = (v for v, name in _VARIATIONS.items() if _plain(name).startswith(variation))
    beavered = any(cell.kind == "beaver" for game in file.games for cell in game.cells)
    record = MatchRecord(
        file.players,
        file.length or 0,
        (),
        next(named, variant) if variation else variant,
        jacoby=tags.get("jacoby") in _YES,
        beavers=tags.get("beaver") in _YES or beavered,
        tags=tuple(tag for tag in file.tags if tag[0].lower() not in _OWN_TAGS),
    )
    games = tuple(_games(file, record))
    return replace(record, games=games, warnings=tuple(file.warnings))


def _take_apart(text: str) -> _File:
    """Sort the lines of a file."""
    file = _File()
    for number, line in enumerate(text.replace("\0", " ").splitlines(), start=1):
        if len(line) > _LONGEST:
            raise NotationError(f"no line is longer than {_LONGEST} characters", line=number)
        line = line.expandtabs()
        names_due = bool(file.games) and file.games[-1].scores is None
        if row := _ROW.match(line):
            if not file.games or names_due:
                raise NotationError("a row of plays before names and score", line=number)
            file.games[-1].cells += _cells(line, row.end(), number)
        elif title := _TITLE.fullmatch(line):
            file.length = int(title[1])
        elif _GAME.fullmatch(line):
            file.games.append(_Game(number))
        elif names_due and (names := _NAMES.fullmatch(line)):
            file.players = (names[1], names[3])
            file.games[-1].scores = (int(names[2]), int(names[4]))
        elif tag := _TAG.fullmatch(line):
            file.tags.append((tag[1], tag[2]))
        elif file.games and not names_due and _END.match(line):
            file.games[-1].cells += _cells(line, 0, number)
        elif line.strip() and not line.lstrip().startswith(";"):
            file.warnings.append(f"line {number} passed over: {line.strip()[:40]}")
    return file


def _cells(line: str, start: int, number: int) -> Iterator[_Cell]:
    """The cells of a row, from behind its number on."""
    found = list(_CELL.finditer(line, start))
    first = found[0].start() if found else len(line)
    if line[start:first].strip():
        column = len(line) - len(line[start:].lstrip()) + 1
        raise NotationError("a cell is like '31: 8/5 6/5' or 'Takes'", line=number, column=column)
    if not found:
        return
    player = int(first - start >= _RIGHT_GAP)
    ends = [match.start() for match in found[1:]] + [len(line)]
    for match, end in zip(found, ends, strict=True):
        kind = str(match.lastgroup)
        if kind == "wins":
            owner = int(match.start() >= _RIGHT_COLUMN)
        elif player > 1:
            raise NotationError("a row has two cells", line=number, column=match.start() + 1)
        else:
            owner, player = player, player + 1
        text = line[match.end() : end] if kind == "roll" else ""
        yield _Cell(kind, owner, match[kind], text, number, match.start() + 1)


def _games(file: _File, record: MatchRecord) -> Iterator[GameRecord]:
    """Play the games through."""
    crawford_over = False
    for game, following in zip_longest(file.games, file.games[1:]):
        if game.scores is None:
            file.warnings.append(f"line {game.line}: a game without names and score passed over")
            continue
        due = sum(record.length - 1 == score for score in game.scores) == 1 and record.length > 1
        doubled = any(cell.kind == "double" for cell in game.cells)
        crawford = due and not crawford_over and not doubled
        crawford_over = crawford_over or due
        try:
            sheet = record.scoresheet(game.scores, crawford)
        except ValueError as error:
            raise NotationError(str(error), line=game.line) from error
        yield _game(sheet, game, following.scores if following else None, file.warnings)


def _game(
    sheet: Scoresheet, game: _Game, next_scores: tuple[int, int] | None, warnings: list[str]
) -> GameRecord:
    """Play a game through; its warnings are added to the others."""
    unplayed: _Cell | None = None
    wins: _Cell | None = None
    for cell in game.cells:
        if cell.kind == "wins":
            wins = cell
        if wins or cell.kind == "resign":
            continue
        if unplayed:
            roll = int(unplayed.value[0]), int(unplayed.value[1])
            sheet.act(Action(unplayed.player, Kind.FORFEIT, (max(roll), min(roll))))
            warnings.append(f"line {unplayed.line}: {unplayed.value} was not played: a turn lost")
            unplayed = None
        try:
            _act(sheet, cell)
        except IllegalPlayError as error:
            if cell.text.strip():
                raise _located(error, cell) from error
            unplayed = cell  # a turn lost, or thrown and then resigned
        except ValueError as error:
            raise _located(error, cell) from error
    if wins and sheet.winner is None:
        winner = _winner(game, wins, next_scores)
        sheet.act(Action(1 - winner, Kind.RESIGN, points=int(wins.value)))
    elif wins and int(wins.value) != sheet.points:
        warnings.append(f"line {wins.line}: {wins.value} points claimed, {sheet.points} won")
    return sheet.record()


def _located(error: ValueError, cell: _Cell) -> NotationError:
    """The error with the place of the cell."""
    message, column = str(error), cell.column
    if isinstance(error, NotationError):
        message = error.message
        column += 2 + (error.column or 0)
    return NotationError(message, line=cell.line, column=column)


def _act(sheet: Scoresheet, cell: _Cell) -> None:
    """Carry out a cell."""
    if cell.kind == "roll":
        roll = int(cell.value[0]), int(cell.value[1])
        if sheet.match.offer is Offer.BEAVER:  # gnubg writes no row for the take of a beaver
            sheet.act(Action(cell.player, Kind.TAKE))
        sheet.act(Action(cell.player, Kind.PLAY, roll, cell.text))
    else:
        sheet.act(Action(cell.player, Kind(cell.kind)))


def _winner(game: _Game, wins: _Cell, next_scores: tuple[int, int] | None) -> int:
    """Who won a game that was resigned: the next score says so, or else the column."""
    if game.scores and next_scores:
        gains = [after - before for before, after in zip(game.scores, next_scores, strict=True)]
        if gains in ([int(wins.value), 0], [0, int(wins.value)]):
            return int(gains[1] > 0)
    return wins.player


def _plain(variation: str) -> str:
    """The name of a game without spaces, brackets and capitals."""
    return re.sub(r"[^a-z0-9]", "", variation.lower())


# -- writing ---------------------------------------------------------------------------------


def format_mat(record: MatchRecord) -> str:
    """A match as a ``.mat`` file, laid out as gnubg does, dice played one by one.

    Raises:
        NotationError: a position was set up by hand, or the game is one for which the format
            has no place.
    """
    if record.variant not in _VARIATIONS:
        raise NotationError(f"a .mat file has no place for a game of {record.variant.name}")
    tags = [*record.tags]
    if record.variant is not STANDARD:
        tags.append(("Variation", _VARIATIONS[record.variant]))
    tags += [("Jacoby", "True")] * record.jacoby + [("Beaver", "True")] * record.beavers
    lines = [f'; [{name} "{_line(value)}"]' for name, value in tags]
    lines += ["", f" {record.length} point match"]
    for number, game in enumerate(record.games, start=1):
        left, right = (
            f"{_line(name)} : {score}"
            for name, score in zip(record.players, game.scores, strict=True)
        )
        lines += ["", f" Game {number}", f" {left:<29}  {right}"]
        lines += _rows(record, game)
    return "\n".join([*lines, ""])


def _line(text: str) -> str:
    """A text that fits on a line."""
    return " ".join(text.split())


def _rows(record: MatchRecord, game: GameRecord) -> Iterator[str]:
    """The rows of a game and its result."""
    rows: list[list[str]] = []
    moments = list(record.moments(game))
    for moment, following in zip_longest(moments, moments[1:]):
        action = moment.action
        if action.kind is Kind.SETUP:
            raise NotationError("a position set up by hand has no place in a .mat file")
        rolls = following is not None and following.action.kind is Kind.PLAY
        beaver_taken = moment.match.offer is Offer.BEAVER and action.kind is Kind.TAKE
        if action.kind is Kind.RESIGN or (beaver_taken and rolls):  # the roll says it, in gnubg too
            continue
        if action.player == 0 or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][action.player] = _text(moment)
    wins = f" Wins {game.points} point{'s' * (game.points != 1)}"
    if game.winner == 1 and rows and not rows[-1][1]:
        rows[-1][1] = wins  # gnubg misreads it on a line of its own
        wins = ""
    for number, (left, right) in enumerate(rows, start=1):
        yield f"{number:3d}) {left:<27} {right}".rstrip()
    if wins and game.winner is not None:
        yield " " * (33 if game.winner else 5) + wins


def _text(moment: Moment) -> str:
    """The cell of an action."""
    action, cube = moment.action, 2 * moment.match.cube
    if action.kind is Kind.DOUBLE:
        return f" Doubles => {cube}"
    if action.kind is Kind.BEAVER:
        return f" Beavers => {2 * cube}"
    if action.kind in (Kind.TAKE, Kind.DROP):
        return " Takes" if action.kind is Kind.TAKE else " Drops"
    high, low = action.roll or (0, 0)
    played = " ".join(f"{s.source}/{s.target}" + "*" * s.hit for s in moment.steps)
    return f"{high}{low}: {played}"
