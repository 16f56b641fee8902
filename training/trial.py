"""``python -m training.trial NET --hidden N ... --plans P``: would another shape know more?

A trial answers in minutes what a training run answers in hours. The network plays noisy games and
labels their positions by its own look-ahead, once; each shape begins with what the network knows,
learns the same labels, and is then asked of positions that it has not seen. Only what is learnt
beyond the first line, the network itself, tells of a shape: whether the labels are right is for a
real run to find out.
"""

import argparse
import io
import sys
import zipfile
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from bgnet.engine.evaluator import Evaluator
from bgnet.engine.networks import evaluator_of, find
from bgnet.engine.player import best_rows
from bgnet.engine.search import Search
from bgnet.game.plays import Plays
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import load_checkpoint, write_whole
from bgnet.nets.network import Weights
from bgnet.nets.outcomes import equity
from bgnet.nets.torch_network import net_of, new_net, torch_logits

from .command import run
from .config import Config, ConfigError, check_ancestor
from .learner import Learner, batches
from .selfplay import Table, play
from .strength import config_of
from .widen import widened

_GAMES, _TURNS, _NOISE = 256, 8, 0.1
#: Turns before the first label, so that games are met in all their stages.
_UNDER_WAY = 64
#: Plays that fall so far below the best, in points, are not worth telling apart.
_PLAUSIBLE = 0.2
#: Decisions to compare choices by.
_DECISIONS = 8192
#: Share of the labels that nobody learns.
_HELD_OUT = 0.03
_BATCH, _AVERAGE, _RATES = 512, 0.999, (1e-3, 1e-5)


@dataclass(frozen=True, eq=False)
class Labels:
    """What look-ahead says of positions, and of plays to choose from."""

    rows: np.ndarray
    """``(n, width)`` int8, positions of games as they went, seen by the side that rolls."""
    chances: np.ndarray
    """``(n, 6)`` float32."""
    boards: np.ndarray
    """``(m, width)`` int8, plausible plays of some decisions."""
    owner: np.ndarray
    """``(m,)`` int64, whose they are, ascending."""
    again: np.ndarray
    """``(m,)`` bool, after which the same side decides."""
    worth: np.ndarray
    """``(m,)`` float32, points to the side that plays."""

    @property
    def plays(self) -> Plays:
        """The plays to choose from."""
        return Plays(self.boards, self.owner, self.again if self.again.any() else None)

    def save(self, path: Path) -> None:
        """Write them, whole or not at all."""
        buffer = io.BytesIO()
        np.savez(buffer, **{field.name: getattr(self, field.name) for field in fields(self)})
        write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Labels":
        """Read what ``save`` wrote.

        Raises:
            ConfigError: it is no file of labels.
        """
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return cls(**{field.name: arrays[field.name] for field in fields(cls)})
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            raise ConfigError(f"{path} is no file of labels") from None


def gather(evaluator: Evaluator, config: Config, wanted: int, rng: np.random.Generator) -> Labels:
    """Positions and plays of noisy games, labelled by one ply of look-ahead.

    Args:
        evaluator: who plays and looks ahead.
        config: says what games are played for and where they begin.
        wanted: least number of positions; of the plays there are always equally many.
        rng: dice and noise.
    """
    table = Table.fresh(evaluator.variant, _GAMES, rng, _NOISE, config.starts)
    play(table, evaluator, _UNDER_WAY, config.scoring)
    search, rows, chances = Search(evaluator, 1, config.scoring), [], []
    with tqdm(total=wanted, desc="labels", unit=" positions") as bar:
        while bar.n < wanted:
            met = play(table, evaluator, _TURNS, config.scoring).rows
            rows.append(met.reshape(-1, evaluator.variant.width))
            chances.append(search.outcomes(rows[-1]))
            bar.update(len(rows[-1]))
    table = Table.fresh(evaluator.variant, _DECISIONS, rng, _NOISE / 3)
    play(table, evaluator, _UNDER_WAY, config.scoring)
    plays = evaluator.variant.legal_plays(table.rows, table.rolls)
    values = plays.sign() * equity(evaluator.outcomes(plays.boards), config.scoring)
    best = np.maximum.reduceat(values, plays.firsts(_DECISIONS))
    plays = plays.take(np.flatnonzero(values > best[plays.owner] - _PLAUSIBLE))
    really = plays.sign() * equity(search.outcomes(plays.boards), config.scoring)
    again = np.zeros(len(really), bool) if plays.again is None else plays.again
    return Labels(np.concatenate(rows), np.concatenate(chances), plays.boards, plays.owner, again,
                  really)  # fmt: skip


def report(weights: Weights, labels: Labels, config: Config) -> str:
    """How far a network is from what look-ahead says, in a line."""
    variant = VARIANTS[config.variant]
    evaluator = Evaluator(variant, torch_logits(net_of(weights)), config.exact())
    error = equity(evaluator.outcomes(labels.rows) - labels.chances, config.scoring)
    plays, really = labels.plays, labels.worth
    values = plays.sign() * equity(evaluator.outcomes(plays.boards), config.scoring)
    decisions = int(plays.owner[-1]) + 1
    best, made = best_rows(really, plays, decisions), best_rows(values, plays, decisions)
    lost = 1000 * (really[best] - really[made])
    return (f"error {_root(error):.4f} points, of plays {_root(values - really):.4f}; lost by "
            f"choosing {lost.mean():.2f} ± {lost.std() / np.sqrt(decisions):.2f} millipoints")


def _root(errors: np.ndarray) -> float:
    """Root mean square."""
    return float(np.sqrt(np.square(errors).mean()))


def learn(start: Weights, labels: Labels, passes: int, rng: np.random.Generator) -> Weights:
    """A network that has learnt the labels, so many times each."""
    learner = Learner(net_of(start), _AVERAGE)
    first, last = _RATES
    parts = batches(len(labels.rows), len(labels.rows), _BATCH, passes, rng)
    for step, part in enumerate(tqdm(parts, desc="learning", unit=" steps")):
        learner.set_rate(first * (last / first) ** (step / len(parts)))
        learner.learn(labels.rows[part], labels.chances[part])
    return learner.averaged_weights()


def trial(net: str, file: Path, changes: dict[str, Any], positions: int, passes: int, seed: int
          ) -> None:
    """Print what a network knows, and what it would as another shape.

    Args:
        net: the checkpoint's path or name.
        file: labels: read if it is there, else made and written.
        changes: fields of the architecture that differ from the network's.
        positions: to label.
        passes: how often each is learnt.
        seed: decides games, new weights and shuffles.

    Raises:
        CheckpointError, ConfigError, EncoderError, NetworkError: something does not fit or cannot
            be read.
    """
    checkpoint = load_checkpoint(find(net))
    config, before = config_of(checkpoint), checkpoint.main.architecture
    after = replace(before, **changes)
    check_ancestor(before, after)
    rng = np.random.default_rng(seed)
    if not file.exists():
        gather(evaluator_of(checkpoint, fast=True), config, positions, rng).save(file)
    labels = Labels.load(file)
    told = len(labels.rows) - round(_HELD_OUT * len(labels.rows))
    school, exam = (replace(labels, rows=labels.rows[some], chances=labels.chances[some])
                    for some in (slice(told), slice(told, None)))  # fmt: skip
    print(f"{before}, as it is: {report(checkpoint.main, exam, config)}")
    fresh = new_net(after, torch.Generator().manual_seed(seed)).weights()
    taught = learn(widened(checkpoint.main, fresh), school, passes, rng)
    print(f"{after}, {passes} x {told:,}: {report(taught, exam, config)}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.trial", description=__doc__)
    parser.add_argument("net", metavar="NET", help="the network to begin from")
    parser.add_argument("labels", metavar="FILE", type=Path,
                        help="labels (.npz): read if it is there, else made from NET and kept")
    parser.add_argument("--hidden", type=int, nargs="+", metavar="N", help="units of each layer")
    parser.add_argument("--plans", help="game plans with weights of their own")
    parser.add_argument("--encoder", help="what the network sees")
    parser.add_argument("--positions", type=int, default=1_000_000, metavar="N",
                        help="positions to label (default: %(default)s)")
    parser.add_argument("--passes", type=int, default=4, metavar="N",
                        help="times each is learnt (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides all chance (default: 1)")

    def work(args: argparse.Namespace) -> None:
        if min(args.positions, args.passes) < 1:
            raise ConfigError("positions and passes must be at least 1")
        hidden = args.hidden and tuple(args.hidden)
        shape = {"hidden": hidden, "plans": args.plans, "encoder": args.encoder}
        changes = {name: value for name, value in shape.items() if value is not None}
        torch.set_num_threads(1)
        trial(args.net, args.labels, changes, args.positions, args.passes, args.seed)

    return run(parser, arguments, work)


if __name__ == "__main__":
    sys.exit(main())
