"""Duels with the cube: matches and money games."""

from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.arena import match_duel as module
from bgnet.arena.match_duel import match_duel
from bgnet.engine.baselines import player as baseline
from bgnet.engine.engine import Engine
from bgnet.engine.player import PlayerError
from bgnet.game.match import MatchState
from bgnet.game.variants import HYPERGAMMON, STANDARD


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nets")


@pytest.fixture(scope="module")
def engine(folder: Path) -> Engine:
    return Engine.load(str(tiny_network(folder)))


@pytest.fixture(scope="module")
def small(folder: Path) -> Engine:
    return Engine.load(str(tiny_network(folder, "hypergammon")), "hypergammon")


@pytest.mark.parametrize("length", [0, 1, 5])
def test_a_player_is_exactly_level_with_itself(small: Engine, length: int) -> None:
    result = match_duel(small, small, 30, seed=1, length=length)
    assert (result.win_rate, result.ppg, result.matches) == (0.5, 0, 30)
    assert result.double_rate > 0 or length == 1


def test_the_same_seed_is_the_same_duel(small: Engine) -> None:
    pipcount = baseline("pipcount", HYPERGAMMON)
    first = match_duel(small, pipcount, 20, seed=3, length=3)
    assert match_duel(small, pipcount, 20, seed=3, length=3) == first
    assert match_duel(small, pipcount, 20, seed=4, length=3) != first


def test_matches_are_played_to_their_length(small: Engine) -> None:
    ended: list[int] = []
    result = match_duel(small, small, 40, seed=5, length=7, progress=ended.append)
    assert sum(ended) == 40 and 0 not in ended
    assert 40 <= result.games <= 40 * 13
    single = match_duel(small, small, 40, seed=5, length=1)
    assert (single.games, single.double_rate, single.drop_rate) == (40, 0, 0)
    money = match_duel(small, small, 40, seed=5)
    assert money.games == 40 and 0 < money.drop_rate < money.double_rate <= 1


def test_a_better_player_wins_more_matches(engine: Engine) -> None:
    foster = baseline("foster", STANDARD)
    assert match_duel(foster, engine, 20, seed=1, length=3).win_rate > 0.7


def test_dice_are_those_of_a_turn_of_a_game() -> None:
    dice = module._Dice(STANDARD, 50, np.random.SeedSequence(1))
    late, early = dice.throws(2, 7), dice.throws(0, 1)
    again = module._Dice(STANDARD, 50, np.random.SeedSequence(1))
    assert np.array_equal(again.throws(0, 1), early) and np.array_equal(again.throws(2, 7), late)
    assert not np.array_equal(early, late)
    opening = dice.throws(1, 0)
    assert (opening[:, 0] != opening[:, 1]).all()
    assert set(dice.openers(0).tolist()) == {0, 1}


def test_a_double_that_is_dropped_ends_the_game(small: Engine) -> None:
    seats = module._seats(small, small)
    table = module._Table(
        seats, MatchState(length=3), "english",
        module._Dice(HYPERGAMMON, 1, np.random.SeedSequence(1)),
    )  # fmt: skip
    # O has one man on its ace point, X none but its last on the ace point: X is on roll.
    table._boards[0] = 0
    table._boards[0, 1], table._boards[0, 24] = 1, -1
    table._on_roll[0], table._turn[0], table._states[0] = 0, 4, MatchState(length=3)
    table._double(0, [0])
    assert (table.dropped, table.doubled) == (1, 1)
    assert (table.points[0], table.games[0], table._turn[0]) == (1, 1, 0)
    mine = table._states[0] if table._on_roll[0] == 0 else table._states[0].flip()
    assert (mine.score, mine.opponent_score, mine.cube, mine.crawford) == (1, 0, 1, False)


def test_who_cannot_judge_a_double_needs_one_who_can(small: Engine) -> None:
    pipcount = baseline("pipcount", HYPERGAMMON)
    assert match_duel(pipcount, small, 4, seed=1).double_rate > 0
    with pytest.raises(PlayerError, match="neither pipcount nor pipcount can judge a double"):
        match_duel(pipcount, pipcount, 4, seed=1)
    with pytest.raises(PlayerError, match="two players of the same game"):
        match_duel(pipcount, baseline("pubeval", STANDARD), 4, seed=1)
