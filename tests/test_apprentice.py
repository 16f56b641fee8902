"""A smaller network that learns from a larger one."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.engine.networks import evaluator_of
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint, save_checkpoint
from bgnet.nets.network import Architecture, NetworkError, Weights
from bgnet.nets.torch_network import ValueNet
from training.apprentice import lessons, main, narrowed
from training.bench import midgame
from training.widen import widened


def test_units_that_nobody_hears_are_left_out() -> None:
    def fresh(*hidden: int) -> Weights:
        return ValueNet(Architecture("points", hidden)).weights()

    rows, _ = midgame(200)
    small = fresh(24, 16)
    back = narrowed(widened(small, fresh(32, 20)), (24, 16), rows)
    assert back.architecture.hidden == (24, 16)
    np.testing.assert_allclose(back.logits(rows), small.logits(rows), atol=1e-5)


def test_what_left_out_units_say_on_average_stays() -> None:
    rows, _ = midgame(500)
    wide = ValueNet(Architecture("points", (24, 16))).weights()
    narrow = narrowed(wide, (24, 12), rows)
    means = (wide.logits(rows).mean(axis=0), narrow.logits(rows).mean(axis=0))
    np.testing.assert_allclose(*means, atol=1e-4)  # the last layer is linear
    assert not np.allclose(wide.logits(rows), narrow.logits(rows), atol=1e-3)
    for hidden in ((25, 16), (24,)):
        with pytest.raises(NetworkError, match="cannot be narrowed to"):
            narrowed(wide, hidden, rows)


def test_it_learns_what_its_master_says(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    master = load_checkpoint(tiny_network(tmp_path)).main
    # A master with opinions, of which half are cut away.
    layers = tuple((3 * weight, bias) for weight, bias in master.layers)
    net, out = tmp_path / "net", tmp_path / "out"
    save_checkpoint(net, Checkpoint((Part(Weights(master.architecture, layers)),), {"games": 7}))
    half = max(1, master.architecture.hidden[0] // 2)
    words = ["--hidden", str(half), "--minutes", "0.1", "--games", "4"]
    assert main([str(net), str(out), *words]) == 0
    got, before = load_checkpoint(out), load_checkpoint(net)
    assert got.main.architecture.hidden == (half,)
    assert got.history["parent"] == before.fingerprint and got.history["games"] == 7
    assert {"apprentice", "strength"} <= got.history.keys()
    turns = lessons(evaluator_of(before), "english", np.random.default_rng(9))
    rows, wanted = next(islice(turns, 30, None))

    def distance(weights: Weights) -> float:
        answers = evaluator_of(Checkpoint((Part(weights),)))
        return float(np.abs(answers.chances(rows)[0] - wanted).mean())

    assert distance(got.main) < 0.8 * distance(narrowed(before.main, (half,), rows))
    assert main([str(net), str(out), "--hidden", "9999"]) == 2
    assert "cannot be narrowed" in capsys.readouterr().err
