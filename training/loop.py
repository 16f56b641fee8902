"""The training loop: rounds of play and learning, and now and then a report, a save, a duel."""

import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from tqdm import tqdm

from bgnet.engine.evaluator import Evaluator
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Checkpoint, Part, save_checkpoint
from bgnet.nets.torch_network import ValueNet, net_of, new_net, torch_logits

from . import runs
from .config import Config
from .distributed import Group
from .metrics import Journal
from .online import Online
from .provenance import provenance
from .scouting import new_scouting
from .segments import Segments
from .strength import measure
from .widen import widened

#: Seconds between two lines of the journal.
REPORT_SECONDS = 5.0
BAR_UNITS = 1000


class Interrupted(Exception):
    """Somebody asked the run to stop; everything has been saved."""


class Method(Protocol):
    """A way of learning: ``Segments`` or ``Online``."""

    @property
    def steps(self) -> int:
        """Steps of learning so far."""

    def round(self, done: float) -> dict[str, float]:
        """Play and learn a little; numbers for the journal."""

    def parts(self) -> tuple[Part, ...]:
        """The networks to show, the real one last."""

    def state(self) -> runs.State:
        """All that the next round depends on."""

    def restore(self, state: runs.State) -> None:
        """Go on from a state."""


@dataclass(eq=False)
class Counters:
    """How far a run has come."""

    games: int = 0
    minutes: float = 0.0


def train(config: Config, folder: Path, resume: bool, ancestor: Checkpoint | None, device: str,
          group: Group) -> None:
    """Train until the job is done; one process of the group.

    Args:
        config: the job.
        folder: the run: new, or the one to resume.
        resume: go on from its newest state.
        ancestor: a network of the same architecture to begin from.
        device: where torch computes.
        group: the processes that learn together.

    Raises:
        Interrupted: stopped by a signal, after saving; told by the leader alone.
        NotFiniteError: the loss is no number any more; the last state is still there.
        OSError: something could not be written; what was saved before is untouched.
    """
    torch.set_num_threads(config.threads)
    with _Signals() as signals:
        run = _Run(config, folder, ancestor, device, group)
        run.begin(resume)
        try:
            finished = run.loop(signals)
        finally:
            run.close()
    if not finished and group.leads:
        raise Interrupted(f"stopped after {run.counters.games:,} games; everything is saved")


class _Signals:
    """Remembers a Ctrl-C or a polite kill, so that a round can be finished; a second one kills."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> "_Signals":
        names = (signal.SIGINT, signal.SIGTERM)
        self._before = {name: signal.signal(name, self._note) for name in names}
        return self

    def __exit__(self, *error: object) -> None:
        for name, handler in self._before.items():
            signal.signal(name, handler)

    def _note(self, number: int, frame: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
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

    def __init__(self, config: Config, folder: Path, ancestor: Checkpoint | None, device: str,
                 group: Group) -> None:
        self.config, self.folder, self.group = config, folder, group
        self.exact = config.exact()
        for_weights, *for_ranks = np.random.SeedSequence(config.seed).spawn(1 + group.size)
        generator = torch.Generator().manual_seed(int(for_weights.generate_state(1)[0]))
        net = new_net(config.architecture, generator)
        self.parent = None
        if ancestor is not None:
            net.load(widened(ancestor.main, net.weights()))
            self.parent = ancestor.fingerprint
        net.to(device)
        scouting = new_scouting(config, ancestor, self.exact, for_weights.spawn(1)[0], device)
        seeds = for_ranks[group.rank]
        self.method: Method
        if config.method == "online" and isinstance(net, ValueNet):
            self.method = Online(config, net, self.exact, seeds)
        else:
            self.method = Segments(config, net, scouting, self.exact, seeds, group)
        self.counters = Counters()
        self.strength: dict[str, float] = {}
        self.journal: Journal | None = None

    def begin(self, resume: bool) -> None:
        """Take up the newest state of the folder, or save a first one in a new folder."""
        if resume:
            self._restore()
        if self.group.leads:
            if resume:
                runs.write_config(self.folder, self.config)
            else:
                runs.create(self.folder, self.config)
            self.journal = Journal(self.folder, self.config.to_toml(), self.counters.games)
        self.group.wait()
        if not resume:
            self.save()

    def loop(self, signals: _Signals) -> bool:
        """Rounds of play and learning until the job is done, or somebody asks to stop.

        Returns:
            Whether the job is done.
        """
        config, counters, group = self.config, self.counters, self.group
        done = config.progress(counters.games, counters.minutes)
        bar = progress_bar(config, done, hidden=not group.leads)
        saved = measured = counters.minutes
        since = _Since()
        while done < 1:
            if group.from_leader(signals.asked):
                self.save()
                bar.close()
                return False
            numbers = self.method.round(done)
            numbers["new_games"] = group.total(numbers["new_games"])
            since.add(numbers)
            counters.games += int(numbers["new_games"])
            counters.minutes = group.from_leader(counters.minutes + since.lap() / 60)
            done = config.progress(counters.games, counters.minutes)
            if since.seconds >= REPORT_SECONDS:
                self._report(since.means(), done, bar)
            if counters.minutes - saved >= config.save_minutes:
                saved = counters.minutes
                self.save()
            if config.duel_minutes and counters.minutes - measured >= config.duel_minutes:
                measured = counters.minutes
                self._measure(bar)
                since.skip()
        self.save()
        self._measure(bar)
        bar.n = bar.total
        bar.close()
        return True

    def _report(self, numbers: dict[str, float], done: float, bar: tqdm) -> None:
        """Tell the journal and the progress bar."""
        if self.journal is None:
            return
        games = self.counters.games
        self.journal.note(games, self.counters.minutes, numbers | {"games": float(games)})
        bar.n = round(BAR_UNITS * done)
        loss = f", loss {numbers['loss']:.4f}" if "loss" in numbers else ""
        bar.set_postfix_str(f"{games:,} games, {numbers['games_per_second']:.0f} games/s{loss}")

    def _measure(self, bar: tqdm) -> None:
        """Duels of the network to show, noted in its file; the other processes wait."""
        if self.journal is not None:
            ask = torch_logits(net_of(self.method.parts()[-1].weights))
            evaluator = Evaluator(VARIANTS[self.config.variant], ask, self.exact)
            self.strength = measure(evaluator, self.config)
            self.journal.note(self.counters.games, self.counters.minutes, self.strength)
            bar.write(f"{self.counters.games:,} games: " + ", ".join(
                f"{self.strength[f'duel/{name}']:+.3f} ± {self.strength[f'duel_error/{name}']:.3f} "
                f"against {name}" for name in self.config.opponents))  # fmt: skip
            self._save_network()
        self.group.wait()

    def save(self) -> None:
        """Write the state of every process, then the network."""
        state = self.method.state()
        counters = vars(self.counters) | state.counters
        temporary = self.folder / ".state.tmp"
        runs.write_rank(temporary, self.group.rank,
                        replace(state, counters=counters, parent=self.parent))  # fmt: skip
        self.group.wait()
        if self.group.leads:
            runs.publish(self.folder, temporary, self.counters.games)
            self._save_network()
        self.group.wait()

    def _save_network(self) -> None:
        """Write the network to show, with its history."""
        history = provenance(self.config, vars(self.counters), self.method.steps, self.parent,
                             self.strength)  # fmt: skip
        save_checkpoint(self.folder / "net.safetensors",
                        Checkpoint(self.method.parts(), history))  # fmt: skip

    def _restore(self) -> None:
        """Go on from the newest state of the folder."""
        state = runs.read_rank(self.folder, self.group.rank, self.group.size)
        self.method.restore(state)
        self.parent = state.parent
        self.counters = Counters(int(state.counters["games"]), state.counters["minutes"])

    def close(self) -> None:
        """Finish writing."""
        if self.journal is not None:
            self.journal.close()


def progress_bar(config: Config, done: float, hidden: bool) -> tqdm:
    """The bar of a run: the share that is done and the time left, or with no limit the time."""
    total = BAR_UNITS if config.minutes or config.games else None
    shape = "{l_bar}{bar}| {elapsed}<{remaining}{postfix}" if total else "{elapsed}{postfix}"
    return tqdm(total=total, initial=round(BAR_UNITS * done), bar_format=shape, disable=hidden)
