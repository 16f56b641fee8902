"""Matches in the Smart Game Format (FF[4], GM[6]) as gnubg writes and reads it.

A game tree for each game. White is player 0, Black player 1. The root holds names, score and
result; then a node for each action: ``;B[31hehf]`` (dice, then source and target of each man
moved), ``;W[double]``, ``;B[take]``. Points are letters from ``a``, White's ace point, to ``x``,
his 24 point, for both players; ``y`` is the bar and ``z`` off. Positions set up by hand are read
and written; analysis is not read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ..game.board import BAR
from ..game.match import Offer, Owner
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

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[([^\\\]]*(?:\\.[^\\\]]*)*)\])", re.DOTALL)
_MOVE = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
_RESULT = re.compile(r"([BW])\+(\d{1,7})R?")
_COLOURS = "WB"
#: As gnubg names them among the rules.
_VARIATIONS = {
    "Nackgammon": NACKGAMMON,
    "Hypergammon3": HYPERGAMMON,
    "Hypergammon2": HYPERGAMMON_2,
    "Hypergammon1": HYPERGAMMON_1,
}
_OWNERS = {"c": Owner.CENTRE, "n": Owner.CENTRE}


# -- reading ---------------------------------------------------------------------------------


@dataclass
class _Node:
    """A node: its properties and where it begins in the text."""

    offset: int
    properties: dict[str, list[str]] = field(default_factory=dict)


def parse_sgf(text: str, variant: Variant = STANDARD) -> MatchRecord:
    """Read a match; of variations the first is followed.

    Args:
        text: the file.
        variant: the game, unless the file's rules name it.

    Raises:
        NotationError: with line and column: no match, or a play that the rules forbid.
    """
    trees = _trees(text)
    if not trees:
        raise NotationError("no game found: an .sgf file begins with '(;'")
    first = trees[0][0]
    for tree in trees:
        if _one(tree[0], "GM", "6") != "6":
            raise _wrong(text, tree[0].offset, "GM[6] is backgammon, and this is another game")
    rules = _one(first, "RU").split(":")
    beavered = any(
        "double" in one.properties.get(colour, []) and "double" in two.properties.get(other, [])
        for tree in trees
        for one, two in pairwise(tree)
        for colour, other in ("WB", "BW")
    )
    record = MatchRecord(
        players=(_one(first, "PW"), _one(first, "PB")),
        length=_info(text, first, "length"),
        games=(),
        variant=next((_VARIATIONS[rule] for rule in rules if rule in _VARIATIONS), variant),
        jacoby="Jacoby" in rules,
        beavers=beavered,
        tags=tuple((name, _one(first, key)) for name, key in _TAGS.items() if _one(first, key)),
    )
    return replace(record, games=tuple(_game(text, tree, record) for tree in trees))


#: Tags of a record and the properties that hold them.
_TAGS = {"EventDate": "DT", "Event": "EV", "Site": "PC", "Round": "RO"}


def _trees(text: str) -> list[list[_Node]]:
    """The main line of every game tree."""
    trees: list[list[_Node]] = []
    depth = skipping = 0  # inside so many brackets; of which those from here on are passed over
    closed, name, at = False, "", 0
    end = len(text.rstrip("\0 \t\r\n"))
    while at < end:
        token = _TOKEN.match(text, at)
        if not token:
            raise _wrong(text, at, "this is no SGF")
        bracket, word, value = token.groups()
        place, at = token.start(), token.end()
        if bracket == "(":
            depth += 1
            if depth == 1:
                trees.append([])
                closed = False
            elif closed and not skipping:
                skipping = depth
        elif bracket == ")":
            if depth == skipping:
                skipping = 0
            depth, closed = depth - 1, True
            if depth < 0:
                raise _wrong(text, place, "a ')' without its '('")
        elif depth == 0:
            raise _wrong(text, place, "a game begins with '(;'")
        elif skipping:
            continue
        elif bracket:
            trees[-1].append(_Node(place))
            name = ""
        elif not trees[-1] or (value is not None and not name):
            raise _wrong(text, place, "a property outside a node")
        elif word:
            name = word
        else:
            trees[-1][-1].properties.setdefault(name, []).append(re.sub(r"\\(.)", r"\1", value))
    return [tree for tree in trees if tree]


def _wrong(text: str, offset: int, message: str) -> NotationError:
    """An error with the line and column of an offset."""
    offset += len(text[offset:]) - len(text[offset:].lstrip())
    before = text[:offset]
    line_start = before.rfind("\n") + 1
    return NotationError(message, line=before.count("\n") + 1, column=offset - line_start + 1)


def _one(node: _Node, name: str, default: str = "") -> str:
    """The first value of a property."""
    values = node.properties.get(name)
    return values[0].strip() if values else default


def _info(text: str, node: _Node, name: str) -> int:
    """A number of the match information, 0 if it is missing."""
    for value in node.properties.get("MI", []):
        key, _, number = value.partition(":")
        if key.strip() == name:
            if not re.fullmatch(r"\d{1,6}", number.strip(), re.ASCII):
                raise _wrong(text, node.offset, f"{name} is a whole number, not {number[:20]!r}")
            return int(number)
    return 0


def _game(text: str, tree: list[_Node], record: MatchRecord) -> GameRecord:
    """Play a game through."""
    root = tree[0]
    scores = _info(text, root, "ws"), _info(text, root, "bs")
    crawford = "CrawfordGame" in _one(root, "RU").split(":")
    try:
        sheet = record.scoresheet(scores, crawford)
    except ValueError as error:
        raise _wrong(text, root.offset, str(error)) from error
    unplayed: Action | None = None
    for node in tree:
        for action in _actions(text, node, sheet):
            if unplayed:
                sheet.act(replace(unplayed, kind=Kind.FORFEIT))
            unplayed = None
            try:
                sheet.act(action)
            except IllegalPlayError as error:
                if action.text:
                    raise _wrong(text, node.offset, str(error)) from error
                unplayed = action  # a turn lost, or thrown and then resigned
            except ValueError as error:
                raise _wrong(text, node.offset, str(error)) from error
    result = _RESULT.match(_one(root, "RE"))
    if result and sheet.winner is None:
        loser = 1 - _COLOURS.index(result[1])
        sheet.act(Action(loser, Kind.RESIGN, points=int(result[2])))
    return sheet.record()


def _actions(text: str, node: _Node, sheet: Scoresheet) -> Iterator[Action]:
    """What a node says; the root of a game may hold a position, too. Dice alone, with whose they
    are, say nothing: they come again with the play."""
    if {"AE", "AW", "AB", "CO", "CV"} & set(node.properties):
        yield _setup(text, node, sheet)
    for player, colour in enumerate(_COLOURS):
        for value in node.properties.get(colour, []):
            value = value.strip()
            if value == "double":
                beaver = sheet.match.offer is not Offer.NONE
                yield Action(player, Kind.BEAVER if beaver else Kind.DOUBLE)
            elif value in ("take", "drop"):
                yield Action(player, Kind(value))
            elif move := _MOVE.fullmatch(value):
                low, high = sorted(map(int, move.group(1, 2)))
                yield Action(player, Kind.PLAY, (high, low), _moves(move[3], player))
            else:
                raise _wrong(text, node.offset, f"a move is like 31hehf, not {value[:20]!r}")


def _moves(letters: str, player: int) -> str:
    """The play of so many letters, in the player's own numbers."""
    points = [_point(letter, player) for letter in letters]
    return " ".join(f"{a}/{b}" for a, b in zip(points[::2], points[1::2], strict=True))


def _point(letter: str, player: int) -> int:
    """A letter as a player numbers the points; the bar is 25, off 0."""
    index = ord(letter) - ord("a") + 1
    if index > 24:
        return BAR if letter == "y" else 0
    return BAR - index if player else index


def _setup(text: str, node: _Node, sheet: Scoresheet) -> Action:
    """The position that a node sets up, from what stood there before."""
    before, match = sheet.board, sheet.match
    on_roll = _COLOURS.find((_one(node, "PL") or _COLOURS[sheet.on_roll])[0])
    turned = on_roll != sheet.on_roll
    board = (-before[::-1] if turned else before).tolist()
    if "AE" in node.properties or "AW" in node.properties or "AB" in node.properties:
        board = [0] * 26
        for player, colour in enumerate(_COLOURS):
            for letter in node.properties.get(f"A{colour}", []):
                if not re.fullmatch("[a-z]", letter):
                    raise _wrong(text, node.offset, f"a point is a letter, not {letter[:20]!r}")
                point, mine = _point(letter, player), player == on_roll
                if point:
                    board[point if mine else BAR - point] += 1 if mine else -1
    cube = _one(node, "CV", str(match.cube))
    if not re.fullmatch(r"\d{1,5}", cube, re.ASCII) or on_roll < 0:
        raise _wrong(text, node.offset, "PL is W or B, and CV a whole number")
    owner = match.owner.flip() if turned else match.owner
    if "CO" in node.properties:
        letter = (_one(node, "CO") or "c")[0].lower()
        mine = _COLOURS[on_roll].lower() == letter
        owner = _OWNERS.get(letter, Owner.MINE if mine else Owner.HIS)
    return Action(on_roll, Kind.SETUP, board=tuple(board), cube=int(cube), owner=owner)


# -- writing ---------------------------------------------------------------------------------


def format_sgf(record: MatchRecord) -> str:
    """A match as an ``.sgf`` file that gnubg loads.

    Raises:
        NotationError: a game for which the format has no place.
    """
    if record.variant not in (STANDARD, *_VARIATIONS.values()):
        raise NotationError(f"an .sgf file has no place for a game of {record.variant.name}")
    return "\n".join(_tree(record, number, game) for number, game in enumerate(record.games)) + "\n"


def _tree(record: MatchRecord, number: int, game: GameRecord) -> str:
    """The game tree of a game."""
    info = {"length": record.length, "game": number, "ws": game.scores[0], "bs": game.scores[1]}
    rules = ["Crawford"] * (record.length > 1) + ["CrawfordGame"] * game.crawford
    rules += ["Jacoby"] * record.jacoby
    rules += [rule for rule, variant in _VARIATIONS.items() if variant is record.variant]
    root = "(;FF[4]GM[6]CA[UTF-8]AP[bgnet]MI" + "".join(f"[{k}:{v}]" for k, v in info.items())
    root += f"PW[{_escape(record.players[0])}]PB[{_escape(record.players[1])}]"
    tags = dict(record.tags) if number == 0 else {}
    root += "".join(f"{key}[{_escape(tags[tag])}]" for tag, key in _TAGS.items() if tag in tags)
    root += f"RU[{':'.join(rules)}]" if rules else ""
    moments = list(record.moments(game))
    if game.winner is not None:
        resigned = moments and moments[-1].action.kind is Kind.RESIGN
        root += f"RE[{_COLOURS[game.winner]}+{game.points}{'R' * bool(resigned)}]"
    nodes = (_node(moment) for moment in moments if moment.action.kind is not Kind.RESIGN)
    return "\n;".join([root, *nodes]) + ")"


def _escape(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", " ".join(text.split()))


def _node(moment: Moment) -> str:
    """The node of an action."""
    action = moment.action
    if action.kind is Kind.SETUP:
        return _setup_node(action)
    if action.kind in (Kind.PLAY, Kind.FORFEIT):
        dice = "".join(map(str, action.roll or ()))
        points = (point for s in moment.steps for point in (s.source, s.target))
        value = dice + "".join(_letter(point, action.player) for point in points)
    else:
        value = "double" if action.kind is Kind.BEAVER else str(action.kind)
    return f"{_COLOURS[action.player]}[{value}]"


def _letter(point: int, player: int) -> str:
    if point in (0, BAR):
        return "z" if point == 0 else "y"
    return chr(ord("a") - 1 + (BAR - point if player else point))


def _setup_node(action: Action) -> str:
    """A node that sets up a position."""
    men = {0: "", 1: ""}
    for point, count in enumerate(action.board):
        player = action.player if count > 0 else 1 - action.player
        own = point if count > 0 else BAR - point
        men[player] += f"[{_letter(own, player)}]" * abs(count)
    owners = {Owner.CENTRE: "c", Owner.MINE: "wb"[action.player], Owner.HIS: "bw"[action.player]}
    node = f"PL[{_COLOURS[action.player]}]AE[a:y]"
    node += "".join(f"A{_COLOURS[player]}{men[player]}" for player in (0, 1) if men[player])
    return f"{node}CO[{owners[action.owner]}]CV[{action.cube}]"
