"""The scout: a small network that learns beside the real one and saves it most of its questions."""

from dataclasses import replace
from itertools import islice

import numpy as np
import torch

from bgnet.engine.evaluator import Evaluator, Exact, Scout
from bgnet.engine.player import best_rows
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Checkpoint, Part
from bgnet.nets.outcomes import equity
from bgnet.nets.torch_network import Net, net_of, new_net, torch_logits

from .apprentice import lessons
from .config import Config
from .learner import Learner
from .selfplay import Table, worth
from .widen import widened

#: Share of positions whose really best play shall be among the promising ones.
_FOUND = 0.98
#: Share that the window keeps of itself at each look; it remembers some twenty looks.
_KEEP = 0.95
#: Positions of a look.
_LOOK = 128
#: Plays of a look that are learnt from at once.
_BATCH = 512
#: How much faster than the real network it may learn, being small.
_HASTE = 5.0
#: An apprenticeship: turns of lessons, first and last learning rate.
_TURNS, _RATES = 1000, (4e-3, 2e-4)


def new_scouting(config: Config, ancestor: Checkpoint | None, exact: Exact | None,
                 seed: np.random.SeedSequence, device: str) -> "Scouting | None":
    """The scout that a job wants: its ancestor's, if it has an equal one, or an apprentice.

    Args:
        config: the job.
        ancestor: the network to begin from, if any.
        exact: positions known for certain.
        seed: where weights and dice come from.
        device: where torch computes.
    """
    if (architecture := config.scout_architecture) is None:
        return None
    generator = torch.Generator().manual_seed(int(seed.generate_state(1)[0]))
    net = new_net(architecture, generator).to(device)
    if ancestor is None:
        return Scouting(net, config.average)
    if (before := ancestor.scout) is not None and before.weights.architecture == architecture:
        net.load(before.weights)
        return Scouting(net, config.average, before.within)
    scouting = Scouting(net, config.average)
    master = net_of(widened(ancestor.main, new_net(config.architecture).weights()))
    evaluator = Evaluator(VARIANTS[config.variant], torch_logits(master.to(device)), exact)
    scouting.apprentice(evaluator, config.scoring, np.random.default_rng(seed))
    return scouting


class Scouting:
    """A scout in training, and how far it can be trusted, which is measured all the time."""

    def __init__(self, net: Net, average: float, within: float = float("inf")) -> None:
        """Begin.

        Args:
            net: the small network, trained in place.
            average: as in ``Learner``.
            within: how far it was trusted before, points; infinite for a new one.
        """
        self.learner = Learner(net, average)
        self.ahead = new_net(net.architecture).to(net.device)  # the mean, which is what goes ahead
        self.within = torch.tensor(within, dtype=torch.float64)

    def apprentice(self, evaluator: Evaluator, scoring: str, rng: np.random.Generator) -> None:
        """Learn from a finished network how it judges the plays of its own games."""
        turns = islice(lessons(evaluator, scoring, rng), _TURNS)
        for turn, (rows, chances) in enumerate(turns):
            self.learner.set_rate(_RATES[0] * (_RATES[1] / _RATES[0]) ** (turn / _TURNS))
            self.imitate(rows, chances)

    def look(self, table: Table, evaluator: Evaluator, scoring: str) -> Evaluator:
        """Compare scout and network on all plays of games in play, set the window, and learn.

        The window is the shortfall that all but two in a hundred of the really best plays have
        in the scout's eyes. What the network thinks of the other plays, which no game comes to,
        the scout learns here.

        Args:
            table: the games; not moved on.
            evaluator: the network, without a scout.
            scoring: what the games are played for.

        Returns:
            The evaluator with the scout.
        """
        variant = evaluator.variant
        self.ahead.load(self.learner.averaged_weights())
        scout = Scout(variant, torch_logits(self.ahead), 0.0)
        rows, rolls = table.rows[:_LOOK], table.rolls[:_LOOK]
        plays = variant.legal_plays(rows, rolls)
        values = plays.sign() * equity(scout.outcomes(plays.boards), scoring)
        really, chances, _ = worth(evaluator, plays, scoring)
        really_best = best_rows(really, plays, len(rows))
        best = np.maximum.reduceat(values, plays.firsts(len(rows)))
        window = float(np.quantile(best - values[really_best], _FOUND))
        before = self.within.item()
        self.within.fill_(_KEEP * before + (1 - _KEEP) * window if np.isfinite(before) else window)
        self.imitate(plays.boards, chances)
        return replace(evaluator, scout=replace(scout, within=self.within.item()))

    def imitate(self, rows: np.ndarray, chances: np.ndarray) -> None:
        """Learn to say of positions what the network says."""
        for start in range(0, len(rows), _BATCH):
            part = slice(start, start + _BATCH)
            self.learner.learn(rows[part], chances[part], masked=False)

    def set_rate(self, rate: float) -> None:
        """Tell the learning rate of the real network."""
        self.learner.set_rate(_HASTE * rate)

    def part(self) -> Part:
        """The scout as a checkpoint keeps it."""
        return Part(self.learner.averaged_weights(), "scout", self.within.item())

    def state(self) -> dict[str, torch.Tensor]:
        """All that the next round depends on, by name; live tensors."""
        own = {f"scout.{name}": tensor for name, tensor in self.learner.state().items()}
        steps = torch.tensor(self.learner.steps)
        return own | {"scout.within": self.within, "scout.steps": steps}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Take over what ``state`` gave."""
        own = {k.removeprefix("scout."): v for k, v in state.items() if k.startswith("scout.")}
        self.within.copy_(own.pop("within"))
        self.learner.restore(own, int(own.pop("steps")))
