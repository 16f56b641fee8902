"""TD(lambda) in bulk: play a segment of many games, then learn its lambda-returns in batches."""

from collections import deque

import numpy as np
import torch

from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.search import Search
from bgnet.game.scoring import SCORINGS
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Part
from bgnet.nets.torch_network import Net, new_net, torch_logits

from . import runs
from .config import Config
from .distributed import Group
from .learner import Learner, batches
from .metrics import Calibration
from .scouting import Scouting
from .selfplay import Finished, Segment, Table, play
from .targets import lambda_returns, look_ahead_returns

#: What a state keeps of the games in play.
_OF_TABLE = ("rows", "rolls", "turns", "levels")


class Segments:
    """The forward view on many games in lockstep: what one process does."""

    def __init__(self, config: Config, net: Net, scouting: Scouting | None,
                 exact: Exact | None, seeds: np.random.SeedSequence, group: Group) -> None:
        """Set up the boards.

        Args:
            config: the job.
            net: the network to train, in place.
            scouting: the scout to train beside it, or None.
            exact: positions known for certain; they end a game.
            seeds: where this process's chance comes from.
            group: the processes that learn together.
        """
        play_seed, shuffle_seed = seeds.spawn(2)
        self.config, self.exact, self.group = config, exact, group
        self.learner, self.scouting = Learner(net, config.average, config.steady), scouting
        # Who plays and looks ahead.
        self.teacher = new_net(net.architecture).to(net.device) if config.steady else net
        self.table = Table.fresh(
            VARIANTS[config.variant], config.lockstep, np.random.default_rng(play_seed),
            config.noise, config.starts,
        )  # fmt: skip
        self.shuffle = np.random.default_rng(shuffle_seed)
        self.calibration = Calibration(config.lockstep)
        # What is learnt from: (positions, targets) of each segment kept, the oldest first.
        self.memory: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=config.replay + 1)

    def round(self, done: float) -> dict[str, float]:
        """Play one segment and learn from it.

        Args:
            done: share of the job that is done, 0 to 1.

        Returns:
            Numbers for the journal, and ``new_games`` and ``new_steps`` since the last round.
        """
        config, variant = self.config, self.table.variant
        rate, lam = config.learning_rate(done), config.lam_at(done)
        self.learner.set_rate(rate)
        if self.teacher is not self.learner.net:
            self.teacher.load(self.learner.averaged_weights())
        evaluator = Evaluator(variant, torch_logits(self.teacher), self.exact)
        if self.scouting is not None:
            self.scouting.set_rate(rate)
            evaluator = self.scouting.look(self.table, evaluator, config.scoring)
        segment = play(self.table, evaluator, config.segment, config.scoring)
        rows = segment.rows.reshape(-1, variant.width)
        targets = self._targets(segment, evaluator, rows, lam)
        self.memory.append((rows, targets))
        losses = self._learn(len(rows))
        finished = self.table.finished()
        numbers = {
            "loss": float(np.mean(losses)), "learning_rate": rate, "lambda": lam,
            "new_games": float(len(finished.turns)), "new_steps": float(len(losses)),
        }  # fmt: skip
        if self.scouting is not None:
            numbers["scout_window"] = self.scouting.within.item()
        return numbers | self._of_play(segment, targets, finished)

    def _targets(self, segment: Segment, evaluator: Evaluator, rows: np.ndarray, lam: float
                 ) -> np.ndarray:
        """What the network should have said of the positions of a segment, ``(n, 6)`` float32."""
        config = self.config
        if config.look_ahead == 0:
            returns = lambda_returns(segment.next_values, segment.ended, segment.again, lam)
            return returns.reshape(-1, 6)
        ahead = Search(evaluator, config.look_ahead, config.scoring).outcomes(rows)
        ahead = ahead.reshape(segment.next_values.shape)
        return look_ahead_returns(ahead, segment, lam).reshape(-1, 6)

    def _learn(self, new: int) -> list[float]:
        """Learn from what is kept, the newest ``new`` positions among it; the losses."""
        config = self.config
        rows = np.concatenate([kept for kept, _ in self.memory])
        targets = np.concatenate([kept for _, kept in self.memory])
        losses: list[torch.Tensor] = []
        for part in batches(len(rows), new, config.batch, config.passes, self.shuffle):
            positions, wanted = rows[part], targets[part]
            losses.append(self.learner.learn(positions, wanted))
            if self.scouting is not None:
                self.scouting.imitate(positions, wanted)
        self.learner.share(self.group)
        if self.scouting is not None:
            self.scouting.learner.share(self.group)
        return torch.stack(losses).tolist()

    def _of_play(self, segment: Segment, targets: np.ndarray, finished: Finished
                 ) -> dict[str, float]:
        """What the play of a segment looked like."""
        points = SCORINGS[self.config.scoring]
        for t, ended in enumerate(segment.ended):
            again = None if segment.again is None else segment.again[t]
            self.calibration.watch(segment.next_values[t, :, :3].sum(axis=1), again, ended)
        predicted = segment.next_values[:-1] @ points
        wanted = targets.reshape(segment.next_values.shape)[1:] @ points
        error = (wanted - predicted)[~segment.ended[:-1]]
        numbers = {"td_error": float(np.sqrt(np.square(error).mean()))} if error.size else {}
        if len(finished.turns):
            chances = finished.outcomes.mean(axis=0)
            numbers |= {
                "game_length": float(finished.turns.mean()),
                "gammon_rate": float(chances[[1, 2, 4, 5]].sum()),
                "backgammon_rate": float(chances[[2, 5]].sum()),
            }
        if (calibration := self.calibration.error()) is not None:
            numbers["calibration"] = calibration
        return numbers

    @property
    def steps(self) -> int:
        """Steps of the optimiser so far."""
        return self.learner.steps

    def parts(self) -> tuple[Part, ...]:
        """The networks to show, each the mean of the recent ones."""
        ahead = () if self.scouting is None else (self.scouting.part(),)
        return *ahead, Part(self.learner.averaged_weights())

    def state(self) -> runs.State:
        """All that the next round depends on."""
        table = self.table
        tensors = self.learner.state() | {
            f"table.{name}": torch.from_numpy(getattr(table, name))
            for name in _OF_TABLE
        } | ({} if self.scouting is None else self.scouting.state())
        for i, (rows, targets) in enumerate(self.memory if self.config.replay else ()):
            tensors[f"memory.{i}.rows"] = torch.from_numpy(rows)
            tensors[f"memory.{i}.targets"] = torch.from_numpy(targets)
        return runs.State(
            {name: tensor.cpu().contiguous() for name, tensor in tensors.items()},
            {"steps": self.steps},
            {"play": runs.generator_state(table.rng),
             "shuffle": runs.generator_state(self.shuffle)},
        )  # fmt: skip

    def restore(self, state: runs.State) -> None:
        """Go on from a state."""
        self.learner.restore(state.tensors, int(state.counters["steps"]))
        if self.scouting is not None:
            self.scouting.restore(state.tensors)
        for name in _OF_TABLE:
            setattr(self.table, name, state.tensors[f"table.{name}"].numpy().copy())
        self.memory.clear()
        while (rows := state.tensors.get(f"memory.{len(self.memory)}.rows")) is not None:
            targets = state.tensors[f"memory.{len(self.memory)}.targets"]
            self.memory.append((rows.numpy().copy(), targets.numpy().copy()))
        self.table.rng.bit_generator.state = state.generators["play"]
        self.shuffle.bit_generator.state = state.generators["shuffle"]
