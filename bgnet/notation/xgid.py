"""eXtreme Gammon's position text: ``XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10``.

26 letters, then cube (log2), its owner, whose turn, dice, the two scores, rules, match length,
highest cube (log2), with colons between. Everything is written as it lies on the table: capitals
are the side at the bottom and small letters the one at the top, whoever is on roll; slot 0 is the
bar of the top, points 1 to 24 are numbered by the bottom, slot 25 is its bar.
"""

import re
from typing import NamedTuple

import numpy as np

from ..game.match import MAX_CUBE, MatchState, Offer, Owner
from ..game.referee import Roll
from ..game.setup import set_up
from ..game.variants import STANDARD, Variant
from .errors import NotationError

PREFIX = "XGID="
_OFFERS = {Offer.DOUBLE: "D", Offer.BEAVER: "B", Offer.RACCOON: "R"}
_FIELDS = ("cube", "owner", "turn", "dice", "score", "score", "rules", "length", "highest cube")
_LARGEST_LOG = 30
_LARGEST_NUMBER = 10**6


class Xgid(NamedTuple):
    """What an XGID says."""

    board: np.ndarray
    """``(26,)`` int8, seen by the side on roll."""
    match: MatchState
    roll: Roll | None


def format_xgid(board: np.ndarray, match: MatchState, roll: Roll | None = None) -> str:
    """A position as XGID, the prefix included.

    Args:
        board: ``(26,)`` int8, seen by the side on roll.
        match: its seat says who sits at the bottom.
        roll: the dice of the side on roll, if thrown.

    >>> format_xgid(STANDARD.start, MatchState(), (3, 1))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
    """
    sign = 1 if match.seat else -1
    bottom = board if match.seat else -board[::-1]
    letters = "".join(_letter(count) for count in bottom.tolist())
    scores = (match.score, match.opponent_score)[::sign]
    dice = f"{roll[0]}{roll[1]}" if roll else _OFFERS.get(match.offer, "00")
    rules = int(match.crawford) if match.length else match.jacoby + 2 * match.beavers
    owner = {Owner.CENTRE: 0, Owner.MINE: sign, Owner.HIS: -sign}[match.owner]
    fields = (_log(match.cube), owner, sign, dice, *scores, rules, match.length)
    return PREFIX + ":".join(map(str, (letters, *fields, _log(match.max_cube))))


def _letter(count: int) -> str:
    if count == 0:
        return "-"
    return chr(64 + count) if count > 0 else chr(96 - count)


def _log(value: int) -> int:
    return value.bit_length() - 1


def parse_xgid(text: str, variant: Variant = STANDARD) -> Xgid:
    """Read an XGID.

    Read besides the plain form: no prefix; no highest cube (9 fields); the board alone, for
    money, the bottom on roll; dice in either order. A Crawford flag at a score that can have no
    Crawford game is passed over, as gnubg does.

    Args:
        text: the XGID.
        variant: the game, for the number of men.

    Raises:
        NotationError: no XGID; the message names the field.
        PositionError, MatchError: a position or a state that cannot come about.

    >>> parse_xgid("-b----E-C---eE---c-e----B-:1:1:-1:52:4:2:0:7:10").match.owner
    <Owner.HIS: 'his'>
    """
    text = text.strip()
    if text[: len(PREFIX)].upper() == PREFIX:
        text = text[len(PREFIX) :]
    letters, *fields = text.split(":")
    if len(fields) not in (0, 8, 9):
        raise NotationError(f"an XGID has 10 fields with colons between, not {len(fields) + 1}")
    if not fields:
        fields = ["0", "0", "1", "00", "0", "0", "0", "0"]
    if len(fields) == 8:
        fields.append(str(_log(MAX_CUBE)))
    seat = int(_number("turn", fields[2], (-1, 1)) == 1)
    roll, offer = _dice(fields[3])
    return Xgid(_board(letters, seat, variant), _match(fields, seat, offer), roll)


def _board(letters: str, seat: int, variant: Variant) -> np.ndarray:
    """The board of the 26 letters, seen by the side in this seat."""
    if len(letters) != 26:
        raise NotationError(f"the board of an XGID has 26 letters, not {len(letters)}")
    top, bottom = [0] * 26, [0] * 26
    for slot, letter in enumerate(letters):
        if "A" <= letter <= "P":
            bottom[slot] = ord(letter) - 64
        elif "a" <= letter <= "p":
            top[25 - slot] = ord(letter) - 96
        elif letter != "-":
            raise NotationError(
                f"the men of an XGID are A to P, a to p or -, not {letter!r}", column=slot + 1
            )
    if bottom[0] or top[0]:
        raise NotationError(
            "the first letter of an XGID is the bar of the small letters, the 26th that of the "
            "capitals"
        )
    sides = (bottom, top) if seat else (top, bottom)
    return set_up(*sides, variant)


def _match(fields: list[str], seat: int, offer: Offer) -> MatchState:
    """The match state of the nine fields behind the board."""
    sign = 1 if seat else -1
    cube, highest = (_number(_FIELDS[i], fields[i], (0, _LARGEST_LOG)) for i in (0, 8))
    owner = _number("owner", fields[1], (-1, 1)) * sign
    bottom, top, length = (_number(_FIELDS[i], fields[i], (0, _LARGEST_NUMBER)) for i in (4, 5, 7))
    rules = _number("rules", fields[6], (0, 1 if length else 3))
    one_needs_a_point = (bottom == length - 1) != (top == length - 1)
    return MatchState(
        length=length,
        score=bottom if seat else top,
        opponent_score=top if seat else bottom,
        cube=1 << cube,
        owner={0: Owner.CENTRE, 1: Owner.MINE, -1: Owner.HIS}[owner],
        offer=offer,
        crawford=length > 1 and rules == 1 and one_needs_a_point,
        jacoby=not length and bool(rules & 1),
        beavers=not length and bool(rules & 2),
        max_cube=1 << highest,
        seat=seat,
    )


def _number(name: str, text: str, allowed: tuple[int, int]) -> int:
    """A whole number of a field, within its range."""
    low, high = allowed
    if re.fullmatch(r"-?\d{1,8}", text.strip(), re.ASCII):
        number = int(text)
        if low <= number <= high and not (name == "turn" and number == 0):
            return number
    choices = "1 (bottom) or -1 (top)" if name == "turn" else f"a number from {low} to {high}"
    raise NotationError(f"the {name} of an XGID is {choices}, not {text[:20]!r}")


def _dice(text: str) -> tuple[Roll | None, Offer]:
    """The dice field: a roll, nothing rolled, or an offer on the table."""
    text = text.strip().upper()
    for offer, letter in _OFFERS.items():
        if text == letter:
            return None, offer
    if text == "00":
        return None, Offer.NONE
    if len(text) == 2 and all(die in "123456" for die in text):
        return (int(max(text)), int(min(text))), Offer.NONE
    raise NotationError(f"the dice of an XGID are 00, D, B, R or two of 1 to 6, not {text[:20]!r}")
