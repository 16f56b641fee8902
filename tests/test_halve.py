"""The same network in a file of half the size."""

from pathlib import Path

import pytest
from tiny_network import tiny_network

from bgnet.nets.checkpoint import load_checkpoint
from training.halve import main


def test_half_the_size_measured_anew(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    net, out = tiny_network(tmp_path), tmp_path / "out"
    assert main([str(net), str(out), "--games", "4"]) == 0
    got, before = load_checkpoint(out), load_checkpoint(net)
    strength = got.history["strength"]
    assert isinstance(strength, dict) and "duel/pubeval" in strength
    assert got.main.architecture == before.main.architecture
    assert got.main.layers[0][0] == pytest.approx(before.main.layers[0][0], rel=1e-3, abs=1e-7)
    assert main([str(tmp_path / "none"), str(out)]) == 2
    assert "there is no network or file" in capsys.readouterr().err
