"""gnubg's ids: real ones, bad ones, and there and back."""

import base64
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import random_board

from bgnet.game.board import flip
from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.setup import PositionError
from bgnet.game.variants import HYPERGAMMON, STANDARD
from bgnet.notation.errors import NotationError
from bgnet.notation.gnubg_id import format_match, format_position, parse_match, parse_position


@pytest.mark.parametrize(
    ("text", "men", "opponent"),
    [
        ("4HPwATDgc/ABMA", {6: 5, 8: 3, 13: 5, 24: 2}, {1: 2, 12: 5, 17: 3, 19: 5}),
        ("AAIAAAAIAAAAAA", {18: 1}, {15: 1}),
        # A man of the opponent on the bar, which must not vanish.
        (
            "mxmAQ0O3AwAAAA",
            {1: 3, 2: 2, 3: 3},
            {0: 1, 4: 2, 5: 1, 9: 3, 19: 2, 21: 2, 23: 2, 24: 2},
        ),
        ("DAAAADAAYAAAAA", {25: 2, 10: 2}, {22: 2}),
    ],
)
def test_known_positions(text, men, opponent):
    board = np.zeros(26, np.int8)
    for point, count in men.items():
        board[point] = count
    for point, count in opponent.items():
        board[point] = -count
    assert (parse_position(text) == board).all()
    assert format_position(board) == text


def test_hypergammon_start():
    assert format_position(HYPERGAMMON.start) == "AACgAgAAKgAAAA"
    assert (parse_position("AACgAgAAKgAAAA", HYPERGAMMON) == HYPERGAMMON.start).all()
    with pytest.raises(PositionError, match="15 men, but hypergammon has 3"):
        parse_position("4HPwATDgc/ABMA", HYPERGAMMON)


@pytest.mark.parametrize("text", ["4HPwATDgc/ABM", "4HPwATDgc/ABMA==", " 4HPwATDgc/ABMA\n"])
def test_other_spellings(text):
    assert (parse_position(text) == STANDARD.start).all()


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("////////////AA", PositionError, "men"),
        ("4HPwATDgd/ABMA", PositionError, "both sides have men on point 12"),
        ("zzzz", NotationError, "14 characters, not 4"),
        ("4HPwATDgc_ABMA", NotationError, "column 10.*'_'"),
        ("4HPwATDgc/ABMB", NotationError, "last character"),
        ("AAAAAAAAAAAAAA", PositionError, "neither side has a man"),
        ("", NotationError, "14 characters"),
        ("4HPwATDgc/ABMÄ", NotationError, "'Ä'"),
        ("/////wAAAAAAAA", PositionError, "32 men"),
    ],
)
def test_bad_positions(text, error, says):
    with pytest.raises(error, match=says) as caught:
        parse_position(text)
    assert len(str(caught.value).splitlines()) == 1


def test_both_sides_on_a_point():
    # His ace point is my 24 point: a man of each there.
    bits = 1 | 1 << 25 + 1 + 23
    text = base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")
    with pytest.raises(PositionError, match="both sides have men on point 24"):
        parse_position(text)


@given(st.integers(0, 2**32))
def test_positions_there_and_back(seed):
    board = np.array(random_board(random.Random(seed)), np.int8)
    for view in (board, flip(board)):
        text = format_position(view)
        assert len(text) == 14
        assert (parse_position(text) == view).all()


@pytest.mark.parametrize(
    ("text", "state", "roll"),
    [
        ("cAkAAAAAAAAA", MatchState(jacoby=True), None),
        ("cAkAAAAAAAAE", MatchState(), None),
        ("cAkHAAAAAAAA", MatchState(jacoby=True), (6, 1)),
        (
            "UQmgAAAAEAAA",
            MatchState(length=5, score=2, cube=2, owner=Owner.MINE),
            None,
        ),
        (
            "8AmgACAAIAAE",
            MatchState(length=5, score=4, opponent_score=2, crawford=True),
            None,
        ),
        ("cAkgAAAAAAAE", MatchState(length=1), None),
        (
            "QQngAEAAEAAE",
            MatchState(length=7, score=2, opponent_score=4, cube=2, owner=Owner.HIS, seat=0),
            None,
        ),
        ("UgkAAAAAAAAE", MatchState(cube=4, owner=Owner.MINE), None),
    ],
)
def test_known_matches(text, state, roll):
    assert parse_match(text) == (state, roll)


def test_a_double_waits():
    doubled = MatchState(length=5).double()
    assert parse_match(format_match(doubled))[0] == doubled
    beavered = MatchState(beavers=True).double().beaver()
    assert parse_match(format_match(beavered))[0].offer is Offer.BEAVER


@given(st.integers(0, 2**32), st.integers(0, 21))
def test_matches_there_and_back(seed, dice):
    rng = random.Random(seed)
    length = rng.choice([0, 1, 5, 25, 2**15 - 1])
    state = MatchState(
        length=length,
        score=rng.randrange(length or 9),
        opponent_score=rng.randrange(length or 9),
        cube=2 ** rng.randrange(16),
        owner=rng.choice(list(Owner)),
        offer=rng.choice([Offer.NONE, Offer.DOUBLE, Offer.BEAVER]),
        jacoby=not length and rng.random() < 0.5,
        seat=rng.randrange(2),
    )
    roll = [None, *[(a, b) for a in range(1, 7) for b in range(1, a + 1)]][dice]
    text = format_match(state, roll)
    again = parse_match(text)
    assert again == (state, roll)
    assert again[0].seat == state.seat
    assert format_match(*again) == text


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("cAkAAAAAAAA", NotationError),
        ("cAkAAAAAAAA=", NotationError),
        ("////////////", ValueError),
        ("cIkfAAAAAAAA", NotationError),  # dice 7
        ("cAkgAAAAEAAE", MatchError),  # 2-0 in a match to 1
        ("YAkAAAAAAAAA", NotationError),  # the cube is with player 2
    ],
)
def test_bad_matches(text, error):
    with pytest.raises(error):
        parse_match(text)


def test_what_a_match_id_cannot_hold():
    with pytest.raises(NotationError, match="too large"):
        format_match(MatchState(length=40000))


@given(st.text("AB4HPwATDgc/+=:_ é", max_size=16) | st.binary(max_size=10).map(str))
def test_no_text_does_worse_than_a_clear_error(text):
    for parse in (parse_position, parse_match):
        try:
            parse(text)
        except ValueError as error:
            assert type(error) in (NotationError, PositionError, MatchError)
