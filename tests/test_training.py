"""Runs: learning something, killed and resumed, refused with a sentence."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bgnet.game.variants import STANDARD
from bgnet.nets.checkpoint import load_checkpoint
from bgnet.nets.torch_network import ValueNet
from training import config as settings
from training import runs
from training.__main__ import explanations, main
from training.config import Config, ConfigError
from training.learner import Learner, cross_entropy

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A TOML file of a job that takes a second."""
    path = tmp_path / "tiny.toml"
    path.write_text('variant = "hypergammon"\nhidden = [8]\nlockstep = 8\nsegment = 8\nbatch = 32\nduel_games = 4\n'
                    'opponents = ["pipcount"]\ngames = 40\n')  # fmt: skip
    return path


def weights_of(run: Path) -> list[np.ndarray]:
    """All arrays of a run's network."""
    weights = load_checkpoint(run / "net.safetensors").parts[0].weights
    return [array for layer in weights.layers for array in layer]


@pytest.mark.parametrize("method", [[], ["--method", "online", "--lockstep", "1", "--games", "6"]])
def test_resumed_run_is_bit_identical(tiny: Path, tmp_path: Path, method: list[str]) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert main([str(tiny), "--run", str(whole), *method]) == 0
    half = ["--games", "3"] if method else ["--games", "20"]
    flat = ["--lr-end", "0.002"]  # a rate that does not depend on how far the job is
    assert main([str(tiny), "--run", str(whole.with_name("w")), *method, *flat]) == 0
    assert main([str(tiny), "--run", str(parts), *method, *flat, *half]) == 0
    full = method[-2:] if method else ["--games", "40"]
    assert main(["--resume", str(parts), *full]) == 0
    for one, other in zip(weights_of(whole.with_name("w")), weights_of(parts), strict=True):
        assert np.array_equal(one, other)
    different = zip(weights_of(whole), weights_of(parts), strict=True)
    assert method or any(not np.array_equal(one, other) for one, other in different)


def test_same_seed_same_network_other_seed_other(tiny: Path, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert main([str(tiny), "--run", str(tmp_path / name), "--seed", seed]) == 0
    a, b, c = (weights_of(tmp_path / name) for name in "abc")
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert not any(np.array_equal(x, y) for x, y in zip(a, c, strict=True))


def test_two_processes_learn_one_network(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "two"
    command = [sys.executable, "-m", "training", str(tiny), "--run", str(run), "--processes", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    one, two = (runs.read_rank(run, rank, 2) for rank in (0, 1))
    assert torch.equal(one.tensors["weights.0"], two.tensors["weights.0"])
    assert not torch.equal(one.tensors["table.rows"], two.tensors["table.rows"])


def test_killed_run_loses_nothing_saved(tiny: Path, tmp_path: Path) -> None:
    """kill -9 at any moment: the newest state is whole and the run goes on from it."""
    run = tmp_path / "killed"
    command = [sys.executable, "-m", "training", str(tiny), "--run", str(run),
               "--games", "1000000", "--save-minutes", "0.002"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    wait_for(lambda: len(runs.states(run)) >= 2, process)
    process.kill()
    process.wait()
    games = runs.read_rank(run, 0, 1).counters["games"]
    assert games > 0
    assert main(["--resume", str(run), "--games", str(int(games) + 5)]) == 0


def test_ctrl_c_saves_and_says_how_to_go_on(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "stopped"
    command = [sys.executable, "-m", "training", str(tiny), "--run", str(run),
               "--games", "1000000", "--save-minutes", "0.002"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    wait_for(lambda: len(runs.states(run)) >= 1, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in errors and "Traceback" not in errors
    assert load_checkpoint(run / "net.safetensors")


def wait_for(condition: object, process: subprocess.Popen) -> None:
    """Until it holds; fails if the process ends first."""
    deadline = time.monotonic() + 60
    while not condition():  # type: ignore[operator]
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def test_a_full_disk_leaves_the_saved_state(tiny: Path, tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch,
                                            capsys: pytest.CaptureFixture) -> None:
    run = tmp_path / "full"
    assert main([str(tiny), "--run", str(run)]) == 0
    before, net = runs.states(run), (run / "net.safetensors").read_bytes()

    def no_space(*args: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(runs, "save_file", no_space)
    assert main(["--resume", str(run), "--games", "80"]) == 2
    assert "No space left" in capsys.readouterr().err
    assert runs.states(run) == before and (run / "net.safetensors").read_bytes() == net


def test_a_loss_that_is_no_number_stops_the_run(tiny: Path, tmp_path: Path,
                                                capsys: pytest.CaptureFixture) -> None:
    assert main([str(tiny), "--run", str(tmp_path / "nan"), "--lr", "1e30", "--lr-end", "1e30"]) == 1
    assert "lower --lr" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "says"), [
    (["nosuch"], "presets are"),
    ([], "name a preset"),
    (["quick", "--hidden", "0"], "at least one unit"),
    (["quick", "--encoder", "nosuch"], "no encoder is called"),
    (["quick", "--lam", "2"], "lam must be from 0 to 1"),
    (["quick", "--opponents", "nobody"], "nobody"),
    (["--resume", "/nonexistent"], "is not a run"),
    (["quick", "--init", "/nonexistent.safetensors"], "there is no checkpoint"),
])  # fmt: skip
def test_bad_input_is_one_sentence(arguments: list[str], says: str,
                                   capsys: pytest.CaptureFixture) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert says in errors and errors.count("\n") == 1


def test_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "typo.toml"
    path.write_text("lambda_ = 1\nsede = 3")
    with pytest.raises(ConfigError, match="'sede'.*'seed'|'lambda_'.*'lam'"):
        settings.load(str(path))
    path.write_text('minutes = "five"')
    with pytest.raises(ConfigError, match="minutes must be a float"):
        settings.load(str(path))


def test_every_setting_is_explained_and_survives_toml(tmp_path: Path) -> None:
    assert set(explanations()) == set(Config().to_dict())
    path = tmp_path / "all.toml"
    config = replace(Config(), hidden=(3, 4), opponents=("random",), lr=0.5, bearoff=False)
    path.write_text(config.to_toml())
    assert settings.load(str(path)) == config


@pytest.mark.parametrize("path", sorted(settings.PRESETS.glob("*.toml")), ids=lambda p: p.stem)
def test_presets_load(path: Path) -> None:
    assert settings.load(path.stem)


def test_initial_network_has_different_units_and_opinions() -> None:
    """All-zero weights would stay alike for ever, every position being worth exactly 0."""
    net = ValueNet(Config().architecture, torch.Generator().manual_seed(1))
    assert torch.linalg.matrix_rank(net.layers[0].weight) > 1
    rows = STANDARD.starts(100)
    rng = np.random.default_rng(1)
    for _ in range(10):
        plays = STANDARD.legal_plays(rows, STANDARD.next_rolls(rng, rows))
        rows = plays.boards[plays.firsts(100)]
    with torch.no_grad():
        logits = net(net.inputs(torch.from_numpy(net.architecture.encoding.entries(rows))))
    assert torch.softmax(logits, 1)[:, :3].sum(1).std() > 0.01


def test_cross_entropy_ignores_what_the_rules_forbid() -> None:
    logits = torch.tensor([[0.0, 9.0, 9.0, 0.0, 9.0, 9.0]], requires_grad=True)
    targets = torch.tensor([[0.5, 0, 0, 0.5, 0, 0]])
    allowed = torch.tensor([[True, False, False, True, False, False]])
    loss = cross_entropy(logits, targets, allowed)
    loss.backward()
    assert loss.item() == pytest.approx(math.log(2))
    assert logits.grad is not None and not logits.grad[0, [1, 2, 4, 5]].any()


def test_averaged_weights_are_a_mean_of_recent_ones() -> None:
    net = ValueNet(replace(Config(), hidden=(4,)).architecture)
    learner = Learner(net, average=0.9)
    learner.set_rate(0.01)
    inputs = net.inputs(torch.from_numpy(net.architecture.encoding.entries(STANDARD.starts(2))))
    targets = torch.eye(6)[:2]
    allowed = torch.ones(2, 6, dtype=torch.bool)
    mean = [p.detach().clone() for p in net.parameters()]
    for step in range(1, 40):
        learner.learn(inputs, targets, allowed, lambda parameters: None)
        keep = min(0.9, step / (step + 10))
        mean = [keep * m + (1 - keep) * p.detach() for m, p in zip(mean, net.parameters(),
                                                                   strict=True)]  # fmt: skip
    for ours, theirs in zip(learner.averaged, mean, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_the_journal_and_the_header_tell_the_story(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "story"
    assert main([str(tiny), "--run", str(run)]) == 0
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert "duel/pipcount" in lines[-1]
    history = load_checkpoint(run / "net.safetensors").history
    assert history["games"] >= 40 and history["steps"] > 0 and history["config"]["hidden"] == [8]
    assert {"git_commit", "versions", "parent"} <= set(history)
    child = tmp_path / "child"
    assert main([str(tiny), "--run", str(child), "--init", str(run / "net.safetensors")]) == 0
    parent = load_checkpoint(child / "net.safetensors").history["parent"]
    assert parent == load_checkpoint(run / "net.safetensors").fingerprint
    assert os.listdir(run).count("config.toml") == 1
