"""Russian backgammon: every sentence of the rules, the slow twin, and the variant contract."""

import random

import numpy as np
import pytest
import russian_reference as twin

from bgnet.game import scoring
from bgnet.game.dice import ROLLS
from bgnet.game.russian import START, flip, place, possible, problem, result
from bgnet.game.russian_row import FIRST, OPPONENT_FIRST, PENDING
from bgnet.game.variants import RUSSIAN, legal_plays

BAR, WAITING = 25, 26
NOBODY = {WAITING: 15}


def key(row: np.ndarray) -> tuple[int, ...]:
    return tuple(row.tolist())


def plays(row: np.ndarray, *dice: int) -> list[tuple[np.ndarray, bool]]:
    """Every play: the row that the player leaves **as he sees it**, and whether he goes on."""
    found = legal_plays(row[None], np.array([dice]), RUSSIAN)
    assert found.again is not None
    rows = np.where(found.again[:, None], found.boards, flip(found.boards))
    return list(zip(rows, found.again.tolist(), strict=True))


def reached(row: np.ndarray, *dice: int) -> set[tuple[int, ...]]:
    """Every row that the player can leave, as he sees it; no play may appear twice."""
    rows = [key(after) for after, _ in plays(row, *dice)]
    assert len(rows) == len(set(rows))
    return set(rows)


def after(mine: dict[int, int], his: dict[int, int], **state: int) -> tuple[int, ...]:
    return key(place(mine, his, **state))


# -- entering ----------------------------------------------------------------------------------


def test_no_men_are_on_the_board_at_the_start():
    assert START[:26].tolist() == [0] * 26
    assert (START[WAITING], -START[27]) == (15, 15)


def test_the_first_throw_enters_two_men():
    expected = after({19: 1, 22: 1, WAITING: 13}, NOBODY, opponent_first=True)
    assert reached(START, 6, 3) == {expected}


def test_both_sides_enter_on_the_same_table_and_move_the_same_way():
    first = legal_plays(START[None], np.array([[6, 3]]), RUSSIAN).boards[0]
    assert (first[19], first[22], first[FIRST], first[OPPONENT_FIRST]) == (-1, -1, 1, 0)
    expected = after({20: 1, 24: 1, WAITING: 13}, {19: 1, 22: 1, WAITING: 13})
    assert reached(first, 5, 1) == {expected}
    second = legal_plays(first[None], np.array([[5, 1]]), RUSSIAN).boards[0]
    assert after({16: 1, 21: 1, WAITING: 13}, {20: 1, 24: 1, WAITING: 13}) in reached(second, 3, 1)


def test_on_the_first_throw_only_a_number_that_cannot_enter_moves_a_man():
    shut = place({WAITING: 15}, {19: 2, WAITING: 13}, first=True)  # the 6 cannot enter
    assert reached(shut, 6, 3) == {after({16: 1, WAITING: 14}, {19: 2, WAITING: 13})}
    shut_further = place({WAITING: 15}, {19: 2, 16: 2, WAITING: 11}, first=True)
    expected = after({22: 1, WAITING: 14}, {19: 2, 16: 2, WAITING: 11})
    assert reached(shut_further, 6, 3) == {expected}


def test_a_dance_counts_as_the_first_throw():
    shut = place({WAITING: 15}, {19: 2, 22: 2, WAITING: 11}, first=True)
    ((left, again),) = plays(shut, 6, 3)
    assert key(left) == after({WAITING: 15}, {19: 2, 22: 2, WAITING: 11}) and not again
    assert all(again for _, again in plays(left, 4, 4))  # so a doublet is a bonus now


def test_a_doublet_on_the_first_throw_enters_four_and_earns_nothing():
    expected = after({21: 4, WAITING: 11}, NOBODY, opponent_first=True)
    ((left, again),) = plays(START, 4, 4)
    assert key(left) == expected and not again


def test_later_throws_enter_men_or_play_them_or_both():
    row = place({20: 1, WAITING: 14}, {WAITING: 15}, opponent_first=True)
    his = dict(his={WAITING: 15}, opponent_first=True)
    assert reached(row, 6, 3) == {
        after({20: 1, 19: 1, 22: 1, WAITING: 12}, **his),  # two enter
        after({17: 1, 19: 1, WAITING: 13}, **his),  # the 6 enters, the 3 is played
        after({14: 1, 22: 1, WAITING: 13}, **his),  # the 3 enters, the 6 is played
        after({11: 1, WAITING: 14}, **his),  # both are played
        after({20: 1, 16: 1, WAITING: 13}, **his),  # a man enters and goes on
    }


def test_blots_are_captured_in_entering_and_in_moving():
    row = place({20: 1, WAITING: 14}, {19: 1, 17: 1, WAITING: 13})
    assert after({19: 1, 17: 1, WAITING: 13}, {BAR: 2, WAITING: 13}) in reached(row, 6, 3)


def test_two_men_capture_a_blot_once():
    row = place({10: 1, 8: 1, 7: 13}, {5: 1, 1: 14})
    assert after({7: 13, 5: 2}, {BAR: 1, 1: 14}) in reached(row, 5, 3)
    row = place({8: 2, 7: 13}, {5: 1, 1: 14})
    assert after({7: 11, 4: 2, 5: 2}, {BAR: 1, 1: 14}, pending=4) in reached(row, 3, 3)


def test_no_man_enters_on_a_point_held_by_two():
    row = place({20: 1, WAITING: 14}, {19: 2, WAITING: 13})
    left = reached(row, 6, 3)
    assert left and all(r[19] == -2 for r in left)


def test_a_number_that_enters_no_man_is_played_if_it_can_be():
    row = place({20: 1, WAITING: 14}, {19: 2, 22: 2, WAITING: 11})
    assert reached(row, 6, 3) == {after({11: 1, WAITING: 14}, {19: 2, 22: 2, WAITING: 11})}


def test_a_captured_man_enters_before_a_fresh_one_and_before_any_move():
    row = place({BAR: 1, 10: 2, WAITING: 12}, {19: 2, WAITING: 13})
    assert all(r[BAR] == 0 and r[22] + r[16] > 0 for r in reached(row, 6, 3))
    shut = place({BAR: 1, 10: 2, WAITING: 12}, {19: 2, 22: 2, WAITING: 11})
    ((left, _),) = plays(shut, 6, 3)
    assert key(left) == key(shut)
    two = place({BAR: 2, 10: 2, WAITING: 11}, {WAITING: 15})
    assert reached(two, 6, 3) == {after({10: 2, 19: 1, 22: 1, WAITING: 11}, {WAITING: 15})}


# -- both numbers ------------------------------------------------------------------------------


def test_both_numbers_are_played_if_they_can_be():
    # 24/21 with the 3 would leave no 6; 10/7 leaves 7/1.
    his = {4: 2, 18: 2, 15: 2, 3: 9}
    row = place({24: 1, 10: 1, 2: 13}, his)
    assert reached(row, 6, 3) == {after({24: 1, 1: 1, 2: 13}, his)}


def test_of_two_numbers_only_one_of_which_can_be_played_the_larger_is():
    row = place({24: 1, 1: 14}, {15: 2, 2: 13})
    assert reached(row, 5, 4) == {after({19: 1, 1: 14}, {15: 2, 2: 13})}
    row = place({24: 1, 1: 14}, {15: 2, 19: 2, 2: 11})
    assert reached(row, 5, 4) == {after({20: 1, 1: 14}, {15: 2, 19: 2, 2: 11})}


# -- doublets ----------------------------------------------------------------------------------


def test_a_doublet_is_four_faces_four_opposites_and_a_further_throw():
    row = place({20: 1, WAITING: 14}, {WAITING: 15})
    for left, again in plays(row, 4, 4):
        assert again and left[PENDING] == 3
        assert RUSSIAN.forced_rolls(left[None]).tolist() == [[3, 3]]
        for then, once_more in plays(left, 3, 3):
            assert once_more and then[PENDING] == 0
            assert RUSSIAN.forced_rolls(then[None]).tolist() == [[0, 0]]
            # Another doublet earns as much again.
            assert all(on and r[PENDING] == 6 for r, on in plays(then, 1, 1))
            assert not any(on for _, on in plays(then, 2, 1))


@pytest.mark.parametrize("face", range(1, 7))
def test_opposite_faces_add_up_to_seven(face):
    row = place({WAITING: 15}, {WAITING: 15})
    assert {left[PENDING] for left, _ in plays(row, face, face)} == {7 - face}


def test_complements_enter_men_too():
    row = place({WAITING: 7, 1: 8}, {WAITING: 15}, pending=3)
    assert after({22: 4, WAITING: 3, 1: 8}, {WAITING: 15}) in reached(row, 3, 3)


def test_if_not_all_upper_faces_can_be_played_the_rest_is_lost():
    # 24/18/12, and the next point is held.
    row = place({24: 1, 5: 14}, {6: 2, 1: 13})
    ((left, again),) = plays(row, 6, 6)
    assert key(left) == after({12: 1, 5: 14}, {6: 2, 1: 13}) and not again


def test_if_not_all_opposites_can_be_played_the_further_throw_is_lost():
    row = place({24: 1, 5: 14}, {6: 2, 1: 13}, pending=6)
    ((left, again),) = plays(row, 6, 6)
    assert key(left) == after({12: 1, 5: 14}, {6: 2, 1: 13}) and not again


def test_as_many_upper_faces_as_possible():
    # 24/19/14/9, 22/17; no more, and none from 7.
    his = {4: 2, 12: 2, 2: 11}
    ((left, again),) = plays(place({24: 1, 22: 1, 7: 13}, his), 5, 5)
    assert key(left) == after({9: 1, 17: 1, 7: 13}, his, pending=2) and again
    # With 14 held as well only two can be played, and those must be.
    ((left, again),) = plays(place({24: 1, 22: 1, 7: 13}, his | {14: 2, 2: 9}), 5, 5)
    assert key(left) == after({19: 1, 17: 1, 7: 13}, his | {14: 2, 2: 9}) and not again


def test_each_side_has_a_first_throw_of_its_own():
    first = legal_plays(START[None], np.array([[4, 4]]), RUSSIAN)
    second = legal_plays(first.boards, np.array([[2, 2]]), RUSSIAN)
    assert not first.again.any() and not second.again.any()
    assert legal_plays(second.boards, np.array([[4, 4]]), RUSSIAN).again.all()


# -- bearing off and results -------------------------------------------------------------------


def test_men_are_borne_off_once_all_fifteen_are_home():
    home, his = place({6: 2, 3: 13}, NOBODY), {WAITING: 15}
    assert reached(home, 6, 3) == {after({6: 1, 3: 12}, his), after({3: 14}, his)}
    for straggler in (12, BAR, WAITING):
        row = place({3: 14, straggler: 1}, NOBODY)
        assert {sum(r[1:26]) + r[WAITING] for r in reached(row, 3, 1)} == {15}


def test_a_higher_number_bears_off_from_the_highest_point_only():
    his = {6: 10}
    assert reached(place({4: 2, 2: 1}, his), 6, 5) == {after({2: 1}, his)}
    # The 4 leaves the man on 2 alone so long as one stands on 5.
    assert reached(place({5: 1, 2: 1}, his), 4, 3) == {after({1: 1}, his), after({2: 1}, his)}


def test_the_last_man_off_wins_whatever_is_left_of_the_doublet():
    for men in (2, 4):
        row = place({3: men}, {6: 15})
        ((left, again),) = plays(row, 3, 3)
        assert not again and left[PENDING] == 0
        assert result(flip(left)[None], 15)[0] == scoring.LOSE_GAMMON


@pytest.mark.parametrize(
    ("loser", "outcome"),
    [
        ({5: 14}, "lose"),
        ({5: 13, 20: 1}, "lose"),
        ({5: 14, 18: 1}, "lose gammon"),
        ({5: 14, 19: 1}, "lose backgammon"),
        ({5: 14, BAR: 1}, "lose backgammon"),
        ({5: 14, WAITING: 1}, "lose backgammon"),
    ],
)
def test_results(loser, outcome):
    row = place(loser, {})[None]
    assert scoring.OUTCOMES[result(row, 15)[0]] == outcome
    assert scoring.OUTCOMES[result(flip(row), 15)[0]] == outcome.replace("lose", "win")
    assert result(place(loser, {1: 1})[None], 15)[0] == scoring.ONGOING


def test_no_gammon_once_the_loser_has_borne_off():
    row = place({5: 14}, {6: 15})[None]
    assert possible(row, 15).astype(int).tolist() == [[1, 1, 1, 1, 0, 0]]
    assert possible(flip(row), 15).astype(int).tolist() == [[1, 0, 0, 1, 1, 1]]


# -- the whole -----------------------------------------------------------------------------------


def compare(rows: list[twin.Row], rolls: list[tuple[int, int]]) -> None:
    """The fast generator must give the slow twin's rows, each once."""
    found = legal_plays(np.array(rows, np.int8), np.array(rolls), RUSSIAN)
    ends = np.append(found.firsts(len(rows)), len(found.owner))
    boards, again = found.boards.tolist(), found.again.tolist()
    for i, (row, roll) in enumerate(zip(rows, rolls, strict=True)):
        part = slice(ends[i], ends[i + 1])
        got = sorted(zip(map(tuple, boards[part]), again[part], strict=True))
        assert got == sorted(twin.legal_results(row, roll)), (row, roll)


def test_twin_on_random_rows():
    rng = random.Random(7)
    rows = twin.random_rows(rng, 200)
    compare(rows, [twin.throw_for(rng, twin.position(row)) for row in rows])


@pytest.mark.slow
def test_twin_on_thousands_of_random_rows():
    rng = random.Random(8)
    rows = twin.random_rows(rng, 4000)
    compare(rows, [twin.throw_for(rng, twin.position(row)) for row in rows])


def test_twin_agrees_on_every_roll_of_the_first_turns():
    rows = [twin.row(twin.START)]
    compare(rows * 21, ROLLS.tolist())
    seconds = [row for roll in ROLLS for row, _ in sorted(twin.legal_results(rows[0], roll))]
    compare([row for row in seconds for _ in ROLLS], ROLLS.tolist() * len(seconds))


def test_twin_agrees_on_results():
    rng = random.Random(9)
    rows = [game[-1] for game in (twin.random_game(rng) for _ in range(6))]
    rows += twin.random_rows(rng, 50)
    outcomes = [twin.outcome(twin.position(row)) for row in rows]
    got = RUSSIAN.result(np.array(rows, np.int8)).tolist()
    assert [None if o < 0 else scoring.OUTCOMES[o] for o in got] == outcomes


def test_games_stay_within_the_contract():
    """Random games in lockstep: rows stay sound, columns in range, outcomes possible."""
    rng = np.random.default_rng(3)
    rows, finished = RUSSIAN.starts(64), 0
    low, high = np.array(RUSSIAN.columns).T
    for _ in range(200):
        assert (rows >= low).all() and (rows <= high).all()
        assert all(problem(row, 15) is None for row in rows[:4])
        assert np.array_equal(RUSSIAN.flip(RUSSIAN.flip(rows)), rows)
        found = RUSSIAN.legal_plays(rows, RUSSIAN.next_rolls(rng, rows))
        firsts = found.firsts(len(rows))
        counts = np.diff(np.append(firsts, len(found.owner)))
        assert counts.min() > 0 and (np.diff(found.owner) >= 0).all()
        chosen = firsts + (rng.random(len(rows)) * counts).astype(int)
        allowed = RUSSIAN.possible(rows)
        mine = RUSSIAN.pip_counts(rows)[:, 0]
        again, rows = found.again[chosen], found.boards[chosen]
        assert (RUSSIAN.pip_counts(rows)[np.arange(64), np.where(again, 0, 1)] <= mine).all()
        outcome = RUSSIAN.result(rows)
        over = np.flatnonzero(outcome != scoring.ONGOING)
        assert not again[over].any()
        as_mover = (outcome[over] + 3) % 6
        assert allowed[over, as_mover].all()
        finished += len(over)
        rows[over] = START
    assert finished > 60


def test_an_empty_batch():
    found = legal_plays(RUSSIAN.starts(0), np.zeros((0, 2), int), RUSSIAN)
    assert found.boards.shape == (0, 31) and found.owner.shape == found.again.shape == (0,)
    assert RUSSIAN.forced_rolls(found.boards).shape == (0, 2)


def test_big_batches_are_the_same_as_single_rows():
    rng = random.Random(4)
    rows = np.array(twin.random_rows(rng, 40), np.int8)
    rolls = RUSSIAN.next_rolls(np.random.default_rng(4), rows)
    many = legal_plays(np.tile(rows, (30, 1)), np.tile(rolls[:, ::-1], (30, 1)), RUSSIAN)
    single = [legal_plays(rows[i : i + 1], rolls[i : i + 1], RUSSIAN) for i in range(40)]
    assert np.array_equal(many.boards, np.concatenate([s.boards for s in single] * 30))
    assert np.array_equal(many.again, np.concatenate([s.again for s in single] * 30))
    assert np.array_equal(np.unique(many.owner), np.arange(1200))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (place({5: 3, WAITING: 1}, {6: 15}), "borne off 11"),
        (place({5: 1, WAITING: 14}, {6: 15}, first=True), "before its first throw"),
        (place({WAITING: 15}, {6: 15}, first=True, pending=3), "pending before"),
        (-START, "wrong sign"),
    ],
)
def test_rows_that_cannot_come_about(row, words):
    assert words in (problem(row, 15) or "")
