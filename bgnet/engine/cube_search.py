"""Positions with the cube: exact where a table knows, otherwise a network and look-ahead.

Plies are counted as gnubg counts them. At 0-ply the worth of a position is Janowski's
interpolation over the network's chances. One ply more is the mean over the 21 rolls of the best
play's worth, seen by the side that rolls next; from there on that side, before its throw, does what
is right about the cube. Cubes that differ ask for different plays: every state of the cube that can
come about is followed with plays of its own, while the network is asked about each position once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..game import scoring
from ..game.match import MatchState, Owner
from ..game.variants import Variant
from .bearoff import cube_covers, cube_equities, last_turn
from .bearoff_tables import TWO_SIDED_MEN
from .cube import EFFICIENCY, cubeful, has_endless_cube, last_turn_worth, worth
from .cube_decision import CubeDecision, before_double, decide
from .distinct import distinct
from .evaluator import Evaluator
from .met import MatchEquityTable
from .player import best_rows
from .search import Utility, all_rolls

#: In a race the cube is the livelier the longer it lasts: pips of the side on roll against
#: efficiencies, with straight lines in between.
RACE_PIPS, RACE_EFFICIENCY = (40, 120), (0.6, 0.7)
_BLOCK = 64  # positions looked into at once, as in ``search``


def efficiency(rows: np.ndarray, variant: Variant) -> np.ndarray:
    """How live the cube is in each position, ``(n,)`` float64.

    >>> from bgnet.game.variants import STANDARD
    >>> efficiency(STANDARD.starts(1), STANDARD).tolist()
    [0.68]
    """
    racing = np.interp(variant.pip_counts(rows)[:, 0], RACE_PIPS, RACE_EFFICIENCY)
    return np.where(variant.contact(rows), EFFICIENCY, racing)


@dataclass(frozen=True, eq=False)
class CubeSearch:
    """What games are worth with the cube.

    >>> from bgnet.engine.evaluator import Evaluator
    >>> from bgnet.game.board import place
    >>> from bgnet.game.variants import STANDARD
    >>> from bgnet.engine.bearoff import Bearoff
    >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6)), Bearoff())
    >>> last_roll = place({5: 1, 2: 1}, {1: 1})
    >>> decision = CubeSearch(blank).action(last_roll, MatchState())
    >>> decision.action, round(decision.double_take, 4)
    ('double, take', 0.1111)
    """

    evaluator: Evaluator
    """What it believes without looking ahead."""
    ply: int = 0
    """How far it looks, 0 or more."""
    scoring: str = "english"
    """What games are played for, a key of ``SCORINGS``."""
    met: MatchEquityTable | None = None
    """The match equity table; None is the project's own."""

    def utility(self, state: MatchState) -> Utility:
        """What a ``Search`` ranks plays by in a game of this state, of the side that plays."""
        return partial(cubeful, state=state, scoring=self.scoring, met=self.met)

    def worth(self, rows: np.ndarray, state: MatchState) -> np.ndarray:
        """What positions are worth before the throw, both sides doing what is right.

        Args:
            rows: ``(n, width)`` int8, seen by the side that rolls.
            state: of that side, no offer on the table.

        Returns:
            ``(n,)`` float64, in the unit of ``cube.worth``.
        """
        return self._best(rows, [state], self.ply)[0]

    def action(self, row: np.ndarray, state: MatchState) -> CubeDecision:
        """What to do about the cube before the throw.

        Args:
            row: ``(width,)`` int8, seen by the side on roll.
            state: of that side. If it has doubled already, the decision is about that double.

        Raises:
            MatchError: a beaver or raccoon is on the table.
            MetError: the score lies outside the table.
        """
        return self.actions(row[None], state)[0]

    def actions(self, rows: np.ndarray, state: MatchState) -> list[CubeDecision]:
        """``action`` for many positions in the same state, ``(n, width)`` int8, in their order."""
        state = before_double(state)
        states = [state, state.double().take()] if state.may_double else [state]
        held = self._held(rows, states, self.ply).T.tolist()
        return [
            decide(worths[0], worths[1] if len(states) == 2 else None, state, self.met)
            for worths in held
        ]

    def _best(self, rows: np.ndarray, states: Sequence[MatchState], ply: int) -> np.ndarray:
        """Worth before the throw, ``(len(states), n)``; at 0-ply the interpolation says it all."""
        if ply == 0:
            return self._leaves(rows, states, self.evaluator.outcomes(rows))
        doubled = {state: state.double().take() for state in states if state.may_double}
        every = list(dict.fromkeys([*states, *doubled.values()]))
        held = dict(zip(every, self._held(rows, every, ply), strict=True))
        over = self._over(rows)
        best = []
        for state in states:
            value = held[state]
            if state in doubled:
                passed = float(worth(state, state.cube, self.met))
                turned = np.minimum(held[doubled[state]], passed)
                value = np.where(over, value, np.maximum(value, turned))
            best.append(value)
        return np.stack(best)

    def _held(self, rows: np.ndarray, states: Sequence[MatchState], ply: int) -> np.ndarray:
        """Worth if the side that rolls does not double this turn, ``(len(states), n)``."""
        values = self._leaves(rows, states, self.evaluator.outcomes(rows), held=True)
        if ply:
            known = self._over(rows)
            if all(map(has_endless_cube, states)):
                known |= self._in_table(rows)
            open_ = np.flatnonzero(~known)
            for start in range(0, len(open_), _BLOCK):
                block = open_[start : start + _BLOCK]
                values[:, block] = self._ahead(rows[block], states, ply)
        return values

    def _ahead(self, rows: np.ndarray, states: Sequence[MatchState], ply: int) -> np.ndarray:
        """``_held`` of games that go on, by the mean over all rolls."""
        variant = self.evaluator.variant
        owner, rolls, chances = all_rolls(variant.forced_rolls(rows))
        plays = variant.legal_plays(rows.take(owner, axis=0), rolls)
        which, where = distinct(plays.boards)
        after = plays.boards.take(which, axis=0)
        again = np.zeros(len(where), bool) if plays.again is None else plays.again
        # The states that the side to decide next may find itself in, its own view.
        turned = {state: state.flip() for state in states}
        found = list(dict.fromkeys([*turned.values(), *(states if again.any() else ())]))
        place = {state: i for i, state in enumerate(found)}

        def for_the_player(state: MatchState, values: np.ndarray, at: np.ndarray) -> np.ndarray:
            """Worth to the side that plays of rows ``at`` of plays; values are of ``after``."""
            passed_on = -values[place[turned[state]], where[at]]
            if not again.any():
                return passed_on
            return np.where(again[at], values[place.get(state, 0), where[at]], passed_on)

        every = np.arange(len(where))
        values = self._leaves(after, found, self.evaluator.outcomes(after))
        worths = [for_the_player(state, values, every) for state in states]
        best = [best_rows(value, plays, len(rolls)) for value in worths]
        if ply > 1:
            deeper = np.unique(where[np.concatenate(best)])
            values[:, deeper] = self._best(after[deeper], found, ply - 1)
        firsts = np.searchsorted(owner, np.arange(len(rows)))
        return np.stack([
            np.add.reduceat(chances * for_the_player(state, values, at), firsts)
            for state, at in zip(states, best, strict=True)
        ])  # fmt: skip

    def _leaves(self, rows: np.ndarray, states: Sequence[MatchState], outcomes: np.ndarray,
                held: bool = False) -> np.ndarray:
        """Worth without look-ahead, ``(len(states), n)``.

        Args:
            outcomes: ``(n, 6)`` of the rows.
            held: no double this turn, where a table can tell that apart.
        """
        lively = efficiency(rows, self.evaluator.variant)
        values = np.stack([
            cubeful(outcomes, state, lively, self.scoring, self.met) for state in states
        ])  # fmt: skip
        at = np.flatnonzero(self._in_table(rows) & ~self._over(rows))
        if len(at):
            exact, last = cube_equities(rows[at]), at[last_turn(rows[at])]
            for i, state in enumerate(states):
                if has_endless_cube(state):
                    plane = {
                        Owner.CENTRE: exact.centred_held if held else exact.centred,
                        Owner.MINE: exact.owned_held if held else exact.owned,
                        Owner.HIS: exact.opponents,
                    }[state.owner]
                    values[i, at] = state.cube * plane
                else:
                    values[i, last] = last_turn_worth(
                        outcomes[last], state, held, self.scoring, self.met
                    )
        return values

    def _in_table(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: the two-sided bear-off table knows these, cube included, for money."""
        variant = self.evaluator.variant
        # It knows no gammons, which are possible where there are few men.
        if variant.homes_apart and variant.men > TWO_SIDED_MEN:
            return cube_covers(rows)
        return np.zeros(len(rows), bool)

    def _over(self, rows: np.ndarray) -> np.ndarray:
        """``(n,)`` bool: the game is finished."""
        return self.evaluator.variant.result(rows) != scoring.ONGOING
