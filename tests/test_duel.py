"""Duels: fair seats, common dice, honest error bars, and a slow twin that plays one game."""

from dataclasses import dataclass

import numpy as np
import pytest
import reference

from bgnet.arena import duel as module
from bgnet.arena.duel import duel
from bgnet.engine.baselines import RandomPlayer, pipcount
from bgnet.game import scoring
from bgnet.game.board import START
from bgnet.game.plays import Plays
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, STANDARD, Variant


def random_player(seed: int = 0, variant: Variant = STANDARD) -> RandomPlayer:
    return RandomPlayer(np.random.default_rng(seed), variant)


@dataclass
class Recorder:
    """A player that plays the first row and writes down what it was shown."""

    name: str = "recorder"
    variant: Variant = STANDARD

    def __post_init__(self) -> None:
        self.openings: list[list[int]] = []

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        fresh = (boards == START).all(axis=1)
        self.openings += rolls[fresh].tolist()
        return plays.firsts(len(boards))


@dataclass(frozen=True)
class First:
    """Plays the first row."""

    variant: Variant
    name: str = "first"

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        return plays.firsts(len(boards))


def test_a_player_is_level_with_itself() -> None:
    result = duel(random_player(), random_player(1), 2000, seed=3)
    assert abs(result.ppg) < 4 * result.standard_error
    assert abs(result.win_rate - 0.5) < 0.022 * 1.5  # 1.96 * sqrt(0.25 / 2000), and half as much
    same = duel(pipcount(HYPERGAMMON), pipcount(HYPERGAMMON), 2000, seed=3)
    assert same.ppg == 0 and same.standard_error == 0 and same.win_rate == 0.5


def test_changing_the_sides_negates_the_result() -> None:
    """Both games of each pair are still played, with the same dice."""
    there = duel(pipcount(HYPERGAMMON), First(HYPERGAMMON), 500, seed=5)
    back = duel(First(HYPERGAMMON), pipcount(HYPERGAMMON), 500, seed=5)
    assert there.ppg == -back.ppg != 0
    assert there.standard_error == back.standard_error
    assert there.outcomes == back.outcomes[3:] + back.outcomes[:3]


def test_both_players_open_with_the_same_rolls() -> None:
    a, b = Recorder(), Recorder()
    duel(a, b, 60, seed=1)
    assert len(a.openings) == 30 and a.openings == b.openings
    assert all(high != low for high, low in a.openings)


@pytest.mark.parametrize("variant", [STANDARD, NACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_every_game_comes_to_an_end(variant: Variant) -> None:
    ended: list[int] = []
    result = duel(random_player(0, variant), pipcount(variant), 41, 2, progress=ended.append)
    assert result.games == sum(ended) == 42
    assert sum(result.outcomes) == pytest.approx(1)
    points = np.dot(result.outcomes, scoring.SCORINGS["english"])
    assert result.ppg == pytest.approx(points, abs=1e-6)


def test_a_seed_repeats_the_games_and_scoring_only_counts_them() -> None:
    a, b = pipcount(HYPERGAMMON), First(HYPERGAMMON)
    one = duel(a, b, 300, seed=8)
    assert one == duel(a, b, 300, seed=8) != duel(a, b, 300, seed=9)
    american = duel(a, b, 300, seed=8, scoring="american")
    assert american.outcomes == one.outcomes
    assert american.ppg == pytest.approx(2 * american.win_rate - 1)


def test_more_pairs_than_are_played_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 8)
    result = duel(pipcount(HYPERGAMMON), pipcount(HYPERGAMMON), 50, seed=1)
    assert result.games == 50 and result.ppg == 0


def test_the_error_bar_is_that_of_independent_pairs() -> None:
    results = np.array([[1.0, -1, 2, 1], [-1, 1, 0, 1]])
    pairs = [0, 0, 1, 1]
    assert module.standard_error(results) == pytest.approx(np.std(pairs, ddof=1) / 2)
    spread = [duel(pipcount(HYPERGAMMON), First(HYPERGAMMON), 20, seed=s) for s in range(30)]
    observed = np.std([r.ppg for r in spread], ddof=1)
    assert 0.6 < observed / np.mean([r.standard_error for r in spread]) < 1.6


class Sorted:
    """Of the positions it can reach, as the opponent sees them, plays the greatest or least."""

    variant = HYPERGAMMON

    def __init__(self, greatest: bool) -> None:
        self.name, self.greatest = "greatest" if greatest else "least", greatest

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        order = np.lexsort((*plays.boards.T[::-1], plays.owner))
        ends = np.searchsorted(plays.owner, np.arange(len(boards)), "right") - 1
        return order[ends if self.greatest else plays.firsts(len(boards))]

    def choose_slowly(self, board: reference.Board, roll: tuple[int, int]) -> reference.Board:
        results = reference.legal_results(board, roll)
        return max(results) if self.greatest else min(results)


def test_games_equal_their_slow_twins() -> None:
    """Pairs played by hand, one board at a time, with the plays of the reference."""
    players, pairs = (Sorted(True), Sorted(False)), 12
    outcomes, turns = module._play_pairs(players, pairs, np.random.default_rng(4), lambda n: None)
    for game in (0, 1):
        for pair in range(pairs):
            rng = np.random.default_rng(4)
            board, side, played = reference.HYPERGAMMON_START, game, 0
            roll = HYPERGAMMON.opening_rolls(rng, pairs)[pair]
            while max(board) > 0 > min(board):
                board = players[side].choose_slowly(board, (int(roll[0]), int(roll[1])))
                side, played = 1 - side, played + 1
                luck = np.random.default_rng(int(rng.integers(2**63)))
                roll = luck.integers(1, 7, (pairs, 2), dtype=np.int8)[pair]
            assert played == turns[game, pair]
            # The board is the loser's: he would play next, and the winner has no man left.
            off = sum(count for count in board if count > 0) < 3
            far = board[25] > 0 or any(count > 0 for count in board[19:25])
            level = 0 if off else 1 + far
            first_won = side == 1
            assert outcomes[game, pair] == level + (0 if first_won else 3)


def test_players_of_different_games_are_refused() -> None:
    with pytest.raises(ValueError, match="same game"):
        duel(pipcount(), pipcount(HYPERGAMMON), 10, seed=1)


def test_the_result_as_text_and_as_data() -> None:
    result = duel(pipcount(HYPERGAMMON), First(HYPERGAMMON), 100, seed=1)
    assert str(result).startswith("pipcount against first: +")
    data = result.to_dict()
    assert {"ppg", "standard_error", "games", "win_rate"} <= data.keys()
    assert data["win_gammon_rate"] == pytest.approx(result.outcomes[1] + result.outcomes[2])
