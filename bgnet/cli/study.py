"""A position looked into: what ``eval`` and ``rollout`` find out and then print."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engine.answers import Analysis, RankedPlay
from ..position import Position

if TYPE_CHECKING:
    from ..engine.rolled_out import RolledOut


@dataclass(frozen=True)
class Study:
    """What has been found out about a position."""

    position: Position
    analysis: Analysis
    cubeful: bool
    """Plays are ranked with score and cube."""
    rolled: "tuple[RolledOut, ...]" = ()
    """Of the first plays, in their order; or of the position itself, before the throw."""

    @property
    def plays(self) -> Sequence[RankedPlay]:
        """Those of the roll, the best first."""
        return self.analysis.plays

    def lost(self, number: int) -> float:
        """What a play, counted from 0, is worth less than the best."""
        if number < len(self.rolled):
            return self.rolled[number].lost
        return self.plays[0].equity - self.plays[number].equity
