"""Checkpoints: one ``NAME.safetensors`` that explains itself and cannot run code.

The tensors are the weights; the header holds JSON under one key: what the networks are made of,
how they were trained, how strong they were measured to be. ``load`` takes a path and nothing else.

A checkpoint holds one network, or several of which each position is asked of one. ``when`` says
which: the first whose condition holds answers. A ``scout`` answers nothing: it is a small network
that spares the others most of their work in look-ahead (``engine.evaluator.Scout``).
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ..game.variants import VARIANTS
from .encoding import EncoderError
from .network import Architecture, NetworkError, Weights

FORMAT = 1
_KEY = "bgnet"
#: Conditions under which a network of a checkpoint is asked.
CONDITIONS = ("scout", "race", "always")


class CheckpointError(ValueError):
    """A file that is no checkpoint of ours, or one that this version cannot use."""


@dataclass(frozen=True, eq=False)
class Part:
    """One network of a checkpoint, and when it is asked."""

    weights: Weights
    when: str = "always"
    """``race``: no man can be hit any more. ``always``: what no other part took. ``scout``:
    which plays look promising."""
    within: float = 0.0
    """Of a scout: how far below its best play, in points, another is still promising."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Networks and their history."""

    parts: tuple[Part, ...]
    """Asked in this order; the last one ``always``."""
    history: dict[str, object] = field(default_factory=dict)
    """How they came about: games, steps, config, seed, parent, strength and so on; JSON."""

    @property
    def variant(self) -> str:
        """Name of the game that it plays."""
        return self.parts[0].weights.architecture.variant

    @property
    def main(self) -> Weights:
        """The network that is asked where no other is."""
        return self.parts[-1].weights

    @property
    def scout(self) -> Part | None:
        """The scout, if there is one."""
        return next((part for part in self.parts if part.when == "scout"), None)

    @property
    def fingerprint(self) -> str:
        """Hash of all weights, hex: what a descendant names as its parent."""
        digest = hashlib.sha256()
        for part in self.parts:
            for array in (a for layer in part.weights.layers for a in layer):
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def save_checkpoint(path: str | os.PathLike[str], checkpoint: Checkpoint, *, half: bool = False
                    ) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        path: the file, by custom ``NAME.safetensors``.
        checkpoint: what to write.
        half: write the weights in half precision, which halves the file.

    Raises:
        CheckpointError: a weight is too large for half precision.
        OSError: the disk is full or the folder cannot be written; an older file is untouched.
    """
    tensors, described = {}, []
    precision = np.float16 if half else np.float32
    for number, part in enumerate(checkpoint.parts):
        made_of = part.weights.architecture
        described.append({
            "when": part.when, "encoder": made_of.encoder, "hidden": list(made_of.hidden),
            "activation": made_of.activation, "plans": made_of.plans,
        } | ({"within": part.within} if part.when == "scout" else {}))  # fmt: skip
        for layer, (weight, bias) in enumerate(part.weights.layers):
            for kind, array in (("weight", weight), ("bias", bias)):
                if np.abs(array).max() > np.finfo(precision).max:
                    raise CheckpointError(f"{path}: a weight is too large for half precision")
                tensors[f"{number}.{layer}.{kind}"] = np.ascontiguousarray(array, precision)
    header = {"format": FORMAT, "variant": checkpoint.variant, "networks": described,
              "history": checkpoint.history}  # fmt: skip
    write_whole(Path(path), save(tensors, metadata={_KEY: json.dumps(header)}))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file to a temporary name and move it into place: old or new, never half."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint.

    Args:
        path: the file.

    Raises:
        CheckpointError: missing, truncated, not ours, or made by a version we do not know.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            text = (file.metadata() or {}).get(_KEY)
            if text is None:
                raise CheckpointError(f"{path} is a safetensors file, but not a bgnet checkpoint")
            header = json.loads(text)
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise CheckpointError(f"there is no checkpoint {path}") from None
    except (SafetensorError, OSError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path} is not a whole checkpoint: {error}") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else None
        raise CheckpointError(f"{path} has format {found!r}; this version of bgnet reads {FORMAT}")
    try:
        return _checkpoint(header, tensors)
    except (KeyError, TypeError, EncoderError, NetworkError) as error:
        raise CheckpointError(f"{path} cannot be used by this version of bgnet: {error}") from None


def _checkpoint(header: dict, tensors: dict[str, np.ndarray]) -> Checkpoint:
    """The checkpoint that a header and its tensors describe."""
    if header["variant"] not in VARIANTS:
        raise NetworkError(f"no game is called {header['variant']!r}")
    parts = []
    for number, made_of in enumerate(header["networks"]):
        architecture = Architecture(
            made_of["encoder"], tuple(made_of["hidden"]), made_of["activation"], header["variant"],
            made_of.get("plans", "none"),
        )
        if made_of["when"] not in CONDITIONS:
            raise NetworkError(f"no condition is called {made_of['when']!r}")
        layers = []
        for layer, (inputs, outputs) in enumerate(architecture.sizes):
            weight, bias = (_single(tensors[f"{number}.{layer}.{kind}"])
                            for kind in ("weight", "bias"))  # fmt: skip
            wanted = (*architecture.stack, outputs, inputs)
            if weight.shape != wanted or bias.shape != wanted[:-1]:
                raise NetworkError(
                    f"layer {layer} of network {number} is {weight.shape[::-1]}, "
                    f"its description says {wanted[::-1]}"
                )
            if weight.dtype != np.float32 or not (np.isfinite(weight).all()
                                                  and np.isfinite(bias).all()):  # fmt: skip
                raise NetworkError(f"layer {layer} of network {number} has no finite float32 or "
                                   "float16 numbers")  # fmt: skip
            layers.append((weight, bias))
        within = float(made_of.get("within", 0.0))
        if not within >= 0:
            raise NetworkError(f"its scout is right within {within} points, which cannot be")
        parts.append(Part(Weights(architecture, tuple(layers)), made_of["when"], within))
    if not parts or parts[-1].when != "always":
        raise NetworkError("it has no network that is asked where no other is")
    return Checkpoint(tuple(parts), header.get("history", {}))


def _single(array: np.ndarray) -> np.ndarray:
    """Half precision as single precision, anything else as it is."""
    return array.astype(np.float32) if array.dtype == np.float16 else array
