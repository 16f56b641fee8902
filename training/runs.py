"""A run's folder: its settings, its states and its network, written so that a kill loses little.

    config.toml          the settings
    metrics.jsonl        numbers, a line a report; TensorBoard's events lie beside it
    net.safetensors      the averaged network as it was last saved
    state-GAMES/         the last three states: rank0.safetensors and so on, one a process

A state is written under a temporary name and moved into place, so it is there whole or not at all.
"""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from bgnet.nets.checkpoint import write_whole

from .config import Config, load

KEPT = 3


class RunError(ValueError):
    """A run folder that cannot be used."""


class NotFiniteError(ArithmeticError):
    """What is being learnt is no number any more."""


@dataclass(frozen=True, eq=False)
class State:
    """All that one process of a run needs to go on as if it had never stopped."""

    tensors: dict[str, torch.Tensor]
    """Weights, optimiser, games in play."""
    counters: dict[str, float]
    """Games, steps, minutes, rounds so far."""
    generators: dict[str, dict]
    """State of numpy's bit generators, by name."""
    parent: str | None = None
    """Fingerprint of the network that the run began from."""


def check_new(folder: Path) -> None:
    """Refuse a folder that holds a run already.

    Raises:
        RunError: it does.
    """
    if (folder / "config.toml").exists():
        raise RunError(f"{folder} holds a run already: continue it with --resume {folder}")


def create(folder: Path, config: Config) -> None:
    """Begin a run in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_config(folder, config)


def write_config(folder: Path, config: Config) -> None:
    """Write down a run's settings, whole or not at all."""
    write_whole(folder / "config.toml", config.to_toml().encode())


def config_of(folder: Path) -> Config:
    """The settings of an existing run.

    Raises:
        RunError: there is no run.
    """
    if not (folder / "config.toml").exists():
        raise RunError(f"{folder} is not a run: it has no config.toml")
    return load(str(folder / "config.toml"))


def states(folder: Path) -> list[Path]:
    """The states of a run, oldest first."""
    return sorted(folder.glob("state-*"))


def write_rank(temporary: Path, rank: int, state: State) -> None:
    """Write one process's part of a state into a folder that is not in place yet."""
    temporary.mkdir(exist_ok=True)
    header = {key: value for key, value in vars(state).items() if key != "tensors"}
    content = save(state.tensors, metadata={"bgnet": json.dumps(header)})
    write_whole(temporary / f"rank{rank}.safetensors", content)


def publish(folder: Path, temporary: Path, games: int) -> None:
    """Move a whole state into place and drop the oldest ones."""
    final = folder / f"state-{games:012d}"
    if final.exists():  # saved twice without a game in between
        aside = folder / ".state.old"
        os.replace(final, aside)
        os.replace(temporary, final)
        shutil.rmtree(aside)
    else:
        os.replace(temporary, final)
    for old in states(folder)[:-KEPT]:
        shutil.rmtree(old)


def read_rank(folder: Path, rank: int, size: int) -> State:
    """One process's part of the newest state of a run.

    Raises:
        RunError: no state, a broken one, or one of another number of processes.
    """
    found = states(folder)
    if not found:
        raise RunError(f"{folder} has no saved state to resume from")
    saved = len(list(found[-1].glob("rank*.safetensors")))
    if saved != size:
        raise RunError(f"{folder} was saved by {saved} processes and cannot go on with {size}")
    path = found[-1] / f"rank{rank}.safetensors"
    try:
        with safe_open(path, framework="pt") as file:
            header = json.loads(file.metadata()["bgnet"])
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
            return State(tensors, **header)
    except (SafetensorError, OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise RunError(f"{path} is damaged ({error}); remove its folder to use the one before") \
            from None  # fmt: skip


def generator_state(rng: np.random.Generator) -> dict:
    """A numpy generator as JSON can hold it."""
    return dict(rng.bit_generator.state)
