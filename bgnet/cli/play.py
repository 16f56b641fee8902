"""``bgnet play``: a game or a match against bgnet in the terminal."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ..engine.engine import Engine
from ..engine.met import LONGEST
from ..game.match import MatchState
from .arguments import Parser, at_least
from .table import COMMANDS, Table

_DESCRIPTION = f"""\
Play a game, or a match with the doubling cube, against bgnet. You are X, at the
bottom, and move from point 24 down to 1; bgnet is O. At your turn you may type

{COMMANDS}

An illegal play is refused with the law that it breaks. 'bgnet rules' has the rules."""
_EXAMPLES = """\
  bgnet play
  bgnet play --level beginner
  bgnet play --match 7
  bgnet play --scoring american --seed 7
  bgnet play --variant russian
  bgnet play --ask-dice        beside a board and dice of your own"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet play``; see ``bgnet.cli.main``."""
    parser = Parser("play", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--match", type=at_least(1, LONGEST), metavar="N",
                        help="a match to N points, with the cube (default: a single game without)"
                        )  # fmt: skip
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
    seat = partial(Table, engine, None if args.ask_dice else dice, args.laws == "foster")
    if args.match is None:
        seat().play()
    else:
        _match(seat, args.match)
    return 0


def _match(seat: Callable[..., Table], length: int) -> None:
    """Play games until one side has the points, or the human leaves."""
    state: MatchState | None = MatchState(length=length)
    while state:
        crawford = ", the Crawford game: nobody may double" if state.crawford else ""
        print(f"\nMatch to {length}: you {state.score}, O {state.opponent_score}{crawford}.")
        won = seat(match=state).play()
        if won is None:
            return
        before, state = state, state.next_game(won)
        if state is None:
            score = before.score + max(won, 0), before.opponent_score + max(-won, 0)
            winner = "You win" if won > 0 else "O wins"
            print(f"{winner} the match to {length}: you {score[0]}, O {score[1]}.")
