"""The Russian player against a slow twin, its advice one sentence at a time, and in duels."""

import random

import numpy as np
import pytest
import russian_reference as twin

from bgnet.arena.duel import duel
from bgnet.engine.baselines import player
from bgnet.engine.player import PlayerError
from bgnet.engine.prime import Weights, prime
from bgnet.game.russian import flip, place
from bgnet.game.shots import open_shots
from bgnet.game.variants import NACKGAMMON, RUSSIAN

W = Weights()


def side(row: list[int], exposed: float) -> float:
    """What the men of the side to decide are worth, counted one thing at a time."""
    mine = [0, *(max(count, 0) for count in row[1:25]), row[25] + row[26]]
    his = [0, *(max(-count, 0) for count in row[1:25]), -row[0] - row[27]]
    behind = {p: min(sum(his[p + 1 :]) / 4, 1) for p in range(1, 25)}
    worth = 0.0
    for top in range(1, 25):
        for length in range(1, 7):
            if top - length >= 0 and all(mine[top - i] >= 2 for i in range(length)):
                worth += behind[top] * (W.point if length == 1 else W.run)
    for p in range(1, 25):
        worth -= W.heaped * max(mine[p] - 3, 0)
        if mine[p] == 1:
            odds = sum(open_shots().get(q - p, 0) / 36 for q in range(p + 1, 26) if his[q])
            worth -= exposed * min(odds, 1) * (25 - p)
    return worth - sum(p * count for p, count in enumerate(mine)) - W.off * sum(mine)


def test_values_like_counting() -> None:
    rows = np.array(twin.random_rows(random.Random(9), 80), np.int8)
    expected = [
        side(row.tolist(), W.exposed_later) - side(flip(row).tolist(), W.exposed) for row in rows
    ]
    np.testing.assert_allclose(prime().values(rows), expected, rtol=1e-4, atol=1e-3)


def test_no_positions() -> None:
    assert prime().values(np.zeros((0, 31), np.int8)).shape == (0,)


def better(one: dict[int, int], other: dict[int, int], his: dict[int, int]) -> bool:
    """Whether the player would rather leave his men in the first way."""
    values = prime().values(flip(np.stack([place(one, his), place(other, his)])))
    return bool(values[0] < values[1])


def test_consecutive_points_ahead_of_the_adversary() -> None:
    his = {24: 2, 26: 13}
    assert better({20: 2, 19: 2, 18: 2, 5: 9}, {21: 2, 19: 2, 17: 2, 5: 9}, his)
    # Behind all his men a wall stops nobody.
    behind = {1: 15}
    assert not better({20: 2, 19: 2, 18: 2, 5: 9}, {21: 2, 19: 2, 17: 2, 5: 9}, behind)


def test_a_blot_is_in_danger_from_behind_only() -> None:
    assert better({20: 1, 4: 2, 3: 12}, {16: 1, 8: 2, 3: 12}, {19: 2, 1: 13})


def test_strength() -> None:
    result = duel(player("prime", RUSSIAN), player("pipcount", RUSSIAN), 200, seed=1)
    assert result.win_rate > 0.8


def test_it_plays_russian_alone() -> None:
    with pytest.raises(PlayerError, match="prime does not play nackgammon; players that do are"):
        player("prime", NACKGAMMON)
    with pytest.raises(PlayerError, match="players that do are random, pipcount, prime"):
        player("pubeval", RUSSIAN)
