"""Trials of other shapes on labels made once."""

import re
from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.engine.networks import load_evaluator
from bgnet.engine.search import Search
from training import trial
from training.trial import Labels, main


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games and turns, so that a trial takes seconds."""
    for name, value in {"_DECISIONS": 40, "_GAMES": 32, "_UNDER_WAY": 8}.items():
        monkeypatch.setattr(trial, name, value)


def test_a_trial_learns_what_look_ahead_says(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    net, file = tiny_network(tmp_path), tmp_path / "labels.npz"
    words = [str(net), str(file), "--positions", "3000", "--passes", "30"]
    assert main([*words, "--plans", "behind"]) == 0
    before, after = capsys.readouterr().out.splitlines()
    assert before.startswith("points 8, as it is: error ")
    assert after.startswith("points 8, plans behind, 30 x ")
    first, second = (float(re.findall("error ([0-9.]+)", line)[0]) for line in (before, after))
    assert second < 0.8 * first
    labels = Labels.load(file)
    written = file.stat().st_mtime_ns
    assert main([*words, "--hidden", "12"]) == 0 and file.stat().st_mtime_ns == written
    assert capsys.readouterr().out.splitlines()[0] == before

    search = Search(load_evaluator(str(net), fast=True), 1)
    np.testing.assert_allclose(labels.chances[:20], search.outcomes(labels.rows[:20]), atol=1e-5)
    assert labels.plays.again is None and set(labels.owner.tolist()) == set(range(40))


@pytest.mark.parametrize(("words", "says"), [
    (["--positions", "0"], "at least 1"),
    (["--hidden", "4"], "cannot grow"),
    (["--plans", "attack"], "no game plans are called 'attack'"),
    ([], "is no file of labels"),
])  # fmt: skip
def test_what_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture, words: list[str], says: str
                        ) -> None:
    net, file = tiny_network(tmp_path), tmp_path / "labels.npz"
    file.write_bytes(b"nothing")
    assert main([str(net), str(file), *words]) == 2
    assert says in capsys.readouterr().err and file.read_bytes() == b"nothing"
    assert main([str(tmp_path / "none"), str(file)]) == 2
