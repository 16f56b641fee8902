"""Players that nobody trained, to measure the others by, and the names of all players."""

from collections.abc import Callable

import numpy as np

from bgnet.game.plays import Plays
from bgnet.game.variants import STANDARD, Variant

from .player import Player, ValuePlayer


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


BASELINES: dict[str, Callable[[Variant], Player]] = {
    "random": lambda variant: RandomPlayer(np.random.default_rng(0), variant),
    "pipcount": pipcount,
}
