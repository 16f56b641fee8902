"""``bgnet perft``: count positions reached, to check move generators against each other."""

import sys
import time
from collections.abc import Sequence

import numpy as np

from ..game.dice import ROLLS
from ..game.scoring import ONGOING
from ..game.variants import Variant
from ..position import Position
from .arguments import Parser, at_least, variant
from .display import json_line, table

_DESCRIPTION = """\
Count the positions that legal plays reach after DEPTH rolls: every one of the 21
rolls is played in every distinct way, and every position reached goes on from
there, whether another way has led to it or not. Finished games do not go on. The
table parts the count by the first roll."""
_EXAMPLES = """\
  bgnet perft
  bgnet perft --depth 3
  bgnet perft XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 --depth 2"""
_BLOCK = 1024  # positions whose rolls are played at once


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet perft``; see ``bgnet.cli.main``."""
    parser = Parser("perft", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("position", nargs="?", metavar="POSITION",
                        help="an XGID or gnubg id; its dice, if any, are the only first roll "
                        "(default: the opening position)")  # fmt: skip
    parser.add_argument("--depth", type=at_least(1), default=1, metavar="D",
                        help="how many rolls (default: %(default)s)")  # fmt: skip
    parser.add_variant()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    game = variant(args)
    position = Position.parse(args.position, game) if args.position else Position(variant=game)
    start = time.perf_counter()
    by_roll = _by_first_roll(position, args.depth)
    seconds = time.perf_counter() - start
    total = sum(by_roll.values())
    if args.json:
        print(json_line({
            "position": position.texts,
            "variant": game.name, "depth": args.depth, "positions": total, "by_roll": by_roll,
            "seconds": seconds, "positions_per_second": total / seconds,
        }))  # fmt: skip
        return 0
    rows = [["roll", "positions"], *([roll, f"{count:,}"] for roll, count in by_roll.items())]
    print(table([*rows, ["all", f"{total:,}"]]))
    print(f"\n{seconds:.2f} s, {total / seconds:,.0f} positions/s")
    return 0


def _by_first_roll(position: Position, depth: int) -> dict[str, int]:
    """The count of every first roll, the larger die first."""
    game, rows = position.variant, position.board[None]
    if position.result:
        return {}
    rolls = np.array([position.roll], np.int8) if position.roll else ROLLS
    return {
        f"{a}{b}": perft(game.legal_plays(rows, roll[None]).boards, depth - 1, game)
        for roll in rolls
        for a, b in [roll.tolist()]
    }


def perft(rows: np.ndarray, depth: int, variant: Variant) -> int:
    """How many positions plays reach from these, so many rolls deep.

    Args:
        rows: ``(n, width)`` int8, seen by the side that rolls.
        depth: rolls to play; at 0 the positions themselves are counted.
        variant: the game.

    >>> from bgnet.game.variants import STANDARD
    >>> perft(STANDARD.starts(1), 1, STANDARD)
    447
    """
    if depth == 0:
        return len(rows)
    count = 0
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        block = block[variant.result(block) == ONGOING]
        forced = variant.forced_rolls(block)
        free = np.flatnonzero(forced[:, 0] == 0)
        fixed = np.flatnonzero(forced[:, 0])
        owner = np.concatenate([np.repeat(free, len(ROLLS)), fixed])
        rolls = np.concatenate([np.tile(ROLLS, (len(free), 1)), forced[fixed]])
        reached = variant.legal_plays(block[owner], rolls).boards
        count += perft(reached, depth - 1, variant)
    return count
