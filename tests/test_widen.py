"""A wider network begins with what a narrower one knows, and its new units can learn."""

import numpy as np
import pytest
import torch

from bgnet.game.variants import STANDARD
from bgnet.nets.network import Architecture
from bgnet.nets.torch_network import ValueNet
from training.learner import Learner
from training.widen import fits, widened


def net(encoder: str, hidden: tuple[int, ...], seed: int) -> ValueNet:
    return ValueNet(Architecture(encoder, hidden), torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("encoder", ["points", "shots"])
def test_a_wider_network_says_the_same_and_learns_with_all_units(encoder: str) -> None:
    rows = STANDARD.starts(1)
    narrow, wide = net("points", (6, 4), 1), net(encoder, (9, 7), 2)
    wide.load(widened(narrow.weights(), wide.weights()))
    before = wide.weights()
    np.testing.assert_allclose(before.logits(rows), narrow.weights().logits(rows), atol=1e-6)

    learner = Learner(wide, 0.0)
    learner.set_rate(1e-2)
    for _ in range(3):
        learner.learn(rows, np.eye(6, dtype=np.float32)[:1])
    (first, _), (second, _), (last, _) = wide.weights().layers
    assert np.any(second[:4, 6:] != 0) and np.any(last[:, 4:] != 0)
    assert encoder == "points" or np.any(first[:6, 204:] != 0)


@pytest.mark.parametrize(("wide", "can"), [
    (("points", (6, 4)), True), (("points", (9, 4)), True), (("points", (5, 4)), False),
    (("points", (6, 4, 4)), False), (("points", (9,)), False), (("tesauro198", (9, 4)), False),
    (("shots", (6, 4)), True),
])  # fmt: skip
def test_what_can_grow_into_what(wide: tuple[str, tuple[int, ...]], can: bool) -> None:
    assert fits(Architecture("points", (6, 4)), Architecture(*wide)) == can
