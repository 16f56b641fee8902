"""The match or money session around a game: score, cube, and who may double.

Everything is seen **by the side on roll**, as boards are. While a double waits for its answer the
side on roll is still the doubler (it is his turn that the double interrupts).
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from .scoring import SCORINGS

#: Where formats that know no limit stop: a cube has no more faces than anybody has ever needed.
MAX_CUBE = 1024


class MatchError(ValueError):
    """An impossible score or cube, or an action of the cube that the rules forbid."""


class Owner(StrEnum):
    """Who owns the cube, seen by the side on roll."""

    CENTRE = "centre"
    MINE = "mine"
    HIS = "his"

    def flip(self) -> "Owner":
        """The same owner, seen by the other side."""
        return _OTHER[self]


_OTHER = {Owner.CENTRE: Owner.CENTRE, Owner.MINE: Owner.HIS, Owner.HIS: Owner.MINE}


class Offer(StrEnum):
    """What waits for an answer. The cube shows the value before the pending offer."""

    NONE = "none"
    DOUBLE = "double"
    """The side on roll has doubled; the other side answers."""
    BEAVER = "beaver"
    """The other side has turned the cube at once and keeps it; the side on roll answers."""
    RACCOON = "raccoon"
    """The side on roll has turned it once more; the other side answers."""


@dataclass(frozen=True, kw_only=True)
class MatchState:
    """Score and cube before a decision of the side on roll.

    >>> state = MatchState(length=7, score=4, opponent_score=2)
    >>> state.away, state.opponent_away, state.may_double
    (3, 5, True)
    >>> state.double().take().owner
    <Owner.HIS: 'his'>
    """

    length: int = 0
    """Points that win the match; 0 is a money session."""
    score: int = 0
    """Points of the side on roll."""
    opponent_score: int = 0
    """Points of its opponent."""
    cube: int = 1
    """What the cube shows (before a pending offer)."""
    owner: Owner = Owner.CENTRE
    """Who owns the cube."""
    offer: Offer = Offer.NONE
    """The double, beaver or raccoon that waits for an answer."""
    crawford: bool = False
    """Whether this is the Crawford game, in which nobody may double."""
    jacoby: bool = False
    """Money only: gammons and backgammons count once somebody has doubled."""
    beavers: bool = False
    """Money only: the doubled side may turn the cube at once and keep it."""
    max_cube: int = MAX_CUBE
    """The cube is turned no further than this."""
    seat: int = field(default=1, compare=False)
    """Where the side on roll sits: 1 = at the bottom (XG), player 1, X (gnubg); 0 = at the top,
    player 0, O. It changes no decision, so two states that differ in it alone are equal."""

    def __post_init__(self) -> None:
        if self.length < 0:
            raise MatchError(f"a match is to 1 point or more, or 0 for money, not {self.length}")
        if min(self.score, self.opponent_score) < 0:
            raise MatchError("a score cannot be negative")
        if self.length and max(self.score, self.opponent_score) >= self.length:
            raise MatchError(
                f"a match to {self.length} is over at {self.score}-{self.opponent_score}"
            )
        for name, value in (("cube", self.cube), ("highest cube", self.max_cube)):
            if value < 1 or value & (value - 1):
                raise MatchError(f"the {name} is a power of two (1, 2, 4, ...), not {value}")
        if self.crawford and not self.crawford_score:
            raise MatchError(
                "the Crawford game is one of a match to 2 or more in which exactly one side "
                "needs one point"
            )
        if self.seat not in (0, 1):
            raise MatchError(f"a seat is 0 (top) or 1 (bottom), not {self.seat}")

    @property
    def crawford_score(self) -> bool:
        """Whether a Crawford game can be played at this score: one side alone needs one point."""
        return self.length > 1 and (self.away == 1) != (self.opponent_away == 1)

    @property
    def money(self) -> bool:
        """Whether this is a money session."""
        return self.length == 0

    @property
    def away(self) -> int:
        """Points that the side on roll still needs; 0 in a money session."""
        return self.length - self.score if self.length else 0

    @property
    def opponent_away(self) -> int:
        """Points that its opponent still needs; 0 in a money session."""
        return self.length - self.opponent_score if self.length else 0

    @property
    def post_crawford(self) -> bool:
        """Whether the Crawford game of this match has been played."""
        return self.length > 1 and not self.crawford and 1 in (self.away, self.opponent_away)

    def flip(self) -> "MatchState":
        """The same match when the turn passes to the other side.

        Raises:
            MatchError: an offer has to be answered first.
        """
        if self.offer is not Offer.NONE:
            raise MatchError(f"the {self.offer} must be answered before the turn passes")
        return replace(
            self,
            score=self.opponent_score,
            opponent_score=self.score,
            owner=self.owner.flip(),
            seat=1 - self.seat,
        )

    # -- the cube ----------------------------------------------------------------------------

    def why_not_double(self, rolled: bool = False) -> str | None:
        """The rule that forbids the side on roll to double, or None if it may.

        Args:
            rolled: whether it has thrown its dice.

        >>> MatchState(length=1).why_not_double()
        'the cube is not used in a match to 1 point'
        """
        if self.offer is not Offer.NONE:
            return f"the {self.offer} on the table must be answered first"
        if rolled:
            return "a side may double only before it throws"
        if self.length == 1:
            return "the cube is not used in a match to 1 point"
        if self.crawford:
            return "nobody may double in the Crawford game"
        if self.owner is Owner.HIS:
            return "the opponent owns the cube"
        if self.length and self.away <= self.cube:
            return "the cube is dead: the game as it stands is enough to win the match"
        if self.cube >= self.max_cube:
            return f"the cube may not go beyond {self.max_cube}"
        return None

    @property
    def may_double(self) -> bool:
        """Whether the side on roll may double before it throws."""
        return self.why_not_double() is None

    @property
    def opponent_may_double(self) -> bool:
        """Whether the other side may double when its turn comes, the cube staying as it is."""
        return replace(self, offer=Offer.NONE).flip().may_double

    def double(self, rolled: bool = False) -> "MatchState":
        """The side on roll doubles.

        Raises:
            MatchError: it may not; the message names the rule.
        """
        reason = self.why_not_double(rolled)
        if reason:
            raise MatchError(f"no double: {reason}")
        return replace(self, offer=Offer.DOUBLE)

    def _answered(self) -> "MatchState":
        """The state with the offer lifted."""
        if self.offer is Offer.NONE:
            raise MatchError("there is no double to answer")
        return replace(self, offer=Offer.NONE)

    def take(self) -> "MatchState":
        """The offer is accepted: the cube is turned, and the doubled side owns it."""
        return replace(self._answered(), cube=2 * self.cube, owner=Owner.HIS)

    def beaver(self) -> "MatchState":
        """The offer is turned at once: a beaver to a double, a raccoon to a beaver.

        Raises:
            MatchError: nothing was offered, or beavers are not played.
        """
        answered = self._answered()
        if not (self.money and self.beavers):
            raise MatchError("no beaver: it is played for money, and only by agreement")
        if self.offer is Offer.RACCOON:
            raise MatchError("no beaver: a raccoon may only be taken or dropped")
        if 2 * self.cube >= self.max_cube:
            raise MatchError(f"no beaver: the cube may not go beyond {self.max_cube}")
        offer = Offer.BEAVER if self.offer is Offer.DOUBLE else Offer.RACCOON
        return replace(answered, cube=2 * self.cube, owner=Owner.HIS, offer=offer)

    def drop(self) -> int:
        """The offer is refused: the points that the side on roll wins (a beaver refused: loses)."""
        self._answered()
        return -self.cube if self.offer is Offer.BEAVER else self.cube

    def automatic_double(self, limit: int) -> "MatchState":
        """Both threw the same number for the start: the count doubles, the cube stays central.

        Args:
            limit: the agreed highest cube that automatic doubles may reach.
        """
        if not self.money:
            raise MatchError("automatic doubles are played for money only")
        return self if self.cube >= limit else replace(self, cube=2 * self.cube)

    # -- the score ---------------------------------------------------------------------------

    def payoffs(self, scoring: str = "english") -> np.ndarray:
        """Points that each outcome wins for the side on roll, the cube included.

        Args:
            scoring: a key of ``SCORINGS``.

        Returns:
            ``(6,)`` float32 in the order of ``scoring.OUTCOMES``, losses negative. Points beyond
            what the match needs are not cut off.

        >>> MatchState(cube=2, owner=Owner.HIS).payoffs().tolist()
        [2.0, 4.0, 6.0, -2.0, -4.0, -6.0]
        >>> MatchState(jacoby=True).payoffs().tolist()
        [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
        """
        # Automatic doubles turn the cube but leave it central: nobody has doubled.
        hits_only = self.money and self.jacoby and self.owner is Owner.CENTRE
        return SCORINGS["american" if hits_only else scoring] * np.float32(self.cube)

    def points(self, outcome: int, scoring: str = "english") -> int:
        """Points that the side on roll wins (loses: negative) by an outcome, the cube included.

        >>> MatchState(cube=4, owner=Owner.MINE).points(4)
        -8
        """
        return int(self.payoffs(scoring)[outcome])

    def next_game(self, points: int) -> "MatchState | None":
        """The state before the next game of the match or session.

        Args:
            points: what the side on roll has won (positive) or lost (negative).

        Returns:
            The next game, the same side viewing; None once the match is decided. The cube goes
            back to the centre at 1; the first game in which a side needs one point is the
            Crawford game.
        """
        score = self.score + max(points, 0)
        opponent_score = self.opponent_score + max(-points, 0)
        if self.length and max(score, opponent_score) >= self.length:
            return None
        one_away = self.length > 1 and self.length - 1 in (score, opponent_score)
        return replace(
            self,
            score=score,
            opponent_score=opponent_score,
            cube=1,
            owner=Owner.CENTRE,
            offer=Offer.NONE,
            crawford=one_away and not (self.crawford or self.post_crawford),
        )
