"""The torch twin of ``Weights``: the network that learns, and plays big batches fast."""

import math
import sys
from collections.abc import Callable, Iterable

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .network import Architecture, Weights
from .plans import blocks

_BLOCK = 512  # boards at a time: keeps a layer in the cache of a core


class ValueNet(nn.Module):
    """Six logits from a position, by linear layers with one activation between them."""

    table: torch.Tensor

    def __init__(
        self, architecture: Architecture, generator: torch.Generator | None = None
    ) -> None:
        """Draw initial weights: He-uniform, the last layer half as large, so that no outcome
        starts far ahead.

        Args:
            architecture: what it is made of.
            generator: where the chance comes from; None takes torch's own.
        """
        super().__init__()
        self.architecture = architecture
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in architecture.sizes)
        for layer in self.linear:
            last = layer is self.linear[-1]
            bound = (0.5 if last else 1.0) * math.sqrt(3 / layer.in_features)
            nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
            nn.init.zeros_(layer.bias)
        self.activation = torch.relu if architecture.activation == "relu" else torch.sigmoid
        table = torch.from_numpy(architecture.encoding.table)
        self.register_buffer("table", table, persistent=False)

    @property
    def members(self) -> "list[ValueNet]":
        """The network of each game plan: only itself."""
        return [self]

    @property
    def linear(self) -> list[nn.Linear]:
        """The layers, from the board up."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.table.device

    def inputs(self, rows: np.ndarray) -> torch.Tensor:
        """Encode positions: boards ``(n, width)`` int8 to ``(n, inputs)`` float32."""
        entries, glance = self.look(rows)
        sums = functional.embedding_bag(entries, self.table, mode="sum")
        return sums if glance is None else torch.cat([sums, glance], dim=1)

    def look(self, rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Rows of the table that positions pick, ``(n, width)`` int32, and the inputs that are no
        sums, ``(n, glances)`` float32, if there are any."""
        encoding = self.architecture.encoding
        entries = torch.from_numpy(encoding.entries(rows)).to(self.device)
        if encoding.glance is None:
            return entries, None
        return entries, torch.from_numpy(encoding.glance(rows)).to(self.device)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Logits ``(n, 6)`` of encoded positions ``(n, inputs)``."""
        first, *others = self.linear
        units = first(inputs)
        for layer in others:
            units = layer(self.activation(units))
        return units

    def folded(self) -> torch.Tensor:
        """``(entries, units)``: the first layer as a look-up table, as the weights are now."""
        with torch.no_grad():
            first = self.linear[0]
            table = self.table @ first.weight[:, : self.table.shape[1]].T
            low, high = self.architecture.encoding.columns[0]
            table[: high - low + 1] += first.bias
        return table

    def hear(self, entries: torch.Tensor, glance: torch.Tensor | None, folded: torch.Tensor
             ) -> torch.Tensor:
        """Logits ``(n, 6)`` of positions by look-up, from what is seen of them, see ``look``.

        Args:
            entries: ``(n, width)`` int32.
            glance: ``(n, glances)`` float32, or None.
            folded: what ``folded()`` gave for the present weights.
        """
        of_glance = self.linear[0].weight[:, self.table.shape[1] :].T
        in_place = torch.relu_ if self.activation is torch.relu else torch.sigmoid_
        units = functional.embedding_bag(entries, folded, mode="sum")
        if glance is not None:
            units.addmm_(glance, of_glance)
        for layer in self.linear[1:]:
            units = layer(in_place(units))
        return units

    def answer(self, rows: np.ndarray) -> torch.Tensor:
        """Logits ``(n, 6)`` of positions ``(n, width)`` int8, to learn from."""
        logits: torch.Tensor = self(self.inputs(rows))
        return logits

    def weights(self, parameters: Iterable[torch.Tensor] | None = None) -> Weights:
        """A copy of the numbers for numpy; if others than its own are given, in the order of its
        own, of those."""
        given = self.parameters() if parameters is None else parameters
        arrays = [p.detach().cpu().numpy().copy() for p in given]
        return Weights(self.architecture, tuple(zip(arrays[::2], arrays[1::2], strict=True)))

    def load(self, weights: Weights) -> None:
        """Take over the numbers of another network of the same architecture."""
        with torch.no_grad():
            for layer, (weight, bias) in zip(self.linear, weights.layers, strict=True):
                layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weight)))
                layer.bias.copy_(torch.from_numpy(np.ascontiguousarray(bias)))


class PlannedNet(nn.Module):
    """A ``ValueNet`` for each game plan; each position is asked of one."""

    def __init__(
        self, architecture: Architecture, generator: torch.Generator | None = None
    ) -> None:
        """Draw initial weights, see ``ValueNet``."""
        super().__init__()
        self.architecture = architecture
        self.nets = nn.ModuleList(
            ValueNet(architecture.of_one_plan, generator)
            for _ in range(architecture.division.count)
        )

    @property
    def members(self) -> list[ValueNet]:
        """The network of each game plan."""
        return [net for net in self.nets if isinstance(net, ValueNet)]

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.members[0].device

    def answer(self, rows: np.ndarray) -> torch.Tensor:
        """See ``ValueNet.answer``."""
        order, of_each = self.architecture.division.sort(rows)
        inputs = self.members[0].inputs(rows[order])  # all see the same
        parts = [self.members[plan](inputs[part]) for plan, part in blocks(of_each, len(rows))]
        back = torch.from_numpy(np.argsort(np.arange(len(rows))[order])).to(self.device)
        return torch.cat(parts)[back]

    def weights(self, parameters: Iterable[torch.Tensor] | None = None) -> Weights:
        """See ``ValueNet.weights``."""
        given = list(self.parameters() if parameters is None else parameters)
        each = len(given) // len(self.nets)
        members = [net.weights(given[number * each : (number + 1) * each])
                   for number, net in enumerate(self.members)]  # fmt: skip
        return Weights.joined(self.architecture, members)

    def load(self, weights: Weights) -> None:
        """See ``ValueNet.load``."""
        for net, member in zip(self.members, weights.members, strict=True):
            net.load(member)


#: A network that can learn.
Net = ValueNet | PlannedNet


def new_net(architecture: Architecture, generator: torch.Generator | None = None) -> Net:
    """The network of an architecture, its weights drawn by chance."""
    return (PlannedNet if architecture.stack else ValueNet)(architecture, generator)


def net_of(weights: Weights) -> Net:
    """The network that has these weights."""
    net = new_net(weights.architecture)
    net.load(weights)
    return net


def torch_logits(net: Net) -> Callable[[np.ndarray], np.ndarray]:
    """``logits(rows)`` of a network, by look-up, with its weights as they are now.

    Args:
        net: the network; later changes of its weights are not seen.

    Returns:
        A function from ``(n, width)`` int8 boards to ``(n, 6)`` float32 numpy logits.
    """
    members, division = net.members, net.architecture.division
    folded = [member.folded() for member in members]
    size = _BLOCK if net.device.type == "cpu" else sys.maxsize

    @torch.no_grad()
    def logits(rows: np.ndarray) -> np.ndarray:
        order, of_each = division.sort(rows)
        entries, glance = members[0].look(rows[order])
        answers = torch.empty((len(rows), 6), device=net.device)
        for plan, block in blocks(of_each, size):
            seen = None if glance is None else glance[block]
            answers[block] = members[plan].hear(entries[block], seen, folded[plan])
        unsorted = np.empty((len(rows), 6), np.float32)
        unsorted[order] = answers.cpu().numpy()
        return unsorted

    return logits
