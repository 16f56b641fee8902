"""The value network: a look-up of the first layer, hidden layers, six logits.

``Architecture`` says what a network is made of. ``Weights`` are its numbers, and ``Weights.logits``
plays with them in numpy alone. The torch twin that learns is in ``torch_network``.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from .encoding import Encoder, encoder, lookup

ACTIVATIONS = ("relu", "sigmoid")
_BLOCK = 512  # boards at a time: keeps a layer in the cache


class NetworkError(ValueError):
    """An architecture that cannot be built."""


@dataclass(frozen=True)
class Architecture:
    """What a network is made of."""

    encoder: str
    """Name of the encoder."""
    hidden: tuple[int, ...]
    """Units of each hidden layer, from the board up."""
    activation: str = "relu"
    """What a hidden unit does with its sum: relu or sigmoid."""
    variant: str = "backgammon"
    """The game."""

    def __post_init__(self) -> None:
        if not self.hidden or min(self.hidden) < 1:
            raise NetworkError(f"hidden layers need at least one unit each, not {self.hidden}")
        if self.activation not in ACTIVATIONS:
            raise NetworkError(
                f"no activation is called {self.activation!r}; there are {', '.join(ACTIVATIONS)}"
            )
        self.encoding  # noqa: B018  an unknown encoder is an error here and now

    @property
    def encoding(self) -> Encoder:
        """The encoder itself."""
        return encoder(self.encoder, self.variant)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(inputs, outputs) of every layer."""
        widths = [self.encoding.inputs, *self.hidden, 6]
        return list(pairwise(widths))


@dataclass(frozen=True, eq=False)
class Weights:
    """A network's numbers, and its answer computed in numpy."""

    architecture: Architecture
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    """(weight ``(outputs, inputs)``, bias ``(outputs,)``) float32 of every layer."""

    @cached_property
    def first(self) -> np.ndarray:
        """``(entries, units)`` float32: the first layer as a look-up table."""
        weight, bias = self.layers[0]
        return fold(self.architecture.encoding, weight, bias)

    @cached_property
    def of_glance(self) -> np.ndarray:
        """``(glances, units)`` float32: what the first layer makes of inputs that are no sums."""
        weight, _ = self.layers[0]
        return np.ascontiguousarray(weight[:, self.architecture.encoding.table.shape[1] :].T)

    def logits(self, rows: np.ndarray) -> np.ndarray:
        """The network's six logits for each position.

        Args:
            rows: ``(n, width)`` int8, seen by the side that rolls.

        Returns:
            ``(n, 6)`` float32, before any mask.
        """
        parts = [self._block(rows[i : i + _BLOCK]) for i in range(0, max(len(rows), 1), _BLOCK)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _block(self, rows: np.ndarray) -> np.ndarray:
        encoding = self.architecture.encoding
        units = lookup(self.first, encoding.entries(rows))
        if encoding.glance is not None:
            units += encoding.glance(rows) @ self.of_glance
        for weight, bias in self.layers[1:]:
            units = _activate(units, self.architecture.activation) @ weight.T
            units += bias
        return units


def fold(encoding: Encoder, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """The first layer and the encoder as one look-up table, bias included.

    Each board picks exactly one row of every column, so the bias rides on those of column 0.

    Args:
        encoding: the encoder.
        weight: ``(units, inputs)`` float32; only what concerns the table counts here.
        bias: ``(units,)`` float32.

    Returns:
        ``(entries, units)`` float32.
    """
    table = encoding.table @ np.ascontiguousarray(weight[:, : encoding.table.shape[1]].T)
    low, high = encoding.columns[0]
    table[: high - low + 1] += bias
    return table


def _activate(sums: np.ndarray, activation: str) -> np.ndarray:
    """What hidden units make of their sums, in place."""
    if activation == "relu":
        return np.maximum(sums, 0, out=sums)
    np.negative(sums, out=sums)
    np.exp(sums, out=sums)
    sums += 1
    return np.reciprocal(sums, out=sums)
