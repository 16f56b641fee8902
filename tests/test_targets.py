"""Lambda-returns against hand-made numbers, an explicit sum and deeper look-ahead."""

import numpy as np
import pytest
import torch

from bgnet.engine.evaluator import Evaluator
from bgnet.engine.search import Search
from bgnet.game import dice
from bgnet.game.variants import STANDARD
from bgnet.nets.network import Architecture
from bgnet.nets.outcomes import flip
from bgnet.nets.torch_network import ValueNet, torch_logits
from training.selfplay import Segment, Table, play
from training.targets import lambda_returns, look_ahead_returns


def explicit(next_values: np.ndarray, ended: np.ndarray, again: np.ndarray, lam: float, t: int,
             game: int) -> np.ndarray:
    """G[t] as the weighted sum of n-step returns, each turned to the viewer of position t."""
    total, weight, turned = np.zeros(6), 1.0, False
    for k in range(t, len(next_values)):
        turned ^= not again[k, game]
        seen = flip(next_values[k, game]) if turned else next_values[k, game]
        last = k == len(next_values) - 1 or ended[k, game]
        total += weight * (1.0 if last else 1 - lam) * seen
        weight *= lam
        if last:
            return total
    raise AssertionError


@pytest.mark.parametrize("lam", [0.0, 0.7, 1.0])
def test_equals_the_explicit_sum(lam: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.dirichlet(np.ones(6), (7, 5)).astype(np.float32)
    ended, again = rng.random((7, 5)) < 0.3, rng.random((7, 5)) < 0.3
    got = lambda_returns(values, ended, again, lam)
    want = [[explicit(values, ended, again, lam, t, g) for g in range(5)] for t in range(7)]
    np.testing.assert_allclose(got, want, atol=1e-6)


def test_by_hand() -> None:
    """Two turns: the first says 60 % for the opponent, then he wins a gammon."""
    values = np.zeros((2, 1, 6), np.float32)
    values[0, 0, [0, 3]] = 0.6, 0.4  # seen by the opponent
    values[1, 0, 4] = 1  # I see that I have lost a gammon
    got = lambda_returns(values, np.array([[False], [True]]), None, 0.5)
    np.testing.assert_allclose(got[1, 0], [0, 1, 0, 0, 0, 0])  # he sees a gammon won
    np.testing.assert_allclose(got[0, 0], [0.2, 0, 0, 0.3, 0.5, 0], atol=1e-7)


def test_rows_stay_probabilities() -> None:
    values = np.random.default_rng(2).dirichlet(np.ones(6), (9, 30)).astype(np.float32)
    ended = np.random.default_rng(3).random((9, 30)) < 0.2
    got = lambda_returns(values, ended, None, 0.7)
    assert (got >= 0).all()
    np.testing.assert_allclose(got.sum(axis=2), 1, atol=1e-5)


def test_look_ahead_put_right_by_the_look_ahead_after_it() -> None:
    """Three turns by hand: the second play was not the best, so what followed says nothing."""
    ahead, values = np.zeros((3, 1, 6), np.float32), np.zeros((3, 1, 6), np.float32)
    ahead[:, 0, 0], ahead[:, 0, 3] = [0.5, 0.6, 0.9], [0.5, 0.4, 0.1]
    values[:, 0, 0], values[:, 0, 3] = [0.7, 0.5, 0.5], [0.3, 0.5, 0.5]
    rows, ended = np.zeros((3, 1, 26), np.int8), np.zeros((3, 1), bool)
    segment = Segment(rows, values, ended, np.array([[True], [False], [True]]), None)
    got = look_ahead_returns(ahead, segment, 0.5)[:, 0]
    np.testing.assert_allclose(got[0], [0.55, 0, 0, 0.45, 0, 0], atol=1e-6)  # he: 0.6, not 0.7
    np.testing.assert_allclose(got[1:], ahead[1:, 0])


def test_over_all_rolls_a_turn_of_look_ahead_returns_is_a_deeper_look_ahead() -> None:
    net = ValueNet(Architecture("points", (8,), "relu", "backgammon"))
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(3)  # opinions that differ
    evaluator = Evaluator(STANDARD, torch_logits(net))
    start = STANDARD.starts(1)
    table = Table.fresh(STANDARD, len(dice.ROLLS), np.random.default_rng(1))
    table.rows[:], table.rolls[:] = start, dice.ROLLS
    segment = play(table, evaluator, 2, "english")
    ahead = Search(evaluator, 1).outcomes(segment.rows.reshape(-1, 26)).reshape(2, -1, 6)
    got = look_ahead_returns(ahead, segment, 1.0)[0]
    deeper = Search(evaluator, 2).outcomes(start)[0]
    np.testing.assert_allclose(dice.CHANCES @ got, deeper, atol=1e-5)
    assert np.abs(ahead[0, 0] - deeper).max() > 1e-3
