"""What every frontend asks for: the play, the double, the answer to one, the resignation.

Protocols differ in words only. Here a position with its match state goes in, and what a player
would do comes out, with the cube, the score, the level and a limit of time taken into account.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Self, TypeVar

import numpy as np

from ..engine.cube_decision import CubeDecision
from ..engine.engine import Engine
from ..engine.search import Judgement
from ..game.match import Offer
from ..game.plays import Plays
from ..game.steps import Step
from ..game.variants import Variant
from ..notation.plays import ways
from ..position import Position

T = TypeVar("T")

#: How many times as long one more ply is expected to take, until it has been measured.
_GROWTH = 30.0
#: What is left of a measured time when a shorter one is measured: time limits are to be kept.
_FORGETS = 0.9


@dataclass(frozen=True, eq=False)
class Decider:
    """A player at the table.

    It keeps no state of a game, so several threads and several games may ask one at a time or
    all at once; they share one network.

    >>> from bgnet.engine.evaluator import Evaluator
    >>> from bgnet.engine.search import Search
    >>> from bgnet.game.variants import STANDARD
    >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
    >>> decider = Decider(Engine(Search(blank, ply=0)))
    >>> len(decider.chequer_play(Position(roll="31")))
    2
    >>> decider.doubles(Position())
    False
    """

    engine: Engine
    """Who decides: its network, look-ahead, scoring and level."""
    seconds: float | None = None
    """Limit for a decision. It looks one ply deeper, up to the engine's look-ahead, only if that
    can be expected to end in time; without look-ahead it always answers, in some milliseconds."""
    _took: dict[tuple[str, int], float] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def load(cls, net: str = "default", variant: str = "backgammon", ply: int = 0,
             scoring: str = "english", level: str | None = None, seed: int | None = None,
             seconds: float | None = None) -> Self:
        """A player with a network.

        Args:
            seed: of the errors of a level; None errs differently each time.
            seconds: limit for a decision.

        The other arguments, and what is raised, are those of ``Engine.load``.
        """
        return cls(Engine.load(net, variant, ply, scoring, level, seed), seconds)

    @property
    def variant(self) -> Variant:
        """The game that it plays."""
        return self.engine.variant

    def chequer_play(self, position: Position) -> tuple[Step, ...]:
        """The play of a roll; no step at all is a dance.

        Args:
            position: dice thrown, no offer on the table.

        Returns:
            The steps, die by die, in an order in which they can be made.

        Raises:
            MetError: the score lies outside the match equity table.
        """
        return ways(position.board, _roll(position), self.variant)[self._chosen(position)]

    def _chosen(self, position: Position) -> tuple[int, ...]:
        """The men after the play, not turned round."""
        boards, rolls = position.board[None], np.array([_roll(position)], np.int8)
        plays = self.variant.legal_plays(boards, rolls)

        def choose(engine: Engine) -> int:
            return int(engine.in_match(position.match).choose(boards, rolls, plays)[0])

        row = self._in_time("play", choose) if len(plays.boards) > 1 else 0
        seen = self.variant.seen_by_player(plays)[row]
        return tuple(seen[self.variant.rules.steps.MEN].tolist())

    def doubles(self, position: Position) -> bool:
        """Whether the side on roll doubles before its throw. False where the rules forbid it.

        Raises:
            MetError: the score lies outside the match equity table.
        """
        return position.match.may_double and self.cube(position).double

    def answers(self, position: Position) -> str:
        """The answer to what is offered: ``take``, ``pass`` or ``beaver``.

        Args:
            position: seen by the side on roll; the offer on the table says who answers.

        Raises: as ``Engine.answer`` does.
        """
        return self._in_time("answer", lambda engine: engine.answer(position))

    def cube(self, position: Position) -> CubeDecision:
        """All about a double before the throw, or about the one on the table.

        Raises: as ``Engine.cube_action`` does.
        """
        return self._in_time("cube", lambda engine: engine.cube_action(position))

    def resigns(self, position: Position) -> int:
        """What the side on roll gives up: 0 to play on, 1 a game, 2 a gammon, 3 a backgammon.

        Only where the sides have passed each other: a network may be wrong about rare positions,
        but a lost race is a matter of counting.

        Raises: as ``Engine.resign`` does.
        """
        if position.match.offer is not Offer.NONE or self.variant.contact(position.board[None])[0]:
            return 0
        return self._looking(0).resign(position)

    def accepts(self, position: Position, points: int) -> bool:
        """Whether to accept that the side on roll resigns 1 a game, 2 a gammon, 3 a backgammon.

        Raises: as ``Engine.accepts`` does.
        """
        return self._in_time("resignation", lambda engine: engine.accepts(position, points))

    def judge(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> Judgement:
        """Legal plays of many positions at once, without cube and score.

        Args:
            boards: ``(n, width)`` int8, seen by the side that plays.
            rolls: ``(n, 2)`` int8.
            plays: the legal plays of those rolls.

        Returns:
            ``Judgement`` of the rows of ``plays``, its values being what a player of this level
            feels. All of it is done within the limit for one decision.
        """
        judgement = self._in_time(
            "plays", lambda engine: engine.search.play_outcomes(boards, rolls, plays)
        )
        return replace(judgement, values=self.engine.felt(judgement.values))

    def _looking(self, ply: int) -> Engine:
        """The engine with another look-ahead. Its own search remembers positions."""
        search = self.engine.search
        if ply == search.ply:
            return self.engine
        return replace(self.engine, search=replace(search, ply=ply))

    # -- in time -----------------------------------------------------------------------------

    def _in_time(self, question: str, ask: Callable[[Engine], T]) -> T:
        """The answer of the deepest look-ahead that can be expected to end in time.

        Args:
            question: its kind; kinds take times of their own.
            ask: asks an engine.
        """
        deepest = self.engine.search.ply
        if self.seconds is None or deepest == 0:
            return ask(self.engine)
        deadline = monotonic() + self.seconds
        expected = 0.0
        for ply in range(deepest + 1):
            start = monotonic()
            if ply and start + self._took.get((question, ply), expected) > deadline:
                break
            found = ask(self._looking(ply))
            took = monotonic() - start
            self._took[question, ply] = max(took, _FORGETS * self._took.get((question, ply), 0.0))
            expected = _GROWTH * took
        return found


def _roll(position: Position) -> tuple[int, int]:
    """The dice, which must have been thrown."""
    if position.roll is None:
        raise ValueError("a play needs dice")
    return position.roll
