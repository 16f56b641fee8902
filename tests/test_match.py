"""Match state: who may double, what the cube does, what a game is worth, what comes next."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.scoring import LOSE_GAMMON, WIN, WIN_BACKGAMMON, WIN_GAMMON
from bgnet.game.variants import HYPERGAMMON, STANDARD

MINE, HIS = Owner.MINE, Owner.HIS


@pytest.mark.parametrize(
    ("fields", "me", "him"),
    [
        ({}, True, True),
        ({"owner": MINE, "cube": 2}, True, False),
        ({"owner": HIS, "cube": 2}, False, True),
        ({"length": 1}, False, False),
        ({"length": 5, "score": 2, "opponent_score": 4, "crawford": True}, False, False),
        ({"length": 5, "score": 2, "opponent_score": 4}, True, False),  # post-Crawford
        ({"length": 7, "score": 4, "opponent_score": 2, "cube": 2, "owner": MINE}, True, False),
        ({"length": 7, "score": 5, "opponent_score": 2, "cube": 2, "owner": MINE}, False, False),
        ({"cube": 64, "owner": MINE, "max_cube": 64}, False, False),
    ],
)
def test_who_may_double(fields, me, him):
    state = MatchState(**fields)
    assert (state.may_double, state.opponent_may_double) == (me, him)
    assert state.flip().may_double is him
    if not me:
        with pytest.raises(MatchError, match="no double: "):
            state.double()


def test_no_double_after_the_throw():
    assert MatchState().why_not_double(rolled=True) == "a side may double only before it throws"
    with pytest.raises(MatchError, match="before it throws"):
        MatchState().double(rolled=True)


def test_double_take_redouble_drop():
    doubled = MatchState().double()
    assert doubled.offer is Offer.DOUBLE and doubled.cube == 1
    assert doubled.drop() == 1
    taken = doubled.take()
    assert (taken.cube, taken.owner, taken.offer) == (2, HIS, Offer.NONE)
    redoubled = taken.flip().double()
    assert (redoubled.drop(), redoubled.take().cube, redoubled.take().owner) == (2, 4, HIS)
    with pytest.raises(MatchError, match="must be answered"):
        doubled.flip()
    with pytest.raises(MatchError, match="must be answered"):
        doubled.double()
    with pytest.raises(MatchError, match="no double to answer"):
        MatchState().take()


def test_beaver_and_raccoon():
    doubled = MatchState(beavers=True).double()
    beavered = doubled.beaver()
    assert (beavered.cube, beavered.owner, beavered.offer) == (2, HIS, Offer.BEAVER)
    assert (beavered.take().cube, beavered.take().owner, beavered.drop()) == (4, HIS, -2)
    raccoon = beavered.beaver()
    assert (raccoon.take().cube, raccoon.take().owner, raccoon.drop()) == (8, HIS, 4)
    with pytest.raises(MatchError, match="raccoon"):
        raccoon.beaver()
    with pytest.raises(MatchError, match="by agreement"):
        MatchState().double().beaver()
    with pytest.raises(MatchError, match="by agreement"):
        MatchState(length=5, beavers=True).double().beaver()
    with pytest.raises(MatchError, match="beyond 2"):
        MatchState(beavers=True, max_cube=2).double().beaver()


def test_automatic_doubles():
    state = MatchState(jacoby=True)
    for cube in (2, 4, 4):
        state = state.automatic_double(limit=4)
        assert (state.cube, state.owner) == (cube, Owner.CENTRE)
    assert state.points(WIN_GAMMON) == 4  # Jacoby: nobody has doubled
    with pytest.raises(MatchError, match="money"):
        MatchState(length=3).automatic_double(limit=4)


@pytest.mark.parametrize(
    ("fields", "scoring", "points"),
    [
        ({}, "english", 2),
        ({}, "american", 1),
        ({"jacoby": True}, "english", 1),
        ({"jacoby": True, "cube": 2, "owner": HIS}, "english", 4),
        ({"jacoby": True, "length": 5}, "english", 2),
        ({"cube": 8, "owner": MINE}, "english", 16),
        ({"cube": 8, "owner": MINE}, "american", 8),
    ],
)
def test_what_a_gammon_is_worth(fields, scoring, points):
    state = MatchState(**fields)
    assert state.points(WIN_GAMMON, scoring) == points
    assert state.points(LOSE_GAMMON, scoring) == -points
    assert state.payoffs(scoring).dtype == np.float32


@pytest.mark.parametrize(
    ("board", "outcome", "variant"),
    [
        # A loser who has one man off; one in the winner's table; one on the bar, but one off.
        ("--------------------d---j-", WIN, STANDARD),
        ("---a----------------d---j-", WIN_BACKGAMMON, STANDARD),
        ("a-----------------------m-", WIN, STANDARD),
        ("------b---b----------abbf-", WIN_BACKGAMMON, STANDARD),
        ("-----------------eee------", WIN_GAMMON, STANDARD),
        ("------------a-----------b-", WIN_GAMMON, HYPERGAMMON),
    ],
)
def test_what_a_finished_board_is_worth(board, outcome, variant):
    row = np.array([[0 if letter == "-" else 96 - ord(letter) for letter in board]], np.int8)
    assert variant.result(row)[0] == outcome
    assert MatchState(cube=2, owner=MINE).points(outcome) == 2 * (outcome + 1)


def test_the_course_of_a_match():
    state = MatchState(length=5, cube=4, owner=MINE).next_game(4)
    assert state == MatchState(length=5, score=4, crawford=True)
    state = state.next_game(-2)
    assert state == MatchState(length=5, score=4, opponent_score=2) and state.post_crawford
    state = state.next_game(-2)
    assert state == MatchState(length=5, score=4, opponent_score=4) and not state.crawford
    assert state.next_game(1) is None
    assert not MatchState(length=1).crawford
    money = MatchState(cube=2, owner=HIS, jacoby=True).next_game(-4)
    assert money == MatchState(opponent_score=4, jacoby=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"length": -1},
        {"score": -1},
        {"length": 5, "score": 5},
        {"length": 5, "opponent_score": 6},
        {"cube": 3},
        {"cube": 0},
        {"max_cube": 10},
        {"crawford": True},
        {"length": 5, "score": 3, "crawford": True},
        {"length": 5, "score": 4, "opponent_score": 4, "crawford": True},
        {"length": 1, "crawford": True},
        {"seat": 2},
    ],
)
def test_impossible_states(fields):
    with pytest.raises(MatchError) as caught:
        MatchState(**fields)
    assert len(str(caught.value)) > 10


@given(
    st.integers(0, 25).flatmap(
        lambda n: st.builds(
            MatchState,
            length=st.just(n),
            score=st.integers(0, max(n - 1, 0)),
            opponent_score=st.integers(0, max(n - 1, 0)),
            cube=st.sampled_from([1, 2, 4, 8]),
            owner=st.sampled_from(list(Owner)),
            seat=st.integers(0, 1),
        )
    )
)
def test_flip_twice(state):
    assert state.flip().flip() == state
    assert state.flip().seat == 1 - state.seat
    assert state.flip().away == state.opponent_away
    assert hash(replace(state, seat=1 - state.seat)) == hash(state)
