"""``python -m training.halve NET OUT``: the same network in half precision, half the file.

Its numbers keep three digits, far more than it knows of backgammon. It is asked in single
precision as ever; only the file is smaller, so do this last: learning goes on from the original.
"""

import argparse
import sys
from pathlib import Path

from bgnet.engine.networks import find
from bgnet.nets.checkpoint import load_checkpoint, save_checkpoint

from .command import add_games, run
from .strength import measured


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.halve", description=__doc__)
    parser.add_argument("net", metavar="NET", help="the network to halve: path or name")
    parser.add_argument("out", metavar="OUT", type=Path, help="the checkpoint to write")
    add_games(parser)

    def work(args: argparse.Namespace) -> None:
        save_checkpoint(args.out, load_checkpoint(find(args.net)), half=True)
        halved = load_checkpoint(args.out)  # measured is what the file can hold
        save_checkpoint(args.out, measured(halved, args.games), half=True)

    return run(parser, arguments, work)


if __name__ == "__main__":
    sys.exit(main())
