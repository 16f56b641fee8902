"""``bgnet play``: a game against bgnet in the terminal."""

import contextlib
import sys
from collections.abc import Sequence

import numpy as np

from ..engine.engine import Engine
from ..engine.resign import accept_resignation
from ..game.match import MatchState
from ..game.scoring import LOSE, OUTCOMES
from ..position import IllegalPlayError, Laws, NotationError, Position
from .arguments import Parser
from .display import chances, page_width, table

_COMMANDS = """\
  roll, or nothing   throw the dice
  8/5 6/5            a play: men from point to point; bar/22*, 6/off, 13/8(2);
                     in Russian backgammon enter/19
  hint               the best plays, or, before the throw, your chances
  undo               take back your last play (the dice stay)
  resign             give up a game; resign gammon, resign backgammon
  board              draw the board again
  quit               leave the game"""
_DESCRIPTION = f"""\
Play a game against bgnet. You are X, at the bottom, and move from point 24 down to
1; bgnet is O. At your turn you may type

{_COMMANDS}

An illegal play is refused with the law that it breaks. 'bgnet rules' has the rules."""
_EXAMPLES = """\
  bgnet play
  bgnet play --level beginner
  bgnet play --scoring american --seed 7
  bgnet play --variant russian
  bgnet play --ask-dice        beside a board and dice of your own"""
_HINTS = 5
#: Seats, as ``MatchState`` numbers them.
_ENGINE, _HUMAN = 0, 1
_RESIGNATIONS = {"": 1, "single": 1, "game": 1, "gammon": 2, "backgammon": 3}


class _Left(Exception):
    """The human has left the table."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet play``; see ``bgnet.cli.main``."""
    parser = Parser("play", _DESCRIPTION, _EXAMPLES)
    parser.add_level()
    parser.add_argument("--ask-dice", action="store_true", help="ask for every throw")
    parser.add_argument("--laws", choices=("strict", "foster"), default="strict",
                        help="strict (default): an illegal play is refused; foster: men thrown "
                        "off too early go to the bar, and another error stands if bgnet likes it "
                        "no less than your best play")  # fmt: skip
    parser.add_seed(None)
    parser.add_game()
    parser.add_network()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    dice, errors = np.random.default_rng(args.seed).spawn(2)
    engine = Engine.load(args.net, args.variant, args.ply, args.scoring, args.level, errors)
    with contextlib.suppress(ImportError):  # lines can be edited and recalled
        import readline  # noqa: F401
    print("You are X, at the bottom; bgnet is O. Type help to see what you can say.")
    Table(engine, None if args.ask_dice else dice, args.laws == "foster").play()
    return 0


class Table:
    """A human and the engine at a board, until the game is over or the human leaves."""

    def __init__(
        self, engine: Engine, dice: np.random.Generator | None, by_foster: bool = False
    ) -> None:
        """
        Args:
            engine: the opponent.
            dice: where throws come from; None asks the human for every one.
            by_foster: illegal plays may be punished or let stand, not only refused.
        """
        self._engine = engine
        self._by_foster = by_foster
        self._dice = dice
        self._position = Position(variant=engine.variant)
        #: The human's decisions so far, dice thrown: what can be taken back.
        self._decisions: list[Position] = []
        self._drawn = b""
        self._over = False

    def play(self) -> None:
        """Play the game."""
        try:
            self._open()
            while not self._over:
                self._turn()
        except _Left:
            print("The game is left unfinished.")

    def _open(self) -> None:
        """Decide who starts, with which roll."""
        if self._dice is None:
            while (answer := self._ask("Who starts, X or O? ").upper()) not in ("X", "O"):
                print("Say X if you start, O if bgnet does.")
            seat = _HUMAN if answer == "X" else _ENGINE
        else:
            seat = int(self._dice.integers(2))
        match = MatchState(seat=seat, max_cube=1)  # nobody doubles
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
            self._reply()
        elif position.roll and not (plays := position.legal_plays())[0].steps:
            self._draw()
            print("You cannot move.")
            self._leave(plays[0].position)
        else:
            self._draw()
            prompt = f"{position.roll[0]}{position.roll[1]}> " if position.roll else "roll> "
            self._obey(self._ask(prompt))

    # -- dice --------------------------------------------------------------------------------

    def _leave(self, after: Position) -> None:
        """The play is made; a side that goes on with a throw of the game's own is told so."""
        goes_on = after.match.seat == self._position.match.seat and not after.result
        self._position = after
        if goes_on and after.match.seat == _HUMAN:
            print("You go on with {}{}.".format(*after.roll) if after.roll else "You throw again.")

    def _throw(self, roll: Sequence[int] | str | None = None) -> None:
        """Throw for the side on roll, or take the roll given."""
        if roll is None and self._dice is not None:
            rows = self._position.board[None]
            roll = self._engine.variant.next_rolls(self._dice, rows)[0].tolist()
        self._position = self._position.rolled(roll)
        if self._position.roll and self._position.match.seat == _HUMAN:
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
        elif word == "board":
            self._drawn = b""
        elif word in ("help", "?"):
            print(_COMMANDS)
        elif word in ("quit", "exit", "q"):
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
        position, points = self._position, _RESIGNATIONS[what]
        best = (
            self._engine.rank(position)[0] if position.roll else self._engine.evaluate(position)
        )
        outcomes, scoring = np.array(best.outcomes), self._engine.search.scoring
        if accept_resignation(outcomes, position.match, points, scoring=scoring):
            self._score(LOSE + points - 1, _HUMAN)
        else:
            print("O plays on: it expects to win more than that.")

    # -- the board and the score -------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the board, if the men have moved since it was last drawn."""
        men = self._position.board.tobytes()
        if men != self._drawn:
            print(f"\n{self._position}\n")
        self._drawn = men

    def _score(self, outcome: int, seat: int) -> None:
        """Say how the game has ended for the side in this seat."""
        self._over = True
        points = abs(self._position.match.points(outcome, self._engine.search.scoring))
        kind = ("a single game", "a gammon", "a backgammon")[outcome % LOSE]
        winner = "You win" if (outcome < LOSE) == (seat == _HUMAN) else "O wins"
        print(f"{winner} {kind}: {points} point{'s' * (points > 1)}.")
