"""The fast generator against its slow twin, gnubg-nn, OpenSpiel and known counts."""

import random

import numpy as np
import pytest
import reference

from bgnet.game import scoring, standard
from bgnet.game.board import START, flip, place
from bgnet.game.dice import ROLLS
from bgnet.game.variants import STANDARD, legal_plays

COUNTS = {
    "11": 42, "21": 15, "22": 75, "31": 16, "32": 17, "33": 73, "41": 14, "42": 18, "43": 17,
    "44": 52, "51": 8, "52": 8, "53": 9, "54": 9, "55": 4, "61": 10, "62": 14, "63": 14, "64": 14,
    "65": 7, "66": 11,
}  # fmt: skip


def random_positions(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """n varied boards and rolls."""
    boards = np.array(reference.random_boards(random.Random(seed), n), np.int8)
    return boards, np.random.default_rng(seed).integers(1, 7, (n, 2))


def test_opening_counts() -> None:
    plays = legal_plays(STANDARD.starts(21), ROLLS)
    counts = np.bincount(plays.owner)
    assert {f"{a}{b}": int(c) for (a, b), c in zip(ROLLS, counts, strict=True)} == COUNTS


def test_perft_2() -> None:
    first = legal_plays(STANDARD.starts(21), ROLLS).boards
    again = legal_plays(np.repeat(first, 21, axis=0), np.tile(ROLLS, (len(first), 1)))
    assert (len(first), len(again.boards)) == (447, 202_782)


@pytest.mark.slow
def test_same_as_slow_twin_on_20000_positions() -> None:
    boards, rolls = random_positions(20_000)
    plays = legal_plays(boards, rolls)
    bounds = np.append(plays.firsts(len(boards)), len(plays.owner))
    for i, (board, roll) in enumerate(zip(boards.tolist(), rolls.tolist(), strict=True)):
        rows = [tuple(row) for row in plays.boards[bounds[i] : bounds[i + 1]].tolist()]
        assert len(rows) == len(set(rows)), f"duplicates: {board} {roll}"
        assert set(rows) == reference.legal_results(tuple(board), tuple(roll)), (board, roll)


def test_one_at_a_time_gives_the_same_rows_in_the_same_order() -> None:
    boards, rolls = random_positions(1500, seed=2)
    plays = legal_plays(boards, rolls)
    alone = [legal_plays(b[None], r[None, ::-1]).boards for b, r in zip(boards, rolls, strict=True)]
    assert np.array_equal(plays.boards, np.concatenate(alone))


def test_empty_batch() -> None:
    plays = legal_plays(START[None][:0], np.zeros((0, 2), int))
    assert plays.boards.shape == (0, 26) and plays.owner.shape == (0,)


def test_dance_is_the_board_turned_round() -> None:
    shut_out = place({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
    plays = legal_plays(shut_out[None], np.array([[6, 1]]))
    assert np.array_equal(plays.boards, flip(shut_out)[None])


def test_gnubg_finds_the_same_results() -> None:
    gnubg = pytest.importorskip("gnubg_nn", reason="gnubg-nn (the peers extra) is not installed")
    boards, rolls = random_positions(2_000, seed=3)
    plays = legal_plays(boards, rolls)
    sizes = np.bincount(plays.owner)
    for board, roll, size in zip(boards, rolls, sizes, strict=True):
        mine = [int(max(x, 0)) for x in board[1:]]
        his = [int(max(-x, 0)) for x in flip_order(board)]
        theirs = gnubg.moves([his, mine], int(roll[0]), int(roll[1]))
        assert max(len(theirs), 1) == size, (board.tolist(), roll.tolist())


def flip_order(board: np.ndarray) -> np.ndarray:
    """The opponent's points 1..24 and bar, in his numbering, still negative."""
    return board[24::-1]


def test_results() -> None:
    cases = {
        scoring.ONGOING: START,
        scoring.LOSE: place({20: 14}, {}),
        scoring.LOSE_GAMMON: place({12: 1, 3: 14}, {}),
        scoring.LOSE_BACKGAMMON: place({25: 1, 3: 14}, {}),
        scoring.WIN: place({}, {20: 14}),
        scoring.WIN_GAMMON: place({}, {18: 15}),
        scoring.WIN_BACKGAMMON: place({}, {19: 1, 2: 14}),
    }
    assert standard.result(np.stack(list(cases.values())), 15).tolist() == list(cases)


def test_possible_agrees_with_how_random_games_end() -> None:
    """No game ever ends in an outcome that was ruled out on the way."""
    rng = np.random.default_rng(4)
    boards, alive = STANDARD.starts(200), np.arange(200)
    allowed: list[tuple[np.ndarray, np.ndarray]] = []
    outcomes, parity = np.full(200, -1), np.zeros(200, int)
    while len(alive):
        allowed.append((alive, standard.possible(boards, 15)))
        plays = legal_plays(boards, STANDARD.next_rolls(rng, boards))
        sizes = np.bincount(plays.owner)
        boards = plays.boards[plays.firsts(len(boards)) + rng.integers(0, sizes)]
        parity[alive] += 1
        result = standard.result(boards, 15)
        outcomes[alive[result >= 0]] = result[result >= 0]
        boards, alive = boards[result < 0], alive[result < 0]
    for ply, (games, mask) in enumerate(allowed):
        turned = (parity[games] - ply) % 2 == 1
        final = np.where(turned, (outcomes[games] + 3) % 6, outcomes[games])
        assert mask[np.arange(len(games)), final].all()


def test_possible_by_hand() -> None:
    passed = place({4: 3, 20: 1, 5: 11}, {3: 15})  # a man still in his home table, no contact
    away = place({4: 3, 17: 1, 5: 11}, {3: 15})
    met = place({4: 3, 22: 12}, {9: 14})  # one of his men is off
    got = standard.possible(np.stack([passed, away, met]), 15).astype(int).tolist()
    assert got == [[1, 1, 0, 1, 1, 1], [1, 1, 0, 1, 1, 0], [1, 0, 0, 1, 1, 1]]
