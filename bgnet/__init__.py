"""bgnet: a backgammon bot that learned from nothing but its own games.

What can be imported from here is the public API and stays stable. It is loaded when first asked
for, so that ``import bgnet`` costs nothing.

>>> from bgnet import Position
>>> Position().play("8/5 6/5", "31").gnubg_id
'sGfwATDgc/ABMA'
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .engine.answers import Analysis, Evaluation, RankedPlay
    from .engine.cube_decision import CubeDecision
    from .engine.engine import Engine, EngineError
    from .game.match import MatchError, MatchState
    from .game.variants import VARIANTS, legal_plays
    from .nets.checkpoint import CheckpointError
    from .position import IllegalPlayError, Laws, NotationError, Play, Position, PositionError

__version__ = "0.1.0"

#: Where each public name lives.
_HOMES = {
    "Analysis": "engine.answers",
    "CheckpointError": "nets.checkpoint",
    "CubeDecision": "engine.cube_decision",
    "Engine": "engine.engine",
    "EngineError": "engine.engine",
    "Evaluation": "engine.answers",
    "IllegalPlayError": "position",
    "Laws": "position",
    "MatchError": "game.match",
    "MatchState": "game.match",
    "NotationError": "position",
    "Play": "position",
    "Position": "position",
    "PositionError": "position",
    "RankedPlay": "engine.answers",
    "VARIANTS": "game.variants",
    "legal_plays": "game.variants",
}
__all__ = [  # noqa: RUF022  classes, data and functions first, then what they raise
    "Analysis",
    "CubeDecision",
    "Engine",
    "Evaluation",
    "Laws",
    "MatchState",
    "Play",
    "Position",
    "RankedPlay",
    "VARIANTS",
    "legal_plays",
    "CheckpointError",
    "EngineError",
    "IllegalPlayError",
    "MatchError",
    "NotationError",
    "PositionError",
]


def __getattr__(name: str) -> Any:
    """Load a public name the first time that it is asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
