"""Learning from recorded play: batches of positions, one step of Adam each."""

import numpy as np
import torch
from torch.nn import functional

from bgnet.game.variants import VARIANTS
from bgnet.nets.network import Weights
from bgnet.nets.torch_network import Net

from .distributed import Group
from .runs import NotFiniteError


class Learner:
    """A network, its optimiser, and the mean of its recent weights."""

    def __init__(self, net: Net, average: float, steady: bool = False) -> None:
        """Start learning.

        Args:
            net: trained in place.
            average: share that the averaged network keeps of itself at each step; 0 for none.
            steady: so much from the first step on, so that it begins as the network is; otherwise
                less at first, so that a beginning in ignorance is soon forgotten.
        """
        self.net = net
        self.parameters = list(net.parameters())
        self.optimizer = torch.optim.Adam(self.parameters, fused=True)
        for p in self.parameters:  # so that a fresh state has the shape of an old one
            self.optimizer.state[p] = {
                "step": torch.zeros((), device=p.device), "exp_avg": torch.zeros_like(p),
                "exp_avg_sq": torch.zeros_like(p),
            }  # fmt: skip
        self.average, self.steady = average, steady
        self.averaged = [p.detach().clone() for p in self.parameters]
        self.steps = 0

    def learn(
        self, rows: np.ndarray, targets: np.ndarray, *, masked: bool = True
    ) -> torch.Tensor:
        """One step.

        Args:
            rows: ``(n, width)`` int8, positions seen by the side that rolls.
            targets: ``(n, 6)`` float32, the outcomes they should predict.
            masked: rule out what the rules make impossible there; False leaves it to the network.

        Returns:
            The cross-entropy before the step, nats.
        """
        wanted = torch.from_numpy(targets).to(self.net.device)
        possible = VARIANTS[self.net.architecture.variant].possible
        allowed = torch.from_numpy(possible(rows)).to(self.net.device) if masked else None
        self.optimizer.zero_grad()
        loss = cross_entropy(self.net.answer(rows), wanted, allowed)
        loss.backward()
        self.optimizer.step()
        self.steps += 1
        keep = self.average
        if not self.steady:
            keep = min(keep, self.steps / (self.steps + 10))
        torch._foreach_lerp_(self.averaged, [p.detach() for p in self.parameters], 1 - keep)
        return loss.detach()

    def share(self, group: Group) -> None:
        """Take the mean of what all processes have learnt: weights and the optimiser's memory.

        Raises:
            NotFiniteError: it is no number; all processes see that together.
        """
        tensors = list(self.state().values())
        group.average(tensors)
        if not torch.stack(torch._foreach_norm(tensors)).sum().isfinite():
            raise NotFiniteError(f"the weights became no numbers by step {self.steps}")

    def set_rate(self, rate: float) -> None:
        """Change the learning rate."""
        self.optimizer.param_groups[0]["lr"] = rate

    def averaged_weights(self) -> Weights:
        """The averaged network's numbers."""
        return self.net.weights(self.averaged)

    def state(self) -> dict[str, torch.Tensor]:
        """Everything that the next step depends on, by name; live tensors, not copies."""
        named = {}
        for i, p in enumerate(self.parameters):
            named[f"weights.{i}"] = p.data
            named[f"averaged.{i}"] = self.averaged[i]
            for key, value in self.optimizer.state[p].items():
                named[f"{key}.{i}"] = value
        return named

    def restore(self, state: dict[str, torch.Tensor], steps: int) -> None:
        """Take over what ``state`` gave, in place."""
        for key, value in self.state().items():
            value.copy_(state[key])
        self.steps = steps


def cross_entropy(
    logits: torch.Tensor, targets: torch.Tensor, allowed: torch.Tensor | None
) -> torch.Tensor:
    """Mean cross-entropy in nats; what the rules forbid has chance exactly 0.

    Args:
        logits: ``(n, 6)``.
        targets: ``(n, 6)``, rows sum to 1, 0 where forbidden.
        allowed: ``(n, 6)`` bool, or None for everything.
    """
    if allowed is not None:
        logits = logits.masked_fill(~allowed, torch.finfo(logits.dtype).min)
    return -(targets * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()


def batches(
    kept: int, new: int, size: int, passes: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Which examples to learn from, in which order.

    Args:
        kept: examples there are, the new ones included.
        new: how many of them are new.
        size: wished examples of a batch.
        passes: how often an example is to be seen while it is kept.
        rng: shuffles.

    Returns:
        Indices, an array a batch: ``passes * new`` in all, so that the work does not grow with
        what is kept; each example as often as any other, as nearly as that goes.
    """
    wanted = passes * new
    rounds = [rng.permutation(kept) for _ in range(-(-wanted // kept))]
    order = np.concatenate(rounds)[:wanted]
    return np.array_split(order, max(1, passes * round(new / size)))
