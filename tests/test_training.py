"""Runs: learning something, killed and resumed, refused with a sentence."""

import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bgnet.game.variants import STANDARD
from bgnet.nets.checkpoint import load_checkpoint
from bgnet.nets.torch_network import Net, ValueNet, net_of, torch_logits
from training import config as settings
from training import runs
from training.__main__ import explanations, main
from training.config import Config, ConfigError
from training.distributed import Group
from training.learner import Learner, cross_entropy
from training.segments import Segments

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A TOML file of a job that takes a second."""
    path = tmp_path / "tiny.toml"
    path.write_text('variant = "hypergammon"\nhidden = [8]\nlockstep = 8\nsegment = 8\n'
                    'batch = 32\nduel_games = 4\nopponents = ["pipcount"]\n'
                    'games = 40\n')  # fmt: skip
    return path


def weights_of(run: Path) -> list[np.ndarray]:
    """All arrays of a run's network."""
    parts = load_checkpoint(run / "net.safetensors").parts
    return [array for part in parts for layer in part.weights.layers for array in layer]


@pytest.mark.parametrize(("method", "half", "full"), [
    ([], "20", "40"),
    (["--look-ahead", "1", "--scout", "4", "--noise", "0.2", "--replay", "2"], "20", "40"),
    (["--plans", "behind", "--average", "0.9"], "20", "40"),
    (["--look-ahead", "1", "--average", "0.9", "--steady", "true"], "20", "40"),
    (["--method", "online", "--lockstep", "1"], "3", "6"),
], ids=["lambda-returns", "look-ahead", "plans", "steady", "online"])  # fmt: skip
def test_resumed_run_is_bit_identical(tiny: Path, tmp_path: Path, method: list[str], half: str,
                                      full: str) -> None:
    whole, parts, falling = tmp_path / "whole", tmp_path / "parts", tmp_path / "falling"
    method = [*method, "--games", full]
    assert main([str(tiny), "--out", str(falling), *method]) == 0
    flat = ["--lr-end", "0.002"]  # a rate that does not depend on how far the job is
    assert main([str(tiny), "--out", str(whole), *method, *flat]) == 0
    assert main([str(tiny), "--out", str(parts), *method, *flat, "--games", half]) == 0
    assert main(["--resume", str(parts), "--games", full]) == 0
    for one, other in zip(weights_of(whole), weights_of(parts), strict=True):
        assert np.array_equal(one, other)
    different = zip(weights_of(falling), weights_of(parts), strict=True)
    assert "online" in method or any(not np.array_equal(one, other) for one, other in different)


def test_same_seed_same_network_other_seed_other(tiny: Path, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert main([str(tiny), "--out", str(tmp_path / name), "--seed", seed]) == 0
    a, b, c = (weights_of(tmp_path / name) for name in "abc")
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert not any(np.array_equal(x, y) for x, y in zip(a, c, strict=True))


def test_two_processes_learn_one_network(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "two"
    command = [sys.executable, "-m", "training", str(tiny), "--out", str(run), "--processes", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    one, two = (runs.read_rank(run, rank, 2) for rank in (0, 1))
    assert torch.equal(one.tensors["weights.0"], two.tensors["weights.0"])
    assert not torch.equal(one.tensors["table.rows"], two.tensors["table.rows"])


def test_killed_run_loses_nothing_saved(tiny: Path, tmp_path: Path) -> None:
    """kill -9 at any moment: the newest state is whole and the run goes on from it."""
    run = tmp_path / "killed"
    command = [sys.executable, "-m", "training", str(tiny), "--out", str(run),
               "--games", "1000000", "--save-minutes", "0.002"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    wait_for(lambda: len(runs.states(run)) >= 2, process)
    process.kill()
    process.wait()
    games = runs.read_rank(run, 0, 1).counters["games"]
    assert games > 0
    assert main(["--resume", str(run), "--games", str(int(games) + 5)]) == 0


@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_saves_and_says_how_to_go_on(tiny: Path, tmp_path: Path, processes: int) -> None:
    run = tmp_path / "stopped"
    command = [sys.executable, "-m", "training", str(tiny), "--out", str(run), "--games", "1000000",
               "--save-minutes", "0.002", "--processes", str(processes)]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, text=True,
                               stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    wait_for(lambda: len(runs.states(run)) >= 2, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all processes
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "--resume" in errors and "Traceback" not in errors
    assert load_checkpoint(run / "net.safetensors")


def wait_for(condition: Callable[[], bool], process: subprocess.Popen) -> None:
    """Until it holds; kills the process and fails if it ends first or takes for ever."""
    deadline = time.monotonic() + 300
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            pytest.fail("the run ended, or did not save its states")
        time.sleep(0.02)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_full_disk_leaves_the_saved_state(tiny: Path, tmp_path: Path, processes: int) -> None:
    """No file may grow beyond 60 kB, which a state of 64 units does."""
    run = tmp_path / "full"
    command = [sys.executable, "-m", "training"]
    begin = [str(tiny), "--out", str(run), "--hidden", "64", "--processes", str(processes)]
    subprocess.run([*command, *begin], cwd=ROOT, check=True, capture_output=True, timeout=300)
    before, net = runs.states(run), (run / "net.safetensors").read_bytes()
    done = subprocess.run(
        [*command, "--resume", str(run), "--games", "80"], cwd=ROOT, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)), timeout=300,
    )  # fmt: skip
    assert done.returncode in (1, 2) and "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert runs.states(run) == before and (run / "net.safetensors").read_bytes() == net


def test_a_loss_that_is_no_number_stops_the_run(tiny: Path, tmp_path: Path,
                                                capsys: pytest.CaptureFixture) -> None:
    assert main([str(tiny), "--out", str(tmp_path / "nan"), "--lr", "1e30",
                 "--lr-end", "1e30"]) == 1
    assert "lower --lr" in capsys.readouterr().err


def test_online_too(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    words = ["--method", "online", "--lockstep", "1", "--lr", "1e30", "--lr-end", "1e30"]
    assert main([str(tiny), "--out", str(tmp_path / "nan"), *words]) == 1
    assert "lower --lr" in capsys.readouterr().err


def test_a_run_keeps_its_foundations_and_its_parent(tiny: Path, tmp_path: Path,
                                                    capsys: pytest.CaptureFixture) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert main([str(tiny), "--out", str(first)]) == 0
    settings_before = (first / "config.toml").read_text()
    for change in (["--hidden", "16"], ["--lockstep", "4"], ["--seed", "9"], ["--processes", "2"]):
        assert main(["--resume", str(first), *change]) == 2
        assert "cannot become" in capsys.readouterr().err
    assert (first / "config.toml").read_text() == settings_before
    net = str(first / "net.safetensors")
    assert main([str(tiny), "--out", str(second), "--init", net, "--hidden", "7"]) == 2
    assert "cannot grow into" in capsys.readouterr().err
    assert main([str(tiny), "--out", str(second), "--init", net]) == 0
    assert main(["--resume", str(second), "--games", "60"]) == 0
    parent = load_checkpoint(second / "net.safetensors").history["parent"]
    assert parent == load_checkpoint(net).fingerprint
    assert main([str(tiny), "--out", str(second)]) == 2
    assert "holds a run already" in capsys.readouterr().err


def test_torchrun_starts_the_processes(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "torchrun"
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "-m",
               "training", str(tiny), "--out", str(run)]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert runs.read_rank(run, 1, 2).counters["games"] >= 40


@pytest.mark.parametrize(("arguments", "says"), [
    (["quick", "--sede", "3"], "did you mean --seed?"),
    (["quick", "--lr", "fast"], "invalid float value"),
    (["quick", "--device", "nosuch"], "cannot compute on the device"),
    (["quick", "--resume", "x"], "no preset"),
    (["nosuch"], "presets are"),
    ([], "name a preset"),
    (["quick", "--hidden", "0"], "at least one unit"),
    (["quick", "--encoder", "nosuch"], "no encoder is called"),
    (["td_gammon", "--steady", "true"], "online learning has no averaged network"),
    (["quick", "--lam", "2"], "lam must be from 0 to 1"),
    (["quick", "--opponents", "nobody"], "nobody"),
    (["--resume", "/nonexistent"], "is not a run"),
    (["quick", "--init", "/nonexistent.safetensors"], "there is no network or file"),
    (["quick", "--init", "default"], "(shots 384-128, plans "),
    (["russian", "--hidden", "8", "--init", "default"], "(russian 256-64, relu) cannot grow"),
])  # fmt: skip
def test_bad_input_is_one_sentence(arguments: list[str], says: str,
                                   capsys: pytest.CaptureFixture) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert says in errors and errors.count("\n") == 1


def test_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "typo.toml"
    for wrong, right in (("sede", "seed"), ("lambda", "lam"), ("minute", "minutes")):
        path.write_text(f"{wrong} = 1")
        with pytest.raises(ConfigError, match=f"no setting '{wrong}'; did you mean '{right}'"):
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
        logits = net(net.inputs(rows))
    assert torch.softmax(logits, 1)[:, :3].sum(1).std() > 0.01


def test_cross_entropy_ignores_what_the_rules_forbid() -> None:
    logits = torch.tensor([[0.0, 9.0, 9.0, 0.0, 9.0, 9.0]], requires_grad=True)
    targets = torch.tensor([[0.5, 0, 0, 0.5, 0, 0]])
    allowed = torch.tensor([[True, False, False, True, False, False]])
    loss = cross_entropy(logits, targets, allowed)
    loss.backward()
    assert loss.item() == pytest.approx(math.log(2))
    assert logits.grad is not None and not logits.grad[0, [1, 2, 4, 5]].any()


@pytest.mark.parametrize("steady", [False, True])
def test_averaged_weights_are_a_mean_of_recent_ones(steady: bool) -> None:
    net = ValueNet(replace(Config(), hidden=(4,)).architecture)
    learner = Learner(net, 0.9, steady)
    learner.set_rate(0.01)
    rows = STANDARD.starts(2)
    targets = np.eye(6, dtype=np.float32)[:2]
    mean = [p.detach().clone() for p in net.parameters()]
    for step in range(1, 40):
        learner.learn(rows, targets)
        keep = 0.9 if steady else min(0.9, step / (step + 10))
        mean = [keep * m + (1 - keep) * p.detach() for m, p in zip(mean, net.parameters(),
                                                                   strict=True)]  # fmt: skip
    for ours, theirs in zip(learner.averaged, mean, strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("steady", [False, True])
def test_who_plays_and_looks_ahead(steady: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network that is learning, or steadily its average."""
    config = replace(Config(), hidden=(4,), lockstep=4, segment=2, look_ahead=1, average=0.9,
                     steady=steady)  # fmt: skip
    method = Segments(config, ValueNet(config.architecture), None, None,
                      np.random.SeedSequence(1), Group())  # fmt: skip
    heard: list[np.ndarray] = []

    def listen(net: Net) -> Callable[[np.ndarray], np.ndarray]:
        heard.append(torch_logits(net)(STANDARD.starts(1)))
        return torch_logits(net)

    monkeypatch.setattr("training.segments.torch_logits", listen)
    for _ in range(3):
        learning, averaged = method.learner.net.weights(), method.learner.averaged_weights()
        method.round(0.0)
        expected = torch_logits(net_of(averaged if steady else learning))(STANDARD.starts(1))
        np.testing.assert_array_equal(heard[-1], expected)
    assert not np.array_equal(learning.layers[0][0], averaged.layers[0][0])  # tells them apart


def test_the_journal_and_the_header_tell_the_story(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "story"
    assert main([str(tiny), "--out", str(run)]) == 0
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert "duel/pipcount" in lines[-1]
    history = load_checkpoint(run / "net.safetensors").history
    assert history["games"] >= 40 and history["steps"] > 0 and history["strength"]
    assert history["config"]["hidden"] == [8]
    assert {"git_commit", "versions", "parent"} <= set(history)
    child = tmp_path / "child"
    assert main([str(tiny), "--out", str(child), "--init", str(run / "net.safetensors")]) == 0
    parent = load_checkpoint(child / "net.safetensors").history["parent"]
    assert parent == load_checkpoint(run / "net.safetensors").fingerprint
    assert os.listdir(run).count("config.toml") == 1
