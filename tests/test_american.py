"""The American game: the same network, asked for wins alone, wins more of its games."""

import json

import pytest

from bgnet.arena.duel import duel
from bgnet.cli import main
from bgnet.engine.networks import evaluator_of, find, shipped
from bgnet.engine.search import Search
from bgnet.nets.checkpoint import Checkpoint, Part, load_checkpoint


@pytest.mark.slow
@pytest.mark.skipif("backgammon" not in shipped(), reason="no network of backgammon is shipped")
def test_it_wins_more_single_games_than_when_it_plays_for_gammons() -> None:
    scout = load_checkpoint(find("default")).scout  # a small network shows it as well
    assert scout is not None
    evaluator = evaluator_of(Checkpoint((Part(scout.weights),)), fast=True)
    american, english = (Search(evaluator, 0, aim) for aim in ("american", "english"))
    result = duel(american, english, 16_000, seed=1, scoring="american")
    assert result.win_rate - result.win_rate_error > 0.5
    assert result.ppg == pytest.approx(2 * result.win_rate - 1, abs=1e-6)


def test_the_command_lets_each_play_for_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["duel", "foster", "foster", "--scoring", "american", "--games", "60", "--json"]
    assert main(words) == 0
    level = json.loads(capsys.readouterr().out)
    assert main([*words, "--b-scoring", "english"]) == 0
    apart = json.loads(capsys.readouterr().out)
    assert level["win_rate"] == 0.5 and level["b_scoring"] == "american"
    assert (apart["a_scoring"], apart["b_scoring"]) == ("american", "english")
    assert apart["length"] != level["length"]
