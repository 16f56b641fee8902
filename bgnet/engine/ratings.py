"""How well somebody played: errors by class, error rate, performance rating, luck."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

#: Classes of errors, the worst first, and the equity from which on a decision belongs to each.
CLASSES = {"blunder": 0.08, "error": 0.04, "doubtful": 0.02}
#: What can go wrong with the cube.
FAULTS = ("missed double", "wrong double", "wrong take", "wrong pass", "missed beaver",
          "wrong beaver")  # fmt: skip


def error_class(lost: float) -> str:
    """The class of an error, empty below them all.

    Args:
        lost: equity, normalised to the cube.

    >>> [error_class(lost) for lost in (0.019, 0.02, 0.05, 0.3)]
    ['', 'doubtful', 'error', 'blunder']
    """
    return next((name for name, least in CLASSES.items() if lost >= least), "")


class Luck(NamedTuple):
    """What a roll brought: its worth, well played, less the mean over all rolls."""

    equity: float
    """Normalised to the cube."""
    chance: float | None
    """The same as chance of winning the match; None for money."""


class Rateable(Protocol):
    """What a rating needs to know of a decision."""

    @property
    def lost(self) -> float:
        """Equity given away."""

    @property
    def counted(self) -> bool:
        """Whether it counts."""

    @property
    def of_cube(self) -> bool:
        """Whether it is one about the cube."""

    @property
    def fault(self) -> str:
        """One of ``FAULTS``, or nothing."""

    @property
    def roll_luck(self) -> Luck | None:
        """The luck of its roll."""


@dataclass
class Tally:
    """So many decisions, and what they gave away."""

    count: int = 0
    lost: float = 0.0
    """Equity."""

    def add(self, lost: float) -> None:
        """Count one more."""
        self.count += 1
        self.lost += lost


@dataclass(frozen=True)
class Rating:
    """A player's decisions, summed up."""

    plays: Tally = field(default_factory=Tally)
    """Plays with more than one legal way."""
    cube: Tally = field(default_factory=Tally)
    """Decisions about the cube that are close or went wrong, and all doubles and answers."""
    classes: dict[str, Tally] = field(
        default_factory=lambda: {name: Tally() for name in CLASSES}
    )
    """Errors by class, those of the cube among them."""
    faults: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in FAULTS})
    """Errors of the cube that belong to a class, by kind."""
    rolls: int = 0
    """Rolls thrown."""
    luck: float = 0.0
    """Sum over the rolls, equity."""
    luck_chance: float = 0.0
    """Sum over the rolls, chance of winning the match; 0 for money."""

    @property
    def total(self) -> Tally:
        """Plays and cube together."""
        return Tally(self.plays.count + self.cube.count, self.plays.lost + self.cube.lost)

    @property
    def error_rate(self) -> float | None:
        """Mean loss in millipoints a decision; None without decisions."""
        total = self.total
        return 1000 * total.lost / total.count if total.count else None

    @property
    def performance(self) -> float | None:
        """Performance rating (PR) as eXtreme Gammon has it: 500 times the mean equity lost a
        decision, so half the error rate. 0 is perfect."""
        return None if self.error_rate is None else self.error_rate / 2


def rate(decisions: Iterable[Rateable]) -> Rating:
    """Sum up the decisions of one player."""
    rating = Rating()
    rolls, luck, luck_chance = 0, 0.0, 0.0
    for decision in decisions:
        if decision.roll_luck is not None:
            rolls += 1
            luck += decision.roll_luck.equity
            luck_chance += decision.roll_luck.chance or 0.0
        if not decision.counted:
            continue
        (rating.cube if decision.of_cube else rating.plays).add(decision.lost)
        name = error_class(decision.lost)
        if name:
            rating.classes[name].add(decision.lost)
            if decision.fault:
                rating.faults[decision.fault].add(decision.lost)
    return Rating(rating.plays, rating.cube, rating.classes, rating.faults,
                  rolls, luck, luck_chance)  # fmt: skip
