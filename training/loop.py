"""The training loop: rounds of play and learning, and now and then a report, a save, a duel."""

import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from tqdm import tqdm

from bgnet.engine.bearoff import Bearoff
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint, save_checkpoint
from bgnet.nets.network import Weights
from bgnet.nets.torch_network import ValueNet

from . import runs
from .config import Config
from .distributed import Group
from .metrics import Journal
from .online import Online
from .provenance import provenance
from .segments import Segments
from .strength import measure

#: Seconds between two lines of the journal.
REPORT_SECONDS = 5.0


class Interrupted(Exception):  # noqa: N818  what the user did, not an error
    """Somebody asked the run to stop; everything has been saved."""


class Method(Protocol):
    """A way of learning: ``Segments`` or ``Online``."""

    @property
    def steps(self) -> int:
        """Steps of learning so far."""

    def round(self, done: float) -> dict[str, float]:
        """Play and learn a little; numbers for the journal."""

    def weights(self) -> Weights:
        """The network to show."""

    def state(self) -> runs.State:
        """All that the next round depends on."""

    def restore(self, state: runs.State) -> None:
        """Go on from a state."""


@dataclass(eq=False)
class Counters:
    """How far a run has come."""

    games: int = 0
    minutes: float = 0.0


def train(config: Config, folder: Path, resume: bool, parent: str | None, device: str,
          group: Group) -> None:
    """Train until the job is done; one process of the group.

    Args:
        config: the job.
        folder: the run; exists already.
        resume: go on from its newest state.
        parent: path of a checkpoint to begin from.
        device: where torch computes.
        group: the processes that learn together.

    Raises:
        Interrupted: stopped by a signal, after saving.
        NotFiniteError: the loss is no number any more; the last state is still there.
        OSError: something could not be written; what was saved before is untouched.
    """
    torch.set_num_threads(config.threads)
    run = _Run(config, folder, parent, device, group)
    if resume:
        run.restore()
    stop = _StopSignal()
    try:
        run.loop(stop)
    finally:
        run.close()
    if stop.asked:
        raise Interrupted(f"stopped after {run.counters.games:,} games; everything is saved")


class _StopSignal:
    """Remembers that Ctrl-C or a polite kill came, so that a round can be finished first."""

    def __init__(self) -> None:
        self.asked = False
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self._note)

    def _note(self, number: int, frame: object) -> None:
        self.asked = True


class _Since:
    """Numbers and time since the last report."""

    def __init__(self) -> None:
        self._rounds: list[dict[str, float]] = []
        self._last = time.monotonic()
        self.seconds = 0.0

    def add(self, numbers: dict[str, float]) -> None:
        """Note what a round gave."""
        self._rounds.append(numbers)

    def lap(self) -> float:
        """Seconds since the last lap."""
        now = time.monotonic()
        lap, self._last = now - self._last, now
        self.seconds += lap
        return lap

    def skip(self) -> None:
        """What happened since the last lap was no training."""
        self._last = time.monotonic()

    def means(self) -> dict[str, float]:
        """Means over the rounds, rates over the time; begins anew."""
        names = dict.fromkeys(name for numbers in self._rounds for name in numbers)
        found = {name: [r[name] for r in self._rounds if name in r] for name in names}
        means = {name: float(np.nanmean(values)) for name, values in found.items()}
        for name, rate in (("new_games", "games_per_second"), ("new_steps", "steps_per_second")):
            del means[name]
            means[rate] = sum(found[name]) / self.seconds
        self._rounds.clear()
        self.seconds = 0.0
        return means


class _Run:
    """One process of a run."""

    def __init__(self, config: Config, folder: Path, parent: str | None, device: str,
                 group: Group) -> None:
        self.config, self.folder, self.group = config, folder, group
        variant = VARIANTS[config.variant]
        tables = config.bearoff and variant.homes_apart
        self.exact = Bearoff(variant.men) if tables else None
        for_weights, *for_ranks = np.random.SeedSequence(config.seed).spawn(1 + group.size)
        generator = torch.Generator().manual_seed(int(for_weights.generate_state(1)[0]))
        net = ValueNet(config.architecture, generator)
        self.parent = None
        if parent is not None:
            checkpoint = load_checkpoint(parent)
            net.load(checkpoint.parts[-1].weights)
            self.parent = checkpoint.fingerprint
        net.to(device)
        seeds = for_ranks[group.rank]
        self.method: Method
        if config.method == "online":
            self.method = Online(config, net, self.exact, seeds)
        else:
            self.method = Segments(config, net, self.exact, seeds, group)
        self.counters = Counters()
        self.journal = Journal(folder, config.to_toml()) if group.leads else None

    def loop(self, stop: _StopSignal) -> None:
        """Rounds of play and learning until the job is done or somebody asks to stop."""
        config, counters = self.config, self.counters
        done = config.progress(counters.games, counters.minutes)
        bar = tqdm(total=1000, initial=round(1000 * done), bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}",
                   disable=not self.group.leads)  # fmt: skip
        saved = measured = counters.minutes
        since = _Since()
        while True:
            done = config.progress(counters.games, counters.minutes)
            done, asked = self.group.from_leader([done, stop.asked])
            if done >= 1 or asked:
                break
            numbers = self.method.round(done)
            numbers["new_games"], = self.group.total([numbers["new_games"]])
            since.add(numbers)
            counters.games += int(numbers["new_games"])
            counters.minutes, = self.group.from_leader([counters.minutes + since.lap() / 60])
            if since.seconds >= REPORT_SECONDS and self.journal is not None:
                self._report(since.means(), bar, self.journal)
            if counters.minutes - saved >= config.save_minutes:
                saved = counters.minutes
                self.save()
            if config.duel_minutes and counters.minutes - measured >= config.duel_minutes:
                measured = counters.minutes
                self._measure(bar)
                since.skip()
        stop.asked = bool(asked)
        self.save()
        if not asked:
            self._measure(bar)
        bar.close()

    def _report(self, numbers: dict[str, float], bar: tqdm, journal: Journal) -> None:
        """Tell the journal and the progress bar."""
        counters = self.counters
        journal.note(counters.games, counters.minutes, numbers | {"games": float(counters.games)})
        bar.n = round(1000 * self.config.progress(counters.games, counters.minutes))
        loss = f", loss {numbers['loss']:.4f}" if "loss" in numbers else ""
        bar.set_postfix_str(
            f"{counters.games:,} games, {numbers['games_per_second']:.0f} games/s{loss}"
        )

    def _measure(self, bar: tqdm) -> None:
        """Duels of the network to show; the other processes wait."""
        if self.journal is not None:
            found = measure(self.method.weights(), self.config, self.exact)
            self.journal.note(self.counters.games, self.counters.minutes, found)
            bar.write(f"{self.counters.games:,} games: " + ", ".join(
                f"{found[f'duel/{name}']:+.3f} ± {found[f'duel_error/{name}']:.3f} against {name}"
                for name in self.config.opponents))  # fmt: skip
        self.group.wait()

    def save(self) -> None:
        """Write the state of every process, then the network."""
        state = self.method.state()
        state = replace(state, counters=vars(self.counters) | state.counters)
        temporary = self.folder / ".state.tmp"
        runs.write_rank(temporary, self.group.rank, state)
        self.group.wait()
        if self.group.leads:
            runs.publish(self.folder, temporary, self.counters.games)
            history = provenance(self.config, vars(self.counters), self.method.steps, self.parent)
            checkpoint = Checkpoint((Part(self.method.weights()),), history)
            save_checkpoint(self.folder / "net.safetensors", checkpoint)
        self.group.wait()

    def restore(self) -> None:
        """Go on from the newest state of the folder."""
        state = runs.read_rank(self.folder, self.group.rank, self.group.size)
        self.method.restore(state)
        self.counters = Counters(int(state.counters["games"]), state.counters["minutes"])

    def close(self) -> None:
        """Finish writing."""
        if self.journal is not None:
            self.journal.close()
