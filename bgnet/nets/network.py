"""The value network: a look-up of the first layer, hidden layers, six logits.

``Architecture`` says what a network is made of. ``Weights`` are its numbers, and ``Weights.logits``
plays with them in numpy alone. The torch twin that learns is in ``torch_network``.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..game.variants import VARIANTS
from .encoding import Encoder, encoder, lookup
from .plans import PLANS, Division, blocks

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
    plans: str = "none"
    """Name of the division of positions into game plans. If there are several, each has weights of
    its own in every layer."""

    def __post_init__(self) -> None:
        if not self.hidden or min(self.hidden) < 1:
            raise NetworkError(f"hidden layers need at least one unit each, not {self.hidden}")
        if self.activation not in ACTIVATIONS:
            raise NetworkError(
                f"no activation is called {self.activation!r}; there are {', '.join(ACTIVATIONS)}"
            )
        self.encoding  # noqa: B018  an unknown encoder is an error here and now
        if self.plans not in PLANS:
            raise NetworkError(
                f"no game plans are called {self.plans!r}; there are {', '.join(PLANS)}"
            )
        if self.division.homes_apart and not VARIANTS[self.variant].homes_apart:
            raise NetworkError(f"in {self.variant} nobody is behind: plans must be none")

    def __str__(self) -> str:
        plans = "" if self.plans == "none" else f", plans {self.plans}"
        return f"{self.encoder} {'-'.join(map(str, self.hidden))}{plans}"

    @property
    def encoding(self) -> Encoder:
        """The encoder itself."""
        return encoder(self.encoder, self.variant)

    @property
    def division(self) -> Division:
        """The game plans themselves."""
        return PLANS[self.plans]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(inputs, outputs) of every layer, for each game plan."""
        widths = [self.encoding.inputs, *self.hidden, 6]
        return list(pairwise(widths))

    @property
    def stack(self) -> tuple[int, ...]:
        """What the shapes of all weights begin with: how many game plans, if there are several."""
        return () if self.plans == "none" else (self.division.count,)

    @property
    def of_one_plan(self) -> "Architecture":
        """What the network of a single game plan is made of."""
        return replace(self, plans="none")


@dataclass(frozen=True, eq=False)
class Weights:
    """A network's numbers, and its answer computed in numpy."""

    architecture: Architecture
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    """(weight ``(outputs, inputs)``, bias ``(outputs,)``) float32 of every layer; where there are
    several game plans, ``(plans, outputs, inputs)`` and ``(plans, outputs)``."""

    @cached_property
    def members(self) -> "tuple[Weights, ...]":
        """The network of each game plan; the only one itself."""
        if not self.architecture.stack:
            return (self,)
        alone = self.architecture.of_one_plan
        return tuple(
            Weights(alone, tuple((weight[plan], bias[plan]) for weight, bias in self.layers))
            for plan in range(self.architecture.division.count)
        )

    @classmethod
    def joined(cls, architecture: Architecture, members: "list[Weights]") -> "Weights":
        """The network that has these for its game plans; see ``members``."""
        layers = zip(*(member.layers for member in members), strict=True)
        return cls(architecture, tuple(
            (np.stack([weight for weight, _ in layer]), np.stack([bias for _, bias in layer]))
            for layer in layers
        ))  # fmt: skip

    @cached_property
    def first(self) -> np.ndarray:
        """``(entries, units)`` float32: the first layer as a look-up table (of one game plan)."""
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
        encoding, division = self.architecture.encoding, self.architecture.division
        order, of_each = division.sort(rows)
        rows = rows[order]
        entries = encoding.entries(rows)
        glance = None if encoding.glance is None else encoding.glance(rows)
        answers, unsorted = np.empty((2, len(rows), 6), np.float32)
        for plan, block in blocks(of_each, _BLOCK):
            seen = None if glance is None else glance[block]
            answers[block] = self.members[plan]._hear(entries[block], seen)
        unsorted[order] = answers
        return unsorted

    def _hear(self, entries: np.ndarray, glance: np.ndarray | None) -> np.ndarray:
        """Logits of some positions of one plan, from what is seen of them."""
        units = lookup(self.first, entries)
        if glance is not None:
            units += glance @ self.of_glance
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
