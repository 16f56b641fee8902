"""Decisions of a match looked into, one kind after another.

Every function here takes cases that share what they are about, their match state and, if they
are resignations, side and points; the positions go through the network together.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..game.match import MatchState, Offer
from ..notation.plays import format_steps, ways
from ..notation.record import Kind, Moment
from ..position import Position
from .analysis import Analyst
from .cube import Scale, worth
from .cube_decision import CubeDecision
from .ratings import Luck
from .review_decision import Decision, Option, Topic

#: Not doubling counts as a decision where doubling is right or costs less than this.
CLOSE = 0.16
_SHOWN = 5  # alternatives kept


class Case(NamedTuple):
    """A decision to be looked into."""

    game: int
    turn: int
    topic: Topic
    moment: Moment
    opening: bool
    """Whether the roll is the opening throw of a game."""


def _plays(cases: Sequence[Case], analyst: Analyst) -> list[Decision]:
    """Decisions about a roll, of one match state."""
    variant, state = analyst.variant, cases[0].moment.match
    rows = np.stack([case.moment.board for case in cases])
    thrown = np.array([case.moment.action.roll for case in cases], np.int8)
    plays = variant.legal_plays(rows, thrown)
    texts, made = [], []
    firsts = [*plays.firsts(len(cases)).tolist(), len(plays.boards)]
    left = variant.seen_by_player(plays)[:, variant.rules.steps.MEN]
    for case, first, end in zip(cases, firsts, firsts[1:], strict=False):
        how = ways(case.moment.board, (case.moment.action.roll or (0, 0)), variant)
        steps = [how[tuple(men)] for men in left[first:end].tolist()]
        texts += [format_steps(way) for way in steps]
        # The roll of a turn lost was not played: whatever the first play is, it is as good.
        made.append(first + (steps.index(case.moment.steps) if case.moment.steps in steps else 0))
    values, plies = analyst.plays(plays, np.array(made), state)
    order = np.lexsort((-values, -plies, plays.owner))
    scale, luck = Scale.of(state, analyst.cubes.met), _luck(cases, rows, thrown, analyst)
    lost = analyst.turns_lost(rows, state)
    decisions = []
    for i, case in enumerate(cases):
        ranked = order[firsts[i] : firsts[i + 1]].tolist()
        options = [
            _option(texts[row], values[row], scale, state, int(plies[row])) for row in ranked
        ]
        chosen = ranked.index(made[i])
        counted = case.topic is Topic.PLAY and len(options) > 1
        if case.topic is Topic.FORFEIT:
            options.append(_option("no play", lost[i], scale, state, analyst.cubes.ply))
            chosen = len(options) - 1
        decisions.append(_decision(case, analyst, options, chosen, counted, luck=luck[i]))
    return decisions


def _luck(cases: Sequence[Case], rows: np.ndarray, thrown: np.ndarray, analyst: Analyst
          ) -> list[Luck]:
    """Luck of the rolls, of one match state.

    The opening throw decides too who begins: it is measured against the mean over both sides.
    """
    n, state = len(cases), cases[0].moment.match
    rolls = analyst.rolls(rows, state)
    worths, means = rolls.of(thrown), rolls.mean(n)
    opening = np.array([case.opening for case in cases])
    if opening.any() and not analyst.variant.rethrow:
        his = analyst.rolls(analyst.variant.flip(rows), state.flip())
        means = np.where(opening, (rolls.opening_mean(n) - his.opening_mean(n)) / 2, means)
    scale = Scale.of(state, analyst.cubes.met)
    equities = scale.equity(worths) - scale.equity(means)
    chances = [None] * n if state.money else ((worths - means) / 2).tolist()
    return [Luck(*both) for both in zip(equities.tolist(), chances, strict=True)]


def _doubles(cases: Sequence[Case], analyst: Analyst) -> list[Decision]:
    """Decisions whether to double, of one match state."""
    state = cases[0].moment.match
    rows = np.stack([case.moment.board for case in cases])
    scale, plies = Scale.of(state, analyst.cubes.met), max(analyst.cubes.ply, 1)
    decisions = []
    for case, cube in zip(cases, analyst.doubles(rows, state), strict=True):
        taken, passed = cube.double_take or 0.0, cube.double_pass or 0.0
        worths = {"take": taken, "pass": passed, "beaver": 2 * taken}
        verb = "redouble" if cube.action.startswith(("redouble", "no redouble")) else "double"
        both = [
            _option(f"no {verb}", cube.no_double, scale, state, plies),
            _option(f"{verb}, {cube.answer}", worths[cube.answer], scale, state, plies),
        ]
        doubled = case.moment.action.kind is Kind.DOUBLE
        close = cube.double or cube.no_double - both[1].equity < CLOSE
        options = sorted(both, key=lambda option: -option.equity)
        made = options.index(both[doubled])
        decisions.append(_decision(case, analyst, options, made, doubled or close, cube=cube))
    return decisions


def _answers(cases: Sequence[Case], analyst: Analyst) -> list[Decision]:
    """Answers to an offer, of one match state."""
    state = cases[0].moment.match
    rows = np.stack([case.moment.board for case in cases])
    view = state if state.offer is Offer.BEAVER else replace(state, offer=Offer.NONE).flip()
    scale, plies = Scale.of(view, analyst.cubes.met), max(analyst.cubes.ply, 1)
    found = analyst.answers(rows, state)
    names = {Kind.TAKE: "take", Kind.DROP: "pass", Kind.BEAVER: "beaver"}
    decisions = []
    for i, case in enumerate(cases):
        options = sorted(
            (_option(name, worths[i], scale, view, plies) for name, worths in found.items()),
            key=lambda option: -option.equity,
        )
        made = [option.text for option in options].index(names[case.moment.action.kind])
        decisions.append(_decision(case, analyst, options, made, counted=True))
    return decisions


def _resignations(cases: Sequence[Case], analyst: Analyst) -> list[Decision]:
    """Resignations, of one match state, number of points, and side."""
    state, action = cases[0].moment.match, cases[0].moment.action
    rows = np.stack([case.moment.board for case in cases])
    mine = action.player == state.seat
    view = state if mine else replace(state, offer=Offer.NONE).flip()
    scale, plies = Scale.of(view, analyst.cubes.met), max(analyst.cubes.ply, 1)
    playing_on = analyst.playing_on(rows, state) * (1 if mine else -1)
    given = float(scale.equity(worth(view, np.array(-action.points), analyst.cubes.met)))
    decisions = []
    for case, value in zip(cases, playing_on.tolist(), strict=True):
        options = [
            _option("play on", value, scale, view, plies),
            _option(f"resign {action.points}", given, scale, view, plies),
        ]
        options.sort(key=lambda option: -option.equity)
        made = [option.text.startswith("resign") for option in options].index(True)
        decisions.append(_decision(case, analyst, options, made, counted=False))
    return decisions


#: What looks into each kind.
TOPICS = {
    Topic.PLAY: _plays,
    Topic.FORFEIT: _plays,
    Topic.DOUBLE: _doubles,
    Topic.ANSWER: _answers,
    Topic.RESIGN: _resignations,
}




def _option(text: str, equity: float, scale: Scale, state: MatchState, plies: int) -> Option:
    chance = None if state.money else (1 + scale.worth(float(equity))) / 2
    return Option(text, float(equity), chance, plies)


def _decision(case: Case, analyst: Analyst, options: Sequence[Option], made: int, counted: bool,
              luck: Luck | None = None, cube: CubeDecision | None = None) -> Decision:
    """A decision with its best options and the one made."""
    moment = case.moment
    kept = [*options[:_SHOWN], *options[made : made + 1][: made >= _SHOWN]]
    roll = moment.action.roll if case.topic in (Topic.PLAY, Topic.FORFEIT) else None
    position = Position(moment.board, roll=roll, match=moment.match, variant=analyst.variant)
    return Decision(
        case.game, case.turn, moment.action.player, case.topic, position, tuple(kept),
        min(made, _SHOWN), len(options), counted, luck, cube,
    )  # fmt: skip
