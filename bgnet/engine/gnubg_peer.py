"""GNU Backgammon's own networks as a player, through the optional package gnubg-nn."""

from types import ModuleType

import numpy as np

from ..game.board import flip
from ..game.plays import Plays
from ..game.variants import STANDARD, Variant
from .player import PlayerError, best_rows


def _load() -> ModuleType:
    try:
        import gnubg_nn
    except ImportError as error:
        raise PlayerError(
            'the player gnubg needs the package gnubg-nn: pip install "bgnet[peers]"'
        ) from error
    return gnubg_nn


class Gnubg:
    """Gnubg, cubeless: the play whose position it evaluates best.

    Every legal play is evaluated at the full depth; no filter leaves any out.
    """

    def __init__(self, ply: int = 0, scoring: str = "english", variant: Variant = STANDARD) -> None:
        """
        Args:
            ply: its look-ahead as gnubg counts it, 0 being the network alone.
            scoring: "english" plays for equity, "american" for winning chances.
            variant: with fifteen men and the standard rules.

        Raises:
            PlayerError: gnubg-nn is not installed.
        """
        self.name = f"gnubg@{ply}" if ply else "gnubg"
        self.variant = variant
        self._ply = ply
        self._gammons = float(scoring == "english")
        self._probabilities = _load().probabilities

    def equities(self, boards: np.ndarray) -> np.ndarray:
        """Cubeless equities.

        Args:
            boards: ``(n, 26)`` int8, seen by the side that rolls.

        Returns:
            ``(n,)`` float64 in points for that side.
        """
        # gnubg's board: his men, then mine, each on the points 1 to 24 and the bar of their side.
        sides = np.stack([np.maximum(flip(boards), 0), np.maximum(boards, 0)], axis=1)[:, :, 1:]
        chances = [self._probabilities(sides_of_one, self._ply) for sides_of_one in sides.tolist()]
        # win, win gammon, win backgammon, lose gammon, lose backgammon; each within the one before
        worth = np.array([2, 1, 1, -1, -1]) * [1, *[self._gammons] * 4]
        return np.array(chances).reshape(-1, 5) @ worth - 1

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The play of the highest equity; see ``Player``."""
        return best_rows(plays.sign() * self.equities(plays.boards), plays, len(boards))
