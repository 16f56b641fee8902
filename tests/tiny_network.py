"""A small random network on the disk, for tests of what is built on networks."""

from pathlib import Path

import numpy as np

from bgnet.nets.checkpoint import Checkpoint, Part, save_checkpoint
from bgnet.nets.network import Architecture, Weights


def tiny_network(
    folder: Path, variant: str = "backgammon", encoder: str = "points"
) -> Path:
    """Write ``VARIANT.safetensors``: eight units with opinions of their own."""
    architecture = Architecture(encoder, (8,), variant=variant)
    rng = np.random.default_rng(7)
    layers = tuple(
        (rng.normal(0, 0.2, (out, inputs)).astype(np.float32), np.zeros(out, np.float32))
        for inputs, out in architecture.sizes
    )
    path = folder / f"{variant}.safetensors"
    save_checkpoint(path, Checkpoint((Part(Weights(architecture, layers)),)))
    return path
