"""The ``board:`` line of the FIBS server, and of gnubg, which speaks a dialect of it.

53 fields with colons between: two names, match length and scores, 26 slots, whose turn, dice,
cube, who may double, orientation, men off. The dialects look alike and differ in meaning, so a
caller must say which one he has:

* **FIBS** describes the table as one player ("You") sees it: his name and score come first, his
  colour and direction are fields, each side has dice of its own, 9999 points are no match.
* **gnubg** sends it to the program that has to decide. Positive men are always those of player
  1, who moves down; the one to decide is the *second* name if the turn field is 1 and the first
  if it is -1; length 0 is money; both pairs of dice are the same; the last field is 0 in the
  Crawford game. (Observed with GNU Backgammon 1.07.)

In both the turn field names the doubler while a double waits; when gnubg's player has been
beavered it names the one beavered, who has to answer.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..game.board import BAR, SLOTS
from ..game.match import MatchState, Offer, Owner
from ..game.referee import Roll
from ..game.setup import set_up
from ..game.steps import sequences
from ..game.variants import STANDARD, Variant
from .errors import NotationError

_FIELDS = 53
_BOARD = slice(6, 6 + SLOTS)
_TURN, _DICE, _CUBE, _MAY, _DOUBLED = 32, 33, 37, 38, 40
_COLOUR, _DIRECTION, _CRAWFORD = 41, 42, 52
_UNLIMITED = 9999  # FIBS: no match


class Dialect(StrEnum):
    """Whose board line it is."""

    FIBS = "fibs"
    GNUBG = "gnubg"


@dataclass(frozen=True, eq=False)
class FibsBoard:
    """What a board line says."""

    player: str
    """The one it is sent to: who sees it (FIBS), who has to decide (gnubg)."""
    opponent: str
    on_roll: bool
    """Whether the player is on roll. If not, he waits, or a double waits for him."""
    board: np.ndarray
    """``(26,)`` int8, seen by the side on roll."""
    match: MatchState
    """Seen by the side on roll; seat 1 has the positive men."""
    roll: Roll | None
    """The dice of the side on roll."""


# -- reading ---------------------------------------------------------------------------------


def parse_fibs_board(line: str, dialect: Dialect, variant: Variant = STANDARD) -> FibsBoard:
    """Read a board line.

    Blanks around fields, NULs and line ends are passed over. Counts of men off and on the bar
    are not read: the board says it all. FIBS does not say whether this is the Crawford game; it
    is taken for one if one side alone needs a point and nobody may turn a centred cube.

    Args:
        line: from ``board:`` on.
        dialect: who wrote it.
        variant: the game, for the number of men.

    Raises:
        NotationError: no board line, with the number of the bad field; or the game is over.
        PositionError, MatchError: a position or a score that cannot come about.

    >>> line = "board:gnubg:bot:5:2:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    >>> line += ":1:6:4:6:4:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
    >>> parsed = parse_fibs_board(line, Dialect.GNUBG)
    >>> parsed.player, parsed.match.score, parsed.roll
    ('bot', 1, (6, 4))
    """
    names, numbers = _fields(line)
    fibs = dialect is Dialect.FIBS
    # Colour and direction of the first-person view: gnubg's is always that of the positive men.
    colour, direction = (numbers[_COLOUR], numbers[_DIRECTION]) if fibs else (1, -1)
    for index, value in ((_TURN, numbers[_TURN]), (_COLOUR, colour), (_DIRECTION, direction)):
        if value not in (1, -1):
            over = ": the game is over" if index == _TURN and value == 0 else ""
            raise NotationError(f"field {index} is 1 or -1, not {value}{over}")

    on_roll, offer = numbers[_TURN], Offer.NONE
    owner = _owner(numbers, colour)
    if numbers[_DOUBLED]:
        beavered = not fibs and owner == -on_roll and numbers[_CUBE] > 1
        offer = Offer.BEAVER if beavered else Offer.DOUBLE
        on_roll = -colour if fibs else on_roll
    if fibs:
        player = first = colour
    else:
        player = -on_roll if offer is Offer.DOUBLE else on_roll
        first = 1 if offer is Offer.DOUBLE else -1
    scores = (numbers[4], numbers[5]) if first == on_roll else (numbers[5], numbers[4])
    return FibsBoard(
        player=names[player != first],
        opponent=names[player == first],
        on_roll=player == on_roll,
        board=_board(numbers, on_roll, (on_roll == colour) == (direction == -1), variant),
        match=_match(numbers, fibs, on_roll, scores, owner, offer),
        roll=_roll(numbers, opponents=fibs and on_roll != colour),
    )


def _fields(line: str) -> tuple[list[str], list[int]]:
    """The two names and all numbers, at their places."""
    fields = [field.strip() for field in line.strip(" \t\r\n\0").split(":")]
    if fields[0].lower() != "board":
        raise NotationError("a board line begins with 'board:'")
    if len(fields) != _FIELDS:
        raise NotationError(f"a board line has {_FIELDS} fields, not {len(fields)}")
    numbers = [0, 0, 0]
    for index, field in enumerate(fields[3:], start=3):
        if not re.fullmatch(r"[-+]?\d{1,7}", field, re.ASCII):
            raise NotationError(f"field {index} is a whole number, not {field[:20]!r}")
        numbers.append(int(field))
    return fields[1:3], numbers


def _owner(numbers: list[int], colour: int) -> int:
    """The sign of the cube's owner, 0 for nobody: he who may double while the other may not."""
    first_may, second_may = numbers[_MAY] != 0, numbers[_MAY + 1] != 0
    if numbers[_CUBE] == 1 or first_may == second_may:
        return 0
    return colour if first_may else -colour


def _board(numbers: list[int], on_roll: int, down: bool, variant: Variant) -> np.ndarray:
    """The board seen by the side with this sign, who moves down the slots or up."""
    slots = [on_roll * count for count in numbers[_BOARD]]
    if not down:
        slots.reverse()
    if slots[BAR] < 0 or slots[0] > 0:
        raise NotationError("the bars in fields 6 and 31 hold men of the wrong side")
    mine = [max(count, 0) for count in slots]
    his = [max(-count, 0) for count in reversed(slots)]
    return set_up(mine, his, variant)


def _match(
    numbers: list[int], fibs: bool, on_roll: int, scores: tuple[int, int], owner: int, offer: Offer
) -> MatchState:
    """The match state, seen by the side on roll, whose score comes first."""
    length = 0 if fibs and numbers[3] == _UNLIMITED else numbers[3]
    one_needs_a_point = length > 1 and (length - 1 == scores[0]) != (length - 1 == scores[1])
    closed = numbers[_CUBE] == 1 and not (numbers[_MAY] or numbers[_MAY + 1])
    crawford = closed if fibs else numbers[_CRAWFORD] == 0
    return MatchState(
        length=length,
        score=scores[0],
        opponent_score=scores[1],
        cube=numbers[_CUBE],
        owner={0: Owner.CENTRE, on_roll: Owner.MINE, -on_roll: Owner.HIS}[owner],
        offer=offer,
        crawford=crawford and one_needs_a_point and offer is Offer.NONE,
        seat=int(on_roll == 1),
    )


def _roll(numbers: list[int], opponents: bool) -> Roll | None:
    """The dice, the larger first; 0 0 is not thrown."""
    first = _DICE + 2 * opponents
    dice = numbers[first], numbers[first + 1]
    if dice == (0, 0):
        return None
    if not all(1 <= die <= 6 for die in dice):
        raise NotationError(
            f"fields {first} and {first + 1} are dice of 1 to 6, or 0 0, not {dice}"
        )
    return max(dice), min(dice)


# -- writing ---------------------------------------------------------------------------------


def format_fibs_board(parsed: FibsBoard, dialect: Dialect, variant: Variant = STANDARD) -> str:
    """The board line, without a line end. Positive men move down in both dialects.

    A colon in a name becomes ``_``. What the dialect has no place for (highest cube, Jacoby and
    beavers; with FIBS the beaver) is left out.

    Args:
        parsed: what to say.
        dialect: who will read it.
        variant: the game, for the number of men off.
    """
    match, fibs = parsed.match, dialect is Dialect.FIBS
    on_roll = 1 if match.seat else -1
    player = on_roll if parsed.on_roll else -on_roll
    first = player if fibs else 1 if match.offer is Offer.DOUBLE else -1
    by_sign = {on_roll: match.score, -on_roll: match.opponent_score}
    names = {player: parsed.player.replace(":", "_"), -player: parsed.opponent.replace(":", "_")}
    board = parsed.board if on_roll == 1 else -parsed.board[::-1]
    off = {
        1: variant.men - int(board[board > 0].sum()),
        -1: variant.men + int(board[board < 0].sum()),
    }
    bar = {1: int(board[BAR]), -1: -int(board[0])}
    owner = {Owner.CENTRE: 0, Owner.MINE: on_roll, Owner.HIS: -on_roll}[match.owner]
    dice, none = parsed.roll or (0, 0), (0, 0)
    # Who may double, the side of field 38 first: the player (FIBS), the positive side (gnubg).
    may_first = player if fibs else 1
    closed = fibs and match.crawford
    fields = [
        "board",
        names[first],
        names[-first],
        _UNLIMITED if fibs and not match.length else match.length,
        by_sign[first],
        by_sign[-first],
        *board.tolist(),
        on_roll,
        *(none if fibs and not parsed.on_roll else dice),
        *(none if fibs and parsed.on_roll else dice),
        match.cube,
        *(int(not closed and owner in (0, side)) for side in (may_first, -may_first)),
        int(match.offer is not Offer.NONE),
        *((player, -player, *((0, 25) if player == 1 else (25, 0))) if fibs else (1, -1, 0, 25)),
        off[may_first],
        off[-may_first],
        *(
            (bar[player], bar[-player], _playable(parsed, variant), 0, 0, 0)
            if fibs
            else (0, 0, 0, 0)
        ),
        *(() if fibs else (int(match.post_crawford), int(not match.crawford))),
    ]
    return ":".join(map(str, fields))


def _playable(parsed: FibsBoard, variant: Variant) -> int:
    """How many dice the player can play now."""
    if not (parsed.on_roll and parsed.roll):
        return 0
    men = tuple(parsed.board.tolist())
    return max(len(steps) for _, steps in sequences(variant.rules.steps, men, parsed.roll))
