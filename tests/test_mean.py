"""The mean of networks that grew from one."""

from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.game.board import START
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint, save_checkpoint
from bgnet.nets.network import Weights
from training.mean import main


def test_halfway_between_two(tmp_path: Path) -> None:
    weights = load_checkpoint(tiny_network(tmp_path)).main
    layers = tuple((w.copy(), b + 1) for w, b in weights.layers[:-1])
    last_weight, last_bias = weights.layers[-1]
    other = Weights(weights.architecture, (*layers, (-last_weight, last_bias + 4)))
    a, b, out = (str(tmp_path / name) for name in ("a", "b", "out"))
    parts = Part(other, "scout", 0.1), Part(weights)
    save_checkpoint(a, Checkpoint(parts, {"games": 3, "strength": 1}))
    save_checkpoint(b, Checkpoint((Part(other),), {"games": 4}))  # a scout of one is enough
    assert main([a, b, out, "--games", "4"]) == 0
    got = load_checkpoint(out)
    strength = got.history.pop("strength")
    assert isinstance(strength, dict) and "duel/pubeval" in strength
    assert got.history == {"games": 3, "mean": [{"games": 4}]}
    assert got.scout is not None and got.scout.within == 0.1
    np.testing.assert_array_equal(got.scout.weights.layers[0][1], other.layers[0][1])
    np.testing.assert_allclose(got.main.layers[0][1], weights.layers[0][1] + 0.5, rtol=1e-6)
    np.testing.assert_allclose(got.main.layers[-1][0], 0)
    assert got.main.logits(START[None]) == pytest.approx(last_bias[None] + 2)


def test_only_equals_have_a_mean(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    net, other = tiny_network(tmp_path), tiny_network(tmp_path, "hypergammon")
    out = tmp_path / "out.safetensors"
    assert main([str(net), str(other), str(out)]) == 2
    assert "equal make" in capsys.readouterr().err and not out.exists()
