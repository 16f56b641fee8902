"""The drawn board: every man is there, on his side, and the text says whose turn it is."""

import random
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from reference import random_board

from bgnet.game.board import START, flip, place
from bgnet.game.match import MatchState, Owner
from bgnet.notation.diagram import draw_svg, draw_text

BOARD = place({25: 2, 6: 7, 1: 1}, {25: 1, 3: 3, 1: 10})


def test_bars_big_piles_and_men_off():
    assert draw_text(BOARD, MatchState()).splitlines() == [
        "+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+",
        "|                   |   |           O     O |  O: 44 pips, 1 off",
        "|                   |   |           O     O |",
        "|                   |   |           O     O |",
        "|                   | X |                 O |",
        "|                   | X |                10 |",
        "|                   |BAR|                   |  cube 1, money",
        "|                   | O |  7                |",
        "|                   |   |  X                |",
        "|                   |   |  X                |",
        "|                   |   |  X                |",
        "|                   |   |  X              X |  X: 93 pips, 5 off",
        "+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  X to roll",
    ]


def test_whose_turn_and_whose_cube():
    state = MatchState(length=7, score=4, opponent_score=2, cube=2, owner=Owner.HIS, seat=0)
    text = draw_text(BOARD, state, (3, 1))
    assert "cube 2 with X, match to 7, X 2 O 4" in text
    assert text.endswith("O to play 31")
    # The side on roll sits at the top: the same men, seen from the other side.
    assert text.splitlines()[:5] != draw_text(BOARD, MatchState()).splitlines()[:5]
    assert (
        draw_text(flip(BOARD), state).splitlines()[2]
        == draw_text(BOARD, MatchState()).splitlines()[2]
    )
    doubled = MatchState(beavers=True).double()
    assert draw_text(START, doubled).endswith("X offers a double to 2, O to answer")
    assert draw_text(START, doubled.beaver()).endswith("O offers a beaver to 4, X to answer")
    crawford = MatchState(length=3, score=2, crawford=True)
    assert "match to 3, X 2 O 0, Crawford" in draw_text(START, crawford)


@given(st.integers(0, 2**32))
def test_every_man_is_drawn(seed):
    board = np.array(random_board(random.Random(seed)), np.int8)
    lines = draw_text(board, MatchState()).splitlines()
    assert {len(line[:45]) for line in lines} == {45} and len(lines) == 13
    for half, points in ((lines[1:6], range(13, 25)), (lines[11:6:-1], range(12, 0, -1))):
        for column, point in enumerate(points):
            left = 2 + 3 * column + (6 if column > 5 else 0) - (column > 5) * 0
            pile = [line[left : left + 2].strip() for line in half]
            number = [int(cell) for cell in pile if cell.isdigit()]
            count = number[0] if number else sum(cell in ("X", "O") for cell in pile)
            assert count == abs(board[point])
            assert all(cell == ("X" if board[point] > 0 else "O") for cell in pile[:1] if cell)


@given(st.integers(0, 2**32))
def test_svg_is_whole(seed):
    rng = random.Random(seed)
    board = np.array(random_board(rng), np.int8)
    state = MatchState(cube=4, owner=rng.choice(list(Owner)), seat=rng.randrange(2))
    root = ElementTree.fromstring(draw_svg(board, state, (3, 1)))
    circles = [node for node in root.iter() if node.tag.endswith("circle")]
    assert len(circles) == np.minimum(abs(board.astype(int)), 5).sum()
    _, _, width, height = map(float, root.get("viewBox").split())
    for node in circles:
        assert 0 < float(node.get("cx")) < width and 0 < float(node.get("cy")) < height
    places = {(node.get("cx"), node.get("cy")) for node in circles}
    assert len(places) == len(circles)
    texts = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert {"4", "3", "1"} <= set(texts)
    assert not re.search(r"\d\.\d{6}", draw_svg(board, state))
