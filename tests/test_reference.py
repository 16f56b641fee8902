"""The slow twin itself, against numbers that independent generators agree on."""

import random

from reference import ROLLS, START, flip, legal_results, perft, random_boards

OPENING = [42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11]


def test_opening_rolls():
    assert [len(legal_results(START, roll)) for roll in ROLLS] == OPENING


def test_perft():
    assert perft(START, 1) == sum(OPENING) == 447


def test_flip_twice():
    boards = random_boards(random.Random(1), 200)
    assert [flip(flip(board)) for board in boards] == boards


def test_random_boards_are_varied_and_sound():
    boards = random_boards(random.Random(2), 700)
    for board in boards:
        mine = sum(count for count in board if count > 0)
        his = -sum(count for count in board if count < 0)
        assert 1 <= mine <= 15 and 0 <= his <= 15
        assert board[25] >= 0 >= board[0]
    assert len(set(boards)) > 600
    assert sum(board[25] > 0 for board in boards) > 70
    assert sum(board[0] < 0 for board in boards) > 30
    assert sum(max(board[7:]) <= 0 for board in boards) > 70  # bearing off
