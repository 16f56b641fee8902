"""``bgnet benchmark``: what a player gives away on decisions with known answers."""

import sys
from collections.abc import Sequence
from pathlib import Path

from ..arena.decisions import YARDSTICK, Rate, error_rate, read
from ..frontends.players import player
from .arguments import Parser, variant
from .display import json_line, page_width, table
from .duel import PLAYERS

_DESCRIPTION = f"""\
Measure what a player gives away against the best play, on average, in millipoints
(thousandths of a point) a decision, by class of position.

FILE holds decisions with what every legal play is worth, as JSON lines or compact
(.npz), such as bgnet decisions makes; without one it is the yardstick that comes with
bgnet.

{PLAYERS}"""
_EXAMPLES = """\
  bgnet benchmark --player default
  bgnet benchmark mine.npz --player runs/mine/net.safetensors
  bgnet benchmark decisions.jsonl --player pubeval --json"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet benchmark``; see ``bgnet.cli.main``."""
    parser = Parser("benchmark", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("file", nargs="?", type=Path, default=YARDSTICK, metavar="FILE",
                        help="decisions with known answers")  # fmt: skip
    parser.add_argument("--player", default="default", metavar="P", help="(default: %(default)s)")
    parser.add_game()
    parser.add_seed(1)
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    known = read(args.file, variant(args))
    measured = player(args.player, variant(args), args.scoring, args.seed, len(known))
    rates = error_rate(measured, known)
    if args.json:
        print(json_line({"file": str(args.file), **rates.to_dict(), "made": known.made}))
        return 0
    rows = [["class", "decisions", "millipoints lost", "standard error"]]
    rows += [_row(name, rate) for name, rate in rates.by_class.items()]
    rows.append(_row("all", rates.overall))
    print(f"{rates.player} on {args.file}\n\n{table(rows, width=page_width())}")
    if known.made:
        print("\nmade with", ", ".join(f"{name} {value}" for name, value in known.made.items()))
    return 0


def _row(name: str, rate: Rate) -> list[str]:
    return [name, f"{rate.decisions:,}", f"{rate.error_rate:.2f}", f"{rate.standard_error:.2f}"]
