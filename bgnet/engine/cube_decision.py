"""Decisions of the cube, from three equities: no double, double and take, double and pass."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..game.match import MatchError, MatchState, Offer, Owner
from .cube import EFFICIENCY, Scale, cubeful, worth
from .met import MatchEquityTable

#: Differences of equity that count as none: chances are float32.
_NOTHING = 1e-5


class MatchChances(NamedTuple):
    """Chances of the side on roll of winning the match, by what is done about the cube."""

    no_double: float
    double_take: float | None
    double_pass: float | None


@dataclass(frozen=True)
class CubeDecision:
    """What to do about the cube before the throw, seen by the side on roll."""

    action: str
    """``no double, take``, ``no double, beaver``, ``double, take``, ``double, beaver``,
    ``double, pass`` or ``too good to double, pass``; ``redouble`` for double where the side on
    roll owns the cube. What comes after the comma is the right answer to a double, were it right
    or wrong. Where no double is allowed it is ``no double, take``."""
    may_double: bool
    """Whether the rules allow the side on roll to double."""
    no_double: float
    """Equity, normalised to the cube (a single game won is +1)."""
    double_take: float | None
    """Equity after a double that is taken; None where no double is allowed."""
    double_pass: float | None
    """Equity after a double that is passed; None where no double is allowed."""
    chances: MatchChances | None = None
    """The same three as chances of winning the match; None for money."""

    @property
    def double(self) -> bool:
        """Whether doubling is right."""
        return self.action.startswith(("double", "redouble"))

    @property
    def answer(self) -> str:
        """The right answer to a double: ``take``, ``pass`` or ``beaver``."""
        return self.action.partition(", ")[2]

    @property
    def equity(self) -> float:
        """Equity with both sides doing what is right."""
        if not self.double or self.double_take is None or self.double_pass is None:
            return self.no_double
        if self.answer == "pass":
            return self.double_pass
        return self.double_take * (2 if self.answer == "beaver" else 1)


def classify(no_double: float, double_take: float, double_pass: float = 1.0, *,
             owned: bool = False, beavers: bool = False) -> str:
    """The right action, from equities alone.

    The opponent's answer is the one that is worth least to the doubler, a take where both are
    worth the same. A double is right if it is then worth no less than holding the cube. It is
    too good to double only if it would be passed and holding is worth more than that.

    Args:
        no_double: equity if the cube is held this turn.
        double_take: equity after a double and a take.
        double_pass: equity after a double and a pass.
        owned: whether the side on roll owns the cube.
        beavers: whether the opponent may turn the cube at once and keep it.

    Returns:
        See ``CubeDecision.action``. With beavers and the Jacoby rule it can be right to double
        although the double will be beavered (Kauder's paradox).

    >>> classify(0.951, 0.808, owned=True)
    'no redouble, take'
    >>> classify(1.2, 1.4)
    'too good to double, pass'
    """
    if double_take > double_pass + _NOTHING:
        answer, doubled = "pass", double_pass
    elif beavers and double_take < -_NOTHING:
        answer, doubled = "beaver", 2 * double_take
    else:
        answer, doubled = "take", double_take
    double = "redouble" if owned else "double"
    if doubled >= no_double - _NOTHING:
        return f"{double}, {answer}"
    return f"too good to {double}, pass" if answer == "pass" else f"no {double}, {answer}"


def decide(no_double: float, double_take: float | None, state: MatchState,
           met: MatchEquityTable | None = None) -> CubeDecision:
    """The decision that worths (see ``worth``) lead to.

    Args:
        no_double: worth if the cube is held this turn.
        double_take: worth after a double and a take; None where no double is allowed.
        state: of the side on roll.
        met: the match equity table; None is the project's own.
    """
    scale, owned = Scale.of(state, met), state.owner is Owner.MINE
    held = scale.equity(no_double)
    if double_take is None:
        action = "no redouble, take" if owned else "no double, take"
        chances = None if state.money else MatchChances((1 + no_double) / 2, None, None)
        return CubeDecision(action, False, held, None, None, chances)
    beavers = state.money and state.beavers and 2 * state.cube < state.max_cube
    taken, passed = scale.equity(double_take), 1.0
    action = classify(held, taken, passed, owned=owned, beavers=beavers)
    chances = None if state.money else MatchChances(
        (1 + no_double) / 2, (1 + double_take) / 2, (1 + scale.won) / 2
    )  # fmt: skip
    return CubeDecision(action, True, held, taken, passed, chances)


def cube_action(outcomes: np.ndarray, state: MatchState, efficiency: float = EFFICIENCY,
                scoring: str = "english", met: MatchEquityTable | None = None) -> CubeDecision:
    """What to do about the cube, from chances alone (no look-ahead).

    Args:
        outcomes: ``(6,)`` of the side on roll, before its throw.
        state: of the side on roll. If it has doubled already, the decision is about that double.
        efficiency: of the cube.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Raises:
        MatchError: a beaver or raccoon is on the table, which ``answer`` is about.
        MetError: the score lies outside the table.

    >>> decision = cube_action(np.array([0.75, 0, 0, 0.25, 0, 0]), MatchState())
    >>> decision.action, round(decision.no_double, 3), round(decision.double_take, 3)
    ('double, take', 0.727, 0.83)
    """
    state = before_double(state)
    no_double = cubeful(outcomes[None], state, efficiency, scoring, met)[0]
    taken = None
    if state.may_double:
        after = state.double().take()
        taken = float(cubeful(outcomes[None], after, efficiency, scoring, met)[0])
    return decide(float(no_double), taken, state, met)


def before_double(state: MatchState) -> MatchState:
    """The state as it was before the double on the table, if there is one.

    Raises:
        MatchError: a beaver or raccoon is on the table.
    """
    if state.offer in (Offer.BEAVER, Offer.RACCOON):
        raise MatchError(f"a {state.offer} is on the table: it can only be answered")
    return replace(state, offer=Offer.NONE)


def answer(outcomes: np.ndarray, state: MatchState, efficiency: float = EFFICIENCY,
           scoring: str = "english", met: MatchEquityTable | None = None) -> str:
    """The right answer to whatever is offered: a double, a beaver or a raccoon.

    Args:
        outcomes: ``(6,)`` of the side on roll, which is the one that doubled.
        state: with the offer, of the side on roll.
        efficiency: of the cube.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        ``take``, ``pass`` or, where it is allowed and pays, ``beaver`` (a raccoon, if it answers
        a beaver), for the side that has to answer.

    Raises:
        MatchError: nothing is on the table.

    >>> hopeless = np.array([0, 0, 0, 1, 0, 0])
    >>> answer(hopeless, MatchState(beavers=True).double())
    'beaver'
    >>> answer(hopeless, MatchState(beavers=True).double().beaver())
    'pass'
    """
    dropped = float(worth(replace(state, offer=Offer.NONE), state.drop(), met))
    taken = float(cubeful(outcomes[None], state.take(), efficiency, scoring, met)[0])
    if state.offer is not Offer.BEAVER:  # the other side answers
        dropped, taken = -dropped, -taken
    if taken < dropped - _NOTHING * state.cube:
        return "pass"
    allowed = state.money and state.beavers and state.offer is not Offer.RACCOON
    turns = allowed and taken > _NOTHING and 2 * state.cube < state.max_cube
    return "beaver" if turns else "take"
