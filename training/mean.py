"""``python -m training.mean NET NET ... OUT``: the mean of networks that grew from one.

Runs from the same network that saw other games err in other directions; the mean of their weights
has less of each one's error and costs nothing to ask (Wortsman et al., *Model soups*, 2022).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from bgnet.engine.networks import find
from bgnet.nets.checkpoint import (
    Checkpoint,
    CheckpointError,
    Part,
    load_checkpoint,
    save_checkpoint,
)
from bgnet.nets.network import Weights

from .command import add_games, run
from .strength import measured


def mean(checkpoints: list[Checkpoint]) -> Checkpoint:
    """The mean of networks.

    Args:
        checkpoints: one or more, of equal make. The first gives its scout, and its history, with
            the others' under ``mean``; nobody's strength, since it says nothing of the mean.

    Raises:
        CheckpointError: they differ in make, so that their weights do not correspond.
    """
    first = checkpoints[0]
    made_of = [[(part.when, part.weights.architecture) for part in _heard(checkpoint)]
               for checkpoint in checkpoints]  # fmt: skip
    if any(made != made_of[0] for made in made_of):
        raise CheckpointError("only networks of equal make have a mean, by rights those that grew "
                              "from one")  # fmt: skip
    parts = [Part(_mean([part.weights for part in equal]), equal[0].when)
             for equal in zip(*map(_heard, checkpoints), strict=True)]  # fmt: skip
    ahead = [] if first.scout is None else [first.scout]
    own, *others = [
        {key: value for key, value in checkpoint.history.items() if key != "strength"}
        for checkpoint in checkpoints
    ]
    return Checkpoint((*ahead, *parts), own | {"mean": others})


def _heard(checkpoint: Checkpoint) -> list[Part]:
    """The networks that answer: all but the scout."""
    return [part for part in checkpoint.parts if part.when != "scout"]


def _mean(weights: list[Weights]) -> Weights:
    """The mean of each number."""
    layers = []
    for layer in zip(*(w.layers for w in weights), strict=True):
        weight, bias = (np.stack(arrays).mean(axis=0) for arrays in zip(*layer, strict=True))
        layers.append((weight, bias))
    return Weights(weights[0].architecture, tuple(layers))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.mean", description=__doc__)
    parser.add_argument("nets", metavar="NET", nargs="+", help="two networks or more, path or name")
    parser.add_argument("out", metavar="OUT", type=Path, help="the checkpoint to write")
    add_games(parser)

    def work(args: argparse.Namespace) -> None:
        found = mean([load_checkpoint(find(net)) for net in args.nets])
        save_checkpoint(args.out, measured(found, args.games))

    return run(parser, arguments, work)


if __name__ == "__main__":
    sys.exit(main())
