"""Positions that other programs have got wrong, each with every result verified by gnubg.

``golden/movegen.jsonl``: a board is 26 letters, slot 0 first; ``A`` is one man of the capitals,
``a`` one of the small letters; ``turn`` -1 means that the small letters roll. The results are
seen by the side that moved, in its own numbering.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from reference import Board, flip, legal_results

from bgnet.game.variants import legal_plays

GOLDEN = Path(__file__).parent / "golden" / "movegen.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text().splitlines()]


def read(letters: str, turn: int = 1) -> Board:
    """A board from its 26 letters, seen by the side that rolls."""
    board = tuple(0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in letters)
    return board if turn == 1 else flip(board)


@pytest.fixture(params=CASES, ids=lambda case: case["id"])
def case(request):
    return request.param


def test_twin(case):
    results = legal_results(read(case["board"], case["turn"]), case["dice"])
    assert sorted(map(flip, results)) == sorted(map(read, case["results"]))


@pytest.mark.parametrize("swap", [False, True], ids=["as thrown", "dice exchanged"])
def test_legal_plays(case, swap):
    board, dice = read(case["board"], case["turn"]), case["dice"][:: -1 if swap else 1]
    plays = legal_plays(np.array([board], np.int8), np.array([dice], np.int8))
    assert sorted(flip(tuple(row)) for row in plays.boards.tolist()) == sorted(
        map(read, case["results"])
    )
