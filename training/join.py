"""``python -m training.join NET RACE OUT``: a network, and another that answers for it in races."""

import argparse
import sys
from pathlib import Path

from bgnet.engine.networks import find
from bgnet.nets.checkpoint import (
    Checkpoint,
    CheckpointError,
    Part,
    load_checkpoint,
    save_checkpoint,
)

from .command import run


def join(net: Checkpoint, race: Checkpoint) -> Checkpoint:
    """One checkpoint of two networks.

    Args:
        net: answers where men may still be hit; its scout stays with it.
        race: its main network answers in races. Its history is kept under ``race``; nobody's
            strength, since it says nothing of the pair.

    Raises:
        CheckpointError: they play different games.
    """
    if net.variant != race.variant:
        raise CheckpointError(f"a network of {net.variant} cannot be joined with one of "
                              f"{race.variant}")  # fmt: skip
    ahead = [] if net.scout is None else [net.scout]
    parts = (*ahead, Part(race.main, "race"), Part(net.main))
    own, its = (
        {key: value for key, value in checkpoint.history.items() if key != "strength"}
        for checkpoint in (net, race)
    )
    return Checkpoint(parts, own | {"race": its})


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.join", description=__doc__)
    parser.add_argument("net", metavar="NET", help="answers elsewhere: path or name")
    parser.add_argument("race", metavar="RACE", help="answers in races: path or name")
    parser.add_argument("out", metavar="OUT", type=Path, help="the checkpoint to write")

    def work(args: argparse.Namespace) -> None:
        net, race = (load_checkpoint(find(name)) for name in (args.net, args.race))
        save_checkpoint(args.out, join(net, race))

    return run(parser, arguments, work)


if __name__ == "__main__":
    sys.exit(main())
