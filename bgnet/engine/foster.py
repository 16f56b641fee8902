"""A hand-written player after the advice in Foster's chapter on backgammon.

Every position that a play reaches is valued in pips: the lead in the race and what the points
held are worth, less what is exposed to a hit. Foster plays two games. Ahead, the *forward* game:
get home, leave no blots, and take up no man that would only stand in the way. Behind, the
*backward* game: keep men in the adversary's home table to catch his, and care less for blots.
How far a side may go when it is behind depends on the style: in the English one a gammon costs
double, in the American one every game is lost only once.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..game.board import BAR, HOME, SLOTS, flip, pip_counts
from ..game.plays import Plays
from ..game.variants import STANDARD, Variant
from .player import best_rows


@dataclass(frozen=True)
class Advice:
    """What each thing is worth to the side that moved, in pips.

    The figures are ours, set by hand and checked in duels. The advice to keep men back as catchers
    does not pay against pubeval in either style; it is followed a little, in the American one.
    """

    five_point: float = 12.0
    """My five point: the first to secure."""
    adverse_five_point: float = 8.0
    """The adversary's five point: the other one to secure."""
    bar_point: float = 8.0
    """My bar point, next; it stops his men from running with double sixes."""
    four_point: float = 8.0
    """My four point, after the bar point."""
    home_point: float = 4.0
    """Any other point of my home table."""
    heaped_man: float = -1.0
    """Each man beyond the third on a point: he covers nothing, and most points are best."""
    bar_behind_points: float = 4.0
    """Each man of his on the bar, for each point of my home table that he cannot enter on."""
    exposed_pip: float = -1.5
    """Each pip that a hit on a blot would cost, times the odds that it is hit."""
    blot: float = -1.5
    """Each blot within reach of an adverse man, whatever it has to lose."""
    man_taken_up: float = 0.0
    """Each man of his on the bar, besides the pips that he loses."""
    catcher: float = 0.0
    """Each of the points 1 and 2 of his home table that I hold."""
    man_off: float = 6.0
    """Each of my men thrown off: always throw off every man possible."""


#: What to look for when ahead, in either style.
FORWARD = replace(Advice(), man_taken_up=-2.0)
#: What to look for when behind, by scoring.
BACKWARD = {
    "english": Advice(),
    "american": replace(Advice(), catcher=1.0, exposed_pip=-1.2),
}

#: Ways in 36 to hit at each distance with single or double dice: Foster's table of odds, but for
#: 12, where 4-4 and 3-3 hit besides 6-6.
_WAYS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3}


def _odds() -> np.ndarray:
    """(26, 26) float32: the chance that his man on one slot hits mine on another."""
    odds = np.zeros((SLOTS, SLOTS), np.float32)
    for his in range(SLOTS):
        for distance, ways in _WAYS.items():
            if his + distance < BAR:
                odds[his, his + distance] = ways / 36
    return odds


_ODDS = _odds()
_COST = BAR - np.arange(SLOTS, dtype=np.float32)  # pips that a man on each slot loses when hit


def _features(boards: np.ndarray) -> np.ndarray:
    """What a position has of everything that ``Advice`` weighs, and the lead in pips.

    Args:
        boards: ``(m, 26)`` int8 after a play, **seen by the side that moved**.

    Returns:
        ``(m, 13)`` float32: the fields of ``Advice`` in their order, then the lead.
    """
    held = (boards > 1).astype(np.float32)
    taken = -boards[:, 0].astype(np.float32)
    # The chance that a blot is hit: the odds of all men that reach it, added up, at most 1.
    hit = np.minimum((boards < 0).astype(np.float32) @ _ODDS, 1)
    blots = (boards == 1) & (hit > 0)
    mine, his = pip_counts(boards).T
    return np.stack(
        [
            held[:, 5],
            held[:, BAR - 5],
            held[:, 7],
            held[:, 4],
            held[:, [1, 2, 3, 6]].sum(axis=1),
            np.maximum(boards[:, 1:] - 3, 0).sum(axis=1),
            taken * held[:, 1 : HOME + 1].sum(axis=1),
            (blots * hit) @ _COST,
            blots.sum(axis=1),
            taken,
            held[:, [BAR - 1, BAR - 2]].sum(axis=1),
            -np.maximum(boards, 0).sum(axis=1),  # men off, up to the same number for every play
            his - mine,
        ],
        axis=1,
        dtype=np.float32,
    )


def _weights(advice: Advice) -> list[float]:
    """(13,) the weights that go with ``_features``; a pip of lead is worth a pip."""
    return [*vars(advice).values(), 1.0]


class Foster:
    """The player: the forward game when ahead, the backward game when behind."""

    name = "foster"

    def __init__(self, scoring: str = "english", variant: Variant = STANDARD) -> None:
        self.variant = variant
        plans = (BACKWARD[scoring], FORWARD)
        self._plans = np.array([_weights(advice) for advice in plans], np.float32)

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The play worth most pips under the plan of the position before it; see ``Player``."""
        mine, his = pip_counts(boards).T
        plan = (mine <= his).astype(np.int64)[plays.owner]
        values = (_features(flip(plays.boards)) * self._plans[plan]).sum(axis=1)
        return best_rows(values, plays, len(boards))
