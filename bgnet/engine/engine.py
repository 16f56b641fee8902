"""The engine, for people and programs: ask it about a position, and it answers in the game's words.

>>> from bgnet.engine.evaluator import Evaluator
>>> from bgnet.game.variants import STANDARD
>>> knows_nothing = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
>>> engine = Engine(Search(knows_nothing, ply=0, label="nothing"))
>>> engine.evaluate(Position()).equity
0.0
>>> len(engine.rank(Position(), "31"))
16
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..game.plays import Plays
from ..game.scoring import SCORINGS
from ..game.variants import VARIANTS, Variant
from ..nets.outcomes import equity
from ..notation.plays import parse_roll
from ..position import Dice, Play, Position
from .networks import load_evaluator
from .player import best_rows
from .search import Search

#: How weaker levels err: the standard deviation, in points, of a normal error that is added to
#: the equity of every play before the best is chosen. A network that loses 14 millipoints a
#: decision on the yardstick then loses 23 (club), 48 (casual, near pubeval) and 107 (beginner),
#: and gives its undisturbed self 0.2, 0.8 and 1.8 points a game.
LEVELS = {"beginner": 0.3, "casual": 0.12, "club": 0.05, "expert": 0.0}
#: The greatest look-ahead. Each ply costs some ten times the one before or more.
MOST_PLIES = 3


class EngineError(ValueError):
    """An engine that cannot be had, or a position that it does not play."""


@dataclass(frozen=True)
class Evaluation:
    """What the engine believes of a position before the throw."""

    equity: float
    """Cubeless, in points, for the side that rolls."""
    outcomes: tuple[float, ...]
    """Chances of the six outcomes for the side that rolls, in the order of
    ``scoring.OUTCOMES``; exclusive, they sum to 1."""


@dataclass(frozen=True)
class RankedPlay(Play):
    """A legal play and what the engine believes of it."""

    equity: float
    """Cubeless, in points, for the side that plays."""
    outcomes: tuple[float, ...]
    """Chances of the six outcomes for the side that plays, in the order of
    ``scoring.OUTCOMES``."""
    plies: int
    """How far the engine looked ahead of this play: plays that look bad are not looked into."""


@dataclass(frozen=True, eq=False)
class Engine:
    """An opponent and analyst. It is a ``Player`` too, for duels and benchmarks."""

    search: Search
    """What it asks for chances; it knows the game, the look-ahead and the scoring."""
    noise: float = 0.0
    """Standard deviation in points of the error that it makes in every play, as ``LEVELS`` has
    them. It spoils what is chosen, not what is said of positions and plays."""
    rng: np.random.Generator | None = None
    """Where the errors come from; without it there are none."""

    @classmethod
    def load(cls, net: str = "default", variant: str = "backgammon", ply: int = 0,
             scoring: str = "english", level: str | None = None,
             rng: np.random.Generator | int | None = None) -> Self:
        """An engine that plays with a network.

        Args:
            net: ``default`` (the shipped network of the variant), a shipped network's name, or
                the path of a checkpoint.
            variant: a key of ``VARIANTS``.
            ply: look-ahead as gnubg counts it: 0 is the network alone.
            scoring: ``english``, or ``american``, where gammons do not count.
            level: a key of ``LEVELS``; None plays as well as it can.
            rng: a generator or a seed for the errors of a level; None errs differently each time.

        Raises:
            EngineError: no such variant, scoring, level, or look-ahead.
            CheckpointError: no such network, a broken file, or one for another game.
        """
        level = level or "expert"
        for kind, name, known in (("game", variant, VARIANTS), ("scoring", scoring, SCORINGS),
                                  ("level", level, LEVELS)):  # fmt: skip
            if name not in known:
                raise EngineError(f"no {kind} is called {name!r}; there are {', '.join(known)}")
        if ply not in range(MOST_PLIES + 1):
            raise EngineError(f"the look-ahead is 0 to {MOST_PLIES} plies, not {ply}")
        evaluator = load_evaluator(net, VARIANTS[variant])
        search = Search(evaluator, ply, scoring, label=net)
        return cls(search, LEVELS[level], np.random.default_rng(rng))

    @property
    def name(self) -> str:
        """How tables and commands call it."""
        return self.search.name

    @property
    def variant(self) -> Variant:
        """The game that it plays."""
        return self.search.variant

    # -- positions and plays -----------------------------------------------------------------

    def evaluate(self, position: Position) -> Evaluation:
        """What a position is worth to the side on roll, before the throw: its own dice, if it
        has any, are passed over. A finished game is what it is.

        Raises:
            EngineError: a position of another game.
        """
        return self.evaluate_many([position])[0]

    def evaluate_many(self, positions: Sequence[Position]) -> list[Evaluation]:
        """``evaluate`` for many positions at once, in their order."""
        outcomes = self.search.outcomes(self._boards(positions))
        equities = equity(outcomes, self.search.scoring)
        return [
            Evaluation(worth, tuple(chances))
            for worth, chances in zip(equities.tolist(), outcomes.tolist(), strict=True)
        ]

    def rank(self, position: Position, roll: Dice | None = None) -> list[RankedPlay]:
        """Every legal play, the best first.

        Plays that were looked into deeper come before others; of equal plays the first in the
        order of ``legal_plays`` is first.

        Args:
            position: before the play.
            roll: ``"31"`` or ``(3, 1)``; by default the position's own.

        Raises:
            EngineError: a position of another game.
            NotationError: no roll, or dice other than 1 to 6.
            PositionError: the game is over, or a double waits for its answer.
        """
        return self.rank_many([position], [roll])[0]

    def rank_many(
        self, positions: Sequence[Position], rolls: Sequence[Dice | None] | None = None
    ) -> list[list[RankedPlay]]:
        """``rank`` for many positions at once, in their order."""
        boards = self._boards(positions)
        given = list(rolls) if rolls is not None else [None] * len(positions)
        legal = [at.legal_plays(roll) for at, roll in zip(positions, given, strict=True)]
        thrown = [
            position.roll if roll is None else parse_roll(roll)
            for position, roll in zip(positions, given, strict=True)
        ]
        dice = np.array(thrown, np.int8).reshape(-1, 2)
        plays = self.variant.legal_plays(boards, dice)
        judgement = self.search.play_outcomes(boards, dice, plays)
        equities = equity(judgement.outcomes, self.search.scoring)
        order = np.lexsort((-judgement.values, -judgement.plies, plays.owner))
        ranked: list[list[RankedPlay]] = [[] for _ in positions]
        firsts = plays.firsts(len(boards))
        for row, owner in zip(order.tolist(), plays.owner.tolist(), strict=True):
            play = legal[owner][row - firsts[owner]]
            ranked[owner].append(RankedPlay(
                play.text, play.position, play.steps, equity=float(equities[row]),
                outcomes=tuple(judgement.outcomes[row].tolist()), plies=int(judgement.plies[row]),
            ))  # fmt: skip
        return ranked

    def best_play(self, position: Position, roll: Dice | None = None) -> RankedPlay:
        """The play that the engine makes; at a weaker level not always the best.

        Raises: as ``rank`` does.
        """
        ranked = self.rank(position, roll)
        if not self.noise or self.rng is None:
            return ranked[0]
        equities = np.array([play.equity for play in ranked])
        return ranked[int(self._felt(equities, self.rng).argmax())]

    def _boards(self, positions: Sequence[Position]) -> np.ndarray:
        """``(n, width)`` int8 of positions, which must be of this engine's game."""
        for position in positions:
            if position.variant is not self.variant:
                raise EngineError(
                    f"{self.name} plays {self.variant.name}, not {position.variant.name}"
                )
        boards = [position.board for position in positions]
        return np.array(boards, np.int8).reshape(-1, self.variant.width)

    # -- as a player of the arena ------------------------------------------------------------

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The plays that the engine makes; see ``Player``."""
        if not self.noise or self.rng is None:
            return self.search.choose(boards, rolls, plays)
        values = self.search.play_outcomes(boards, rolls, plays).values
        return best_rows(self._felt(values, self.rng), plays, len(boards))

    def _felt(self, equities: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Equities as this level feels them."""
        return equities + rng.normal(0, self.noise, equities.shape)
