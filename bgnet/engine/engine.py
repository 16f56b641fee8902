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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np

from ..game.match import MatchError, MatchState, Offer, Owner
from ..game.plays import Plays
from ..game.scoring import SCORINGS
from ..game.variants import VARIANTS, Variant
from ..nets.outcomes import mean_points
from ..notation.plays import parse_roll
from ..position import Dice, Position, PositionError
from .answers import Analysis, Evaluation, RankedPlay
from .cube import Scale
from .cube_decision import CubeDecision, answer
from .cube_search import CubeSearch, efficiency
from .networks import evaluator_by_name, load_evaluator
from .player import best_rows
from .resign import accept_resignation, should_resign
from .search import Search, Utility

if TYPE_CHECKING:
    from .rollout import Rollout, Settings

#: How weaker levels err: the standard deviation, in points, of a normal error that is added to
#: the equity of every play before the best is chosen. A network that loses 14 millipoints a
#: decision on the yardstick then loses 23 (club), 48 (casual, near pubeval) and 107 (beginner),
#: and gives its undisturbed self 0.2, 0.8 and 1.8 points a game.
LEVELS = {"beginner": 0.3, "casual": 0.12, "club": 0.05, "expert": 0.0}
#: The greatest look-ahead. Each ply costs some ten times the one before or more.
MOST_PLIES = 3


class EngineError(ValueError):
    """An engine that cannot be had, or a position that it does not play."""


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
    net: str | None = None
    """Which network it was loaded from, for processes that load it again."""

    @classmethod
    def load(cls, net: str = "default", variant: str = "backgammon", ply: int = 0,
             scoring: str = "english", level: str | None = None,
             rng: np.random.Generator | int | None = None, *, fast: bool = False) -> Self:
        """An engine that plays with a network.

        Args:
            net: ``default`` (the shipped network of the variant), a shipped network's name, or
                the path of a checkpoint.
            variant: a key of ``VARIANTS``.
            ply: look-ahead as gnubg counts it: 0 is the network alone.
            scoring: ``english``, or ``american``, where gammons do not count.
            level: a key of ``LEVELS``; None plays as well as it can.
            rng: a generator or a seed for the errors of a level; None errs differently each time.
            fast: load torch for big batches; see ``load_evaluator``.

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
        search = Search(load_evaluator(net, VARIANTS[variant], fast=fast), ply, scoring, label=net)
        return cls(search, LEVELS[level], np.random.default_rng(rng), net)

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
        boards = self._boards(positions)
        found = np.empty((len(positions), 6), np.float32)
        for search, at in self._by_match(positions):
            found[at] = search.outcomes(boards[at])
        equities = mean_points(found, self._payoffs(positions))
        return list(map(Evaluation, equities.tolist(), map(tuple, found.tolist())))

    def rank(self, position: Position, roll: Dice | None = None) -> list[RankedPlay]:
        """Every legal play, the best first, with the score and the cube as ``utility`` says.

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

    def rank_many(self, positions: Sequence[Position], rolls: Sequence[Dice | None] | None = None
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
        payoffs = self._payoffs(positions)
        ranked: list[list[RankedPlay]] = [[] for _ in positions]
        for search, at in self._by_match(positions):
            plays = self.variant.legal_plays(boards[at], dice[at])
            judged = search.play_outcomes(boards[at], dice[at], plays)
            cubeless = mean_points(judged.outcomes, payoffs[at][plays.owner])
            order = np.lexsort((-judged.values, -judged.plies, plays.owner))
            firsts = plays.firsts(len(at))
            for row, owner in zip(order.tolist(), plays.owner[order].tolist(), strict=True):
                play = legal[at[owner]][row - firsts[owner]]
                ranked[at[owner]].append(RankedPlay(
                    play.text, play.position, play.steps, equity=float(judged.values[row]),
                    cubeless=float(cubeless[row]), outcomes=tuple(judged.outcomes[row].tolist()),
                    plies=int(judged.plies[row]),
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
        return ranked[int(self.felt(equities).argmax())]

    def _boards(self, positions: Sequence[Position]) -> np.ndarray:
        """``(n, width)`` int8 of positions, which must be of this engine's game."""
        for position in positions:
            if position.variant is not self.variant:
                raise EngineError(
                    f"{self.name} plays {self.variant.name}, not {position.variant.name}"
                )
        return np.array([at.board for at in positions], np.int8).reshape(-1, self.variant.width)

    # -- score and cube ----------------------------------------------------------------------

    def utility(self, match: MatchState) -> Utility | None:
        """What plays are ranked by: cubeful equity, normalised to the cube as it stands, at a
        match score, with a cube that somebody owns and under the Jacoby rule. None is cubeless
        equity in points, for other games.

        Raises:
            MetError: the score lies outside the match equity table.
        """
        if match.money and match.owner is Owner.CENTRE and not match.jacoby:
            return None
        worths, scale = self.cubes.utility(match), Scale.of(match)
        return lambda outcomes: scale.equity(worths(outcomes))

    def in_match(self, match: MatchState) -> Self:
        """The engine that chooses plays by ``utility`` in this match state."""
        aim = self.utility(match)
        return self if aim is None else replace(self, search=replace(self.search, utility=aim))

    def cube_action(self, asked: Position | MatchState) -> CubeDecision:
        """Whether to double before the throw, and how to answer; or, with a double on the table,
        whether it was right.

        Args:
            asked: a position, or a match state at the start of a game.

        Raises:
            EngineError, PositionError: a position of another game, or a finished game.
            MatchError: the dice have been thrown, or a beaver or raccoon is on the table.
            MetError: the score lies outside the match equity table.
        """
        position = self._going_on(asked, "double")
        if position.roll:
            raise MatchError(f"no double: {position.match.why_not_double(rolled=True)}")
        return self.cubes.action(position.board, position.match)

    def answer(self, position: Position) -> str:
        """The right answer to the offer on the table: ``take``, ``pass`` or ``beaver``.

        Raises: as ``cube_action`` does; MatchError too where nothing is offered.
        """
        position = self._going_on(position, "answer")
        if position.match.offer is Offer.DOUBLE:
            return self.cube_action(position).answer
        outcomes, lively = self._chances(position)
        return answer(outcomes, position.match, lively, self.search.scoring)

    def resign(self, position: Position) -> int:
        """What the side on roll may as well give up: 0 to play on, 1 a single game, 2 a gammon,
        3 a backgammon. With dice, it is asked before the play.

        Raises: as ``answer`` does.
        """
        outcomes, lively = self._chances(self._going_on(position, "resign"))
        return should_resign(outcomes, position.match, lively, self.search.scoring)

    def accepts(self, position: Position, points: int) -> bool:
        """Whether to accept that the side on roll resigns 1 a single game, 2 a gammon or 3 a
        backgammon.

        Raises: as ``resign`` does; ValueError: there is no such resignation.
        """
        outcomes, lively = self._chances(self._going_on(position, "resign"))
        return accept_resignation(outcomes, position.match, points, lively, self.search.scoring)

    # -- all of it ---------------------------------------------------------------------------

    def analyse(self, position: Position) -> Analysis:
        """Chances, plays, cube: whatever there is to say. Raises: as ``rank`` does."""
        return self.analyse_many([position])[0]

    def analyse_many(self, positions: Sequence[Position]) -> list[Analysis]:
        """``analyse`` for many positions at once, in their order."""
        ranked = iter(self.rank_many([at for at in positions if at.roll and not at.result]))
        found = []
        for position, evaluation in zip(positions, self.evaluate_many(positions), strict=True):
            offer, cube, reply = position.match.offer, None, None
            if not (position.roll or position.result):
                if offer in (Offer.NONE, Offer.DOUBLE):
                    cube = self.cube_action(position)
                if offer is not Offer.NONE:
                    reply = cube.answer if cube else self.answer(position)
            plays = next(ranked) if position.roll and not position.result else []
            found.append(Analysis(evaluation, plays, cube, reply))
        return found

    def rollout(self, positions: Sequence[Position], settings: "Settings | None" = None,
                jobs: int = 1, progress: Callable[[int], object] | None = None) -> "Rollout":
        """Play positions out from before the throw, cubeless; see ``rollout.rollout``.

        Args:
            positions: their own dice are passed over. Common dice are thrown in all of them.
            settings: by default 1,296 games of each with the engine's look-ahead and scoring.
            jobs: processes; more than one need an engine that was loaded by name.
            progress: told how many games of each position have just ended.

        Raises:
            EngineError, RolloutError: another game, or no name to load; a game that is over.
        """
        import torch  # noqa: F401  for big batches, see ``networks``

        from .rollout import Settings, rollout  # not for those who only ask a question

        if jobs > 1 and self.net is None:
            raise EngineError("an engine that was not loaded by name rolls out in one process")
        load = (partial(evaluator_by_name, self.net, self.variant.name) if jobs > 1 and self.net
                else lambda: self.search.evaluator)  # fmt: skip
        settings = settings or Settings(ply=self.search.ply, scoring=self.search.scoring)
        return rollout(load, self._boards(positions), settings, jobs, progress)

    @property
    def cubes(self) -> CubeSearch:
        """The same network and look-ahead with the cube."""
        return CubeSearch(self.search.evaluator, self.search.ply, self.search.scoring)

    def _by_match(self, positions: Sequence[Position]) -> Iterator[tuple[Search, np.ndarray]]:
        """The search for each match state, and the numbers of the positions that have it."""
        groups: dict[MatchState | None, list[int]] = {}
        for number, position in enumerate(positions):
            plain = self.utility(position.match) is None
            groups.setdefault(None if plain else position.match, []).append(number)
        for match, numbers in groups.items():
            yield (self.in_match(match) if match else self).search, np.array(numbers)

    def _payoffs(self, positions: Sequence[Position]) -> np.ndarray:
        """``(n, 6)`` float32: what outcomes pay for a cube at 1, by scoring and Jacoby rule."""
        paid = [at.match.payoffs(self.search.scoring) / at.match.cube for at in positions]
        return np.array(paid, np.float32).reshape(-1, 6)

    def _chances(self, position: Position) -> tuple[np.ndarray, float]:
        """``(6,)`` of the side on roll, after its best play if it has thrown; and how live the
        cube is."""
        found = self.rank(position)[0] if position.roll else self.evaluate(position)
        lively = float(efficiency(position.board[None], self.variant)[0])
        return np.array(found.outcomes, np.float32), lively

    def _going_on(self, asked: Position | MatchState, what: str) -> Position:
        """A position of this engine's game in which there is something to do."""
        if isinstance(asked, MatchState):
            asked = Position(match=asked, variant=self.variant)
        self._boards([asked])
        if asked.result:
            raise PositionError(f"the game is over: there is nothing to {what}")
        return asked

    # -- as a player of the arena ------------------------------------------------------------

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The plays that the engine makes; see ``Player``."""
        if not self.noise or self.rng is None:
            return self.search.choose(boards, rolls, plays)
        values = self.search.play_outcomes(boards, rolls, plays).values
        return best_rows(self.felt(values), plays, len(boards))

    def felt(self, equities: np.ndarray) -> np.ndarray:
        """Equities as this level feels them; errors are drawn anew each time."""
        if not self.noise or self.rng is None:
            return equities
        return equities + self.rng.normal(0, self.noise, equities.shape)
