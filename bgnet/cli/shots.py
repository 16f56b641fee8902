"""``bgnet shots``: the chance of being hit."""

import re
import sys
from collections.abc import Sequence

from ..game.dice import ROLLS
from ..game.shots import DISTANCES, hitting, odds, open_shots, shots
from ..position import Position
from .arguments import Parser, UsageError, variant
from .display import json_line, table

_DESCRIPTION = """\
Count the throws of 36 that hit a blot: at a DISTANCE of so many points with none
blocked between; or from a POSITION, where the side to roll may hit any blot of its
opponent. Without either, the table of all distances. The throws are not looked up
but played, every one of them."""
_EXAMPLES = """\
  bgnet shots
  bgnet shots 6
  bgnet shots 4HPwATDgc/ABMA --json"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet shots``; see ``bgnet.cli.main``."""
    parser = Parser("shots", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("where", nargs="?", metavar="DISTANCE|POSITION",
                        help="1 to 24, or an XGID, gnubg id or Russian position")  # fmt: skip
    parser.add_variant()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    if args.where is None or re.fullmatch(r"-?\d{1,9}", args.where):
        return _distances(args.where, args.json)
    position = Position.parse(args.where, variant(args))
    rows = position.board[None]
    throws = int(shots(rows, position.variant)[0])
    rolls = [f"{a}{b}" for a, b in ROLLS[hitting(rows, position.variant)[0]].tolist()]
    if args.json:
        print(json_line({"position": position.texts, "throws": throws, "chance": throws / 36,
                         "rolls": rolls}))  # fmt: skip
        return 0
    print(f"{position}\n\n{throws} of 36 throws hit: {odds(throws)}.")
    if rolls:
        print(f"They are {' '.join(rolls)}.")
    return 0


def _distances(text: str | None, as_json: bool) -> int:
    """The throws that hit at one distance, or at all of them."""
    if text is not None and int(text) not in DISTANCES:
        raise UsageError(f"a distance is {DISTANCES[0]} to {DISTANCES[-1]} points, not {text}")
    wanted = DISTANCES if text is None else [int(text)]
    found = {distance: open_shots()[distance] for distance in wanted}
    if as_json:
        print(json_line({"distances": [
            {"distance": d, "throws": n, "chance": n / 36} for d, n in found.items()
        ]}))  # fmt: skip
        return 0
    rows = [["points", "throws", "chance", "odds"]]
    rows += [[str(d), str(n), f"{n / 36:.1%}", odds(n)] for d, n in found.items()]
    print(table(rows))
    return 0
