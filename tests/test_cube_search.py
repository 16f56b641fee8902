"""The cube with look-ahead: exact bear-offs, a slow twin, and what must not change."""

from dataclasses import replace

import numpy as np
import pytest

from bgnet.engine.bearoff import Bearoff, cube_equities
from bgnet.engine.cube import EFFICIENCY, cubeful, worth
from bgnet.engine.cube_search import CubeSearch, efficiency
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.search import Search
from bgnet.game import dice
from bgnet.game.board import place
from bgnet.game.match import MatchState, Owner
from bgnet.game.scoring import ONGOING
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, RUSSIAN, STANDARD, Variant
from bgnet.notation.xgid import parse_xgid

MINE, HIS, CENTRE = Owner.MINE, Owner.HIS, Owner.CENTRE


def guess(rows: np.ndarray) -> np.ndarray:
    """A network of a kind: any fixed function of the board."""
    weights = np.random.default_rng(7).normal(0, 0.1, (rows.shape[1], 6))
    return (rows @ weights).astype(np.float32)


def evaluator(variant: Variant = STANDARD) -> Evaluator:
    return Evaluator(variant, guess, Bearoff(variant.men) if variant.homes_apart else None)


# --- efficiency ---------------------------------------------------------------------------------


def test_efficiency_by_class() -> None:
    rows = np.stack([STANDARD.start, place({5: 2}, {5: 2}), place({6: 14, 3: 1}, {6: 15})])
    contact, short, long = efficiency(rows, STANDARD)
    assert (contact, short) == (EFFICIENCY, 0.6)
    assert long == pytest.approx(0.6 + 0.1 * (87 - 40) / 80)


# --- exact --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_bear_offs_are_exact_for_money(ply: int) -> None:
    rows = np.stack([place({5: 2, 3: 1}, {4: 2, 2: 1}), place({6: 2}, {1: 4})])
    exact = cube_equities(rows)
    search = CubeSearch(evaluator(), ply)
    for owner, plane in ((CENTRE, exact.centred), (MINE, exact.owned), (HIS, exact.opponents)):
        assert np.allclose(search.worth(rows, MatchState(cube=2, owner=owner)), 2 * plane)
    decision = search.action(rows[0], MatchState())
    assert decision.no_double == pytest.approx(exact.centred_held[0], abs=1e-6)
    assert decision.double_take == pytest.approx(2 * exact.opponents[0], abs=1e-6)


@pytest.mark.parametrize("state", [
    MatchState(length=7), MatchState(length=7, cube=2, owner=MINE), MatchState(max_cube=2),
    MatchState(length=5, score=3, opponent_score=2), MatchState(length=5, score=4, crawford=True),
    MatchState(length=9, score=2, opponent_score=5, cube=2, owner=HIS),
])  # fmt: skip
def test_a_last_roll_is_exact_at_any_score(state: MatchState) -> None:
    """Look-ahead to the end of the game is the slow twin."""
    mine = [{6: 1}, {5: 1, 2: 1}, {6: 2}, {3: 2, 1: 1}, {1: 4}, {6: 3, 1: 1}, {4: 2, 2: 3, 1: 1}]
    rows = np.stack([place(men, his) for men in mine for his in ({1: 1}, {3: 1}, {2: 1, 1: 1})])
    search, twin = (CubeSearch(evaluator(), ply) for ply in (0, 2))
    assert np.allclose(search.worth(rows, state), twin.worth(rows, state), atol=1e-6)
    for found, expected in zip(search.actions(rows, state), twin.actions(rows, state), strict=True):
        assert found.action == expected.action
        assert found.no_double == pytest.approx(expected.no_double, abs=1e-6)


def test_look_ahead_finds_what_the_table_knows() -> None:
    """With the table of cubes out of reach (a limited cube), look-ahead ends at finished games."""
    row = place({2: 1, 1: 1}, {1: 2})  # it wins unless it throws 1-1 ... which bears both off too
    limited = MatchState(max_cube=2)
    assert CubeSearch(evaluator(), 1).worth(row[None], limited)[0] == pytest.approx(1)
    row = place({5: 1, 2: 1}, {1: 1})
    decision = CubeSearch(evaluator(), 1).action(row, limited)
    assert decision.no_double == pytest.approx(2 / 36, abs=1e-6)
    assert decision.double_take == pytest.approx(4 / 36, abs=1e-6)


# --- a slow twin --------------------------------------------------------------------------------


def slow_held(search: CubeSearch, row: np.ndarray, state: MatchState, ply: int) -> float:
    """Worth without a double this turn: plain recursion, one position at a time."""
    variant = search.evaluator.variant
    if ply == 0 or variant.result(row[None])[0] != ONGOING:
        outcomes = search.evaluator.outcomes(row[None])
        return float(cubeful(outcomes, state, efficiency(row[None], variant))[0])
    total = 0.0
    for roll, chance in zip(dice.ROLLS, dice.CHANCES, strict=True):
        plays = variant.legal_plays(row[None], roll[None]).boards
        quick = [-slow_held(search, play, state.flip(), 0) for play in plays]
        best = plays[int(np.argmax(quick))]
        deep = max(quick) if ply == 1 else -slow_best(search, best, state.flip(), ply - 1)
        total += float(chance) * deep
    return total


def slow_best(search: CubeSearch, row: np.ndarray, state: MatchState, ply: int) -> float:
    held = slow_held(search, row, state, ply)
    if not state.may_double or search.evaluator.variant.result(row[None])[0] != ONGOING:
        return held
    taken = slow_held(search, row, state.double().take(), ply)
    return max(held, min(taken, float(worth(state, state.cube))))


@pytest.mark.parametrize("ply", [1, 2])
@pytest.mark.parametrize(
    "state",
    [
        MatchState(),
        MatchState(length=5, score=2, opponent_score=1, cube=2, owner=MINE),
        MatchState(length=5, score=3, opponent_score=2),
        MatchState(length=4, score=1, opponent_score=3),
    ],
)
def test_look_ahead_against_plain_recursion(ply: int, state: MatchState) -> None:
    row = place({24: 1, 3: 1}, {20: 1, 4: 1}) if ply == 1 else place({7: 1}, {12: 1})
    search = CubeSearch(Evaluator(HYPERGAMMON, guess), ply)
    assert search.worth(row[None], state)[0] == pytest.approx(
        slow_best(search, row, state, ply), abs=1e-5
    )
    decision = search.action(row, state)
    held = slow_held(search, row, state, ply)
    won, lost = (float(worth(state, p)) for p in (state.cube, -state.cube))
    assert decision.no_double == pytest.approx((2 * held - won - lost) / (won - lost), abs=1e-4)


@pytest.mark.parametrize("variant", [STANDARD, NACKGAMMON, HYPERGAMMON, RUSSIAN])
def test_every_variant_has_a_cube(variant: Variant) -> None:
    rows = variant.starts(2)
    values = CubeSearch(evaluator(variant), 1).worth(rows, MatchState(length=3))
    assert values[0] == values[1] and abs(values[0]) < 1


def test_a_batch_is_as_good_as_one_at_a_time() -> None:
    rows = np.stack([STANDARD.start, place({5: 2}, {5: 2}), place({24: 2, 6: 3}, {3: 4})])
    search, state = CubeSearch(evaluator(), 1), MatchState(length=5, cube=2, owner=HIS)
    alone = [search.worth(row[None], state)[0] for row in rows]
    assert np.allclose(search.worth(rows, state), alone, atol=1e-6)
    assert search.worth(rows[:0], state).shape == (0,)


# --- plays --------------------------------------------------------------------------------------


def test_plays_differ_with_the_true_cube() -> None:
    """Ranked with the cube where it is: owned, many plays differ; none is simply lost at -1."""
    position = parse_xgid("XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8")
    utility = CubeSearch(evaluator()).utility(position.match)
    plays = STANDARD.legal_plays(position.board[None], np.array([position.roll]))
    judged = Search(evaluator(), 0, utility=utility).play_outcomes(
        position.board[None], np.array([position.roll]), plays
    )
    assert len(np.unique(judged.values.round(6))) > len(plays.boards) / 2
    assert np.allclose(judged.values, cubeful(judged.outcomes, position.match))


def test_gammons_are_not_played_for_where_they_do_not_count() -> None:
    """Two away with a cube at 2 the game decides the match: utility is winning chances alone."""
    state = MatchState(length=5, score=3, opponent_score=3, cube=2, owner=HIS)
    utility = CubeSearch(evaluator()).utility(state)
    single, gammonish = np.array([[0.6, 0, 0, 0.4, 0, 0]]), np.array([[0.1, 0.4, 0, 0.1, 0.4, 0]])
    assert utility(single)[0] == pytest.approx(0.2)
    assert utility(gammonish)[0] == pytest.approx(0.0)
    money = CubeSearch(evaluator()).utility(replace(state, length=0, score=0, opponent_score=0))
    assert money(gammonish)[0] != pytest.approx(0.2)
