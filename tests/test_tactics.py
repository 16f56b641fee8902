"""Shots, points to be made, ways out and contact, against a slow twin that plays every roll."""

import random
from itertools import product

import numpy as np
import pytest
import reference

from bgnet.game.board import flip, place
from bgnet.game.variants import STANDARD
from bgnet.nets.tactics import A_SIDE, tactics

ROLLS = list(product(range(1, 7), repeat=2))


def boards(count: int, seed: int) -> np.ndarray:
    """Positions of random play, many with men on the bar."""
    return np.array(reference.random_boards(random.Random(seed), count), np.int8)


def test_hits_are_those_of_the_move_generator() -> None:
    rows = boards(300, 1)
    chance, choice = np.zeros(len(rows)), np.zeros(len(rows))
    for roll in ROLLS:
        plays = STANDARD.legal_plays(rows, np.tile(np.array(roll, np.int8), (len(rows), 1)))
        before, after = rows[plays.owner], flip(plays.boards)
        hit = after[:, 0] < before[:, 0]
        # Points whose blot some play of the roll hits: it is not there afterwards.
        gone = (before[:, 1:25] == -1) & (after[:, 1:25] >= 0) & hit[:, None]
        blots = np.zeros((len(rows), 24), bool)
        np.logical_or.at(blots, plays.owner, gone)
        chance += blots.any(axis=1) / 36
        choice += (blots.sum(axis=1) > 1) / 36
    found = tactics(rows)
    np.testing.assert_allclose(found[:, 0], chance, atol=1e-6)
    np.testing.assert_allclose(found[:, 1], choice, atol=1e-6)


def landings(board: list[int], roll: tuple[int, int]) -> set[int]:
    """Points that one man can come down on in the course of a roll, if he or others enter first."""
    dice = [roll[0]] * 4 if roll[0] == roll[1] else list(roll)
    found: set[int] = set()
    anybody = [p for p in range(1, 25) if board[p] > 0]

    def go(waiting: int, man: int | None, left: list[int]) -> None:
        for at, die in enumerate(left):
            rest = left[:at] + left[at + 1 :]
            for point in [25] if waiting else [man] if man else anybody:
                to = point - die
                if to < 1 or board[to] < -1:
                    continue
                found.add(to)
                if waiting > 1:
                    go(waiting - 1, None, rest)
                else:  # the same man goes on, or another
                    go(0, to, rest)
                    if waiting:
                        go(0, None, rest)

    go(max(board[25], 0), None, dice)
    return found


def twin(board: list[int]) -> list[float]:
    """``tactics`` of the side that rolls, one roll and one man at a time."""
    values = [0.0] * A_SIDE
    for roll in ROLLS:
        hits = {p for p in landings(board, roll) if board[p] == -1}
        values[0] += bool(hits) / 36
        values[1] += (len(hits) > 1) / 36
        for quarter in range(4):
            values[2 + quarter] += any((p - 1) // 6 == quarter for p in hits) / 36
        made = set()
        for point in range(1, 25):
            sources = [point + die for die in roll if point + die <= 25]
            if board[25] > 0:
                sources = [source for source in sources if source == 25]
            if roll[0] == roll[1]:
                two = bool(sources) and board[sources[0]] >= 2
            else:
                two = len(sources) == 2 and all(board[s] in (1, *range(3, 16)) for s in sources)
            one = any(board[s] == 1 or board[s] >= 3 for s in sources) and board[point] == 1
            if -1 <= board[point] <= 1 and (two or one):
                made.add(point)
            if two and board[point] == -1:
                made.add(-point)
        values[6] += any(p < 0 for p in made) / 36
        for quarter in range(4):
            values[7 + quarter] += any((p - 1) // 6 == quarter for p in made if p > 0) / 36
    out = {point: ways_out(board, point) for point in range(14, 26)}
    values[11:23] = [out[p] * (board[p] > 0) for p in range(14, 26)]
    values[23:27] = [out[p] for p in (19, 21, 23, 25)]
    mine = [p for p in range(26) for _ in range(max(board[p], 0))]
    his_rear = min((p for p in range(26) if board[p] < 0), default=0)
    rear = max(mine, default=0)
    anchors = [p for p in range(16, 25) if board[p] >= 2]
    values[27:] = [
        rear / 25, max(rear - his_rear, 0) / 25, sum(max(p - his_rear, 0) for p in mine) / 100,
        sum(p > his_rear for p in mine) / 15, max(anchors, default=0) / 25,
        float(np.std(mine)) / 10 if mine else 0.0,
    ]  # fmt: skip
    return values


def ways_out(board: list[int], point: int) -> float:
    """Chance that one man on a point gets more than six points on with a roll."""

    def furthest(at: int, dice: list[int]) -> int:
        tries = [furthest(at - die, dice[:i] + dice[i + 1 :]) for i, die in enumerate(dice)
                 if at - die < 1 or board[at - die] > -2]  # fmt: skip
        return min(tries, default=at)

    rolls = [[a] * 4 if a == b else [a, b] for a, b in ROLLS]
    return sum(point - furthest(point, dice) > 6 for dice in rolls) / 36


def test_every_value_is_that_of_the_slow_twin() -> None:
    rows = boards(150, 2)
    assert (rows[:, 25] > 1).any() and (rows[:, 25] == 1).any()
    found = tactics(rows)
    for row, values in zip(rows, found, strict=True):
        expected = twin(row.tolist()) + twin(flip(row).tolist())
        np.testing.assert_allclose(values, expected, atol=1e-5, err_msg=str(row.tolist()))


@pytest.mark.parametrize(("mine", "his", "rolls"), [
    ({8: 2}, {24: 1, 3: 5}, 6),                # seven away: 6-1, 5-2, 4-3
    ({8: 2}, {24: 1, 18: 2, 3: 5}, 6),         # his point on my 7 leaves 6-1 by way of the six
    ({8: 2}, {24: 1, 18: 2, 23: 2, 3: 5}, 4),  # and his point on my 2 does not
    ({7: 2}, {24: 1, 3: 5}, 17),               # six away, Foster's table
    ({25: 1, 7: 2}, {24: 1, 20: 2}, 12),       # enters first: any 6, and 3-3
])  # fmt: skip
def test_shots(mine: dict[int, int], his: dict[int, int], rolls: int) -> None:
    assert round(36 * float(tactics(place(mine, his)[None])[0, 0])) == rolls


def test_boards_are_independent_of_their_company() -> None:
    rows = boards(60, 3)
    np.testing.assert_array_equal(tactics(rows), np.concatenate([tactics(r[None]) for r in rows]))
    many = np.concatenate([rows] * 40)
    np.testing.assert_array_equal(tactics(many), np.concatenate([tactics(rows)] * 40))
    assert tactics(rows[:0]).shape == (0, 2 * A_SIDE)
