"""Which network: shipped ones by name, others by path, and evaluators made of them."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..game.variants import STANDARD, VARIANTS, Variant
from ..nets.checkpoint import Checkpoint, CheckpointError, load_checkpoint
from ..nets.network import Weights
from .bearoff import Bearoff
from .evaluator import Evaluator, Scout

_PACKAGE = Path(__file__).parents[1]
#: Where the shipped networks lie: inside the package when installed, else in the repository.
FOLDER = next(f for f in (_PACKAGE / "networks", _PACKAGE.parent / "checkpoints") if f.is_dir())
#: Boards in one question from which torch, if it is loaded already, is faster than numpy.
TORCH_PAYS = 64


def shipped() -> dict[str, Path]:
    """The networks that come with bgnet, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.safetensors"))}


def find(name: str, variant: Variant = STANDARD) -> Path:
    """The file of a network.

    Args:
        name: ``default`` (the shipped network of the variant, which bears its name), a shipped
            network's name, or a path.
        variant: the game that ``default`` is for.

    Raises:
        CheckpointError: there is no such network.
    """
    known = shipped()
    wanted = variant.name if name == "default" else name
    if wanted in known:
        return known[wanted]
    if Path(name).is_file():
        return Path(name)
    listed = ", ".join(known) or "none"
    if name == "default":
        raise CheckpointError(
            f"there is no shipped network of {variant.name} (there are: {listed}): train one with "
            "'python -m training' and name its file"
        )
    raise CheckpointError(f"there is no network or file {wanted!r}; shipped networks are: {listed}")


def load_evaluator(name: str = "default", variant: Variant = STANDARD, *, fast: bool = False
                   ) -> Evaluator:
    """The evaluator that a network makes, with the bear-off tables where they apply.

    Args:
        name: see ``find``.
        variant: the game to play. A network of another game will do if the boards of both are
            alike: backgammon and Nackgammon differ in their start alone.
        fast: load torch for big batches; it takes a second or two to import.

    Raises:
        CheckpointError: no such network, a broken file, or one for another game.
    """
    path = find(name, variant)
    checkpoint = load_checkpoint(path)
    theirs = VARIANTS[checkpoint.variant]
    if (theirs.columns, theirs.rules) != (variant.columns, variant.rules):
        raise CheckpointError(f"{path} plays {checkpoint.variant}, not {variant.name}")
    return evaluator_of(checkpoint, variant, fast=fast)


def evaluator_by_name(name: str, variant: str) -> Evaluator:
    """A fast evaluator for other processes, to which a variant cannot be sent."""
    return load_evaluator(name, VARIANTS[variant], fast=True)


def evaluator_of(checkpoint: Checkpoint, variant: Variant | None = None, *, fast: bool = False
                 ) -> Evaluator:
    """The evaluator that a checkpoint makes, for its own game if no other is named; see
    ``load_evaluator``."""
    if fast:
        import torch  # noqa: F401  from here on it is loaded, which ``_logits`` notices
    variant = variant or VARIANTS[checkpoint.variant]
    parts = [(p.when, _logits(p.weights)) for p in checkpoint.parts if p.when != "scout"]
    exact = Bearoff(variant.men) if variant.homes_apart else None
    scout = None
    if (ahead := checkpoint.scout) is not None:
        scout = Scout(variant, _logits(ahead.weights), ahead.within)
    if len(parts) == 1:
        return Evaluator(variant, parts[0][1], exact, scout)

    def logits(rows: np.ndarray) -> np.ndarray:
        answers = np.empty((len(rows), 6), np.float32)
        left = np.ones(len(rows), bool)
        for when, ask in parts:
            mine = left & ~variant.contact(rows) if when == "race" else left
            at = np.flatnonzero(mine)
            answers[at] = ask(rows[at])
            left[at] = False
        return answers

    return Evaluator(variant, logits, exact, scout)


def _logits(weights: Weights) -> Callable[[np.ndarray], np.ndarray]:
    """A network's answers: by numpy, or by torch once it is loaded and the batch is big."""
    by_torch: Callable[[np.ndarray], np.ndarray] | None = None

    def logits(rows: np.ndarray) -> np.ndarray:
        nonlocal by_torch
        if len(rows) < TORCH_PAYS or "torch" not in sys.modules:
            return weights.logits(rows)
        if by_torch is None:
            from ..nets.torch_network import net_of, torch_logits

            by_torch = torch_logits(net_of(weights))
        return by_torch(rows)

    return logits
