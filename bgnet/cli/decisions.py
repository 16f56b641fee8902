"""``bgnet decisions``: make decisions of one's own, labelled by deep look-ahead."""

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from ..arena.decisions import write_compact
from ..arena.held_out import Recipe, make
from ..engine.engine import MOST_PLIES
from .arguments import MOST_GAMES, Parser, UsageError, at_least, variant
from .display import json_line

_DESCRIPTION = """\
Make decisions of your own to choose networks by, and leave the yardstick that comes
with bgnet for the report: what you select on, you can no longer measure with.

  make   play games of a network against itself, draw decisions from them, and
         have the network label every legal play by looking ahead

Every game is played with a level of noise of its own, so that common, odd and bad
positions all occur. Throws that can be played in one way only and positions whose
rest is known for certain are left out. All plays are looked into 1 ply deep, those
within 0.12 of the best (at most 8) 2 plies and, if you ask for that, within 0.08 (at
most 5) 3 plies; no play ranks above one that was looked into deeper.

Make the file once, with the best network you have, and measure all its successors on
it without look-ahead: bgnet benchmark FILE --player NET. Never train on it. A
network that looks as far ahead as the referee is flattered, and so, a little, is the
referee's own; a duel is the other half of the test."""
_EXAMPLES = """\
  bgnet decisions make mine.npz
  bgnet decisions make mine.npz --net runs/mine/net.safetensors --decisions 3000 --seed 7
  bgnet decisions make hyper.npz --variant hypergammon --ply 1 --json
  bgnet benchmark mine.npz --player default"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet decisions``; see ``bgnet.cli.main``."""
    recipe = Recipe()
    parser = Parser("decisions", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("task", choices=("make",), metavar="make", help="what to do")
    parser.add_argument("file", type=Path, metavar="FILE", help="what to write: a name in .npz")
    parser.add_argument("--net", default="default", metavar="NAME|PATH",
                        help="who plays and judges (default: the variant's own)")  # fmt: skip
    parser.add_argument("--decisions", type=at_least(1, MOST_GAMES), default=recipe.decisions,
                        metavar="N", help="how many (default: %(default)s)")  # fmt: skip
    parser.add_argument("--ply", type=int, choices=range(1, MOST_PLIES + 1), default=recipe.ply,
                        help="how far the referee looks ahead (default: %(default)s)")  # fmt: skip
    parser.add_argument("--noise", type=_points, default=recipe.noise, metavar="POINTS",
                        help="play games up to so badly: the standard deviation of an error in "
                        "the worth of every play (default: %(default)s)")  # fmt: skip
    parser.add_seed(recipe.seed)
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_game()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    _check(args.file, args.overwrite)
    recipe = Recipe(args.decisions, args.ply, args.noise, args.seed, args.scoring)
    with tqdm(total=args.decisions, unit=" decisions", disable=None) as bar:
        decisions = make(args.net, recipe, variant(args), bar.update)
    write_compact(args.file, decisions)
    names, counts = np.unique(decisions.classes, return_counts=True)
    classes = dict(zip(names.tolist(), counts.tolist(), strict=True))
    if args.json:
        print(json_line({"file": str(args.file), "classes": classes, "made": decisions.made}))
        return 0
    by_class = ", ".join(f"{name} {count:,}" for name, count in classes.items())
    print(f"{len(decisions):,} decisions ({by_class}) with {len(decisions.equities):,} plays, "
          f"labelled by {args.net}@{args.ply}, are in {args.file}")  # fmt: skip
    return 0


def _check(path: Path, overwrite: bool) -> None:
    """Whether the file can be written, before the hours in which it is made."""
    if path.suffix != ".npz":
        raise UsageError(f"a file of decisions has a name in .npz, not {path.name!r}")
    if path.exists() and not overwrite:
        raise UsageError(f"{path} exists already; --overwrite replaces it")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path} cannot be written")


def _points(text: str) -> float:
    """A type of argument: points, 0 or more."""
    with contextlib.suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of points from 0 on")
