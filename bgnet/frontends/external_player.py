"""gnubg's external player: ``set player 1 external localhost:4500`` lets bgnet play in gnubg.

gnubg connects, says nothing, and sends one ``board:`` line for every decision of ours; one line
goes back. What it wants to know follows from the line: whether to take if a double is on offer,
the play if the dice are thrown, otherwise whether to double. It plays on with whatever it
understands, so that a wrong word loses a turn or worse; but a reply that begins with ``Error:`` it
prints, and stops with the position as it is. (Observed with GNU Backgammon 1.07.)

It tells neither the Jacoby rule nor whether beavers are played: we must be told.
"""

from dataclasses import replace

from ..game.match import Offer
from ..game.steps import Step
from ..notation.fibs_board import Dialect, FibsBoard, parse_fibs_board
from ..position import Position
from .decisions import Decider

#: gnubg reads a reply into 256 bytes.
_LONGEST_REPLY = 250
#: A board line is never longer; names in it are short.
_LONGEST_LINE = 1024
_RESIGNATIONS = {1: "normal", 2: "gammon", 3: "backgammon"}
_ANSWERS = {"take": "take", "pass": "drop", "beaver": "beaver"}


class Session:
    """One connection of gnubg, which is one seat. Asked by one thread at a time; many sessions
    may share a ``Decider``."""

    def __init__(self, decider: Decider, dialect: Dialect = Dialect.GNUBG, *,
                 jacoby: bool = False, beavers: bool = False, resigns: bool = True) -> None:
        """
        Args:
            decider: who plays.
            dialect: what board lines mean; gnubg's own, if nobody says otherwise.
            jacoby: whether the Jacoby rule is in force when playing for money.
            beavers: whether beavers are played for money.
            resigns: whether lost races are given up.
        """
        self.closed = False
        self._decider = decider
        self._dialect = dialect
        self._jacoby, self._beavers = jacoby, beavers
        self._resigns = resigns
        #: The game in which a resignation was declined last, and what had been offered.
        self._declined: tuple[tuple[object, ...], int] = ((), 0)

    def receive(self, line: str) -> list[str]:
        """The one reply to a board line, or to one of a few words that people type.

        >>> import numpy as np
        >>> from bgnet.engine.engine import Engine
        >>> from bgnet.engine.evaluator import Evaluator
        >>> from bgnet.engine.search import Search
        >>> from bgnet.game.variants import STANDARD
        >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
        >>> session = Session(Decider(Engine(Search(blank, ply=0))))
        >>> session.receive("board:half a line")
        ['Error: a board line has 53 fields, not 2']
        """
        word = line.strip().lower()
        if word in ("exit", "quit"):
            self.closed = True
            return []
        if word == "version":
            return [f"bgnet {self._decider.engine.name}"]
        try:
            if len(line) > _LONGEST_LINE:
                raise ValueError(f"a line has {_LONGEST_LINE} characters at most")
            if not line.strip().isprintable():
                raise ValueError("a line is made of printable characters")
            return [self._decide(parse_fibs_board(line, self._dialect, self._decider.variant))]
        except ValueError as error:
            return [f"Error: {' '.join(str(error).split())}"[:_LONGEST_REPLY]]

    def _decide(self, asked: FibsBoard) -> str:
        """What the player does."""
        match = asked.match
        if match.money:
            match = replace(match, jacoby=self._jacoby, beavers=self._beavers)
        position = Position(
            asked.board, roll=None if match.offer is not Offer.NONE else asked.roll, match=match,
            variant=self._decider.variant,
        )  # fmt: skip
        if match.offer is not Offer.NONE:
            answer = _ANSWERS[self._decider.answers(position)]
            # How many beavers are allowed is gnubg's secret, and one too many stops the game.
            return "take" if match.offer is Offer.BEAVER and answer == "beaver" else answer
        if position.result:
            raise ValueError("the game is over: there is nothing to decide")
        if not asked.on_roll:
            raise ValueError(f"{asked.player} is not on roll, and no double waits for an answer")
        if points := self._resignation(position, asked):
            return f"resign {_RESIGNATIONS[points]}"
        if position.roll:
            return moves(self._decider.chequer_play(position))
        return "double" if self._decider.doubles(position) else "roll"

    def _resignation(self, position: Position, asked: FibsBoard) -> int:
        """What to give up, unless as much has been declined in this game."""
        if not self._resigns:
            return 0
        match = position.match
        game = (asked.player, asked.opponent, match.length, match.score, match.opponent_score)
        points = self._decider.resigns(position)
        known, declined = self._declined
        if points <= (declined if known == game else 0):
            return 0
        self._declined = game, points
        return points


def moves(steps: tuple[Step, ...]) -> str:
    """Steps as gnubg reads them most safely: a pair of numbers for each die, nothing for a dance.

    >>> moves((Step(25, 20, True), Step(6, 0, False)))
    '25/20 6/0'
    """
    return " ".join(f"{step.source}/{step.target}" for step in steps)
