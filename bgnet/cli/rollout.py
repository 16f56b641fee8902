"""``bgnet rollout``: what a position or a play is worth, by playing it out many times."""

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

from ..engine.engine import Engine
from ..engine.rollout import RolloutError, Settings
from ..engine.rollout_chunk import ROTATION
from ..position import Position
from .arguments import MOST_GAMES, MOST_PROCESSES, Parser, UsageError, at_least, variant
from .display import json_line
from .study import Study
from .study_json import answer
from .study_page import page
from .study_rollout import roll_out

_DESCRIPTION = """\
Play a position out many times against itself and average. Before the throw, chances,
equity and the cube; with dice, the best plays, or those that you name with --play,
with the same dice for all, so that their difference is known best.

The luck of the dice is taken out of the results; a standard error stands behind
every number. The games are cubeless: score and cube are reckoned from the chances
that they give. The same seed gives the same result, whatever --jobs says."""
_EXAMPLES = """\
  bgnet rollout
  bgnet rollout --dice 43 --top 3 --jobs 2
  bgnet rollout 4HPwATDgc/ABMA --dice 21 --play "13/11 6/5" --play "24/23 13/11"
  bgnet rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:5:10 --truncate 7"""
_BEST = 3  # plays, where none are named


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet rollout``; see ``bgnet.cli.main``."""
    args = _parser().parse(sys.argv[2:] if argv is None else argv)
    game = variant(args)
    position = Position(variant=game) if args.position is None else Position.parse(
        args.position, game
    )  # fmt: skip
    if position.result:
        raise RolloutError("the game is over: there is nothing to roll out")
    if args.dice is not None:
        position = position.rolled(args.dice)
    if args.play and position.roll is None:
        raise UsageError("--play needs the roll that it plays: give --dice 31 or the like")
    reached = [position.play(text) for text in args.play]
    settings = Settings(args.games, args.ply, args.truncate, standard_error=args.standard_error,
                        scoring=args.scoring, seed=args.seed)  # fmt: skip
    engine = Engine.load(args.net, args.variant, args.ply, args.scoring)
    cubeful = engine.utility(position.match) is not None
    study = Study(position, engine.analyse(position), cubeful)
    named = [play for play in study.plays if play.position in reached]
    study = roll_out(engine, study, named or study.plays[: args.top], settings, args.jobs)
    shown = len(study.rolled)
    if args.json:
        asked = {
            "net": args.net, "ply": args.ply, "scoring": args.scoring, "seed": args.seed,
            "truncate": args.truncate,
        }  # fmt: skip
        print(json_line({**asked, **_answer(answer(study, shown))}))
    else:
        print(page(study, shown))
    return 0


def _answer(found: dict[str, Any]) -> dict[str, object]:
    """The JSON object of a study with rollouts first: what the network says without them moves
    to ``evaluation``."""
    plays = [_answer(play) for play in found.pop("plays", ())]
    rolled = found.pop("rollout", None)
    if rolled is None:
        return {**found, "plays": plays}
    alone = ("equity", "cubeless", "outcomes", "ply")
    said = {name: found.pop(name) for name in alone if name in found}
    return {**found, **rolled, "evaluation": said}


def _parser() -> Parser:
    parser = Parser("rollout", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("position", nargs="?", metavar="POSITION",
                        help="an XGID or gnubg id (default: the opening position)")  # fmt: skip
    parser.add_argument("--dice", metavar="31", help="the roll")
    parser.add_argument("--play", action="append", default=[], metavar='"8/5 6/5"',
                        help="a play to roll out; may be given several times")  # fmt: skip
    parser.add_argument("--top", type=at_least(1), default=_BEST, metavar="N",
                        help="without --play the N best (default: %(default)s)")  # fmt: skip
    parser.add_argument("--games", type=at_least(2, MOST_GAMES), default=ROTATION, metavar="N",
                        help="games of each, at most (default: %(default)s)")  # fmt: skip
    parser.add_argument("--truncate", type=at_least(1), metavar="TURNS",
                        help="let the network judge after so many turns")  # fmt: skip
    parser.add_argument("--standard-error", type=_points, default=0.0, metavar="POINTS",
                        help="stop when every equity is known so well")  # fmt: skip
    parser.add_argument("--jobs", type=at_least(1, MOST_PROCESSES), default=1, metavar="N",
                        help="processes (default: %(default)s)")  # fmt: skip
    parser.add_seed(1)
    parser.add_game()
    parser.add_network()
    parser.add_json()
    return parser


def _points(text: str) -> float:
    """A type of argument: points, not negative."""
    if not re.fullmatch(r"[0-9]{0,9}\.?[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of points such as 0.01")
    return float(text)
