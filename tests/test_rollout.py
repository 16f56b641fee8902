"""Rollouts against exact chances and a game-by-game twin; dice, jobs, stopping, refusals."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from guesswork import guesswork, wanderings

from bgnet.engine import rollout as module
from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.rollout import CHUNK, Rollout, RolloutError, Settings, rollout
from bgnet.engine.rollout_chunk import ROTATION, Chunk, play
from bgnet.engine.search import Search
from bgnet.game import dice
from bgnet.game.board import place
from bgnet.game.scoring import ONGOING, SCORINGS
from bgnet.game.variants import HYPERGAMMON, RUSSIAN, Variant
from bgnet.nets.outcomes import equity, flip

OPENING = HYPERGAMMON.starts(1)
RACE = place({12: 1, 11: 1, 9: 1}, {12: 1, 10: 1, 9: 1})[None]


def racer() -> Evaluator:
    """Hypergammon by the pip count: a fair judge of who is ahead."""

    def logits(rows: np.ndarray) -> np.ndarray:
        mine, his = HYPERGAMMON.pip_counts(rows).T.astype(np.float32)
        lead = (his - mine + 4) / 10
        return np.stack([lead, lead - 1, lead - 3, -lead, -lead - 1, -lead - 3], axis=1)

    return Evaluator(HYPERGAMMON, logits)


def slow_game(evaluator: Evaluator, row: np.ndarray, throws: list[np.ndarray]
              ) -> tuple[np.ndarray, np.ndarray]:
    """Result and luck of one game, one throw at a time; an opinion when the throws run out."""
    variant = evaluator.variant

    def best(row: np.ndarray, roll: np.ndarray) -> tuple[np.ndarray, bool, np.ndarray]:
        plays = variant.legal_plays(row[None], roll[None])
        again = np.zeros(len(plays.boards), bool) if plays.again is None else plays.again
        seen = [
            judged if same else flip(judged)
            for judged, same in zip(evaluator.outcomes(plays.boards), again, strict=True)
        ]
        values = [sum(w * x for w, x in zip(SCORINGS["english"], one, strict=True)) for one in seen]
        i = int(np.argmax(values))
        return plays.boards[i], bool(again[i]), seen[i]

    mine, luck = True, np.zeros(6)
    for thrown in throws:
        forced = variant.forced_rolls(row[None])[0]
        if not forced[0]:
            every = [best(row, roll)[2] for roll in dice.ROLLS]
            gained = best(row, thrown)[2] - np.average(every, axis=0, weights=dice.CHANCES)
            luck += gained if mine else flip(gained)
        row, again, outcomes = best(row, forced if forced[0] else thrown)
        result = outcomes if mine else flip(outcomes)
        mine ^= not again
        if variant.result(row[None])[0] != ONGOING:
            break
    return result, luck


@pytest.mark.parametrize(
    "variant, turns", [(HYPERGAMMON, 60), (RUSSIAN, 8)], ids=["hypergammon", "russian"]
)
def test_games_are_those_of_the_slow_twin(variant: Variant, turns: int) -> None:
    rows = wanderings(variant, 200, seed=1)
    short = rows[np.argsort(variant.pip_counts(rows).sum(axis=1), kind="stable")[:2]]
    chunk = Chunk(short, np.array([0, 77, 1295]), np.random.SeedSequence(5), 0, turns, True,
                  "english")  # fmt: skip
    evaluator = guesswork(variant)
    results, luck = play(evaluator, chunk)
    throws = list(islice(chunk.throws(), turns))
    for i, row in enumerate(short):
        for game in range(3):
            result, gained = slow_game(evaluator, row, [throw[game] for throw in throws])
            np.testing.assert_allclose(results[i, game], result, atol=1e-6)
            np.testing.assert_allclose(luck[i, game], gained, atol=1e-4)


@pytest.fixture(scope="module")
def full() -> Rollout:
    """A race, by the pip count."""
    return rollout(racer, RACE, Settings(games=5 * CHUNK, seed=3))


@cache
def exact_wins(row: tuple[int, ...]) -> float:
    """Chance that the side to roll wins a hypergammon game played by ``racer``."""
    evaluator, board = racer(), np.array(row, np.int8)[None]
    result = HYPERGAMMON.result(board)[0]
    if result != ONGOING:
        return float(result < 3)
    total = 0.0
    for roll, chance in zip(dice.ROLLS, dice.CHANCES, strict=True):
        plays = HYPERGAMMON.legal_plays(board, roll[None])
        best = int(np.argmin(equity(evaluator.outcomes(plays.boards))))
        total += chance * (1 - exact_wins(tuple(plays.boards[best].tolist())))
    return total


@pytest.mark.parametrize("reduce_variance", [True, False])
def test_the_mean_is_the_exact_chance(reduce_variance: bool) -> None:
    race = place({6: 1, 3: 1}, {7: 1})
    exact = exact_wins(tuple(race.tolist()))
    settings = Settings(games=432, reduce_variance=reduce_variance, seed=2)
    found = rollout(racer, race[None], settings)
    error = np.hypot(*found.outcome_errors[0, :2])  # two kinds of a win at most here
    assert 0.3 < exact < 0.9 and error < 0.04
    assert abs(found.outcomes[0, :3].sum() - exact) < 3 * error + 1e-6


def test_reduction_changes_the_spread_and_not_the_mean(full: Rollout) -> None:
    plain = rollout(racer, RACE, Settings(games=full.games, seed=3, reduce_variance=False))
    np.testing.assert_array_equal(full.results, plain.results)  # the same games
    assert full.variance_ratios[0] > 3 and plain.variance_ratios[0] == 1
    assert plain.equity_errors[0] > 1.7 * full.equity_errors[0]
    assert abs(full.equities[0] - plain.equities[0]) < 4 * plain.equity_errors[0]
    np.testing.assert_allclose(full.outcomes.sum(), 1, atol=1e-6)


def test_luck_is_zero_on_average_in_russian_backgammon() -> None:
    rows = wanderings(RUSSIAN, 1, seed=4)
    found = rollout(lambda: guesswork(RUSSIAN), rows, Settings(games=150, truncate=4, seed=1))
    luck = found.luck @ SCORINGS["english"]
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(luck.size)


def test_the_first_two_throws_of_a_rotation_are_all_pairs() -> None:
    chunks = module._chunks(OPENING, Settings(games=2 * ROTATION))
    firsts, seconds = [], []
    for chunk in chunks[: len(chunks) // 2]:
        throws = chunk.throws()
        firsts.append(next(throws))
        seconds.append(next(throws))
    pairs = np.concatenate([np.concatenate(firsts), np.concatenate(seconds)], axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs) == 36 * 36


def test_a_seed_decides_and_jobs_do_not() -> None:
    settings = Settings(games=CHUNK + 30, seed=7)
    told: list[int] = []
    one = rollout(racer, RACE, settings, jobs=1, progress=told.append)
    two = rollout(racer, RACE, settings, jobs=2)
    np.testing.assert_array_equal(one.results, two.results)
    np.testing.assert_array_equal(one.luck, two.luck)
    assert told == [CHUNK, 30] and one.games == CHUNK + 30
    other = rollout(racer, RACE, Settings(games=CHUNK + 30, seed=8))
    assert not np.array_equal(one.results, other.results)


def test_it_stops_when_it_knows_well_enough(full: Rollout) -> None:
    aim = float(full.equity_errors[0] * 1.2)
    settings = Settings(games=full.games, seed=3, standard_error=aim)
    found = rollout(racer, RACE, settings)
    assert found.games < full.games and found.equity_errors[0] <= aim
    np.testing.assert_array_equal(found.results, full.results[:, : found.games])


def test_cut_off_games_end_in_an_opinion() -> None:
    """One turn, every throw equally often: look-ahead of one ply, no spread left."""
    found = rollout(racer, OPENING, Settings(truncate=1))
    np.testing.assert_allclose(found.outcomes, Search(racer(), 1).outcomes(OPENING), atol=1e-5)
    assert found.equity_errors[0] < 1e-6
    two = rollout(racer, OPENING, Settings(truncate=2))
    np.testing.assert_allclose(two.outcomes, Search(racer(), 2).outcomes(OPENING), atol=1e-5)


def test_what_a_table_knows_is_not_played() -> None:
    class Tables(Exact):
        def covers(self, rows: np.ndarray) -> np.ndarray:
            return ~HYPERGAMMON.contact(rows)

        def outcomes(self, rows: np.ndarray) -> np.ndarray:
            return np.tile(np.array([0.6, 0, 0, 0.4, 0, 0], np.float32), (len(rows), 1))

    evaluator = Evaluator(HYPERGAMMON, racer().logits, Tables())
    race = place({6: 2}, {6: 2})[None]
    found = rollout(lambda: evaluator, race)
    assert found.equity_errors.tolist() == [0] and np.isnan(found.variance_ratios[0])
    np.testing.assert_allclose(found.outcomes, [[0.6, 0, 0, 0.4, 0, 0]])
    played = rollout(lambda: evaluator, OPENING, Settings(games=CHUNK))
    shares = {tuple(np.round(result, 3)) for result in played.results[0].tolist()}
    assert (0.6, 0, 0, 0.4, 0, 0) in shares


def test_moves_are_compared_with_common_dice() -> None:
    plays = HYPERGAMMON.legal_plays(OPENING, np.array([[6, 5]], np.int8))
    rows = np.concatenate([plays.boards[:2], plays.boards[:1]])
    found = rollout(racer, rows, Settings(games=4 * CHUNK, truncate=4))
    assert found.difference(0, 2) == (0, 0)
    gap, error = found.difference(0, 1)
    assert gap == pytest.approx(found.equities[0] - found.equities[1])
    assert error < 0.9 * np.hypot(*found.equity_errors[:2])


def test_both_sides_may_look_ahead() -> None:
    deep = rollout(racer, OPENING, Settings(games=40, ply=1, seed=1))
    shallow = rollout(racer, OPENING, Settings(games=40, seed=1))
    assert not np.array_equal(deep.results, shallow.results)
    assert abs(deep.equities[0] - shallow.equities[0]) < 0.8


def test_it_refuses_what_cannot_be_rolled_out() -> None:
    over = np.concatenate([OPENING, place({}, {1: 1})[None]])
    with pytest.raises(RolloutError, match="position 2 is a finished game"):
        rollout(racer, over)
    for wrong, message in (
        ({"games": 1}, "at least two games, not 1"),
        ({"truncate": 0}, "after one turn or more, not 0"),
        ({"standard_error": -0.1}, "not negative"),
        ({"scoring": "french"}, "no scoring is called 'french'"),
    ):
        with pytest.raises(RolloutError, match=message):
            Settings(**wrong)
