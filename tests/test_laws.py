"""What becomes of an illegal play: Foster's penalty, and errors that the adversary lets stand."""

import random

import numpy as np
import pytest
import reference

from bgnet.game.board import flip, place
from bgnet.game.referee import IllegalPlayError, Laws, Move, judge
from bgnet.game.russian import place as place_russian
from bgnet.game.setup import check
from bgnet.game.steps import Law
from bgnet.game.variants import RUSSIAN, STANDARD
from bgnet.notation.plays import parse_moves
from bgnet.position import Position

PENALTY, STANDS = Laws(penalty=True), Laws(errors_stand=True)


def left(board: np.ndarray, roll: tuple[int, int], text: str, laws: Laws) -> list[int]:
    """The board after the ruling, as the player sees it."""
    verdict = judge(board, roll, parse_moves(text), STANDARD, laws)
    assert not verdict.again
    return flip(verdict.board).tolist()


def same(found: list[int], men: dict[int, int], his: dict[int, int]) -> bool:
    return found == place(men, his).tolist()


HIS = {24: 2, 13: 5}


def test_by_default_errors_are_refused() -> None:
    board = place({8: 1, 5: 2, 4: 2}, HIS)
    for text in ("5/off 4/off", "8/1", "8/5 5/1"):
        with pytest.raises(IllegalPlayError):
            judge(board, (5, 4), parse_moves(text), STANDARD)


def test_men_thrown_off_before_all_are_home_go_to_the_bar() -> None:
    board = place({8: 1, 5: 2, 4: 2}, HIS)
    assert same(left(board, (5, 4), "5/off 4/off", PENALTY), {8: 1, 5: 1, 4: 1, 25: 2}, HIS)
    # Once the last man is home it is a play like any other.
    assert same(left(board, (4, 2), "8/6 4/off", PENALTY), {6: 1, 5: 2, 4: 1}, HIS)


def test_so_do_men_thrown_off_with_one_on_the_bar() -> None:
    board = place({25: 1, 5: 2, 4: 2}, HIS)
    assert same(left(board, (5, 4), "5/off 4/off", PENALTY), {5: 1, 4: 1, 25: 3}, HIS)


def test_what_was_moved_rightly_stands() -> None:
    board = place({25: 1, 8: 1, 5: 2}, HIS)
    assert same(left(board, (5, 3), "bar/22 5/off", PENALTY), {22: 1, 8: 1, 5: 1, 25: 1}, HIS)


def test_the_penalty_is_for_throwing_off_alone() -> None:
    board = place({8: 1, 5: 2, 4: 2}, HIS)
    for text, law in (("8/1", Law.POINTS), ("7/2", Law.NO_MAN), ("8/4 7/2", Law.NO_MAN)):
        with pytest.raises(IllegalPlayError) as refused:
            judge(board, (5, 4), parse_moves(text), STANDARD, PENALTY)
        assert refused.value.law is law


def test_an_error_may_stand() -> None:
    board = place({8: 2, 6: 2}, {24: 2, 21: 1, 13: 5})
    assert same(left(board, (5, 4), "8/5", STANDS), {8: 1, 6: 2, 5: 1},
                {24: 2, 21: 1, 13: 5})  # fmt: skip
    # Only one number played where both can be, and a blot hit with the wrong one.
    assert same(left(board, (5, 4), "8/4*", STANDS), {8: 1, 6: 2, 4: 1}, {24: 2, 25: 1, 13: 5})


def test_men_cannot_be_put_just_anywhere() -> None:
    board = place({8: 2, 6: 2}, {24: 2, 20: 2, 13: 5})
    for text in ("6/8", "8/5", "7/3", "8/6 8/7 8/4"):
        with pytest.raises(IllegalPlayError):
            judge(board, (6, 1), parse_moves(text), STANDARD, STANDS)


def test_legal_plays_are_the_same_under_any_laws() -> None:
    rng = random.Random(3)
    for board in reference.random_boards(rng, 60):
        position, roll = Position(board), rng.choice([(6, 5), (3, 1), (2, 2)])
        if position.result:
            continue
        for play in position.legal_plays(roll)[:8]:
            for laws in (PENALTY, STANDS, Laws(True, True)):
                assert position.play(play.text, roll, laws) == position.play(play.text, roll)


def test_whatever_stands_is_a_position() -> None:
    rng = random.Random(4)
    boards = reference.random_boards(rng, 200)
    stood = 0
    for board in boards:
        mine = [point for point in range(1, 26) if board[point] > 0] or [1]
        moves = tuple(Move(source, rng.randrange(source)) for source in rng.choices(mine, k=2))
        try:
            verdict = judge(np.array(board, np.int8), (6, 2), moves, STANDARD, Laws(True, True))
        except IllegalPlayError:
            continue
        stood += 1
        check(verdict.board)
    assert stood > 10


def test_in_russian_backgammon_the_row_goes_on_as_after_a_legal_play() -> None:
    row = place_russian({20: 2, 26: 13}, {26: 15}, first=False, opponent_first=True)
    wrong = judge(row, (3, 1), parse_moves("20/15"), RUSSIAN, STANDS)
    expected = place_russian({26: 15}, {20: 1, 15: 1, 26: 13}, first=True)
    assert np.array_equal(wrong.board, expected) and not wrong.again
