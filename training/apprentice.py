"""``python -m training.apprentice NET OUT --hidden N ...``: a smaller network that learns from a
larger one how it judges the plays of its own games.

A network is asked a thousand times for each time that it learns, so a smaller one pays. It begins
with the units of the larger that are heard most, learns what the larger says, and may then be
polished on its own. (Hinton, Vinyals & Dean, *Distilling the knowledge in a neural network*, 2015.)
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from bgnet.engine.evaluator import Evaluator
from bgnet.engine.networks import find
from bgnet.engine.player import best_rows
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import (
    Checkpoint,
    Part,
    load_checkpoint,
    save_checkpoint,
)
from bgnet.nets.network import NetworkError, Weights
from bgnet.nets.torch_network import ValueNet, net_of, torch_logits

from .command import add_games, run
from .config import ConfigError
from .learner import Learner
from .selfplay import Table, worth
from .strength import config_of, measured

#: Games at once, plays of a turn that are learnt, positions of a step, the highest level of noise.
_GAMES, _SOME, _BATCH, _NOISE = 512, 4096, 512, 0.1
#: What the master's history says of the master alone.
_OUTLIVED = ("strength", "mean", "apprentice")
#: First and last learning rate; share that the mean of the recent weights keeps at each step.
_RATES, _AVERAGE = (1e-3, 1e-5), 0.999


def lessons(evaluator: Evaluator, scoring: str, rng: np.random.Generator, noise: float = 0.0
            ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What a network says of the plays of its own games, turn after turn for ever.

    Args:
        evaluator: the network; it plays many games at once.
        scoring: what the games are played for.
        rng: dice, and which plays are told.
        noise: how far games are played below one's best, see ``Config``.

    Yields:
        ``(k, width)`` int8 positions after plays of a turn, ``(k, 6)`` float32 chances there.
    """
    table = Table.fresh(evaluator.variant, _GAMES, rng, noise)
    while True:
        plays = evaluator.variant.legal_plays(table.rows, table.rolls)
        values, chances, known = worth(evaluator, plays, scoring)
        some = rng.permutation(len(values))[:_SOME]
        yield plays.boards[some], chances[some]
        made = best_rows(values + table.disturbance(plays), plays, _GAMES)
        table.advance(plays.boards[made], chances[made], known[made])


def narrowed(wide: Weights, hidden: tuple[int, ...], rows: np.ndarray) -> Weights:
    """A network of the units that are heard most, the others replaced by what they say on average.

    Args:
        wide: the larger network.
        hidden: units of each hidden layer to keep, no more than there are.
        rows: ``(n, width)`` int8, positions on which units are listened to.

    Returns:
        Weights of that width; the units keep their order.

    Raises:
        NetworkError: as many layers or units as that are not there.
    """
    if wide.architecture.stack:
        plans = wide.architecture.division.of(rows)
        of_each = [rows[plans == number] for number in range(len(wide.members))]
        members = [narrowed(member, hidden, some if len(some) else rows)
                   for member, some in zip(wide.members, of_each, strict=True)]  # fmt: skip
        return Weights.joined(replace(wide.architecture, hidden=hidden), members)
    before = wide.architecture.hidden
    if len(hidden) != len(before) or any(k > n for k, n in zip(hidden, before, strict=True)):
        raise NetworkError(f"a network of {'-'.join(map(str, before))} units cannot be narrowed to "
                           f"{'-'.join(map(str, hidden))}")  # fmt: skip
    net = ValueNet(wide.architecture)
    net.load(wide)
    sums, says = net.inputs(rows), list[np.ndarray]()
    with torch.no_grad():
        for layer in net.linear[:-1]:
            sums = net.activation(layer(sums))
            says.append(sums.numpy())
    layers = [[weight.copy(), bias.copy()] for weight, bias in wide.layers]
    for at in reversed(range(len(hidden))):  # from the answer down: only who is kept hears
        weight, bias = layers[at + 1]
        loud = says[at].std(axis=0) * np.linalg.norm(weight, axis=0)
        heard = np.sort(np.argsort(loud)[len(loud) - hidden[at] :])
        left_out = np.delete(np.arange(len(loud)), heard)
        average = says[at].mean(axis=0)[left_out]
        layers[at + 1] = [weight[:, heard], bias + weight[:, left_out] @ average]
        layers[at] = [array[heard] for array in layers[at]]
    made_of = replace(wide.architecture, hidden=hidden)
    return Weights(made_of, tuple((weight, bias) for weight, bias in layers))


def apprentice(master: Checkpoint, hidden: tuple[int, ...], minutes: float, seed: int
               ) -> Checkpoint:
    """A smaller network that has learnt from a larger one.

    Args:
        master: the larger; its scout goes with the apprentice.
        hidden: units of each hidden layer, see ``narrowed``.
        minutes: how long to learn.
        seed: decides the games.

    Raises:
        ConfigError: the master's history tells of settings that this version does not know.
        NetworkError: see ``narrowed``.
    """
    config = replace(config_of(master), hidden=hidden, seed=seed)
    teacher = torch_logits(net_of(master.main))
    evaluator = Evaluator(VARIANTS[master.variant], teacher, config.exact())
    turns = lessons(evaluator, config.scoring, np.random.default_rng(seed), _NOISE)
    start = narrowed(master.main, hidden, next(turns)[0])
    learner = Learner(net_of(start), _AVERAGE)
    learnt = _follow(learner, turns, 60 * minutes)
    scout = [] if master.scout is None else [master.scout]
    history = {key: value for key, value in master.history.items() if key not in _OUTLIVED}
    return Checkpoint((*scout, Part(learner.averaged_weights())), history | {
        "config": config.to_dict(), "parent": master.fingerprint,
        "apprentice": {"minutes": minutes, "positions": learnt},
    })  # fmt: skip


def _follow(learner: Learner, turns: Iterator[tuple[np.ndarray, np.ndarray]], seconds: float
            ) -> int:
    """Learn from a master's lessons for so long; the number of positions learnt."""
    first, last = _RATES
    begin, learnt, done = time.monotonic(), 0, 0.0
    with tqdm(total=1000, bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}") as bar:
        while done < 1:
            done = min(1.0, (time.monotonic() - begin) / seconds)
            learner.set_rate(first * (last / first) ** done)
            rows, chances = next(turns)
            loss = 0.0
            for start in range(0, len(rows), _BATCH):
                part = slice(start, start + _BATCH)
                loss = learner.learn(rows[part], chances[part]).item()
            learnt += len(rows)
            bar.set_postfix_str(f"{learnt:,} positions, loss {loss:.4f}", refresh=False)
            bar.update(round(1000 * done) - bar.n)
    return learnt


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.apprentice", description=__doc__)
    parser.add_argument("net", metavar="NET", help="the network to learn from: path or name")
    parser.add_argument("out", metavar="OUT", type=Path, help="the checkpoint to write")
    parser.add_argument("--hidden", type=int, nargs="+", required=True, metavar="N",
                        help="units of each hidden layer, no more than NET has")
    parser.add_argument("--minutes", type=float, default=5.0, metavar="M",
                        help="how long to learn (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides the games (default: 1)")
    add_games(parser)

    def work(args: argparse.Namespace) -> None:
        if not args.minutes > 0:
            raise ConfigError(f"minutes must be more than 0, not {args.minutes}")
        master = load_checkpoint(find(args.net))
        found = apprentice(master, tuple(args.hidden), args.minutes, args.seed)
        save_checkpoint(args.out, measured(found, args.games))

    return run(parser, arguments, work)


if __name__ == "__main__":
    sys.exit(main())
