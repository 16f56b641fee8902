"""A position looked into by rollouts."""

from collections.abc import Sequence
from dataclasses import replace

from tqdm import tqdm

from ..engine.answers import RankedPlay
from ..engine.engine import Engine
from ..engine.rolled_out import roll_out_plays, roll_out_position, rolled_out_cube
from ..engine.rollout import Settings
from .study import Study


def roll_out(engine: Engine, study: Study, candidates: Sequence[RankedPlay], settings: Settings,
             jobs: int = 1) -> Study:
    """The study with rollouts: of these plays, which then stand before all others, the best
    first; or, before the throw, of the position, and of the cube by what they say.

    Raises: as ``Engine.rollout`` does.
    """
    games = settings.games * max(1, len(candidates))
    with tqdm(total=games, unit=" games", disable=None) as bar:

        def progress(ended: int) -> None:
            bar.update(ended * max(1, len(candidates)))

        position = study.position
        if not study.plays:
            found = roll_out_position(engine, position, settings, jobs, progress)
            cube = study.analysis.cube and rolled_out_cube(engine, position, found)
            answer = cube.answer if cube and study.analysis.answer else study.analysis.answer
            analysis = replace(study.analysis, cube=cube, answer=answer)
            return replace(study, analysis=analysis, rolled=(found,))
        rolled = roll_out_plays(engine, position, candidates, settings, jobs, progress)
    order = sorted(range(len(rolled)), key=lambda n: rolled[n].lost)
    first = [candidates[n] for n in order]
    plays = [*first, *(play for play in study.plays if play not in first)]
    return replace(study, analysis=replace(study.analysis, plays=plays),
                   rolled=tuple(rolled[n] for n in order))  # fmt: skip
