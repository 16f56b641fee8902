"""The training loop: play, learn, report, save, and now and then measure."""

import signal
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from bgnet.engine.bearoff import Bearoff
from bgnet.engine.evaluator import Exact
from bgnet.game.scoring import SCORINGS
from bgnet.game.variants import VARIANTS, Variant
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint, save_checkpoint
from bgnet.nets.torch_network import ValueNet

from . import runs
from .config import Config
from .distributed import Group
from .learner import Learner, batches, examples
from .metrics import Calibration, Journal
from .provenance import provenance
from .selfplay import Finished, Segment, Table, play
from .strength import measure


#: Seconds between two lines of the journal.
REPORT_SECONDS = 5.0


class Interrupted(Exception):  # noqa: N818  what the user did, not an error
    """Somebody asked the run to stop; everything has been saved."""


@dataclass(eq=False)
class Counters:
    """How far a run has come."""

    games: int = 0
    minutes: float = 0.0
    rounds: int = 0


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
        self.variant: Variant = VARIANTS[config.variant]
        self.exact: Exact | None = None
        if config.bearoff and self.variant.homes_apart:
            self.exact = Bearoff(self.variant.men)
        weights_seed, *own = np.random.SeedSequence(config.seed).spawn(1 + 2 * group.size)
        play_seed, shuffle_seed = own[2 * group.rank : 2 * group.rank + 2]
        generator = torch.Generator().manual_seed(int(weights_seed.generate_state(1)[0]))
        net = ValueNet(config.architecture, generator)
        self.parent = None
        if parent is not None:
            checkpoint = load_checkpoint(parent)
            net.load(checkpoint.parts[-1].weights)
            self.parent = checkpoint.fingerprint
        self.learner = Learner(net.to(device), config.average)
        self.table = Table.fresh(self.variant, config.lockstep, np.random.default_rng(play_seed))
        self.shuffle = np.random.default_rng(shuffle_seed)
        self.counters = Counters()
        self.calibration = Calibration(config.lockstep)
        self.journal = Journal(folder, config.to_toml()) if group.leads else None

    def loop(self, stop: _StopSignal) -> None:
        """Rounds of play and learning until the job is done or somebody asks to stop."""
        config, counters = self.config, self.counters
        bar = tqdm(total=1000, bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}",
                   disable=not self.group.leads)  # fmt: skip
        saved = measured = counters.minutes
        since = _Since()
        while True:
            done = config.progress(counters.games, counters.minutes)
            done, asked = self.group.from_leader([done, stop.asked])
            if done >= 1 or asked:
                break
            since.add(self._round(done))
            counters.minutes += since.lap() / 60
            counters.rounds += 1
            if since.seconds >= REPORT_SECONDS:
                self._report(since.means(), bar)
            elapsed, = self.group.from_leader([counters.minutes])
            if elapsed - saved >= config.save_minutes:
                saved = elapsed
                self.save()
            if config.duel_minutes and elapsed - measured >= config.duel_minutes:
                measured = elapsed
                self._measure(bar)
                since.skip()
        stop.asked = bool(asked)
        bar.close()
        self.save()

    def _round(self, done: float) -> dict[str, float]:
        """Play one segment and learn from it."""
        config, learner, net = self.config, self.learner, self.learner.net
        learner.set_rate(config.learning_rate(done))
        lam = config.lam_at(done)
        segment = play(self.table, net, config.segment, config.scoring, self.exact)
        inputs, targets, allowed = examples(segment, self.variant, net, lam)
        parts = batches(len(inputs), config.batch, config.passes, self.shuffle)
        losses = [
            learner.learn(inputs[part], targets[part], allowed[part], self.group.average_gradients)
            for part in parts
        ]
        finished = self.table.finished()
        new_games, = self.group.total([len(finished.turns)])
        self.counters.games += int(new_games)
        numbers = {"loss": float(np.mean(losses)), "new_games": new_games,
                   "new_steps": float(len(parts)), "learning_rate": config.learning_rate(done),
                   "lambda": lam, "games": float(self.counters.games)}  # fmt: skip
        return numbers | self._of_play(segment, targets.cpu().numpy(), finished)

    def _of_play(self, segment: Segment, targets: np.ndarray, finished: Finished
                 ) -> dict[str, float]:
        """What the play of a segment looked like; the leader's own games."""
        points = SCORINGS[self.config.scoring]
        for t, ended in enumerate(segment.ended):
            again = None if segment.again is None else segment.again[t]
            self.calibration.watch(segment.next_values[t, :, :3].sum(axis=1), again, ended)
        predicted = segment.next_values[:-1] @ points
        wanted = targets.reshape(segment.next_values.shape)[1:] @ points
        going = ~segment.ended[:-1]
        numbers = {"td_error": float(np.sqrt(np.square(wanted - predicted)[going].mean()))}
        if len(finished.turns):
            chances = finished.outcomes.mean(axis=0)
            numbers |= {
                "game_length": float(finished.turns.mean()),
                "gammon_rate": float(chances[[1, 2, 4, 5]].sum()),
                "backgammon_rate": float(chances[[2, 5]].sum()),
                "calibration": self.calibration.error(),
            }
        return numbers

    def _report(self, numbers: dict[str, float], bar: tqdm) -> None:
        """Tell the journal and the progress bar."""
        if self.journal is None:
            return
        counters = self.counters
        self.journal.note(counters.games, counters.minutes, numbers)
        bar.n = round(1000 * self.config.progress(counters.games, counters.minutes))
        bar.set_postfix_str(
            f"{counters.games:,} games, {numbers['games_per_second']:.0f} games/s, "
            f"loss {numbers['loss']:.4f}"
        )

    def _measure(self, bar: tqdm) -> None:
        """Duels of the averaged network; the other processes wait."""
        if self.journal is not None:
            found = measure(self.learner.averaged_weights(), self.config, self.exact)
            self.journal.note(self.counters.games, self.counters.minutes, found)
            bar.write(f"{self.counters.games:,} games: " + ", ".join(
                f"{found[f'duel/{name}']:+.3f} ± {found[f'duel_error/{name}']:.3f} against {name}"
                for name in self.config.opponents))  # fmt: skip
        self.group.wait()

    def save(self) -> None:
        """Write the state of every process, then the network."""
        temporary = self.folder / ".state.tmp"
        tensors = self.learner.state() | {
            "table.rows": torch.from_numpy(self.table.rows),
            "table.rolls": torch.from_numpy(self.table.rolls),
            "table.turns": torch.from_numpy(self.table.turns),
        }
        counters = vars(self.counters) | {"steps": self.learner.steps}
        generators = {"play": runs.generator_state(self.table.rng),
                      "shuffle": runs.generator_state(self.shuffle)}  # fmt: skip
        state = runs.State({k: v.cpu().contiguous() for k, v in tensors.items()}, counters, generators)
        runs.write_rank(temporary, self.group.rank, state)
        self.group.wait()
        if self.group.leads:
            runs.publish(self.folder, temporary, self.counters.games)
            history = provenance(self.config, vars(self.counters), self.learner.steps, self.parent)
            checkpoint = Checkpoint((Part(self.learner.averaged_weights()),), history)
            save_checkpoint(self.folder / "net.safetensors", checkpoint)
        self.group.wait()

    def restore(self) -> None:
        """Go on from the newest state of the folder."""
        state = runs.read_rank(self.folder, self.group.rank, self.group.size)
        counters = dict(state.counters)
        self.learner.restore(state.tensors, int(counters.pop("steps")))
        self.counters.games, self.counters.rounds = int(counters["games"]), int(counters["rounds"])
        self.counters.minutes = counters["minutes"]
        table = self.table
        table.rows, table.rolls, table.turns = (
            state.tensors[f"table.{name}"].numpy().copy() for name in ("rows", "rolls", "turns")
        )
        table.rng.bit_generator.state = state.generators["play"]
        self.shuffle.bit_generator.state = state.generators["shuffle"]

    def close(self) -> None:
        """Finish writing."""
        if self.journal is not None:
            self.journal.close()
