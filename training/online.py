"""TD-Gammon's own way: one game at a time, a small step after every turn, eligibility traces.

Each weight keeps a trace for each output: how much it contributed to recent predictions, the
older the less. When a turn changes what the network expects, every weight is moved along its
traces at once (Tesauro 1992, *Practical issues in temporal difference learning*). With weights
frozen over a game this adds up to the forward view in ``targets``: a test shows it.
"""

import numpy as np
import torch
from torch.func import functional_call, jacrev

from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.player import best_rows
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Part
from bgnet.nets.outcomes import equity, flip, masked_softmax
from bgnet.nets.torch_network import ValueNet, torch_logits

from . import runs
from .config import Config

_TURNED = [3, 4, 5, 0, 1, 2]  # the six outcomes seen by the other side


class Traces:
    """Eligibility traces: for every output and weight, its weighted recent gradients."""

    def __init__(self, net: torch.nn.Module) -> None:
        """Start a game: all traces are zero."""
        self.net = net
        self.of = {name: torch.zeros(6, *p.shape) for name, p in net.named_parameters()}
        self._gradients = jacrev(lambda weights, x: functional_call(net, weights, (x,)).squeeze(0))

    def visit(self, inputs: torch.Tensor, lam: float, turned: bool) -> None:
        """Let traces decay and add the gradients of the present position's logits.

        Args:
            inputs: ``(1, inputs)``, the position.
            lam: the decay.
            turned: the other side decides now, so wins and losses of old traces change places.
        """
        weights = {name: p.detach() for name, p in self.net.named_parameters()}
        for name, gradient in self._gradients(weights, inputs).items():
            old = self.of[name][_TURNED] if turned else self.of[name]
            self.of[name] = lam * old + gradient

    def update(self, error: torch.Tensor) -> dict[str, torch.Tensor]:
        """What an error of prediction, ``(6,)``, asks of every weight."""
        return {name: torch.tensordot(error, trace, 1) for name, trace in self.of.items()}


class Online:
    """The backward view: what a run of the online method does."""

    def __init__(self, config: Config, net: ValueNet, exact: Exact | None,
                 seeds: np.random.SeedSequence) -> None:
        """Set up the board; arguments as for ``Segments``."""
        self.config, self.net = config, net
        self.variant = VARIANTS[config.variant]
        self.exact = exact
        self.rng = np.random.default_rng(seeds)
        self.steps = 0

    def round(self, done: float) -> dict[str, float]:
        """Play one game, learning after each turn; see ``Segments.round``."""
        rate, lam = self.config.learning_rate(done), self.config.lam_at(done)
        traces, errors = Traces(self.net), []
        rows, turned = self.variant.starts(1), False
        rolls = self.variant.opening_rolls(self.rng, 1)
        over = False
        while not over:
            before = self._predict(rows)
            traces.visit(self._inputs(rows), lam, turned)
            rows, after, again, over = self._turn(rows, rolls)
            turned = not again
            error = (flip(after) if turned else after) - before
            with torch.no_grad():
                for name, change in traces.update(torch.from_numpy(error)).items():
                    self.net.get_parameter(name).add_(rate * change)
            errors.append(equity(error, self.config.scoring))
            rolls = self.variant.next_rolls(self.rng, rows)
            self.steps += 1
        return {
            "td_error": float(np.sqrt(np.mean(np.square(errors)))), "learning_rate": rate,
            "lambda": lam, "game_length": float(len(errors)), "new_games": 1.0,
            "new_steps": float(len(errors)),
            "gammon_rate": float(after[[1, 2, 4, 5]].sum()),
            "backgammon_rate": float(after[[2, 5]].sum()),
        }  # fmt: skip

    def _inputs(self, rows: np.ndarray) -> torch.Tensor:
        return self.net.inputs(rows)

    def _predict(self, rows: np.ndarray) -> np.ndarray:
        """``(6,)`` chances in one position."""
        with torch.no_grad():
            logits = self.net(self._inputs(rows)).numpy()
        if not np.isfinite(logits).all():
            raise runs.NotFiniteError(f"a prediction became no number at step {self.steps}")
        return masked_softmax(logits, self.variant.possible(rows))[0]

    def _turn(self, rows: np.ndarray, rolls: np.ndarray
              ) -> tuple[np.ndarray, np.ndarray, bool, bool]:
        """Make the best play: the new position, its chances, same side again, game over."""
        plays = self.variant.legal_plays(rows, rolls)
        evaluator = Evaluator(self.variant, torch_logits(self.net), self.exact)
        chances, known = evaluator.chances(plays.boards)
        values = plays.sign() * equity(chances, self.config.scoring)
        best = int(best_rows(values, plays, 1)[0])
        again = plays.again is not None and bool(plays.again[best])
        return plays.boards[[best]], chances[best], again, bool(known[best])

    def parts(self) -> tuple[Part, ...]:
        """The network to show."""
        return (Part(self.net.weights()),)

    def state(self) -> runs.State:
        """All that the next game depends on."""
        tensors = {name: p.detach().contiguous() for name, p in self.net.named_parameters()}
        return runs.State(tensors, {"steps": self.steps}, {"play": runs.generator_state(self.rng)})

    def restore(self, state: runs.State) -> None:
        """Go on from a state."""
        with torch.no_grad():
            for name, p in self.net.named_parameters():
                p.copy_(state.tensors[name])
        self.steps = int(state.counters["steps"])
        self.rng.bit_generator.state = state.generators["play"]
