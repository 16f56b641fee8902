"""``bgnet rules``: the rules of a game."""

import sys
from collections.abc import Sequence

from ..game.variants import VARIANTS
from ..position import Position
from .arguments import Parser

_DESCRIPTION = """\
Print the rules of a game as bgnet plays it, with the position in which it starts.
Illegal plays are refused wherever you type them, with the law that they break."""
_EXAMPLES = """\
  bgnet rules
  bgnet rules russian"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet rules``; see ``bgnet.cli.main``."""
    parser = Parser("rules", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("game", nargs="?", choices=VARIANTS, default="backgammon",
                        metavar="GAME",
                        help=f"{', '.join(VARIANTS)} (default: %(default)s)")  # fmt: skip
    game = VARIANTS[parser.parse(sys.argv[2:] if argv is None else argv).game]
    print(f"{game.name}: {game.summary}\n\n{Position(variant=game)}\n\n{game.rulebook}")
    return 0
