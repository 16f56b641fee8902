"""A decision of a match under review: what could have been done, and what was."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..position import Position
from .cube_decision import CubeDecision
from .ratings import Luck, error_class


class Topic(StrEnum):
    """What a decision is about."""

    PLAY = "play"
    DOUBLE = "double"
    """Whether to double."""
    ANSWER = "answer"
    FORFEIT = "turn lost"
    RESIGN = "resignation"


class Option(NamedTuple):
    """Something that could have been done."""

    text: str
    equity: float
    """Of the side that decides, normalised to the cube."""
    chance: float | None
    """Its chance of winning the match; None for money."""
    plies: int
    """How far the engine looked ahead."""


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision and what could have been done."""

    game: int
    """Number of the game, from 1 on."""
    turn: int
    """Number of the turn in its game, from 1 on."""
    player: int
    """Who decides, 0 or 1."""
    topic: Topic
    position: Position
    """Before the decision, seen by the side on roll."""
    options: tuple[Option, ...]
    """The best first; of plays the best ones and the one made."""
    made: int
    """Which of them was chosen."""
    legal: int
    """How many there were in all."""
    counted: bool
    """Whether it counts in the ratings."""
    roll_luck: Luck | None = None
    """The luck of the roll that is played."""
    cube: CubeDecision | None = None
    """All three equities of a decision whether to double."""

    @property
    def choice(self) -> Option:
        """What was done."""
        return self.options[self.made]

    @property
    def lost(self) -> float:
        """Equity given away, 0 or more (to lose the turn may be better than any legal play)."""
        return max(self.options[0].equity - self.choice.equity, 0.0)

    @property
    def chance_lost(self) -> float | None:
        """Chance of winning the match given away; None for money."""
        best, made = self.options[0].chance, self.choice.chance
        return None if best is None or made is None else max(best - made, 0.0)

    @property
    def error_class(self) -> str:
        """``blunder``, ``error``, ``doubtful``, or empty."""
        return error_class(self.lost)

    @property
    def of_cube(self) -> bool:
        """Whether it is about the cube."""
        return self.topic in (Topic.DOUBLE, Topic.ANSWER)

    @property
    def fault(self) -> str:
        """The name of a mistake with the cube, from ``ratings.FAULTS``, or empty."""
        if not self.of_cube or self.made == 0 or not self.error_class:
            return ""
        if self.topic is Topic.DOUBLE:
            return "missed double" if self.choice.text.startswith("no") else "wrong double"
        best, made = self.options[0].text, self.choice.text
        if best == "beaver" and made == "take":
            return "missed beaver"
        return f"wrong {'take' if made == 'beaver' and best == 'pass' else made}"
