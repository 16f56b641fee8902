"""A network that another answers for in races."""

from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.engine.networks import evaluator_of
from bgnet.game.board import START, place
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint, save_checkpoint
from bgnet.nets.network import Weights
from training.join import main


def test_each_answers_where_it_should(tmp_path: Path) -> None:
    weights = load_checkpoint(tiny_network(tmp_path)).main
    other = Weights(weights.architecture, tuple((-w, b) for w, b in weights.layers))
    net, race, out = tmp_path / "net", tmp_path / "race", tmp_path / "out"
    save_checkpoint(net, Checkpoint((Part(other, "scout", 0.1), Part(weights)),
                                    {"games": 3, "strength": {"duel/pubeval": 0.5}}))  # fmt: skip
    save_checkpoint(race, Checkpoint((Part(other),), {"games": 4}))
    assert main([str(net), str(race), str(out)]) == 0
    joined = load_checkpoint(out)
    assert [part.when for part in joined.parts] == ["scout", "race", "always"]
    assert joined.history == {"games": 3, "race": {"games": 4}}
    rows = np.stack([START, place({6: 5, 12: 10}, {6: 5, 12: 10})])
    answers = evaluator_of(joined).logits(rows)
    np.testing.assert_array_equal(answers[0], weights.logits(rows[:1])[0])
    np.testing.assert_array_equal(answers[1], other.logits(rows[1:])[0])


def test_different_games_are_not_joined(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    net, race = tiny_network(tmp_path), tiny_network(tmp_path, "hypergammon")
    out = tmp_path / "out.safetensors"
    assert main([str(net), str(race), str(out)]) == 2
    assert "cannot be joined" in capsys.readouterr().err and not out.exists()
    assert main([str(tmp_path / "none"), str(race), str(out)]) == 2
    assert "there is no network or file" in capsys.readouterr().err
