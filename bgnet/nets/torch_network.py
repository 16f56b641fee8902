"""The torch twin of ``Weights``: the network that learns, and plays big batches fast."""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .network import Architecture, Weights

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
    def linear(self) -> list[nn.Linear]:
        """The layers, from the board up."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.table.device

    def inputs(self, rows: np.ndarray) -> torch.Tensor:
        """Encode positions: boards ``(n, width)`` int8 to ``(n, inputs)`` float32."""
        sums = functional.embedding_bag(self._entries(rows), self.table, mode="sum")
        glance = self._glance(rows)
        return sums if glance is None else torch.cat([sums, glance], dim=1)

    def _entries(self, rows: np.ndarray) -> torch.Tensor:
        """Rows of the table, ``(n, width)`` int32."""
        return torch.from_numpy(self.architecture.encoding.entries(rows)).to(self.device)

    def _glance(self, rows: np.ndarray) -> torch.Tensor | None:
        """The inputs that are no sums, ``(n, glances)`` float32, if there are any."""
        glance = self.architecture.encoding.glance
        return None if glance is None else torch.from_numpy(glance(rows)).to(self.device)

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

    @torch.no_grad()
    def logits(self, rows: np.ndarray, folded: torch.Tensor) -> torch.Tensor:
        """Logits ``(n, 6)`` by look-up, without gradients.

        Args:
            rows: ``(n, width)`` int8 boards.
            folded: what ``folded()`` gave for the present weights.
        """
        entries, glance = self._entries(rows), self._glance(rows)
        of_glance = self.linear[0].weight[:, self.table.shape[1] :].T
        in_place = torch.relu_ if self.activation is torch.relu else torch.sigmoid_
        answers = torch.empty((len(rows), 6), device=self.device)
        size = _BLOCK if self.device.type == "cpu" else max(len(rows), 1)
        for start in range(0, len(rows), size):
            block = slice(start, start + size)
            units = functional.embedding_bag(entries[block], folded, mode="sum")
            if glance is not None:
                units.addmm_(glance[block], of_glance)
            for layer in self.linear[1:]:
                units = layer(in_place(units))
            answers[block] = units
        return answers

    def weights(self) -> Weights:
        """A copy of the numbers for numpy."""
        layers = tuple(
            (layer.weight.detach().cpu().numpy().copy(), layer.bias.detach().cpu().numpy().copy())
            for layer in self.linear
        )
        return Weights(self.architecture, layers)

    def load(self, weights: Weights) -> None:
        """Take over the numbers of another network of the same architecture."""
        with torch.no_grad():
            for layer, (weight, bias) in zip(self.linear, weights.layers, strict=True):
                layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weight)))
                layer.bias.copy_(torch.from_numpy(np.ascontiguousarray(bias)))


def torch_logits(net: ValueNet) -> Callable[[np.ndarray], np.ndarray]:
    """``logits(rows)`` of a network, by look-up, with its weights as they are now.

    Args:
        net: the network; later changes of its weights are not seen.

    Returns:
        A function from ``(n, width)`` int8 boards to ``(n, 6)`` float32 numpy logits.
    """
    folded = net.folded()

    def logits(rows: np.ndarray) -> np.ndarray:
        return net.logits(rows, folded).cpu().numpy()

    return logits
