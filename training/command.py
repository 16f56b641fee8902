"""What the small programs of training share: an option, and how they end."""

import argparse
import sys
from collections.abc import Callable

from bgnet.nets.checkpoint import CheckpointError
from bgnet.nets.encoding import EncoderError
from bgnet.nets.network import NetworkError

from .config import ConfigError


def add_games(parser: argparse.ArgumentParser) -> None:
    """``--games``, for programs that measure what they have made."""
    parser.add_argument("--games", type=int, default=1000, metavar="N",
                        help="games of the duels that tell its strength (default: %(default)s)")


def run(parser: argparse.ArgumentParser, arguments: list[str] | None,
        work: Callable[[argparse.Namespace], None]) -> int:
    """Do the work that a command line asks for.

    Args:
        parser: of the program; its ``prog`` is ``python -m NAME``.
        arguments: the words behind it; None takes those of this process.
        work: what to do.

    Returns:
        The exit status: 2 if something was refused, which is then told in a sentence, or 0.
    """
    args = parser.parse_args(arguments)
    try:
        work(args)
    except (CheckpointError, ConfigError, EncoderError, NetworkError, OSError) as error:
        print(f"{parser.prog.removeprefix('python -m ')}: {error}", file=sys.stderr)
        return 2
    return 0
