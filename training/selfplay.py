"""Self-play: many games in lockstep, every turn of all of them in one forward pass."""

from dataclasses import dataclass, field

import numpy as np

from bgnet.engine.evaluator import Evaluator
from bgnet.engine.player import best_rows
from bgnet.game.plays import Plays
from bgnet.game.variants import Variant
from bgnet.nets.outcomes import equity

from .runs import NotFiniteError
from .starts import STARTS


@dataclass(frozen=True, eq=False)
class Segment:
    """So many turns of so many games, as a learner needs them."""

    rows: np.ndarray
    """``(T, n, width)`` int8, positions before the throw, seen by the side that rolls."""
    next_values: np.ndarray
    """``(T, n, 6)`` float32, chances in the position after the play, for who decides there."""
    ended: np.ndarray
    """``(T, n)`` bool, games that this turn ended."""
    best: np.ndarray
    """``(T, n)`` bool, turns on which the best play in the network's eyes was made, no other."""
    again: np.ndarray | None
    """``(T, n)`` bool, turns after which the same side decides; None for never."""


@dataclass(frozen=True, eq=False)
class Finished:
    """The games that ended during a segment."""

    outcomes: np.ndarray
    """``(k, 6)`` float32, how each ended or was certain to end, for the side to roll there."""
    turns: np.ndarray
    """``(k,)`` int64, turns of both sides."""


@dataclass(eq=False)
class Table:
    """Games in play: positions, the throws to be played next, and the chance behind them."""

    variant: Variant
    rng: np.random.Generator
    rows: np.ndarray
    """``(n, width)`` int8."""
    rolls: np.ndarray
    """``(n, 2)`` int8."""
    turns: np.ndarray
    """``(n,)`` int64, turns played so far in each game."""
    noise: float
    """The highest level of noise."""
    starts: str
    """Where games begin, a key of ``STARTS``."""
    levels: np.ndarray
    """``(n,)`` float32, how far each game is played below one's best, points."""
    outcomes: list[np.ndarray] = field(default_factory=list)
    lengths: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def fresh(cls, variant: Variant, games: int, rng: np.random.Generator, noise: float = 0.0,
              starts: str = "game") -> "Table":
        """So many games before their first throw, each with its level of noise."""
        rows, rolls = variant.starts(games), np.ones((games, 2), np.int8)
        turns, levels = np.zeros(games, np.int64), np.zeros(games, np.float32)
        table = cls(variant, rng, rows, rolls, turns, noise, starts, levels)
        table._begin(np.arange(games))
        return table

    def disturbance(self, plays: Plays) -> np.ndarray:
        """What to add to the worth of plays, ``(m,)`` float32 points; without noise 0."""
        if not self.noise:
            return np.zeros(len(plays.owner), np.float32)
        return self.levels[plays.owner] * self.rng.standard_normal(len(plays.owner), np.float32)

    def advance(self, chosen: np.ndarray, values: np.ndarray, ended: np.ndarray) -> None:
        """Put the chosen positions on the boards, replace ended games, throw the dice."""
        self.turns += 1
        over = np.flatnonzero(ended)
        self.outcomes.append(values[over])
        self.lengths.append(self.turns[over].copy())
        self.rows = chosen
        self.rolls = self.variant.next_rolls(self.rng, self.rows)
        self._begin(over)

    def _begin(self, games: np.ndarray) -> None:
        """Set up the boards of new games, ``(k,)`` indices, and throw for them."""
        self.turns[games] = 0
        self.rows[games], self.rolls[games] = STARTS[self.starts](
            self.variant, len(games), self.rng)
        if self.noise:
            self.levels[games] = self.noise * self.rng.random(len(games), np.float32)

    def finished(self) -> Finished:
        """The games that ended since this was last asked."""
        ended = Finished(np.concatenate(self.outcomes), np.concatenate(self.lengths))
        self.outcomes.clear()
        self.lengths.clear()
        return ended


def play(table: Table, evaluator: Evaluator, turns: int, scoring: str) -> Segment:
    """Play so many turns of every game, always the best play in the network's eyes.

    A game ends where the rules end it or where the evaluator knows the rest.

    Args:
        table: the games; moved on.
        evaluator: who plays both sides, perhaps with a scout.
        turns: how many turns.
        scoring: what the games are played for, a key of ``SCORINGS``.

    Raises:
        NotFiniteError: the network's answers are no numbers.
    """
    variant, n = table.variant, len(table.rows)
    rows = np.empty((turns, n, variant.width), np.int8)
    next_values = np.empty((turns, n, 6), np.float32)
    ended, best = np.empty((turns, n), bool), np.empty((turns, n), bool)
    again = np.zeros((turns, n), bool)
    for t in range(turns):
        rows[t] = table.rows
        plays = variant.legal_plays(table.rows, table.rolls)
        disturbance = table.disturbance(plays)
        if (scout := evaluator.scout) is not None:
            values = plays.sign() * equity(scout.outcomes(plays.boards), scoring)
            left = scout.promising(values + disturbance, plays)
            plays, disturbance = plays.take(left), disturbance[left]
        values, chances, known = worth(evaluator, plays, scoring)
        if not np.isfinite(chances).all():
            raise NotFiniteError("the network's answers are no numbers any more")
        made = best_rows(values + disturbance, plays, n)
        next_values[t], ended[t] = chances[made], known[made]
        best[t] = values[made] == values[best_rows(values, plays, n)]
        if plays.again is not None:
            again[t] = plays.again[made]
        table.advance(plays.boards[made], next_values[t], ended[t])
    return Segment(rows, next_values, ended, best, again if plays.again is not None else None)


def worth(evaluator: Evaluator, plays: Plays, scoring: str
          ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What plays are worth without looking ahead.

    Returns:
        ``(m,)`` float32 points **to the side that plays**; ``(m, 6)`` float32 chances of the side
        that decides next; ``(m,)`` bool, those are certain.
    """
    chances, known = evaluator.chances(plays.boards)
    return plays.sign() * equity(chances, scoring), chances, known
