"""What the engine says, in the game's words."""

from dataclasses import dataclass

from ..position import Play
from .cube_decision import CubeDecision


@dataclass(frozen=True)
class Evaluation:
    """What the engine believes of a position before the throw."""

    equity: float
    """Cubeless, in points for a cube at 1, for the side that rolls."""
    outcomes: tuple[float, ...]
    """Chances of the six outcomes for the side that rolls, in the order of
    ``scoring.OUTCOMES``; exclusive, they sum to 1."""


@dataclass(frozen=True)
class RankedPlay(Play):
    """A legal play and what the engine believes of it."""

    equity: float
    """What plays are ranked by, for the side that plays; see ``Engine.utility``."""
    cubeless: float
    """Cubeless equity in points for a cube at 1."""
    outcomes: tuple[float, ...]
    """Chances of the six outcomes for the side that plays, in the order of
    ``scoring.OUTCOMES``."""
    plies: int
    """How far the engine looked ahead of this play: plays that look bad are not looked into."""


@dataclass(frozen=True)
class Analysis:
    """All that the engine has to say of a position."""

    evaluation: Evaluation
    """Before the throw."""
    plays: list[RankedPlay]
    """Of the position's roll, the best first; empty before the throw."""
    cube: CubeDecision | None
    """Whether to double; None after the throw, in a finished game and where a beaver or raccoon
    is on the table."""
    answer: str | None
    """What to do about the offer on the table, if there is one; see ``Engine.answer``."""
