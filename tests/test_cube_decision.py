"""Decisions of the cube: names, cases with known answers, and answers to offers."""

import numpy as np
import pytest

from bgnet.engine.bearoff import Bearoff
from bgnet.engine.cube_decision import CubeDecision, answer, classify, cube_action
from bgnet.engine.cube_search import CubeSearch
from bgnet.engine.evaluator import Evaluator
from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.variants import STANDARD
from bgnet.notation.xgid import parse_xgid

MINE, HIS = Owner.MINE, Owner.HIS
LEVEL = np.array([0.5, 0, 0, 0.5, 0, 0])


@pytest.mark.parametrize(
    ("held", "taken", "beavers", "action"),
    [
        (0.3, 0.2, False, "no double, take"),
        (0.5, 0.7, False, "double, take"),
        (0.9, 1.2, False, "double, pass"),
        (1.1, 1.4, False, "too good to double, pass"),
        (1.1, 0.9, False, "no double, take"),  # holding is worth more, and he would take
        (1.0, 1.2, False, "double, pass"),  # holding is worth as much: end it
        (0.7, 1.0, False, "double, take"),  # he may as well take
        (-0.2, -0.6, True, "no double, beaver"),
        (-0.2, -0.6, False, "no double, take"),
        (-0.3, -0.1, True, "double, beaver"),  # Kauder's paradox
        (-0.3, -0.1, False, "double, take"),
    ],
)
def test_the_action_follows_from_the_equities(
    held: float, taken: float, beavers: bool, action: str
) -> None:
    assert classify(held, taken, beavers=beavers) == action
    redouble = classify(held, taken, beavers=beavers, owned=True)
    assert redouble == action.replace("double", "redouble")


def test_nearly_too_good_is_not_too_good() -> None:
    """Holding is worth less than a pass, and he would take: no redouble, whatever is displayed."""
    assert classify(0.951, 0.808, 1.0, owned=True) == "no redouble, take"


# --- positions with known answers, exact in the bear-off -----------------------------------------

#: A network that is never asked: both sides are home or the game is over.
EXACT = CubeSearch(Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32),
                             Bearoff()))  # fmt: skip


def decision_at(xgid: str) -> CubeDecision:
    position = parse_xgid(xgid)
    return EXACT.action(position.board, position.match)


LAST_ROLL = "XGID=--A--A------------------a-"  # 19 rolls of 36 win
SURE_GAMMON = "XGID=-A-----------------eee----"


def test_last_roll_for_money() -> None:
    decision = decision_at(LAST_ROLL + ":0:0:1:00:0:0:0:0:10")
    assert decision.action == "double, take" and decision.may_double and decision.double
    assert decision.no_double == pytest.approx(2 / 36, abs=1e-6)
    assert decision.double_take == pytest.approx(4 / 36, abs=1e-6)
    assert decision.double_pass == 1 and decision.chances is None
    assert decision.equity == decision.double_take


@pytest.mark.parametrize(
    ("position", "action"),
    [
        (SURE_GAMMON + ":0:0:1:00:0:0:0:0:10", "too good to double, pass"),
        (SURE_GAMMON + ":1:1:1:00:0:0:1:0:10", "too good to redouble, pass"),
        (SURE_GAMMON + ":0:0:1:00:0:0:1:0:10", "double, pass"),  # Jacoby, cube not turned
        (LAST_ROLL + ":0:0:1:00:2:4:0:5:10", "double, take"),  # after Crawford, three away
        (LAST_ROLL + ":0:0:1:00:3:3:0:5:10", "double, take"),  # two away each
    ],
)
def test_positions_with_known_answers(position: str, action: str) -> None:
    assert decision_at(position).action == action


def test_equities_are_normalised_to_the_cube() -> None:
    assert decision_at(SURE_GAMMON + ":0:0:1:00:0:0:0:0:10").no_double == pytest.approx(2)
    assert decision_at(SURE_GAMMON + ":1:1:1:00:0:0:1:0:10").no_double == pytest.approx(2)


def test_chances_of_winning_the_match() -> None:
    decision = decision_at(LAST_ROLL + ":0:0:1:00:3:3:0:5:10")
    assert decision.chances is not None
    assert decision.chances.double_take == pytest.approx(19 / 36, abs=1e-6)
    assert decision.chances.double_pass == pytest.approx(0.68, abs=0.01)
    assert decision.double_pass == pytest.approx(1)


@pytest.mark.parametrize(
    ("rules", "action"),
    [
        (":1:-1:1:00:0:0:0:0:10", "no double, take"),  # the opponent owns the cube
        (":0:0:1:00:2:4:1:5:10", "no double, take"),  # the Crawford game
        (":0:0:1:00:4:2:0:5:10", "no double, take"),  # dead: the game is enough
        (":1:1:1:00:3:2:0:5:10", "no redouble, take"),
        (":0:0:1:00:0:0:0:1:10", "no double, take"),
        (":3:1:1:00:0:0:0:0:3", "no redouble, take"),  # the highest cube
    ],
)
def test_where_no_double_is_allowed(rules: str, action: str) -> None:
    decision = decision_at(LAST_ROLL + rules)
    assert not decision.may_double and not decision.double
    assert decision.action == action
    assert decision.double_take is None and decision.double_pass is None
    assert decision.equity == decision.no_double


def test_a_double_on_the_table_is_judged_like_one_to_be_made() -> None:
    state = MatchState()
    assert cube_action(LEVEL, state.double()) == cube_action(LEVEL, state)
    with pytest.raises(MatchError, match="a beaver is on the table"):
        cube_action(LEVEL, MatchState(beavers=True).double().beaver())


def test_the_leader_has_a_free_drop_two_away_after_crawford() -> None:
    """He passes as soon as he is the least bit behind, since one point hardly matters."""
    state = MatchState(length=5, score=3, opponent_score=4)
    ahead, behind = (np.array([p, 0, 0, 1 - p, 0, 0]) for p in (0.49, 0.51))
    assert cube_action(ahead, state).action == "double, take"
    assert cube_action(behind, state).action == "double, pass"


# --- offers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "expected"), [(0.9, "pass"), (0.7, "take"), (0.3, "beaver")]
)
def test_answer_to_a_double(chance: float, expected: str) -> None:
    outcomes = np.array([chance, 0, 0, 1 - chance, 0, 0])
    assert answer(outcomes, MatchState(beavers=True).double()) == expected
    without = answer(outcomes, MatchState().double())
    assert without == ("take" if expected == "beaver" else expected)


@pytest.mark.parametrize(
    ("chance", "expected"), [(0.9, "beaver"), (0.5, "take"), (0.05, "pass")]
)
def test_answer_to_a_beaver(chance: float, expected: str) -> None:
    """The doubler decides: he may drop, take at four times the stake, or raccoon."""
    outcomes = np.array([chance, 0, 0, 1 - chance, 0, 0])
    beavered = MatchState(beavers=True).double().beaver()
    assert beavered.offer is Offer.BEAVER
    assert answer(outcomes, beavered) == expected


def test_a_raccoon_is_taken_or_passed() -> None:
    raccoon = MatchState(beavers=True).double().beaver().beaver()
    assert answer(np.array([0.95, 0, 0, 0.05, 0, 0]), raccoon) == "pass"
    assert answer(np.array([0.05, 0, 0, 0.95, 0, 0]), raccoon) == "take"


def test_nothing_to_answer() -> None:
    with pytest.raises(MatchError, match="no double to answer"):
        answer(LEVEL, MatchState())
