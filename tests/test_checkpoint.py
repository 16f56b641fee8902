"""Checkpoints: whole, self-explaining, and refused with a sentence when they are not ours."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from bgnet.engine.networks import evaluator_of, find, load_evaluator
from bgnet.game.board import START, place
from bgnet.game.variants import NACKGAMMON
from bgnet.nets.checkpoint import (
    Checkpoint,
    CheckpointError,
    Part,
    load_checkpoint,
    save_checkpoint,
    write_whole,
)
from bgnet.nets.network import Architecture, Weights
from bgnet.nets.torch_network import ValueNet, new_net


def part(when: str = "always", seed: int = 1, variant: str = "backgammon") -> Part:
    architecture = Architecture("points", (6,), variant=variant)
    return Part(ValueNet(architecture, torch.Generator().manual_seed(seed)).weights(), when)


def test_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    written = Checkpoint((part("race"), part(seed=2)), {"games": 5, "strength": {"ppg": 0.1}})
    save_checkpoint(path, written)
    read = load_checkpoint(path)
    assert read.history == written.history and read.fingerprint == written.fingerprint
    assert [p.when for p in read.parts] == ["race", "always"]
    assert read.parts[0].weights.architecture == written.parts[0].weights.architecture
    assert list(tmp_path.iterdir()) == [path]


def test_plans_come_back_too_and_others_than_said_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    architecture = Architecture("points", (6,), plans="behind")
    weights = new_net(architecture, torch.Generator().manual_seed(1)).weights()
    save_checkpoint(path, Checkpoint((Part(weights),)))
    read = load_checkpoint(path).main
    assert read.architecture == architecture
    assert np.array_equal(read.logits(START[None]), weights.logits(START[None]))
    one = Weights(architecture, weights.members[0].layers)
    save_checkpoint(path, Checkpoint((Part(one),)))
    with pytest.raises(CheckpointError, match=r"\(204, 6\), its description says \(204, 6, 9\)"):
        load_checkpoint(path)


def test_half_precision_is_half_the_size_and_nearly_the_same(tmp_path: Path) -> None:
    whole, half = tmp_path / "whole", tmp_path / "half"
    checkpoint = Checkpoint((replace(part("scout"), within=0.1), part(seed=2)))
    save_checkpoint(whole, checkpoint)
    save_checkpoint(half, checkpoint, half=True)
    assert half.stat().st_size < 0.6 * whole.stat().st_size
    weights, before = load_checkpoint(half).main, checkpoint.main
    assert weights.layers[0][0].dtype == np.float32
    np.testing.assert_allclose(weights.layers[0][0], before.layers[0][0], rtol=1e-3, atol=1e-7)
    (weight, bias), *others = before.layers
    huge = Weights(before.architecture, ((1e6 * weight, bias), *others))
    with pytest.raises(CheckpointError, match="too large for half precision"):
        save_checkpoint(half, Checkpoint((Part(huge),)), half=True)
    assert np.array_equal(load_checkpoint(half).main.layers[0][0], weights.layers[0][0])


def test_header_is_readable_without_us(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    save_checkpoint(path, Checkpoint((part(),), {"games": 5}))
    raw = path.read_bytes()
    header = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])
    assert json.loads(header["__metadata__"]["bgnet"])["history"] == {"games": 5}


def broken(tmp_path: Path, kind: str) -> Path:
    """A file that is no usable checkpoint."""
    path = tmp_path / f"{kind}.safetensors"
    save_checkpoint(path, Checkpoint((part(),)))
    tensors = {"0.0.weight": np.zeros((6, 204), np.float32)}
    header = {"format": 1, "variant": "backgammon", "networks": [
        {"when": "always", "encoder": "points", "hidden": [6], "activation": "relu"}]}  # fmt: skip
    match kind:
        case "truncated":
            path.write_bytes(path.read_bytes()[:-100])
        case "empty":
            path.write_bytes(b"")
        case "pickle":
            torch.save({"a": 1}, path)
        case "foreign":
            save_file(tensors, path)
        case "newer":
            save_file(tensors, path, {"bgnet": json.dumps(header | {"format": 2})})
        case "encoder":
            header["networks"][0]["encoder"] = "points9"  # type: ignore[index]
            save_file(tensors, path, {"bgnet": json.dumps(header)})
        case "game":
            save_file(tensors, path, {"bgnet": json.dumps(header | {"variant": "chess"})})
        case "tensors":
            save_file(tensors, path, {"bgnet": json.dumps(header)})
        case "no json":
            save_file(tensors, path, {"bgnet": "{"})
        case "folder":
            path.unlink()
            path.mkdir()
        case "missing":
            path.unlink()
    return path


@pytest.mark.parametrize("kind", ["truncated", "empty", "pickle", "foreign", "newer", "encoder",
                                  "game", "tensors", "no json", "folder", "missing"])  # fmt: skip
def test_unusable_files_are_refused(tmp_path: Path, kind: str) -> None:
    path = broken(tmp_path, kind)
    with pytest.raises(CheckpointError) as error:
        load_checkpoint(path)
    assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                                            ) -> None:
    path = tmp_path / "a"
    write_whole(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_each_position_is_asked_of_its_part() -> None:
    race, contact = place({6: 5, 12: 10}, {6: 5, 12: 10}), START
    both = evaluator_of(Checkpoint((part("race", 1), part(seed=2))))
    rows = np.stack([race, contact])
    for row, seed in ((0, 1), (1, 2)):
        alone = evaluator_of(Checkpoint((part(seed=seed),)))
        assert np.array_equal(both.outcomes(rows)[row], alone.outcomes(rows)[row])


def test_a_scout_goes_with_the_networks(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    ahead = replace(part("scout", 3), within=0.125)
    save_checkpoint(path, Checkpoint((ahead, part(seed=2))))
    read = load_checkpoint(path)
    assert read.scout is not None and read.scout.within == 0.125
    evaluator, alone = evaluator_of(read), evaluator_of(Checkpoint((part(seed=2),)))
    rows = START[None]
    assert np.array_equal(evaluator.outcomes(rows), alone.outcomes(rows))
    assert evaluator.scout is not None and alone.scout is None
    assert np.array_equal(evaluator.scout.logits(rows), part(seed=3).weights.logits(rows))
    save_checkpoint(path, Checkpoint((replace(ahead, within=-1.0), part())))
    with pytest.raises(CheckpointError, match="within -1"):
        load_checkpoint(path)


def test_names_and_games(tmp_path: Path) -> None:
    path = tmp_path / "hyper.safetensors"
    save_checkpoint(path, Checkpoint((part(variant="hypergammon"),)))
    assert find(str(path)) == path
    save_checkpoint(tmp_path / "standard", Checkpoint((part(),)))
    assert load_evaluator(str(tmp_path / "standard"), NACKGAMMON).variant is NACKGAMMON
    with pytest.raises(CheckpointError, match="plays hypergammon, not backgammon"):
        load_evaluator(str(path))
    with pytest.raises(CheckpointError, match="no network or file 'nosuch'"):
        load_evaluator("nosuch")
