"""What the decisions of a match are worth, many at once.

All positions of a batch share a match state. Worths are those of ``cube.worth``: points for
money, twice the chance of winning the match less one otherwise; equities are normalised to the
cube as it stands. Whatever concerns a roll as a whole (luck, the cube) looks at least one roll
ahead, because the same look tells what each of the rolls would have brought.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..game.match import MatchState, Offer
from ..game.plays import Plays
from ..game.variants import Variant
from .cube import Scale, worth
from .cube_decision import CubeDecision, decide
from .cube_search import CubeSearch
from .distinct import distinct
from .filters import FILTERS, best_of_each
from .player import best_rows
from .search import all_rolls


@dataclass(frozen=True, eq=False)
class RollWorths:
    """What every roll is worth to the side that throws it, well played; b rows for n positions."""

    owner: np.ndarray
    """``(b,)`` int64, ascending: whose position."""
    rolls: np.ndarray
    """``(b, 2)`` int8, the larger die first."""
    chances: np.ndarray
    """``(b,)`` float32."""
    worths: np.ndarray
    """``(b,)`` float64."""

    def mean(self, n: int) -> np.ndarray:
        """``(n,)``: before the throw, the cube left alone."""
        return np.bincount(self.owner, self.chances * self.worths, minlength=n)

    def opening_mean(self, n: int) -> np.ndarray:
        """``(n,)``: before an opening throw, which is no doublet."""
        chances = self.chances * (self.rolls[:, 0] != self.rolls[:, 1])
        return np.bincount(self.owner, chances * self.worths, n) / np.bincount(
            self.owner, chances, n
        )

    def of(self, thrown: np.ndarray) -> np.ndarray:
        """``(n,)``: with the rolls ``(n, 2)`` that were thrown, the larger die first."""
        return self.worths[(self.rolls == thrown[self.owner]).all(axis=1)]


@dataclass(frozen=True, eq=False)
class Analyst:
    """Values decisions.

    >>> from bgnet.engine.evaluator import Evaluator
    >>> from bgnet.game.variants import STANDARD
    >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
    >>> rolls = Analyst(CubeSearch(blank)).rolls(STANDARD.starts(2), MatchState())
    >>> rolls.worths.shape, rolls.mean(2).shape
    ((42,), (2,))
    """

    cubes: CubeSearch
    """Network, look-ahead and match equity table."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.cubes.evaluator.variant

    @cached_property
    def _ahead(self) -> CubeSearch:
        """What is asked before a throw."""
        return replace(self.cubes, ply=max(self.cubes.ply, 1))

    def rolls(self, rows: np.ndarray, state: MatchState) -> RollWorths:
        """What each roll would bring.

        Args:
            rows: ``(n, width)`` int8, games that go on, seen by the side that throws.
            state: of that side, which leaves the cube alone.
        """
        owner, rolls, chances = all_rolls(self.variant.forced_rolls(rows))
        plays = self.variant.legal_plays(rows.take(owner, axis=0), rolls)
        worths = self._played(plays.boards, plays.again, state, 0)
        best = best_rows(worths, plays, len(rolls))
        found = worths[best]
        if self._ahead.ply > 1:
            again = None if plays.again is None else plays.again[best]
            found = self._played(plays.boards[best], again, state, self._ahead.ply - 1)
        return RollWorths(owner, rolls, chances, found)

    def plays(self, plays: Plays, made: np.ndarray, state: MatchState
              ) -> tuple[np.ndarray, np.ndarray]:
        """What legal plays are worth, ply by ply as the filters of ``Search`` allow; what was
        played is always looked into.

        Args:
            plays: m rows, of n positions.
            made: ``(n,)`` rows of ``plays``.
            state: of the side that plays.

        Returns:
            ``(m,)`` equities of the side that plays, and ``(m,)`` int8, the plies of each.
        """
        scale = Scale.of(state, self.cubes.met)
        values = scale.equity(self._played(plays.boards, plays.again, state, 0))
        plies = np.zeros(len(values), np.int8)
        left = np.arange(len(values))
        for ply in range(1, self.cubes.ply + 1):
            chosen_by = FILTERS[min(ply, len(FILTERS)) - 1]
            kept = best_of_each(left, values[left], plays.owner[left], chosen_by)
            left = np.union1d(kept, made)
            again = None if plays.again is None else plays.again[left]
            values[left] = scale.equity(self._played(plays.boards[left], again, state, ply))
            plies[left] = ply
        return values, plies

    def turns_lost(self, rows: np.ndarray, state: MatchState) -> np.ndarray:
        """``(n,)`` equities of a side that does not play its roll."""
        worths = self._played(self.variant.flip(rows), None, state, self.cubes.ply)
        return Scale.of(state, self.cubes.met).equity(worths)

    def doubles(self, rows: np.ndarray, state: MatchState) -> list[CubeDecision]:
        """Whether to double.

        Args:
            rows: ``(n, width)`` int8, seen by the side on roll.
            state: in which it may double.
        """
        held = self.rolls(rows, state).mean(len(rows)).tolist()
        taken = self._ahead.worth(rows, state.double().take()).tolist()
        return [decide(h, t, state, self.cubes.met) for h, t in zip(held, taken, strict=True)]

    def answers(self, rows: np.ndarray, state: MatchState) -> dict[str, np.ndarray]:
        """What the answers to an offer are worth.

        Args:
            rows: ``(n, width)`` int8, seen by the side on roll.
            state: with the offer, seen by the side on roll.

        Returns:
            ``(n,)`` equities of the side that answers, by answer: ``take``, ``pass`` and, where
            it is allowed, ``beaver``. Normalised to the cube as it was offered from.
        """
        sign = 1 if state.offer is Offer.BEAVER else -1
        found = {"take": self._taken(rows, state), "pass": self._dropped(rows, state)}
        turns = state.money and state.beavers and state.offer is not Offer.RACCOON
        if turns and 2 * state.cube < state.max_cube:
            turned = state.beaver()
            # The other side then does what suits it.
            suits = np.maximum if turned.offer is Offer.BEAVER else np.minimum
            found["beaver"] = suits(self._taken(rows, turned), self._dropped(rows, turned))
        # Seen by the side that answers, won and lost change places.
        scale = Scale.of(state, self.cubes.met)
        return {answer: sign * scale.equity(worths) for answer, worths in found.items()}

    def playing_on(self, rows: np.ndarray, state: MatchState) -> np.ndarray:
        """``(n,)`` equities of the side on roll before it doubles or throws."""
        return Scale.of(state, self.cubes.met).equity(self._ahead.worth(rows, state))

    def _taken(self, rows: np.ndarray, state: MatchState) -> np.ndarray:
        """Worth to the side on roll of an offer that is accepted."""
        return self._ahead.worth(rows, state.take())

    def _dropped(self, rows: np.ndarray, state: MatchState) -> np.ndarray:
        """Worth to the side on roll of an offer that is refused."""
        return np.full(len(rows), float(worth(state, state.drop(), self.cubes.met)))

    def _played(self, boards: np.ndarray, again: np.ndarray | None, state: MatchState, ply: int
                ) -> np.ndarray:
        """Worth to the side that has played.

        Args:
            boards: ``(m, width)``, what plays lead to, seen by the side that decides next.
            again: ``(m,)`` bool or None, see ``Plays``.
            state: of the side that has played.
            ply: how far to look.
        """
        which, where = distinct(boards)
        rows = boards.take(which, axis=0)
        cubes = replace(self.cubes, ply=ply)
        passed_on = -cubes.worth(rows, state.flip())[where]
        if again is None or not again.any():
            return passed_on
        return np.where(again, cubes.worth(rows, state)[where], passed_on)
