"""Positions and plays rolled out, seen by the side that asks, with score and cube.

The games themselves are played without a cube (``rollout``). What they say of the chances is then
valued as look-ahead values it: by ``Engine.utility`` for plays, by the cube's interpolation for a
double. Where that is no straight line, standard errors follow it by its slope at the mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..game.match import MatchError, MatchState, Offer
from ..nets.outcomes import flip, mean_points, to_cumulative
from ..position import Play, Position
from .cube_decision import CubeDecision, cube_action
from .cube_search import efficiency
from .engine import Engine
from .rollout import Rollout, Settings
from .search import Utility

Progress = Callable[[int], object]
_STEP = 1e-4  # in chance, for slopes
_CERTAIN = 1e-9  # a standard error that is none


@dataclass(frozen=True)
class RolledOut:
    """What rolled-out games say, seen by the side that asks."""

    games: int
    """Games played."""
    outcomes: tuple[float, ...]
    """Chances of the six outcomes; with luck taken out one can lie a little below 0."""
    chance_errors: tuple[float, ...]
    """Standard errors of the five cumulative chances, see ``nets.outcomes.CUMULATIVE``."""
    variance_ratio: float | None
    """How many times as many games it would take with luck left in; None for what is certain."""
    equity: float
    """Of a play by ``Engine.utility``; of a position cubeless points for a cube at 1."""
    equity_error: float
    """Its standard error."""
    lost: float = 0.0
    """Of a play: by how much the best of those rolled out is better."""
    lost_error: float = 0.0
    """Standard error of the difference; common dice make it small."""


def roll_out_position(engine: Engine, position: Position, settings: Settings, jobs: int = 1,
                      progress: Progress | None = None) -> RolledOut:
    """Roll a position out from before the throw.

    Raises: as ``Engine.rollout`` does.
    """
    found = engine.rollout([position], settings, jobs, progress)
    samples = found.results[0] - found.luck[0]
    equity, points = _valued(samples, _payoffs(engine, position.match))
    return _said(samples, _ratio(found, 0), equity, points)


def roll_out_plays(engine: Engine, position: Position, plays: Sequence[Play], settings: Settings,
                   jobs: int = 1, progress: Progress | None = None) -> list[RolledOut]:
    """Roll out what plays lead to, with the same dice for all; finished games are certain.

    Args:
        engine: who plays.
        position: before the plays.
        plays: some of its plays.
        settings: see ``Settings``.
        jobs: processes.
        progress: told how many games of each play have just ended.

    Returns:
        In the order of ``plays``.

    Raises: as ``Engine.rollout`` does.
    """
    after = [play.position for play in plays]
    going_on = [at for at in after if not at.result]
    found = engine.rollout(going_on, settings, jobs, progress) if going_on else None
    rolled = iter(found.results - found.luck if found else ())
    games = found.games if found else 2
    utility = engine.utility(position.match) or _payoffs(engine, position.match)
    number = iter(range(len(going_on)))
    seen, ratios = [], []
    for at in after:
        samples = next(rolled) if not at.result else _certain(engine, at, games)
        ratios.append(None if at.result or not found else _ratio(found, next(number)))
        same_side = at.match.seat == position.match.seat
        seen.append(samples if same_side else flip(samples))
    valued = [_valued(samples, utility) for samples in seen]
    best, best_points = max(valued, key=lambda value: value[0])
    return [
        _said(samples, ratio, equity, points, best - equity, _error(best_points - points))
        for samples, ratio, (equity, points) in zip(seen, ratios, valued, strict=True)
    ]


def rolled_out_cube(engine: Engine, position: Position, found: RolledOut) -> CubeDecision:
    """What the rolled-out chances of a position say about a double.

    Where the chances are known without a rollout, the engine is asked: it may know the cube too.

    Raises:
        MatchError: a beaver or raccoon is on the table.
        MetError: the score lies outside the match equity table.
    """
    if max(found.chance_errors) < _CERTAIN:
        return engine.cube_action(position)
    if position.match.offer in (Offer.BEAVER, Offer.RACCOON):
        raise MatchError(f"a {position.match.offer} is on the table: it can only be answered")
    chances = np.clip(np.array(found.outcomes), 0, 1)
    lively = float(efficiency(position.board[None], position.variant)[0])
    return cube_action(chances / chances.sum(), position.match, lively, engine.search.scoring)


def _payoffs(engine: Engine, match: MatchState) -> Utility:
    """Cubeless points for a cube at 1."""
    payoffs = match.payoffs(engine.search.scoring) / match.cube
    return lambda outcomes: mean_points(outcomes, payoffs)


def _certain(engine: Engine, over: Position, games: int) -> np.ndarray:
    """Samples of a finished game, as many as of the others."""
    return np.tile(np.array(engine.evaluate(over).outcomes, np.float64), (games, 1))


def _valued(samples: np.ndarray, utility: Utility) -> tuple[float, np.ndarray]:
    """The worth of the mean of ``(g, 6)`` samples, and what each game adds to it, ``(g,)``."""
    mean = samples.mean(axis=0)
    around = utility(np.vstack([mean, mean + _STEP * np.eye(6), mean - _STEP * np.eye(6)]))
    slopes = (around[1:7] - around[7:]) / (2 * _STEP)
    return float(around[0]), mean_points(samples, slopes)


def _ratio(found: Rollout, i: int) -> float | None:
    """``RolledOut.variance_ratio`` of a position."""
    ratio = float(found.variance_ratios[i])
    return ratio if np.isfinite(ratio) else None


def _error(values: np.ndarray) -> float:
    """Standard error of the mean."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _said(samples: np.ndarray, ratio: float | None, equity: float, points: np.ndarray,
          lost: float = 0.0, lost_error: float = 0.0) -> RolledOut:
    """The answer for ``(g, 6)`` samples."""
    errors = [_error(column) for column in to_cumulative(samples).T]
    outcomes = tuple(samples.mean(axis=0).tolist())
    return RolledOut(
        len(samples), outcomes, tuple(errors), ratio, equity, _error(points), lost, lost_error
    )
