"""The fast generator against its slow twin, gnubg-nn, OpenSpiel and known counts."""

import random
import re
from typing import Any

import numpy as np
import pytest
import reference
from peers import peer

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


@pytest.mark.peers
def test_gnubg_finds_the_same_results() -> None:
    gnubg = peer("gnubg_nn")
    boards, rolls = random_positions(2_000, seed=3)
    plays = legal_plays(boards, rolls)
    rows = np.split(plays.boards, plays.firsts(len(boards))[1:])
    for board, roll, ours in zip(boards, rolls, rows, strict=True):
        sides = [np.maximum(flip(board), 0)[1:].tolist(), np.maximum(board, 0)[1:].tolist()]
        theirs = {gnubg.boardfromkey(key) for key in gnubg.moves(sides, int(roll[0]), int(roll[1]))}
        # A key holds the opponent's men, then the player's, each in its own numbering.
        found = {(tuple(np.maximum(r, 0)[1:].tolist()), tuple(np.maximum(flip(r), 0)[1:].tolist()))
                 for r in ours}  # fmt: skip
        if theirs:  # gnubg lists no dances
            assert {tuple(map(tuple, t)) for t in theirs} == found, (board.tolist(), roll.tolist())
        else:
            assert np.array_equal(ours, flip(board)[None])


@pytest.mark.peers
def test_openspiel_finds_the_same_results() -> None:
    """On rolls that are no doublet; of a doublet OpenSpiel makes two turns."""
    game = peer("pyspiel").load_game("backgammon")
    rng, compared = np.random.default_rng(5), 0
    while compared < 1500:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
                continue
            dice = [int(d) for d in re.search(r"Dice: (\d)(\d)", str(state)).groups()]  # type: ignore[union-attr]
            if dice[0] != dice[1]:
                player = state.current_player()
                plays = legal_plays(openspiel_row(state, player)[None], np.array([dice]))
                theirs = {tuple(openspiel_row(state.child(a), 1 - player).tolist())
                          for a in state.legal_actions()}  # fmt: skip
                assert {tuple(row) for row in plays.boards.tolist()} == theirs
                compared += 1
            state.apply_action(int(rng.choice(state.legal_actions())))


def openspiel_row(state: Any, player: int) -> np.ndarray:
    """An OpenSpiel state as a board of ours, seen by one of its players."""
    bar = 100
    mine = {(24 - p if player == 0 else p + 1): state.board(player, p) for p in range(24)}
    his = {(p + 1 if player == 0 else 24 - p): state.board(1 - player, p) for p in range(24)}
    return place(mine | {25: state.board(player, bar)}, his | {25: state.board(1 - player, bar)})


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
