"""One position, for people: made from text, asked for its legal plays, printed.

>>> position = Position()
>>> len(position.legal_plays("31"))
16
>>> after = position.play("8/5 6/5", (3, 1))
>>> after.gnubg_id
'sGfwATDgc/ABMA'
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from .game.match import MatchState, Offer
from .game.referee import IllegalPlayError, Laws, Roll, Verdict, judge
from .game.scoring import ONGOING, OUTCOMES
from .game.setup import PositionError, check
from .game.steps import Step
from .game.variants import STANDARD, Variant
from .notation import diagram, gnubg_id, positions
from .notation.errors import NotationError
from .notation.plays import format_steps, parse_moves, parse_roll, ways

__all__ = ["IllegalPlayError", "Laws", "NotationError", "Play", "Position", "PositionError"]

Dice = str | Sequence[int]


@dataclass(frozen=True)
class Play:
    """A legal play of one roll."""

    text: str
    """Its shortest standard text, such as ``8/5 6/5`` or ``Cannot Move``."""
    position: "Position"
    """What it leads to, seen by the side that rolls next."""
    steps: tuple[Step, ...]
    """The men it moves, die by die, in an order in which they can be moved."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Position:
    """Men on the board, the match around them, and a roll if it has been thrown.

    Positions never change; plays lead to others. Two positions are equal if they ask the same
    question: the seat of the side on roll does not matter.
    """

    board: np.ndarray
    """``(width,)`` int8, read-only, seen by the side on roll."""
    roll: Roll | None
    """Its dice, the larger first, or None before the throw. Where the rules have fixed the throw,
    these are they."""
    match: MatchState
    """Score and cube, seen by the side on roll."""
    variant: Variant
    """The game."""

    def __init__(
        self,
        board: np.ndarray | Sequence[int] | None = None,
        *,
        roll: Dice | None = None,
        match: MatchState | None = None,
        variant: Variant = STANDARD,
    ) -> None:
        """A position; by default the opening one of a money game, before the throw.

        Args:
            board: a row of counts, seen by the side on roll; None is the variant's start.
            roll: ``"31"`` or ``(3, 1)``, if it has been thrown.
            match: by default money play without the Jacoby rule and without beavers.
            variant: the game.

        Raises:
            PositionError: a position that cannot come about.
            MatchError: a double on the table that the rules forbid.
            NotationError: dice other than 1 to 6.
        """
        given = np.array(variant.start if board is None else board, dtype=np.int64)
        check(given, variant)
        men = given.astype(np.int8)
        men.flags.writeable = False
        match = match or MatchState()
        dice = None if roll is None else parse_roll(roll)
        a, b = variant.forced_rolls(men[None])[0].tolist()
        if a:
            if dice not in (None, (a, b)):
                raise PositionError(f"{a}-{b} is still to be played, no other roll")
            dice = a, b
        if dice and match.offer is not Offer.NONE:
            raise PositionError(f"the {match.offer} must be answered before dice are thrown")
        if match.offer is Offer.DOUBLE:
            replace(match, offer=Offer.NONE).double()  # which refuses what the rules forbid
        for name, value in (("board", men), ("roll", dice), ("match", match), ("variant", variant)):
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, text: str, variant: Variant = STANDARD) -> Self:
        """A position from an XGID (its prefix may be missing), from a gnubg position id, a match
        id behind a colon or not, or from a Russian position (``RUS=``).

        Raises:
            NotationError: none of them, or not of this game; and what is wrong.
            PositionError, MatchError: a position or a score that cannot come about.

        >>> Position.parse("4HPwATDgc/ABMA:8AmgACAAIAAE").match.crawford
        True
        """
        board, match, roll = positions.parse(text, variant)
        return cls(board, roll=roll, match=match, variant=variant)

    # -- as text -----------------------------------------------------------------------------

    @property
    def texts(self) -> dict[str, str]:
        """The position in every notation that can write it, by name.

        >>> from bgnet.game.variants import RUSSIAN
        >>> Position(variant=RUSSIAN).texts
        {'russian': 'RUS=--------------------------:15:15:Aa:0'}
        """
        return positions.texts(self.board, self.match, self.roll, self.variant)

    def _text(self, notation: str) -> str:
        if notation not in self.texts:
            raise NotationError(f"a position of {self.variant.name} has no {notation}")
        return self.texts[notation]

    @property
    def xgid(self) -> str:
        """The position as XGID, the prefix included.

        Raises:
            NotationError: a game whose positions have none; so do the ids of gnubg.
        """
        return self._text("xgid")

    @property
    def gnubg_id(self) -> str:
        """gnubg's position id, 14 characters."""
        return self._text("gnubg_id")

    @property
    def gnubg_match_id(self) -> str:
        """gnubg's match id, 12 characters, with the side on roll as player 1, where gnubg seats
        it when it reads an XGID."""
        return gnubg_id.format_match(replace(self.match, seat=1), self.roll)

    @property
    def svg(self) -> str:
        """The board as an SVG document."""
        return diagram.draw_svg(self.board, self.match, self.roll, self.variant)

    def __str__(self) -> str:
        return diagram.draw_text(self.board, self.match, self.roll, self.variant)

    def __repr__(self) -> str:
        game = "" if self.variant is STANDARD else f", VARIANTS[{self.variant.name!r}]"
        for text in self.texts.values():
            return f"Position.parse({text!r}{game})"
        return f"Position({self.board.tolist()}{game.replace(', ', ', variant=')})"

    # -- as a value --------------------------------------------------------------------------

    def _key(self) -> tuple[Any, ...]:
        return self.board.tobytes(), self.roll, self.match, self.variant.name

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    # -- the game ----------------------------------------------------------------------------

    @property
    def pips(self) -> tuple[int, int]:
        """Pips left of the side on roll and of its opponent."""
        mine, his = self.variant.pip_counts(self.board[None])[0].tolist()
        return mine, his

    @property
    def result(self) -> str | None:
        """How the game has ended for the side on roll, as in ``OUTCOMES``; None if it has not.

        >>> last = Position.parse("XGID=-C----b---b----------abbf-:0:0:1:11:0:0:0:0:10")
        >>> last.legal_plays()[0].position.result
        'lose backgammon'
        """
        outcome = int(self.variant.result(self.board[None])[0])
        return None if outcome == ONGOING else OUTCOMES[outcome]

    def legal_plays(self, roll: Dice | None = None) -> list[Play]:
        """Every legal play that leads to a position of its own.

        Args:
            roll: ``"31"`` or ``(3, 1)``; by default the position's own.

        Returns:
            The plays in the order of ``bgnet.legal_plays``; the only one of a side that cannot
            move leaves the board as it is.

        Raises:
            NotationError: no roll, or dice other than 1 to 6.
            PositionError: the game is over, or a double waits for its answer.

        >>> [play.text for play in Position().legal_plays("55")]
        ['13/3 8/3(2)', '13/3(2)', '13/3 13/8(2)', '13/8(4)']
        """
        dice = self._dice(roll)
        plays = self.variant.legal_plays(self.board[None], np.array([dice], np.int8))
        men = self.variant.rules.steps.MEN
        steps = ways(self.board, dice, self.variant)
        found = []
        for i, left in enumerate(self.variant.seen_by_player(plays)[:, men].tolist()):
            how = steps[tuple(left)]
            again = plays.again is not None and bool(plays.again[i])
            after = self._after(Verdict(plays.boards[i], again))
            found.append(Play(format_steps(how), after, how))
        return found

    def _after(self, played: Verdict) -> "Position":
        """The position that a play has led to."""
        match = self.match if played.again else self.match.flip()
        return Position(played.board, match=match, variant=self.variant)

    def play(self, text: str, roll: Dice | None = None, laws: Laws = Laws()) -> "Position":  # noqa: B008
        """The position that a play leads to, seen by the side that rolls next.

        Args:
            text: the play in any common spelling, such as ``"bar/22*, 6/5(2)"``.
            roll: the dice; by default the position's own.
            laws: what becomes of an illegal play; by default it is refused.

        Raises:
            NotationError: the text or the roll cannot be read.
            IllegalPlayError: the play breaks a law; the message says which.
            PositionError: the game is over, or a double waits for its answer.
        """
        dice = self._dice(roll)
        return self._after(judge(self.board, dice, parse_moves(text), self.variant, laws))

    def rolled(self, roll: Dice | None) -> "Position":
        """The same position with this roll thrown, or with None before the throw."""
        return Position(self.board, roll=roll, match=self.match, variant=self.variant)

    def _dice(self, roll: Dice | None) -> Roll:
        """The roll to play, once there is something to play."""
        if self.result:
            raise PositionError("the game is over: there is nothing to play")
        if self.match.offer is not Offer.NONE:
            raise PositionError(f"the {self.match.offer} must be answered before a play")
        dice = self.roll if roll is None else self.rolled(roll).roll
        if dice is None:
            raise NotationError("the position comes without dice: give a roll, such as 31")
        return dice
