"""A match as it was written down: every throw, play, double, and what came of it.

Players are 0 and 1, as gnubg counts them: 0 is the left column of a ``.mat`` file and White of
an ``.sgf`` file, 1 the right column and Black. A ``Scoresheet`` is a game being written down: it
knows whose turn it is and refuses what the rules forbid, so that a finished record can always be
played through again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ..game.match import MatchState, Offer, Owner
from ..game.referee import Roll
from ..game.scoring import ONGOING
from ..game.setup import check
from ..game.steps import Step
from ..game.variants import STANDARD, Variant
from .errors import NotationError
from .plays import format_steps, parse_play, ways

#: As far as gnubg turns the cube.
_MAX_CUBE = 4096


class Kind(StrEnum):
    """What a player does."""

    PLAY = "play"
    FORFEIT = "forfeit"
    """A turn lost: the roll was not played, although it could be. gnubg does that to a program
    that answers with an illegal play."""
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RESIGN = "resign"
    SETUP = "setup"


@dataclass(frozen=True)
class Action:
    """Something that a player does, as the record keeps it."""

    player: int
    """0 or 1. Of a set-up: who is on roll in it."""
    kind: Kind
    roll: Roll | None = None
    """Dice of a play or of a turn lost, the larger first."""
    text: str = ""
    """The play in its shortest standard form."""
    points: int = 0
    """Points that a resignation gives away, the cube included."""
    board: tuple[int, ...] = ()
    """The board of a set-up, seen by the side on roll."""
    cube: int = 1
    """The cube of a set-up."""
    owner: Owner = Owner.CENTRE
    """Its owner, seen by the side on roll."""


class Moment(NamedTuple):
    """What lay on the table when a player acted."""

    board: np.ndarray
    """``(26,)`` int8, seen by the side on roll."""
    match: MatchState
    """Seen by the side on roll; its seat is that side's number. It still holds an offer that the
    action answers."""
    action: Action
    steps: tuple[Step, ...] = ()
    """What a play moves, die by die."""


@dataclass(frozen=True)
class GameRecord:
    """One game of a match."""

    scores: tuple[int, int]
    """Points of players 0 and 1 before it."""
    crawford: bool
    """Whether it is the Crawford game."""
    actions: tuple[Action, ...]
    winner: int | None = None
    """0, 1, or None if the record ends before the game."""
    points: int = 0
    """What it won, the cube included."""


@dataclass(frozen=True)
class MatchRecord:
    """A match or a money session."""

    players: tuple[str, str]
    length: int
    """Points that win; 0 is a money session."""
    games: tuple[GameRecord, ...]
    variant: Variant = field(default=STANDARD, repr=False)
    jacoby: bool = False
    beavers: bool = False
    tags: tuple[tuple[str, str], ...] = ()
    """What else the file says about the match, such as its date."""
    warnings: tuple[str, ...] = field(default=(), compare=False)
    """What its reader passed over."""

    def scoresheet(self, scores: tuple[int, int], crawford: bool) -> "Scoresheet":
        """A sheet for a game of this match that begins at this score."""
        match = MatchState(
            length=self.length,
            score=scores[0],
            opponent_score=scores[1],
            crawford=crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
            max_cube=_MAX_CUBE,
            seat=0,
        )
        return Scoresheet(match, self.variant)

    def moments(self, game: GameRecord) -> Iterator[Moment]:
        """Play a game of this match through again.

        Yields:
            One moment for each of the game's actions, in their order.
        """
        sheet = self.scoresheet(game.scores, game.crawford)
        for action in game.actions:
            sheet.act(action)
            yield sheet.moments[-1]


class Scoresheet:
    """A game being written down.

    >>> sheet = Scoresheet(MatchState(length=3, seat=0))
    >>> sheet.act(Action(1, Kind.PLAY, (3, 1), "8/5, 6/5"))
    >>> sheet.act(Action(0, Kind.DOUBLE))
    >>> sheet.act(Action(1, Kind.DROP))
    >>> sheet.record().winner, sheet.record().points, sheet.record().actions[0].text
    (0, 1, '8/5 6/5')
    """

    def __init__(self, match: MatchState, variant: Variant = STANDARD) -> None:
        """A game before its first throw.

        Args:
            match: score and rules, seen by the player in its seat.
            variant: the game.
        """
        self.variant = variant
        self.board = variant.start
        self.match = match
        """Board and match are seen by the side on roll, whose number is the match's seat."""
        self.started = False
        """Whether it is settled who is on roll: before that, and after a set-up, whoever acts."""
        self.winner: int | None = None
        self.points = 0
        self.moments: list[Moment] = []
        view = match if match.seat == 0 else match.flip()
        self._scores = (view.score, view.opponent_score)

    @property
    def on_roll(self) -> int:
        """The player on roll; a double does not change him."""
        return self.match.seat

    @property
    def to_act(self) -> int:
        """The player who has to do something."""
        answers = self.match.offer in (Offer.DOUBLE, Offer.RACCOON)
        return 1 - self.on_roll if answers else self.on_roll

    def act(self, action: Action) -> None:
        """Write down an action and carry it out.

        Raises:
            NotationError: it is not this player's turn, or the game is over.
            IllegalPlayError, MatchError, PositionError: the rules forbid it.
        """
        if self.winner is not None:
            raise NotationError("the game is over")
        free = action.kind in (Kind.RESIGN, Kind.SETUP)
        if not free and not self.started and action.player != self.on_roll:
            self._turn()
        if not free and action.player != self.to_act:
            raise NotationError(f"player {action.player} has a {action.kind} out of turn")
        moment = Moment(self.board, self.match, action)
        if action.kind is Kind.PLAY:
            moment = self._play(action)
        elif action.kind is Kind.FORFEIT:
            self._turn()
        elif action.kind is Kind.SETUP:
            self._set_up(action)
        else:
            self._cube(action)
        self.started = action.kind is not Kind.SETUP
        self.moments.append(moment)

    def record(self) -> GameRecord:
        """The game as far as it has been played."""
        actions = tuple(moment.action for moment in self.moments)
        crawford = self.match.crawford
        return GameRecord(self._scores, crawford, actions, self.winner, self.points)

    def _turn(self) -> None:
        """It is the other side's turn."""
        self.board = self.variant.flip(self.board)
        self.match = self.match.flip()

    def _play(self, action: Action) -> Moment:
        """Play; the moment has the text in standard form."""
        if action.roll is None:
            raise NotationError("a play needs its roll")
        if self.match.offer is not Offer.NONE:
            raise NotationError(f"the {self.match.offer} must be answered before a play")
        roll = max(action.roll), min(action.roll)
        after, again = parse_play(action.text, self.board, roll, self.variant)
        men = self.variant.rules.steps.MEN
        left = after if again else self.variant.flip(after)
        steps = ways(self.board, roll, self.variant)[tuple(left[men].tolist())]
        played = replace(action, text=format_steps(steps), roll=roll)
        moment = Moment(self.board, self.match, played, steps)
        self.board, self.match = after, self.match if again else self.match.flip()
        outcome = int(self.variant.result(after[None])[0])
        if outcome != ONGOING:
            points = self.match.points(outcome)  # of the side that would go on
            self._end(self.on_roll if points > 0 else 1 - self.on_roll, abs(points))
        return moment

    def _cube(self, action: Action) -> None:
        """Double, answer, or resign."""
        if action.kind is Kind.DOUBLE:
            self.match = self.match.double()
        elif action.kind is Kind.TAKE:
            self.match = self.match.take()
        elif action.kind is Kind.BEAVER:
            self.match = self.match.beaver()
        else:
            points = abs(self.match.drop()) if action.kind is Kind.DROP else action.points
            self._end(1 - action.player, points)

    def _set_up(self, action: Action) -> None:
        """Put up a position."""
        board = np.array(action.board, np.int64)
        check(board, self.variant)
        self.match = replace(self.match, offer=Offer.NONE)
        if action.player != self.on_roll:
            self.match = self.match.flip()
        self.board = board.astype(np.int8)
        self.match = replace(self.match, cube=action.cube, owner=action.owner)

    def _end(self, winner: int, points: int) -> None:
        self.winner, self.points = winner, points
        self.match = replace(self.match, offer=Offer.NONE)
