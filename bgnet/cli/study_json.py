"""What has been found out about a position, for programs."""

from typing import TYPE_CHECKING

from ..engine.answers import RankedPlay
from ..game.match import MatchState
from ..nets.outcomes import CUMULATIVE
from .display import chances
from .study import Study

if TYPE_CHECKING:
    from ..engine.rolled_out import RolledOut


def answer(study: Study, shown: int | None = None, yours: int | None = None) -> dict[str, object]:
    """The JSON object of a position.

    Args:
        study: what is known.
        shown: so many plays, None is all of them.
        yours: the number of the play to be rated, from 0 on.
    """
    position, analysis = study.position, study.analysis
    found: dict[str, object] = {
        "position": position.texts,
        "variant": position.variant.name,
        "match": _match(position.match),
        "dice": list(position.roll) if position.roll else None,
        "result": position.result,
        "outcomes": chances(analysis.evaluation.outcomes),
        "equity": analysis.evaluation.equity,
        "cube": _cube(study),
        "ranked_by": "cubeful" if study.cubeful else "cubeless",
        "plays": [_play(study, number) for number in range(len(study.plays))[:shown]],
        "best": study.plays[0].text if study.plays else None,
    }
    if study.rolled and not study.plays:
        found["rollout"] = _rolled(study.rolled[0])
    if yours is not None:
        found["rated"] = {**_play(study, yours), "rank": yours + 1, "loss": study.lost(yours)}
    return found


def _match(match: MatchState) -> dict[str, object]:
    """Score and cube, seen by the side on roll."""
    return {
        "length": match.length,
        "score": match.score,
        "opponent_score": match.opponent_score,
        "on_roll": "bottom" if match.seat else "top",
        "crawford": match.crawford,
        "jacoby": match.jacoby,
        "beavers": match.beavers,
        "cube": match.cube,
        "owner": str(match.owner),
        "max_cube": match.max_cube,
    }


def _cube(study: Study) -> dict[str, object] | None:
    """What to do about the cube; None after the throw and in a finished game."""
    match, decision = study.position.match, study.analysis.cube
    offer = None if match.offer == "none" else str(match.offer)
    if decision is None:
        if offer is None:
            return None
        return {"action": None, "may_double": False, "offer": offer,
                "answer": study.analysis.answer, "equity": None}  # fmt: skip
    names = ("no_double", "double_take", "double_pass")
    return {
        "action": decision.action,
        "may_double": decision.may_double,
        "offer": offer,
        "answer": decision.answer,
        "equity": {name: getattr(decision, name) for name in names},
        "match_chances": decision.chances and decision.chances._asdict(),
    }


def _play(study: Study, number: int) -> dict[str, object]:
    """The JSON object of a play."""
    play: RankedPlay = study.plays[number]
    found: dict[str, object] = {
        "play": play.text,
        "equity": play.equity,
        "cubeless": play.cubeless,
        "outcomes": chances(play.outcomes),
        "ply": play.plies,
    }
    if number < len(study.rolled):
        rolled = study.rolled[number]
        found["rollout"] = {
            **_rolled(rolled), "lost": rolled.lost, "lost_error": rolled.lost_error
        }  # fmt: skip
    return found


def _rolled(rolled: "RolledOut") -> dict[str, object]:
    """The JSON object of a rollout."""
    return {
        "games": rolled.games,
        "equity": rolled.equity,
        "standard_error": rolled.equity_error,
        "outcomes": chances(rolled.outcomes),
        "standard_errors": dict(zip(CUMULATIVE, rolled.chance_errors, strict=True)),
        "variance_ratio": rolled.variance_ratio,
    }
