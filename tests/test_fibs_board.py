"""Board lines as gnubg and a FIBS server really sent them, and there and back."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import random_board

from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.setup import PositionError
from bgnet.notation.errors import NotationError
from bgnet.notation.fibs_board import Dialect, FibsBoard, format_fibs_board, parse_fibs_board
from bgnet.notation.gnubg_id import format_position

FIBS, GNUBG = Dialect.FIBS, Dialect.GNUBG
START = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
TAIL = "1:-1:0:25:0:0:0:0:0:0:0"


@pytest.mark.parametrize(
    ("line", "player", "on_roll", "match", "roll"),
    [
        (  # chequer play, we are player 0
            f"gnubg:root:5:0:0:{START}:-1:3:1:3:1:1:1:1:0:{TAIL}:1",
            "gnubg",
            True,
            MatchState(length=5),
            (3, 1),
        ),
        (  # chequer play, we are player 1, and behind
            f"gnubg:root:5:2:1:{START}:1:6:4:6:4:1:1:1:0:{TAIL}:1",
            "root",
            True,
            MatchState(length=5, score=1, opponent_score=2),
            (6, 4),
        ),
        (  # roll or double, our cube
            f"alice:bot:0:0:0:{START}:1:0:0:0:0:2:1:0:0:{TAIL}:1",
            "bot",
            True,
            MatchState(cube=2, owner=Owner.MINE),
            None,
        ),
        (  # player 1 doubles us, player 0
            f"alice:bot:5:1:2:{START}:1:0:0:0:0:1:1:1:1:{TAIL}:1",
            "bot",
            False,
            MatchState(length=5, score=1, opponent_score=2, offer=Offer.DOUBLE),
            None,
        ),
        (  # player 0 doubles us, player 1
            f"root:gnubg:5:1:2:{START}:-1:0:0:0:0:1:1:1:1:{TAIL}:1",
            "root",
            False,
            MatchState(length=5, score=2, opponent_score=1, offer=Offer.DOUBLE),
            None,
        ),
        (  # player 1 redoubles us, player 0
            f"alice:bot:0:0:0:{START}:1:0:0:0:0:2:1:0:1:{TAIL}:1",
            "bot",
            False,
            MatchState(cube=2, owner=Owner.MINE, offer=Offer.DOUBLE),
            None,
        ),
        (  # we, player 0, doubled and were beavered
            f"bot:alice:0:0:0:{START}:-1:0:0:0:0:2:1:0:1:{TAIL}:1",
            "bot",
            True,
            MatchState(cube=2, owner=Owner.HIS, offer=Offer.BEAVER),
            None,
        ),
        (  # Crawford game
            f"gnubg:root:5:4:1:{START}:1:6:4:6:4:1:1:1:0:{TAIL}:0",
            "root",
            True,
            MatchState(length=5, score=1, opponent_score=4, crawford=True),
            (6, 4),
        ),
        (  # after it
            f"gnubg:root:5:4:1:{START}:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1",
            "root",
            True,
            MatchState(length=5, score=1, opponent_score=4),
            None,
        ),
    ],
)
def test_what_gnubg_sends(line, player, on_roll, match, roll):
    line = f"board:{line}"
    parsed = parse_fibs_board(line + "\n\0", GNUBG)
    assert (parsed.player, parsed.on_roll, parsed.match, parsed.roll) == (
        player,
        on_roll,
        match,
        roll,
    )
    assert parsed.match.seat == (0 if f"{START}:-1:" in line else 1)
    assert format_position(parsed.board) == "4HPwATDgc/ABMA"
    assert format_fibs_board(parsed, GNUBG).replace(":3:1:", ":1:3:") == line.replace(
        ":3:1:", ":1:3:"
    )


def test_bars_and_men_off():
    line = (
        "board:bot:a b_c:7:2:3:-2:1:2:2:3:0:0:0:0:0:0:0:0:0:-1:0:0:0:-2:-2:-2:-2:0:-3:0:1"
        ":1:6:4:6:4:4:1:0:0:1:-1:0:25:6:1:0:0:0:0:0:1"
    )
    parsed = parse_fibs_board(line, GNUBG)
    assert (parsed.player, parsed.match.score) == ("a b_c", 3)
    assert (parsed.board[25], parsed.board[0], parsed.board[1]) == (1, -2, 1)
    assert (parsed.match.cube, parsed.match.owner) == (4, Owner.MINE)
    assert format_fibs_board(parsed, GNUBG) == line


def test_what_a_server_sends():
    mine, his = (
        f"board:You:{name}:3:0:0:{START}:1:{rest}"
        for name, rest in (
            ("bottwo", "6:5:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"),
            ("botone", "0:0:6:5:1:1:1:0:-1:1:25:0:0:0:0:0:0:0:0:0"),
        )
    )
    for line, on_roll, opponent in ((mine, True, "bottwo"), (his, False, "botone")):
        parsed = parse_fibs_board(line, FIBS)
        assert (parsed.player, parsed.opponent, parsed.on_roll) == ("You", opponent, on_roll)
        assert parsed.roll == (6, 5)
        assert format_position(parsed.board) == "4HPwATDgc/ABMA"
        assert format_fibs_board(parsed, FIBS) == line


def test_negative_men_moving_up_and_blanks():
    line = (
        "board:mpgnu:buster:17:0:2:0:0:0:2: 1: 4: 3: 0: 1: 0: 1: 0: 0: 2: 0: 0: 0: 0: 0: 1: -2: -2:"
        " -1: -4: -4: 0: -1: 3: 6: 0: 0: 1: 1: 1: 0: -1: 1: 25: 0: 2: 0: 0: 0: 2: 2: 0: 0"
    )
    parsed = parse_fibs_board(line, FIBS)
    assert format_position(parsed.board) == "rHcSAwHvtQEAAA"
    assert (parsed.player, parsed.on_roll, parsed.roll) == ("mpgnu", True, (6, 3))
    assert parsed.match == MatchState(length=17, score=0, opponent_score=2)


def test_the_dialects_differ():
    line = f"board:a:b:5:3:1:{START}:1:0:0:0:0:1:1:1:0:{TAIL}:0"
    assert parse_fibs_board(line, FIBS).match == MatchState(length=5, score=3, opponent_score=1)
    assert parse_fibs_board(line, GNUBG).match == MatchState(length=5, score=1, opponent_score=3)
    unlimited = line.replace(":5:3:1:", ":9999:3:1:")
    assert parse_fibs_board(unlimited, FIBS).match.money
    assert not parse_fibs_board(unlimited, GNUBG).match.money


GOOD = f"board:a:b:5:3:1:{START}:1:3:1:0:0:1:1:1:0:{TAIL}:0"


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        ("", NotationError, "begins with 'board:'"),
        (GOOD + ":0", NotationError, "53 fields, not 54"),
        (GOOD[:-2], NotationError, "53 fields, not 52"),
        (GOOD.replace(":3:1:0:0", ":7:1:0:0"), NotationError, "dice of 1 to 6"),
        (GOOD.replace(":0:1:3:1", ":0:0:3:1"), NotationError, "the game is over"),
        (GOOD.replace(":-5:5:", ":-5:x:"), NotationError, "field 19 is a whole number, not 'x'"),
        (GOOD.replace(":-5:5:", ":-5:7:"), PositionError, "17 men"),
        (GOOD.replace(":2:0:1:3:1", ":2:-1:1:3:1"), NotationError, "wrong side"),
        (GOOD.replace(":5:3:1:", ":5:5:1:"), MatchError, "is over"),
        (GOOD.replace(":0:0:1:1:1", ":0:0:3:1:1"), MatchError, "power of two"),
    ],
)
def test_bad_lines(line, error, says):
    for dialect in Dialect:
        with pytest.raises(error, match=says) as caught:
            parse_fibs_board(line, dialect)
        assert len(str(caught.value).splitlines()) == 1


@given(st.integers(0, 2**32), st.sampled_from(list(Dialect)))
def test_there_and_back(seed, dialect):
    rng = random.Random(seed)
    length = rng.choice([0, 1, 3, 7])
    scores = rng.randrange(length or 9), rng.randrange(length or 9)
    one_needs_a_point = length > 1 and (scores[0] == length - 1) != (scores[1] == length - 1)
    crawford = one_needs_a_point and rng.random() < 0.5
    cube = 1 if crawford else 2 ** rng.randrange(4)
    owner = rng.choice([Owner.MINE, Owner.HIS]) if cube > 1 else Owner.CENTRE
    offer = (
        Offer.DOUBLE
        if owner is not Owner.HIS and not crawford and rng.random() < 0.3
        else Offer.NONE
    )
    match = MatchState(
        length=length,
        score=scores[0],
        opponent_score=scores[1],
        cube=cube,
        owner=owner,
        offer=offer,
        crawford=crawford,
        seat=rng.randrange(2),
    )
    on_roll = rng.random() < 0.5 if dialect is FIBS else True
    if offer is Offer.DOUBLE:
        on_roll = False
    roll = (rng.randint(3, 6), rng.randint(1, 3)) if offer is Offer.NONE else None
    board = np.array(random_board(rng), np.int8)
    said = FibsBoard("You", "x y", on_roll, board, match, roll)
    line = format_fibs_board(said, dialect)
    again = parse_fibs_board(line, dialect)
    assert (again.board == board).all()
    assert (again.player, again.opponent, again.on_roll) == ("You", "x y", on_roll)
    assert (again.match, again.match.seat, again.roll) == (match, match.seat, roll)
    assert format_fibs_board(again, dialect) == line


@given(st.integers(0, 2**32))
def test_mutations_do_no_worse_than_a_clear_error(seed):
    rng = random.Random(seed)
    fields = GOOD.split(":")
    for _ in range(rng.randint(1, 4)):
        fields[rng.randrange(len(fields))] = rng.choice(
            ["", "-1", "9", "99999999", "é", "\0", "1.5", ":"]
        )
    for dialect in Dialect:
        try:
            parse_fibs_board(":".join(fields), dialect)
        except ValueError as error:
            assert type(error) in (NotationError, PositionError, MatchError)
