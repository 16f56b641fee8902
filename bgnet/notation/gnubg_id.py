"""gnubg's position id and match id: ``4HPwATDgc/ABMA:cAkAAAAAAAAE``.

A **position id** is 80 bits: for the side *not* on roll its men on its points 1 to 24 and on the
bar, each slot as so many ones and a zero; the same for the side on roll; zeros to the end. Men
borne off are not written. A **match id** is 72 bits of fields. Bits are packed least significant
first and the bytes written in standard Base64 (GNU Backgammon manual, "A technical description
of the Position ID" and "... of the Match ID").
"""

import base64
import re

import numpy as np

from ..game.board import BAR
from ..game.match import MatchState, Offer, Owner
from ..game.referee import Roll
from ..game.setup import set_up
from ..game.variants import STANDARD, Variant
from .errors import NotationError

_POSITION_BYTES, _MATCH_BYTES = 10, 9


def format_position(board: np.ndarray) -> str:
    """The position id of a board.

    Args:
        board: ``(26,)`` int8, seen by the side on roll.

    >>> format_position(STANDARD.start)
    '4HPwATDgc/ABMA'
    """
    bits = at = 0
    his, mine = -board[BAR - 1 :: -1], board[1:]
    for count in np.maximum(np.concatenate([his, mine]), 0).tolist():
        bits |= ((1 << count) - 1) << at
        at += count + 1
    return _encode(bits, _POSITION_BYTES)


def parse_position(text: str, variant: Variant = STANDARD) -> np.ndarray:
    """The board of a position id.

    Read besides the plain 14 characters: 13 (a final ``A`` left out), and ``==`` behind.

    Args:
        text: the id, without a match id.
        variant: the game, for the number of men.

    Returns:
        ``(26,)`` int8, seen by the side on roll.

    Raises:
        NotationError: no position id.
        PositionError: a position that cannot come about.

    >>> bool((parse_position("4HPwATDgc/ABMA") == STANDARD.start).all())
    True
    """
    text = text.strip().removesuffix("==")
    bits = _decode(text + "A" * (len(text) == 13), _POSITION_BYTES, "position")
    counts = []
    for _ in range(2 * BAR):
        ones = (~bits & (bits + 1)).bit_length() - 1
        counts.append(ones)
        bits >>= ones + 1
    if bits:
        raise NotationError("a position id has 50 slots, but this one goes on behind them")
    return set_up([0, *counts[BAR:]], [0, *counts[:BAR]], variant)


#: Fields of a match id: first bit and width.
_CUBE, _OWNER, _ON_ROLL, _CRAWFORD, _STATE, _TURN, _DOUBLED = (
    (0, 4), (4, 2), (6, 1), (7, 1), (8, 3), (11, 1), (12, 1),
)  # fmt: skip
_DICE = ((15, 3), (18, 3))
_LENGTH, _SCORES, _NO_JACOBY = (21, 15), ((36, 15), (51, 15)), (66, 1)
_PLAYING, _CENTRED = 1, 3


def format_match(match: MatchState, roll: Roll | None = None) -> str:
    """The match id of a match state; beavers and the highest cube have no place in it.

    Args:
        match: the state; its seat is gnubg's player.
        roll: the dice of the side on roll, if thrown.

    >>> format_match(MatchState())
    'cAkAAAAAAAAE'
    """
    seat = match.seat
    owner = {Owner.CENTRE: _CENTRED, Owner.MINE: seat, Owner.HIS: 1 - seat}[match.owner]
    answers = match.offer in (Offer.DOUBLE, Offer.RACCOON)
    scores = (match.score, match.opponent_score)
    fields = [
        (_CUBE, match.cube.bit_length() - 1),
        (_OWNER, owner),
        (_ON_ROLL, seat),
        (_CRAWFORD, match.crawford),
        (_STATE, _PLAYING),
        (_TURN, 1 - seat if answers else seat),
        (_DOUBLED, match.offer is not Offer.NONE),
        *zip(_DICE, sorted(roll, reverse=True) if roll else (0, 0), strict=True),
        (_LENGTH, match.length),
        *zip(_SCORES, scores[::-1] if seat else scores, strict=True),
        (_NO_JACOBY, not match.jacoby),
    ]
    bits = 0
    for (first, width), value in fields:
        if value >> width:
            raise NotationError(f"{value} is too large for a match id")
        bits |= value << first
    return _encode(bits, _MATCH_BYTES)


def parse_match(text: str) -> tuple[MatchState, Roll | None]:
    """The match state and the dice of a match id.

    A resignation on offer is not read. The Jacoby rule is one of money sessions; in a match its
    bit means nothing.

    Raises:
        NotationError: no match id.
        MatchError: a state that cannot come about.

    >>> parse_match("QYkqASAAIAAA")[0].length
    9
    """
    bits = _decode(text.strip(), _MATCH_BYTES, "match")

    def read(place: tuple[int, int]) -> int:
        first, width = place
        return bits >> first & ((1 << width) - 1)

    seat = read(_ON_ROLL)
    owner, length = read(_OWNER), read(_LENGTH)
    if owner == 2:
        raise NotationError("the cube of a match id is in the centre (3) or with player 0 or 1")
    high, low = map(read, _DICE)
    if (high == 0) != (low == 0) or max(high, low) > 6:
        raise NotationError(f"the dice of a match id are 1 to 6, or both 0, not {high} and {low}")
    offer = Offer.NONE
    if read(_DOUBLED):
        offer = Offer.BEAVER if read(_TURN) == seat else Offer.DOUBLE
    scores = [read(place) for place in _SCORES]
    match = MatchState(
        length=length,
        score=scores[seat],
        opponent_score=scores[1 - seat],
        cube=1 << read(_CUBE),
        owner=Owner.CENTRE if owner == _CENTRED else Owner.MINE if owner == seat else Owner.HIS,
        offer=offer,
        crawford=bool(read(_CRAWFORD)),
        jacoby=length == 0 and not read(_NO_JACOBY),
        seat=seat,
    )
    return match, (max(high, low), min(high, low)) if high else None


# -- Base64 ----------------------------------------------------------------------------------


def _encode(bits: int, size: int) -> str:
    """So many bytes of bits as Base64 without padding."""
    return base64.b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def _decode(text: str, size: int, kind: str) -> int:
    """The bits of an id of so many bytes."""
    length = -(-size * 8 // 6)
    foreign = re.search(r"[^A-Za-z0-9+/]", text)
    if foreign:
        raise NotationError(
            f"a {kind} id is made of letters, digits, + and /, not {foreign.group()!r}",
            column=foreign.start() + 1,
        )
    if len(text) != length:
        raise NotationError(f"a {kind} id has {length} characters, not {len(text)}")
    data = base64.b64decode(text + "=" * (-length % 4))
    bits = int.from_bytes(data, "little")
    if _encode(bits, size) != text:
        raise NotationError(f"the last character of this {kind} id, {text[-1]!r}, is impossible")
    return bits
