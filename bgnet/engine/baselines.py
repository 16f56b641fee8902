"""Players that nobody trained, to measure the others by, and the names of all players."""

import numpy as np

from ..game.plays import Plays
from ..game.variants import RUSSIAN, STANDARD, Variant
from .foster import Foster
from .gnubg_peer import Gnubg
from .player import Player, PlayerError, ValuePlayer
from .prime import prime
from .pubeval import Pubeval


class RandomPlayer:
    """Plays any of the distinct positions it can reach, each as often as the others."""

    name = "random"

    def __init__(self, rng: np.random.Generator, variant: Variant = STANDARD) -> None:
        self.rng = rng
        self.variant = variant

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """A row of each position by lot; see ``Player``."""
        firsts = plays.firsts(len(boards))
        counts = np.diff(firsts, append=len(plays.owner))
        return firsts + self.rng.integers(0, counts)


def pipcount(variant: Variant = STANDARD) -> ValuePlayer:
    """A player that counts pips: it runs, and hits whatever it can, the farther on the better.

    >>> boards = STANDARD.starts(1)
    >>> boards[0, 20], boards[0, 19] = -1, -4          # a blot within reach of a four
    >>> rolls = np.array([[3, 1]], np.int8)
    >>> plays = STANDARD.legal_plays(boards, rolls)
    >>> chosen = pipcount().choose(boards, rolls, plays)
    >>> STANDARD.pip_counts(plays.boards[chosen]).tolist()   # the opponent's, then the player's
    [[186, 163]]
    """

    def lead(rows: np.ndarray) -> np.ndarray:
        mine, his = variant.pip_counts(rows).T
        return his - mine

    return ValuePlayer("pipcount", variant, lead)


#: The players that need no checkpoint, in ascending strength, and what each is.
BASELINES = {
    "random": "any position it can reach, by lot",
    "pipcount": "runs, and hits what it can",
    "foster": "a hand-written player after Foster's advice",
    "prime": "a hand-written player of Russian backgammon after Foster's advice",
    "pubeval": "Tesauro's public linear evaluator",
    "gnubg": "GNU Backgammon's networks; gnubg@1 looks one ply ahead",
}


def plays(name: str, variant: Variant) -> bool:
    """Whether a baseline knows a game.

    Args:
        name: a key of ``BASELINES``.
        variant: the game.

    >>> [name for name in BASELINES if plays(name, RUSSIAN)]
    ['random', 'pipcount', 'prime']
    """
    if name in ("random", "pipcount"):
        return True
    known = RUSSIAN if name == "prime" else STANDARD
    return variant.rules is known.rules and variant.men == known.men


def player(name: str, variant: Variant = STANDARD, scoring: str = "english", seed: int = 0
           ) -> Player:
    """The baseline of a name.

    Args:
        name: a key of ``BASELINES``, or ``gnubg@N`` for gnubg at N plies.
        variant: the game to play.
        scoring: a key of ``SCORINGS``: what the player plays for, where it makes a difference.
        seed: of the player that draws lots.

    Returns:
        A ``Player``.

    Raises:
        PlayerError: there is no such player, it does not play that game, or it needs a package
            that is not installed.

    >>> player("foster").name
    'foster'
    """
    base, at, ply = name.partition("@")
    if base not in BASELINES or (at and not (base == "gnubg" and ply.isdecimal())):
        raise PlayerError(f"no player is called {name}; there are {', '.join(BASELINES)}, gnubg@1")
    if not plays(base, variant):
        able = ", ".join(known for known in BASELINES if plays(known, variant))
        raise PlayerError(f"{base} does not play {variant.name}; players that do are {able}")
    if base == "random":
        return RandomPlayer(np.random.default_rng(seed), variant)
    if base == "pipcount":
        return pipcount(variant)
    if base == "prime":
        return prime(variant)
    if base == "foster":
        return Foster(scoring, variant)
    if base == "pubeval":
        return Pubeval(variant)
    return Gnubg(int(ply or 0), scoring, variant)
