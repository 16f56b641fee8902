"""Self-play: many games in lockstep, every turn of all of them in one forward pass."""

from dataclasses import dataclass, field

import numpy as np

from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.player import best_rows
from bgnet.game.variants import Variant
from bgnet.nets.outcomes import equity
from bgnet.nets.torch_network import ValueNet, torch_logits

from .runs import NotFiniteError


@dataclass(frozen=True, eq=False)
class Segment:
    """So many turns of so many games, as a learner needs them."""

    rows: np.ndarray
    """``(T, n, width)`` int8, positions before the throw, seen by the side that rolls."""
    next_values: np.ndarray
    """``(T, n, 6)`` float32, chances in the position after the play, for who decides there."""
    ended: np.ndarray
    """``(T, n)`` bool, games that this turn ended."""
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
    outcomes: list[np.ndarray] = field(default_factory=list)
    lengths: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def fresh(cls, variant: Variant, games: int, rng: np.random.Generator) -> "Table":
        """So many games before their first throw."""
        rolls = variant.opening_rolls(rng, games)
        return cls(variant, rng, variant.starts(games), rolls, np.zeros(games, np.int64))

    def advance(self, chosen: np.ndarray, values: np.ndarray, ended: np.ndarray) -> None:
        """Put the chosen positions on the boards, replace ended games, throw the dice."""
        self.turns += 1
        over = np.flatnonzero(ended)
        self.outcomes.append(values[over])
        self.lengths.append(self.turns[over].copy())
        self.turns[over] = 0
        self.rows = chosen
        self.rows[over] = self.variant.start
        self.rolls = self.variant.next_rolls(self.rng, self.rows)
        self.rolls[over] = self.variant.opening_rolls(self.rng, len(over))

    def finished(self) -> Finished:
        """The games that ended since this was last asked."""
        ended = Finished(np.concatenate(self.outcomes), np.concatenate(self.lengths))
        self.outcomes.clear()
        self.lengths.clear()
        return ended


def play(table: Table, net: ValueNet, turns: int, scoring: str, exact: Exact | None) -> Segment:
    """Play so many turns of every game, always the best play in the network's eyes.

    A game ends where the rules end it or where ``exact`` knows the rest.

    Args:
        table: the games; moved on.
        net: who plays both sides.
        turns: how many turns.
        scoring: what the games are played for, a key of ``SCORINGS``.
        exact: positions known for certain.

    Raises:
        NotFiniteError: the network's answers are no numbers.
    """
    variant = table.variant
    evaluator = Evaluator(variant, torch_logits(net), exact)
    n = len(table.rows)
    rows = np.empty((turns, n, variant.width), np.int8)
    next_values = np.empty((turns, n, 6), np.float32)
    ended = np.empty((turns, n), bool)
    again = np.zeros((turns, n), bool)
    for t in range(turns):
        rows[t] = table.rows
        plays = variant.legal_plays(table.rows, table.rolls)
        chances, known = evaluator.chances(plays.boards)
        if not np.isfinite(chances).all():
            raise NotFiniteError("the network's answers are no numbers any more")
        best = best_rows(plays.sign() * equity(chances, scoring), plays, n)
        next_values[t], ended[t] = chances[best], known[best]
        if plays.again is not None:
            again[t] = plays.again[best]
        table.advance(plays.boards[best], next_values[t], ended[t])
    return Segment(rows, next_values, ended, again if plays.again is not None else None)
