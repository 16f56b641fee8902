"""Resigning: offering what the game is lost by, and accepting what is at least worth playing on.

A resignation gives up a single game, a gammon or a backgammon (1, 2 or 3 points, times the cube).
"""

import numpy as np

from ..game.match import MatchState
from ..game.scoring import LOSE
from .cube import EFFICIENCY, cubeful, worth
from .met import MatchEquityTable

#: How much worth, for a cube at 1, nobody minds: a side that will win once in 2,000 games is lost.
_NOTHING = 1e-3

#: What may be given up, in the order of the outcomes.
POINTS = (1, 2, 3)


def losses(state: MatchState, scoring: str = "english", met: MatchEquityTable | None = None
           ) -> np.ndarray:
    """What resigning a single game, a gammon and a backgammon is worth to who resigns.

    Args:
        state: of the side that resigns.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        ``(3,)`` float64 worth, none above the one before.
    """
    points = state.payoffs(scoring)[LOSE:].astype(np.int64)
    return worth(state, points, met)


def should_resign(outcomes: np.ndarray, state: MatchState, efficiency: float = EFFICIENCY,
                  scoring: str = "english", met: MatchEquityTable | None = None) -> int:
    """What the side on roll may as well give up now.

    Args:
        outcomes: ``(6,)``, its chances before the throw.
        state: its match state.
        efficiency: of the cube.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        0 to play on; 1, 2 or 3 for the cheapest of single game, gammon and backgammon that the
        opponent should accept, if playing on is worth no more than that.

    >>> should_resign(np.array([0, 0, 0, 0, 1, 0]), MatchState())
    2
    >>> should_resign(np.array([0.02, 0, 0, 0.98, 0, 0]), MatchState())
    0
    """
    playing_on = float(cubeful(outcomes[None], state, efficiency, scoring, met)[0])
    for points, loss in zip(POINTS, losses(state, scoring, met), strict=True):
        if abs(loss - playing_on) <= _tolerance(state):
            return points
    return 0


def accept_resignation(outcomes: np.ndarray, state: MatchState, points: int,
                       efficiency: float = EFFICIENCY, scoring: str = "english",
                       met: MatchEquityTable | None = None) -> bool:
    """Whether the opponent of the side on roll, which resigns, should accept.

    Args:
        outcomes: ``(6,)``, chances of the side on roll, which offers to resign.
        state: its match state.
        points: 1 a single game, 2 a gammon, 3 a backgammon.
        efficiency: of the cube.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        True if playing on is worth no more to the opponent than what is offered.

    Raises:
        ValueError: there is no such resignation.

    >>> gammon_or_single = np.array([0, 0, 0, 0.5, 0.5, 0])
    >>> [accept_resignation(gammon_or_single, MatchState(), points) for points in (1, 2)]
    [False, True]
    """
    if points not in POINTS:
        raise ValueError(f"one resigns 1 (a single game), 2 (a gammon) or 3 points, not {points}")
    playing_on = float(cubeful(outcomes[None], state, efficiency, scoring, met)[0])
    return bool(losses(state, scoring, met)[points - 1] <= playing_on + _tolerance(state))


def _tolerance(state: MatchState) -> float:
    """Differences of worth that count as none. In a match they are parts of the match."""
    return _NOTHING * (state.cube if state.money else 1)
