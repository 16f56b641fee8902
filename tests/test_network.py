"""Networks: numpy, torch and plain arithmetic agree; what the rules forbid is exactly 0."""

import random

import numpy as np
import pytest
import reference
import torch

from bgnet.engine.evaluator import Evaluator
from bgnet.game import scoring
from bgnet.game.board import START, flip, place
from bgnet.game.variants import STANDARD
from bgnet.nets.network import Architecture, NetworkError, Weights
from bgnet.nets.outcomes import equity, from_cumulative, masked_softmax, to_cumulative
from bgnet.nets.torch_network import ValueNet, torch_logits


def net(activation: str = "relu", hidden: tuple[int, ...] = (16, 8)) -> ValueNet:
    architecture = Architecture("points", hidden, activation)
    return ValueNet(architecture, torch.Generator().manual_seed(1))


def boards(n: int) -> np.ndarray:
    return np.array(reference.random_boards(random.Random(8), n), np.int8)


def slow(weights: Weights, row: np.ndarray) -> np.ndarray:
    """One position, layer by layer, on the encoded inputs."""
    units = weights.architecture.encoding.encode(row[None])[0].astype(np.float64)
    for number, (weight, bias) in enumerate(weights.layers):
        if number:
            relu = weights.architecture.activation == "relu"
            units = np.maximum(units, 0) if relu else 1 / (1 + np.exp(-units))
        units = weight.astype(np.float64) @ units + bias
    return units


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
@pytest.mark.parametrize("hidden", [(16,), (16, 8), (12, 8, 4)])
def test_numpy_torch_and_arithmetic_agree(activation: str, hidden: tuple[int, ...]) -> None:
    network, rows = net(activation, hidden), boards(700)
    for layer in network.layers:  # biases are zero at first and would not be tested
        torch.nn.init.uniform_(layer.bias, -1, 1)
    weights = network.weights()
    by_numpy, by_torch = weights.logits(rows), torch_logits(network)(rows)
    np.testing.assert_allclose(by_numpy, by_torch, atol=1e-4)
    with torch.no_grad():
        inputs = network.inputs(rows)
        np.testing.assert_allclose(by_numpy, network(inputs).numpy(), atol=1e-4)
    for row, logits in zip(rows[:40], by_numpy, strict=False):
        np.testing.assert_allclose(slow(weights, row), logits, atol=1e-4)


def test_nothing() -> None:
    assert net().weights().logits(START[None][:0]).shape == (0, 6)


def test_weights_survive_the_way_there_and_back() -> None:
    one, two = net(), net(hidden=(16, 8))
    for p in two.parameters():
        torch.nn.init.zeros_(p)
    two.load(one.weights())
    assert torch.equal(one.layers[1].weight, two.layers[1].weight)


@pytest.mark.parametrize(("wrong", "says"), [
    ({"hidden": ()}, "at least one unit"), ({"hidden": (4, 0)}, "at least one unit"),
    ({"activation": "tanh"}, "no activation"),
])  # fmt: skip
def test_impossible_architectures(wrong: dict, says: str) -> None:
    with pytest.raises(NetworkError, match=says):
        Architecture(**({"encoder": "points", "hidden": (4,)} | wrong))


def test_forbidden_outcomes_are_exactly_zero_and_rows_sum_to_one() -> None:
    rows = boards(1000)
    evaluator = Evaluator(STANDARD, net().weights().logits)
    outcomes, allowed = evaluator.outcomes(rows), STANDARD.possible(rows)
    assert (outcomes[~allowed] == 0).all()
    np.testing.assert_allclose(outcomes.sum(axis=1), 1, atol=1e-6)
    cumulative = to_cumulative(outcomes)
    assert (np.diff(cumulative[:, :3]) <= 0).all() and (cumulative[:, 4] <= cumulative[:, 3]).all()
    assert (cumulative[:, 3] <= 1 - cumulative[:, 0] + 1e-6).all()


def test_finished_games_are_exact() -> None:
    lost_gammon = place({12: 1, 3: 14}, {})
    won_single = flip(place({20: 14}, {}))
    evaluator = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
    outcomes, known = evaluator.chances(np.stack([lost_gammon, won_single, START]))
    assert outcomes[:2].argmax(axis=1).tolist() == [scoring.LOSE_GAMMON, scoring.WIN]
    assert outcomes[:2].max(axis=1).tolist() == [1, 1] and known.tolist() == [True, True, False]


def test_softmax_of_huge_logits() -> None:
    logits = np.array([[1e4, -1e4, 0, 0, 0, 1e4]], np.float32)
    assert masked_softmax(logits, np.ones((1, 6), bool)).tolist() == [[0.5, 0, 0, 0, 0, 0.5]]


def test_labels_of_both_kinds() -> None:
    """Exclusive and cumulative chances: a gammon column that counts backgammons twice is a bug."""
    six = np.array([0.3, 0.15, 0.05, 0.35, 0.12, 0.03])
    np.testing.assert_allclose(to_cumulative(six), [0.5, 0.2, 0.05, 0.15, 0.03])
    np.testing.assert_allclose(from_cumulative(to_cumulative(six)), six)
    assert equity(six) == pytest.approx(0.07)
    assert equity(six, "american") == pytest.approx(0.0)


def test_equity_of_a_row_does_not_depend_on_its_place() -> None:
    row = np.random.default_rng(5).dirichlet(np.ones(6)).astype(np.float32)
    worths = {float(worth) for n in range(1, 40) for worth in equity(np.tile(row, (n, 1)))}
    assert worths == {float(equity(row))}
