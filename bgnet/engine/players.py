"""Every player by name: baselines, shipped networks, checkpoints on the disk."""

import re
from pathlib import Path

from ..game.variants import STANDARD, Variant
from . import baselines, networks
from .engine import Engine
from .player import Player, PlayerError

#: Decisions of a network alone that win back the two seconds in which torch is loaded.
TORCH_PAYS = 50_000
#: How many of them a decision with one ply more of look-ahead is worth.
_PLY = 60


def player(name: str, variant: Variant = STANDARD, scoring: str = "english", seed: int = 0,
           decisions: int = 0) -> Player:
    """The player of a name.

    Args:
        name: a baseline (a key of ``BASELINES``, ``gnubg@1``); ``default``, the shipped network
            of the variant; a shipped network's name; or the path of a checkpoint. ``@N`` behind
            a network is its look-ahead in plies.
        variant: the game to play.
        scoring: a key of ``SCORINGS``: what it plays for.
        seed: of a player that draws lots.
        decisions: how many it will be asked for, about; where they are many, in batches, torch
            is loaded if it plays with a network.

    Raises:
        PlayerError: there is no such player, or it does not play that game.
        CheckpointError: a network that cannot be used.
        EngineError: a look-ahead that there is not.

    >>> player("pipcount").name
    'pipcount'
    """
    net, ply = _look_ahead(name)
    if net in baselines.BASELINES:
        return baselines.player(name, variant, scoring, seed)
    shipped = networks.shipped()
    if net != "default" and net not in shipped and not Path(net).exists():
        known = ", ".join([*baselines.BASELINES, "gnubg@1", "default", *shipped])
        raise PlayerError(f"no player or file is called {name!r}; there are {known}")
    fast = decisions * _PLY**ply >= TORCH_PAYS
    return Engine.load(net, variant.name, ply, scoring, fast=fast)


def _look_ahead(name: str) -> tuple[str, int]:
    """A name parted from the plies behind it; a file may have an @ in its own name."""
    parted = re.fullmatch(r"(.+)@(\d{1,3})", name)
    if parted is None or Path(name).is_file():
        return name, 0
    return parted[1], int(parted[2])
