"""A hand-written player of Russian backgammon, after the advice that closes Foster's chapter.

"Getting your men together in advance of your adversary, and covering as many consecutive points
as possible, so that he cannot pass you except singly, and then only at the risk of being hit":
both sides walk the same way, so a row of points held ahead of his men is a wall, and a blot is in
danger from every adverse man behind it.
"""

from dataclasses import dataclass

import numpy as np

from ..game.board import BAR, SLOTS
from ..game.russian_row import WAITING, flip
from ..game.shots import open_shots
from ..game.variants import RUSSIAN, Variant
from .player import ValuePlayer


@dataclass(frozen=True)
class Weights:
    """What each thing is worth, in pips. The figures are ours, set by hand and checked in duels."""

    point: float = 6.0
    """Each point held with adverse men behind it."""
    run: float = 5.0
    """Each two, three, ... six consecutive points among them: six of them count five times over,
    then four times, and so on."""
    exposed: float = 0.7
    """Each pip that a man of the side not on roll may lose to a hit, times its odds."""
    exposed_later: float = 0.3
    """The same for the side on roll, which may still run or cover."""
    heaped: float = 2.0
    """Each man beyond the third on a point is so much lost."""
    off: float = 4.0
    """Each man borne off, besides its pips."""


def _odds() -> np.ndarray:
    """(26, 26) float32: the chance that a man on the first slot hits a blot on the second."""
    odds = np.zeros((SLOTS, SLOTS), np.float32)
    for distance, throws in open_shots().items():
        for blot in range(1, SLOTS - distance):
            odds[blot + distance, blot] = throws / 36
    return odds


_ODDS = _odds()
_PIPS = np.arange(SLOTS, dtype=np.float32)


def _walls(points: np.ndarray, behind: np.ndarray, weights: Weights) -> np.ndarray:
    """What the points held are worth to their owner.

    Args:
        points: ``(n, 24)`` bool, points 1 to 24 that one side holds.
        behind: ``(n, 24)`` float32, 0 to 1, how much of the other side is still behind each.
    """
    run = points
    worth = weights.point * (run * behind).sum(axis=1)
    for length in range(2, 7):
        run = run[:, 1:] & points[:, : 25 - length]
        worth += weights.run * (run * behind[:, length - 1 :]).sum(axis=1)
    return worth


def _side(rows: np.ndarray, exposed: float, weights: Weights) -> np.ndarray:
    """What the men of one side are worth, ``(n,)`` float32: those positive in the rows.

    Args:
        rows: ``(n, 31)`` int8.
        exposed: what a pip in danger costs.
        weights: of everything else.
    """
    mine = np.maximum(rows[:, : WAITING + 1], 0)
    mine[:, BAR] += mine[:, WAITING]
    mine = mine[:, :SLOTS]
    theirs = np.maximum(flip(rows)[:, : WAITING + 1], 0)
    theirs[:, BAR] += theirs[:, WAITING]
    theirs = theirs[:, :SLOTS]
    # Men of the other side behind each point, four or more counting as all.
    behind = theirs[:, ::-1].cumsum(axis=1, dtype=np.int16)[:, ::-1]
    behind = np.minimum(behind[:, 2:] / np.float32(4), 1)  # behind points 1 to 24
    worth = _walls(mine[:, 1:BAR] > 1, behind, weights)
    hit = np.minimum((theirs > 0).astype(np.float32) @ _ODDS, 1)
    blots = mine[:, :BAR] == 1
    worth -= exposed * ((blots * hit[:, :BAR]) @ (BAR - _PIPS[:BAR]))
    worth -= weights.heaped * np.maximum(mine[:, 1:BAR] - 3, 0).sum(axis=1)
    worth -= mine @ _PIPS
    return worth - weights.off * mine.sum(axis=1)


def prime(variant: Variant = RUSSIAN, weights: Weights = Weights()) -> ValuePlayer:
    """The player; a position is worth what its own men are, less what the adversary's are.

    >>> from bgnet.game.russian import place
    >>> rows = np.stack([place({20: 2, 19: 2, 26: 11}, {25: 1, 26: 14}),
    ...                  place({20: 2, 18: 2, 26: 11}, {25: 1, 26: 14})])
    >>> together, apart = prime().values(rows)
    >>> bool(together > apart)
    True
    """

    def worth(rows: np.ndarray) -> np.ndarray:
        own = _side(rows, weights.exposed_later, weights)
        return own - _side(flip(rows), weights.exposed, weights)

    return ValuePlayer("prime", variant, worth)
