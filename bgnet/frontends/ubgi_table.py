"""What UBGI says of the match around a position: score, cube, whose turn, by seats p0 and p1."""

import re
from dataclasses import replace

from ..game.match import MatchError, MatchState, Owner

_SEATS = {"p0": 0, "p1": 1}
_SWITCH = {"on": True, "off": False, "true": True, "false": False}
_LARGEST = 1 << 15  # of a score, a length, a cube


class Refused(ValueError):
    """A command that is not obeyed."""

    def __init__(self, code: str, sentence: str) -> None:
        """
        Args:
            code: ``bad_command``, ``bad_value``, ``bad_state`` or ``unsupported``.
            sentence: what is wrong and what would be right.
        """
        super().__init__(sentence)
        self.code = code


class Table:
    """The match as the controller has described it, piece by piece.

    >>> table = Table()
    >>> for line in ("newsession type match length 5", "setscore 4 2", "setturn p1"):
    ...     table.command(line.split())
    >>> match = table.match(cube=True)
    >>> match.score, match.opponent_score, match.crawford
    (2, 4, True)
    """

    def __init__(self) -> None:
        self.cube = False
        """Whether there is a cube at all; UBGI's engines mostly play without."""
        self.jacoby = False
        """Whether the Jacoby rule is in force for money."""
        self._length = 0
        self._crawford_rule = True
        self._scores = [0, 0]
        #: The score of the Crawford game, once it has come.
        self._crawford_score: list[int] | None = None
        self._cube_value = 1
        self._owner: int | None = None
        self._turn = 0
        self._given: MatchState | None = None

    def new_game(self) -> None:
        """The cube goes back to the middle."""
        self._cube_value, self._owner, self._given = 1, None, None

    def give(self, match: MatchState) -> None:
        """Everything is as an XGID says, until another position comes."""
        self._given = match

    def forget_given(self) -> None:
        """A position without a match state of its own: what was said piece by piece holds."""
        self._given = None

    def match(self, cube: bool) -> MatchState:
        """The match state of the side on roll.

        Args:
            cube: whether the cube is asked about, so that there must be one.

        Raises:
            Refused: what has been said does not make a match state.
        """
        if self._given is not None:
            return self._given
        mine, his = self._scores[self._turn], self._scores[1 - self._turn]
        owner = Owner.CENTRE
        if self._owner is not None:
            owner = Owner.MINE if self._owner == self._turn else Owner.HIS
        try:
            match = MatchState(
                length=self._length, score=mine, opponent_score=his, cube=self._cube_value,
                owner=owner, crawford=self._crawford_score == self._scores,
                jacoby=self.jacoby and not self._length, seat=self._turn,
            )  # fmt: skip
        except MatchError as error:
            raise Refused("bad_state", str(error)) from None
        # Without a cube nobody can ever turn it.
        return match if cube or self.cube else replace(match, max_cube=match.cube)

    def command(self, words: list[str]) -> None:
        """``newsession``, ``setscore``, ``setcube`` or ``setturn`` of version 0.1.

        Raises:
            Refused: nothing has changed then.
        """
        {
            "newsession": self._new_session, "setscore": self._set_score,
            "setcube": self._set_cube, "setturn": self._set_turn,
        }[words[0]](words[1:])  # fmt: skip

    def _new_session(self, words: list[str]) -> None:
        if len(words) % 2:
            raise Refused("bad_command", "expected: newsession type money|match [length N] ...")
        said = dict(zip(words[::2], words[1::2], strict=True))
        foreign = [name for name in said if name not in ("type", "length", "jacoby", "crawford")]
        if foreign:
            raise Refused("unsupported", f"newsession {foreign[0][:40]}")
        kind = said.get("type")
        if kind not in ("money", "match"):
            raise Refused("bad_value", "type must be money or match")
        length = 0 if kind == "money" else whole_number("length", said.get("length", ""), 1)
        jacoby = on_off("jacoby", said.get("jacoby", "off"))
        crawford = on_off("crawford", said.get("crawford", "on"))
        self.cube, self.jacoby = True, jacoby
        self._length, self._crawford_rule = length, crawford
        self._scores, self._crawford_score, self._turn = [0, 0], None, 0
        self.new_game()
        self._note_crawford()

    def _set_score(self, words: list[str]) -> None:
        if len(words) != 2:
            raise Refused("bad_command", "expected: setscore P0 P1")
        scores = [whole_number("a score", word) for word in words]
        if self._length and max(scores) >= self._length:
            raise Refused("bad_value", f"a score is less than the length, {self._length}")
        self._scores = scores
        self._note_crawford()

    def _note_crawford(self) -> None:
        """Notice when a side needs one point for the first time."""
        one_away = self._length > 1 and (self._length - 1 in self._scores)
        if not one_away:
            self._crawford_score = None
        elif self._crawford_rule and self._crawford_score is None:
            self._crawford_score = list(self._scores)

    def _set_cube(self, words: list[str]) -> None:
        if len(words) != 4 or words[::2] != ["value", "owner"]:
            raise Refused("bad_command", "expected: setcube value N owner center|p0|p1")
        value = whole_number("value", words[1], 1)
        if value & (value - 1):
            raise Refused("bad_value", "value must be a power of two")
        if words[3] not in ("center", "centre", *_SEATS):
            raise Refused("bad_value", "owner must be center, p0 or p1")
        self._cube_value, self._owner, self.cube = value, _SEATS.get(words[3]), True

    def _set_turn(self, words: list[str]) -> None:
        if len(words) != 1 or words[0] not in _SEATS:
            raise Refused("bad_command", "expected: setturn p0|p1")
        self._turn = _SEATS[words[0]]


def whole_number(name: str, text: str, low: int = 0, high: int = _LARGEST) -> int:
    """A whole number within limits.

    Raises:
        Refused: it is none.
    """
    if not re.fullmatch(r"[0-9]{1,19}", text) or not low <= int(text) <= high:
        raise Refused("bad_value", f"{name} must be {low}..{high}")
    return int(text)


def on_off(name: str, text: str) -> bool:
    """A switch.

    Raises:
        Refused: it is none.
    """
    if text not in _SWITCH:
        raise Refused("bad_value", f"{name} must be true or false")
    return _SWITCH[text]
