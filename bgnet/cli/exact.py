"""``bgnet exact``: the solved games, and how far a network is from their truth."""

import sys
from collections.abc import Sequence

import numpy as np

from ..arena.exact import EquityError, equity_error, met_in_play
from ..engine.hypergammon import Solved
from ..engine.networks import load_evaluator
from .arguments import Parser, variant
from .display import chances, json_line, table

_DESCRIPTION = """\
Hypergammon with one or two men a side is solved: every position has an exact
equity. Print that of the start and, with --net, the mean error of a network over
all positions and over those that perfect play meets. Solving takes a minute for
two men; the answer is kept on the disk."""
_EXAMPLES = """\
  bgnet exact
  bgnet exact --variant hypergammon2 --net runs/mine/net.safetensors"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet exact``; see ``bgnet.cli.main``."""
    parser = Parser("exact", _DESCRIPTION, _EXAMPLES)
    parser.add_game()
    parser.set_defaults(variant="hypergammon1")
    parser.add_argument("--net", metavar="NAME|PATH", help="measure this network")
    parser.add_games(1000)
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    game = variant(args)
    solved = Solved(game, args.scoring)
    outcomes = solved.outcomes(game.start[None])[0].tolist()
    worth = float(solved.equities(game.start[None])[0])
    errors: dict[str, EquityError] = {}
    if args.net is not None:
        evaluator = load_evaluator(args.net, game)
        met = met_in_play(solved, args.games, np.random.default_rng(args.seed))
        errors["all positions"] = equity_error(evaluator, solved, solved.positions())
        errors["met in perfect play"] = equity_error(evaluator, solved, met)
    if args.json:
        print(json_line({
            "variant": game.name, "scoring": args.scoring, "equity": worth,
            "outcomes": chances(outcomes), "net": args.net,
            "errors": {name.replace(" ", "_"): error._asdict() for name, error in errors.items()},
        }))  # fmt: skip
        return 0
    shares = ", ".join(f"{k.replace('_', ' ')} {v:.2%}" for k, v in chances(outcomes).items())
    print(f"{game.name}, {args.scoring} scoring, before the first throw: {worth:+.5f} ({shares})")
    if errors:
        rows = [["error of equity", "positions", "mean", "worst"]]
        rows += [[k, f"{e.positions:,}", f"{e.mean:.4f}", f"{e.worst:.4f}"]
                 for k, e in errors.items()]  # fmt: skip
        print(f"\n{table(rows)}")
    return 0
