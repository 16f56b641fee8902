"""Every player by name, those included that are other programs."""

from ..engine import players
from ..engine.player import Player
from ..game.variants import STANDARD, Variant
from .gnubg_client import PREFIX, GnubgServer


def player(name: str, variant: Variant = STANDARD, scoring: str = "english", seed: int = 0,
           decisions: int = 0) -> Player:
    """The player of a name: what ``engine.players`` knows, or ``gnubg-external:PORT``.

    Args:
        name: of the player.
        variant: the game to play.
        scoring: a key of ``SCORINGS``: what it plays for.
        seed: of a player that draws lots.
        decisions: how many it will be asked for, about.

    Raises:
        PlayerError, CheckpointError, EngineError: there is none, or it cannot be used.

    >>> player("pubeval").name
    'pubeval'
    """
    if name.startswith(PREFIX):
        return GnubgServer.named(name, variant, scoring)
    return players.player(name, variant, scoring, seed, decisions)
