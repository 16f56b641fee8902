"""A human and the engine at a board: one game in the terminal."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..engine.engine import Engine
from ..game.match import MatchError, MatchState
from ..game.scoring import LOSE, OUTCOMES
from ..position import IllegalPlayError, Laws, NotationError, Position
from .display import chances, page_width, table

COMMANDS = """\
  roll, or nothing   throw the dice
  8/5 6/5            a play: men from point to point; bar/22*, 6/off, 13/8(2);
                     in Russian backgammon enter/19
  double             offer the cube before the throw; take or drop if O doubles
  hint               the best plays; before the throw, chances and cube
  undo               take back your last play (the dice stay)
  resign             give up a game; resign gammon, resign backgammon
  board              draw the board again
  quit               leave the game"""
_HINTS = 5
#: Seats, as ``MatchState`` numbers them.
_ENGINE, HUMAN = 0, 1
_RESIGNATIONS = {"": 1, "single": 1, "game": 1, "gammon": 2, "backgammon": 3}
_KINDS = ("a single game", "a gammon", "a backgammon")
_LEAVE = ("quit", "exit", "q")
#: A game for points in which nobody may double.
NO_CUBE = MatchState(max_cube=1)


class _Left(Exception):
    """The human has left the table."""


class Table:
    """A human and the engine at a board, until the game is over or the human leaves."""

    def __init__(self, engine: Engine, dice: np.random.Generator | None, by_foster: bool = False,
                 match: MatchState = NO_CUBE) -> None:
        """
        Args:
            engine: the opponent.
            dice: where throws come from; None asks the human for every one.
            by_foster: illegal plays may be punished or let stand, not only refused.
            match: score and cube before the game, as the human sees them.
        """
        self._engine = engine
        self._by_foster = by_foster
        self._match = replace(match, seat=HUMAN)
        self._dice = dice
        self._position = Position(variant=engine.variant)
        #: The human's decisions so far, dice thrown: what can be taken back.
        self._decisions: list[Position] = []
        self._drawn: object = None
        #: What the engine has offered to give up and the human has refused.
        self._refused = 0
        #: Points of the human once the game is over; negative if lost.
        self._won: int | None = None

    def play(self) -> int | None:
        """Play the game: the points that the human wins, negative if he loses; None if he leaves
        the table."""
        try:
            self._open()
            while self._won is None:
                self._turn()
        except _Left:
            print("The game is left unfinished.")
        return self._won

    def _open(self) -> None:
        """Decide who starts, with which roll."""
        if self._dice is None:
            while (answer := self._ask("Who starts, X or O? ").upper()) not in ("X", "O"):
                print("Say X if you start, O if bgnet does.")
            seat = HUMAN if answer == "X" else _ENGINE
        else:
            seat = int(self._dice.integers(2))
        match = self._match if seat == HUMAN else self._match.flip()
        self._position = Position(match=match, variant=self._engine.variant)
        if self._dice is not None:
            roll = self._engine.variant.opening_rolls(self._dice, 1)[0]
            self._throw(roll.tolist())

    def _turn(self) -> None:
        """One thing that happens: an end, a play of the engine, a word of the human."""
        position = self._position
        if position.result:
            self._draw()
            outcome = OUTCOMES.index(position.result)
            self._score(outcome, position.match.seat)
        elif position.match.seat == _ENGINE:
            if position.roll or not (self._gives_up() or self._offers()):
                self._reply()
        elif position.roll and not (plays := position.legal_plays())[0].steps:
            self._draw()
            print("You cannot move.")
            self._leave(plays[0].position)
        else:
            self._draw()
            before = "roll or double> " if position.match.may_double else "roll> "
            self._obey(self._ask("{}{}> ".format(*position.roll) if position.roll else before))

    # -- dice --------------------------------------------------------------------------------

    def _leave(self, after: Position) -> None:
        """The play is made; a side that goes on with a throw of the game's own is told so."""
        goes_on = after.match.seat == self._position.match.seat and not after.result
        self._position = after
        if goes_on and after.match.seat == HUMAN:
            print("You go on with {}{}.".format(*after.roll) if after.roll else "You throw again.")

    def _throw(self, roll: Sequence[int] | str | None = None) -> None:
        """Throw for the side on roll, or take the roll given."""
        if roll is None and self._dice is not None:
            rows = self._position.board[None]
            roll = self._engine.variant.next_rolls(self._dice, rows)[0].tolist()
        self._position = self._position.rolled(roll)
        if self._position.roll and self._position.match.seat == HUMAN:
            print("You throw {}{}.".format(*self._position.roll))

    # -- the engine --------------------------------------------------------------------------

    def _reply(self) -> None:
        """The engine throws and plays."""
        fixed = self._engine.variant.forced_rolls(self._position.board[None]).any()
        while self._position.roll is None:
            try:
                self._throw(self._ask("O's dice? ") if self._dice is None else None)
            except NotationError as error:
                print(error)
        play = self._engine.best_play(self._position)
        said = f"plays {play.text}" if play.steps else "cannot move"
        throws = "goes on with" if fixed else "throws"
        print("\nO {} {}{} and {}.".format(throws, *self._position.roll, said))
        self._leave(play.position)

    def _gives_up(self) -> bool:
        """The engine resigns if nothing is left to win; True if the game is over with that. While
        men may still be hit it plays on: a network may be wrong about rare positions."""
        position = self._position
        if self._engine.variant.contact(position.board[None])[0]:
            return False
        points = self._engine.resign(position)
        if points <= self._refused:
            return False
        answer = self._ask(f"\nO resigns {_KINDS[points - 1]}. Accept? (yes, no) ").lower()
        if answer in ("n", "no"):
            self._refused = points
            return False
        self._score(LOSE + points - 1, _ENGINE)
        return True

    # -- the cube ----------------------------------------------------------------------------

    def _offers(self) -> bool:
        """The engine doubles if that is right; True if the game is over with that."""
        position = self._position
        if not position.match.may_double or not self._engine.cube_action(position).double:
            return False
        self._position = Position(
            position.board, match=position.match.double(), variant=position.variant
        )
        print(f"\nO doubles to {2 * position.match.cube}.")
        while self._position.match.offer != "none" and self._won is None:
            self._draw()
            self._answer(self._ask("take or drop> ").lower())
        return self._won is not None

    def _answer(self, text: str) -> None:
        """What the human says to a double."""
        if text in ("take", "t"):
            self._turn_cube("You take")
        elif text in ("drop", "pass", "d", "p"):
            self._end(-self._position.match.drop(), "You drop")
        elif text == "hint":
            print(f"The right answer: {self._engine.answer(self._position)}.")
        elif text == "board":
            self._drawn = None
        elif text in _LEAVE:
            raise _Left
        else:
            print("O has doubled: take it or drop it; you may ask for a hint or leave (quit).")

    def _human_double(self) -> None:
        """The human doubles, if the rules allow it."""
        position = self._position
        try:
            match = position.match.double(rolled=position.roll is not None)
        except MatchError as error:
            print(f"{str(error)[0].upper()}{str(error)[1:]}.")
            return
        doubled = Position(position.board, match=match, variant=position.variant)
        if self._engine.answer(doubled) == "pass":
            self._end(match.drop(), "O drops")
        else:
            self._position = doubled
            self._turn_cube("O takes")

    def _turn_cube(self, said: str) -> None:
        """The double on the table is taken."""
        position = self._position
        self._position = Position(
            position.board, match=position.match.take(), variant=position.variant
        )
        print(f"{said}: the cube is at {self._position.match.cube}.")

    # -- the human ---------------------------------------------------------------------------

    def _ask(self, prompt: str) -> str:
        """What the human types, stripped."""
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            raise _Left from None

    def _obey(self, text: str) -> None:
        """Do what the human says."""
        word, _, rest = text.lower().partition(" ")
        if word == "hint":
            self._hint()
        elif word == "undo":
            self._undo()
        elif word == "resign":
            self._resign(rest.strip())
        elif word == "double":
            self._human_double()
        elif word == "board":
            self._drawn = None
        elif word in ("help", "?"):
            print(COMMANDS)
        elif word in _LEAVE:
            raise _Left
        elif self._position.roll:
            self._human_play(text)
        else:
            self._human_throw(text)

    def _human_throw(self, text: str) -> None:
        """What is said before the throw and is no other command."""
        if self._dice is None:
            try:
                self._throw(text)
            except NotationError as error:
                print(f"Type the dice that you have thrown: {error}.")
        elif text.lower() in ("", "r", "roll"):
            self._throw()
        else:
            print("Throw the dice first: type roll, or help to see what you can say.")

    def _human_play(self, text: str) -> None:
        """A play, if it is legal."""
        if text.lower() in ("", "r", "roll"):
            print("The dice are thrown: type your play, such as 8/5 6/5, or hint.")
            return
        try:
            after = self._position.play(text)
        except NotationError as error:
            print(f"Not played: {error}.")
            return
        except IllegalPlayError as error:
            ruled = self._rule(text) if self._by_foster else None
            if ruled is None:
                print(f"Not played: {error}.")
                return
            print(f"{ruled[0]}: {error}.")
            after = ruled[1]
        self._decisions.append(self._position)
        self._leave(after)

    def _rule(self, text: str) -> tuple[str, Position] | None:
        """What Foster's laws make of an illegal play: in words, and the position."""
        position = self._position
        with contextlib.suppress(IllegalPlayError):
            after = position.play(text, laws=Laws(penalty=True))
            return "Thrown off too early, your men are on the bar", after
        with contextlib.suppress(IllegalPlayError):
            after = position.play(text, laws=Laws(errors_stand=True))
            worth = self._engine.evaluate(after).equity
            turned = after.match.seat != position.match.seat
            if (-worth if turned else worth) <= self._engine.rank(position)[0].equity:
                return "O lets your error stand", after
        return None

    def _hint(self) -> None:
        """The best plays, or the chances before the throw."""
        if self._position.roll:
            rows = [["play", "equity"]]
            for play in self._engine.rank(self._position)[:_HINTS]:
                rows.append([play.text, f"{play.equity:+.3f}"])
        else:
            evaluation = self._engine.evaluate(self._position)
            values = chances(evaluation.outcomes)
            rows = [["equity", *(name.replace("_", " ") for name in values)]]
            rows.append([f"{evaluation.equity:+.3f}", *(f"{v:.1%}" for v in values.values())])
        print(table(rows, width=page_width()))
        if self._position.roll is None and self._position.match.may_double:
            print(f"Cube: {self._engine.cube_action(self._position).action}.")

    def _undo(self) -> None:
        """Back to the human's last decision, with the dice it had."""
        if self._decisions:
            self._position = self._decisions.pop()
        else:
            print("There is no play of yours to take back.")

    def _resign(self, what: str) -> None:
        """Give up a game, a gammon or a backgammon, if that is enough for the engine."""
        if what not in _RESIGNATIONS:
            print("Resign a single game, a gammon or a backgammon.")
            return
        points = _RESIGNATIONS[what]
        if self._engine.accepts(self._position, points):
            self._score(LOSE + points - 1, HUMAN)
        else:
            print("O plays on: it expects to win more than that.")

    # -- the board and the score -------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the board, if the men have moved since it was last drawn."""
        seen = self._position.board.tobytes(), self._position.match
        if seen != self._drawn:
            print(f"\n{self._position}\n")
        self._drawn = seen

    def _score(self, outcome: int, seat: int) -> None:
        """The game has ended so for the side in this seat, which is on roll."""
        points = self._position.match.points(outcome, self._engine.search.scoring)
        won = points if seat == HUMAN else -points
        self._end(won, f"{'You win' if won > 0 else 'O wins'} {_KINDS[outcome % LOSE]}")

    def _end(self, won: int, said: str) -> None:
        """Say how the game has ended for the human."""
        self._won = won
        print(f"{said}: {abs(won)} point{'s' * (abs(won) > 1)}.")
