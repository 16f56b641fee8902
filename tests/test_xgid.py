"""XGID: real ones with their right reading, bad ones, and there and back."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import random_board

from bgnet.game.board import START, flip, place
from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.setup import PositionError
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON
from bgnet.notation.errors import NotationError
from bgnet.notation.gnubg_id import format_match, format_position
from bgnet.notation.xgid import format_xgid, parse_xgid

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "state", "roll", "ids"),
    [
        (OPENING, MatchState(), None, "4HPwATDgc/ABMA:cAkAAAAAAAAE"),
        (  # dice low first; rules 3 are Jacoby and beavers
            "XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8",
            MatchState(jacoby=True, beavers=True, max_cube=256),
            (6, 1),
            "4HPkASjg2+ABMA:cAkHAAAAAAAA",
        ),
        (  # owner and scores lie on the table, whoever is on roll
            "XGID=-b----E-C---eE---c-e----B-:1:1:-1:00:4:2:0:7:10",
            MatchState(length=7, score=2, opponent_score=4, cube=2, owner=Owner.HIS),
            None,
            "4HPwATDgc/ABMA:QQngAEAAEAAE",
        ),
        (
            "XGID=--CBBBBaa--------bCbcbbAb-:2:-1:-1:00:0:0:2:0:8",
            MatchState(cube=4, owner=Owner.MINE, beavers=True, max_cube=256),
            None,
            "btsAcBCz3QygAA:UgkAAAAAAAAE",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10",
            MatchState(length=5, score=4, opponent_score=2, crawford=True),
            None,
            "4HPwATDgc/ABMA:8AmgACAAIAAE",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10",
            MatchState(length=1),
            None,
            "4HPwATDgc/ABMA:cAkgAAAAAAAE",
        ),
    ],
)
def test_real_ones(text, state, roll, ids):
    board, match, dice = parse_xgid(text)
    assert (match, dice) == (state, roll)
    # gnubg seats the side on roll of an XGID as player 1.
    in_gnubg = format_match(replace(match, seat=1), dice)
    assert f"{format_position(board)}:{in_gnubg}" == ids
    assert format_xgid(board, match, dice).replace(":61:", ":16:") == text


def test_capitals_are_the_bottom_whoever_rolls():
    bottom, top = (
        parse_xgid(f"-a---DDC-B-------a-m-B----:0:0:{turn}:62:0:0:0:0:10").board for turn in (1, -1)
    )
    assert (top == flip(bottom)).all()
    assert top[24] == 1 and bottom[1] == -1


def test_bars():
    board = parse_xgid("aCBCba---c---------b-b-bb-:0:0:1:00:0:0:0:0:10").board
    assert board[0] == -1
    assert (
        board == place({1: 3, 2: 2, 3: 3}, {25: 1, 21: 2, 20: 1, 16: 3, 6: 2, 4: 2, 2: 2, 1: 2})
    ).all()
    assert parse_xgid("--------------------b----A:0:0:1:32:0:0:0:0:10").board[25] == 1


@pytest.mark.parametrize(
    "text",
    [
        OPENING.removeprefix("XGID="),
        OPENING.replace("XGID", "xgid"),
        OPENING.removesuffix(":10"),
        f"  {OPENING}\n",
        "-b----E-C---eE---c-e----B-",
    ],
)
def test_other_spellings(text):
    board, match, roll = parse_xgid(text)
    assert (board == START).all() and match == MatchState() and roll is None


def test_offers():
    for letter, offer in (("D", Offer.DOUBLE), ("B", Offer.BEAVER), ("r", Offer.RACCOON)):
        text = OPENING.replace(":00:", f":{letter}:")
        assert parse_xgid(text).match.offer is offer
        assert format_xgid(*parse_xgid(text)) == text.upper().replace(
            OPENING[5:31].upper(), OPENING[5:31]
        )


def test_a_crawford_flag_without_a_crawford_score_is_passed_over():
    for fields in ("0:0:1:7", "0:0:1:1", "6:6:1:7"):
        assert not parse_xgid(f"-b----E-C---eE---c-e----B-:0:0:1:00:{fields}:10").match.crawford


def changed(field: int, value: str) -> str:
    fields = OPENING.split(":")
    fields[field] = value
    return ":".join(fields)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (changed(0, "-b----F-C---eE---c-e----B-"), PositionError, "16 men, but backgammon has 15"),
        (changed(0, "-b----E-C---eE---c-e----B"), NotationError, "26 letters, not 25"),
        (changed(0, "-b----E-C---eE---c-e----Z-"), NotationError, "'Z'"),
        (changed(0, "-" * 26), PositionError, "neither side"),
        (changed(0, "A" + "-" * 24 + "a"), NotationError, "bar"),
        (changed(1, "x"), NotationError, "cube"),
        (changed(1, "31"), NotationError, "cube"),
        (changed(2, "2"), NotationError, "owner"),
        (changed(3, "0"), NotationError, "turn"),
        (changed(4, "07"), NotationError, "dice"),
        (changed(4, "7"), NotationError, "dice"),
        (changed(4, "66 6"), NotationError, "dice"),
        (changed(5, "-1"), NotationError, "score"),
        (changed(7, "4"), NotationError, "rules"),
        (changed(8, "x"), NotationError, "length"),
        (changed(8, "٣"), NotationError, "length"),
        (changed(9, ""), NotationError, "highest cube"),
        (OPENING + ":1", NotationError, "10 fields"),
        (OPENING.replace("0:0:0:0:10", "9:0:0:7:10"), MatchError, "is over"),
        ("", NotationError, "26 letters"),
    ],
)
def test_bad_ones(text, error, says):
    with pytest.raises(error, match=says) as caught:
        parse_xgid(text)
    assert len(str(caught.value).splitlines()) == 1


def test_men_count_for_the_variant():
    hypergammon = "-aaa------------------AAA-"
    assert (parse_xgid(hypergammon, HYPERGAMMON).board == HYPERGAMMON.start).all()
    assert (parse_xgid("-bb---D-C---dD---c-d---BB-").board == NACKGAMMON.start).all()
    with pytest.raises(PositionError, match="hypergammon has 3"):
        parse_xgid(OPENING, HYPERGAMMON)


@given(st.integers(0, 2**32))
def test_there_and_back(seed):
    rng = random.Random(seed)
    length = rng.choice([0, 0, 1, 3, 7, 64])
    scores = rng.randrange(length or 9), rng.randrange(length or 9)
    crawford = length > 1 and (scores[0] == length - 1) != (scores[1] == length - 1)
    offer = rng.choice([Offer.NONE, *Offer])
    state = MatchState(
        length=length,
        score=scores[0],
        opponent_score=scores[1],
        cube=2 ** rng.randrange(11),
        owner=rng.choice(list(Owner)),
        offer=offer,
        crawford=crawford and rng.random() < 0.5,
        jacoby=not length and rng.random() < 0.5,
        beavers=not length and rng.random() < 0.5,
        max_cube=2 ** rng.randrange(13),
        seat=rng.randrange(2),
    )
    roll = (rng.randint(3, 6), rng.randint(1, 3)) if offer is Offer.NONE else None
    board = np.array(random_board(rng), np.int8)
    text = format_xgid(board, state, roll)
    again = parse_xgid(text)
    assert (again.board == board).all()
    assert (again.match, again.roll, again.match.seat) == (state, roll, state.seat)
    assert format_xgid(*again) == text


@given(st.integers(0, 2**32))
def test_mutations_do_no_worse_than_a_clear_error(seed):
    rng = random.Random(seed)
    text = list(OPENING)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        text[at] = rng.choice(["", ":", "-", "A", "p", "q", "9", "é", "\0", text[at] * 2])
    try:
        parse_xgid("".join(text))
    except ValueError as error:
        assert type(error) in (NotationError, PositionError, MatchError)
