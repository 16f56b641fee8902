"""Look-ahead against a recursive twin, on every game; filters, memory, equal rows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from guesswork import guesswork, wanderings
from peers import peer

from bgnet.engine import distinct as distinct_module
from bgnet.engine import search as module
from bgnet.engine.distinct import distinct
from bgnet.engine.evaluator import Evaluator, Exact, Scout
from bgnet.engine.search import Filter, Search, SearchError
from bgnet.game import dice
from bgnet.game.board import place
from bgnet.game.scoring import SCORINGS
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, RUSSIAN, STANDARD, Variant
from bgnet.nets.outcomes import flip, from_cumulative

Worth = Callable[[np.ndarray], float]


def points(outcomes: np.ndarray) -> float:
    return float(outcomes @ SCORINGS["english"])


def one_sided(outcomes: np.ndarray) -> float:
    """Worth to the side that asks, not the contrary of what it is to the other."""
    return float(outcomes @ np.array([1, 1.1, 1.2, -0.2, -2, -4], np.float32))


def slow_outcomes(evaluator: Evaluator, row: np.ndarray, ply: int, worth: Worth = points,
                  asks: bool = True) -> np.ndarray:
    """(6,) of the side that rolls, one position and one play at a time."""
    variant = evaluator.variant
    outcomes, known = evaluator.chances(row[None])
    if known[0] or ply == 0:
        return outcomes[0]
    forced = variant.forced_rolls(row[None])[0]
    rolls = [(forced, 1.0)] if forced[0] else zip(dice.ROLLS, dice.CHANCES, strict=True)
    total = np.zeros(6)
    for roll, chance in rolls:
        plays = variant.legal_plays(row[None], roll[None])
        best = None
        for i, after in enumerate(plays.boards):
            again = plays.again is not None and bool(plays.again[i])
            next_asks = asks if again else not asks
            judged = evaluator.outcomes(after[None])[0]
            value = worth(judged if next_asks else flip(judged)) * (1 if asks else -1)
            if best is None or value > best[0]:
                best = value, after, again, next_asks
        assert best is not None
        _, after, again, next_asks = best
        reply = slow_outcomes(evaluator, after, ply - 1, worth, next_asks)
        total += chance * (reply if again else flip(reply))
    return total


class Parity(Exact):
    """Claims to know one position in four, and that it is a gammon won."""

    def covers(self, rows: np.ndarray) -> np.ndarray:
        return (rows.astype(int) ** 2).sum(axis=1) % 4 == 0

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        return np.tile(np.array([0, 1, 0, 0, 0, 0], np.float32), (len(rows), 1))


@pytest.mark.parametrize(
    "variant, ply, n",
    [(STANDARD, 1, 6), (NACKGAMMON, 1, 2), (HYPERGAMMON, 1, 20), (HYPERGAMMON, 2, 2),
     (RUSSIAN, 1, 6)],
    ids=lambda value: getattr(value, "name", value),
)  # fmt: skip
@pytest.mark.parametrize("worth", [points, one_sided])
def test_outcomes_are_those_of_the_recursive_twin(
    variant: Variant, ply: int, n: int, worth: Worth
) -> None:
    rows = wanderings(variant, n, seed=ply)
    evaluator = guesswork(variant)
    utility = None if worth is points else lambda o: o @ np.array([1, 1.1, 1.2, -0.2, -2, -4])
    found = Search(evaluator, ply, utility=utility).outcomes(rows)
    expected = [slow_outcomes(evaluator, row, ply, worth) for row in rows]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_fixed_roll_is_no_matter_of_chance() -> None:
    rows = wanderings(RUSSIAN, 400, seed=2)
    pending = rows[RUSSIAN.forced_rolls(rows)[:, 0] > 0][:4]
    mixed = np.concatenate([pending, rows[:3]])
    assert len(pending) == 4
    evaluator = guesswork(RUSSIAN)
    search = Search(evaluator, 2)
    assert np.bincount(search.replies(pending).owner).tolist() == [1] * 4
    expected = [slow_outcomes(evaluator, row, 1) for row in mixed]
    np.testing.assert_allclose(Search(evaluator, 1).outcomes(mixed), expected, atol=1e-5)
    np.testing.assert_allclose(
        search.outcomes(pending[:1])[0], slow_outcomes(evaluator, pending[0], 2), atol=1e-5
    )


def test_what_is_known_is_not_looked_into() -> None:
    evaluator = guesswork(HYPERGAMMON, Parity())
    rows = np.concatenate([wanderings(HYPERGAMMON, 30, seed=4), place({}, {1: 1})[None]])
    known = evaluator.chances(rows)[1]
    assert 0 < known.sum() < len(rows)
    for ply in (1, 2):
        sample = rows if ply == 1 else np.concatenate([rows[known], rows[~known][:2]])
        found = Search(evaluator, ply).outcomes(sample)
        expected = [slow_outcomes(evaluator, row, ply) for row in sample]
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert Search(evaluator, 3).outcomes(rows[-1:]).tolist() == [[1, 0, 0, 0, 0, 0]]  # over


@pytest.mark.parametrize("variant", [STANDARD, HYPERGAMMON, RUSSIAN], ids=lambda v: v.name)
def test_plays_are_judged_ply_by_ply(variant: Variant) -> None:
    n = 8
    rows = wanderings(variant, n, seed=5)
    rolls = variant.next_rolls(np.random.default_rng(1), rows)
    plays = variant.legal_plays(rows, rolls)
    evaluator = guesswork(variant)
    keep, within = 3, 0.5
    search = Search(evaluator, 1, filters=(Filter(keep, within),))
    judged = search.play_outcomes(rows, rolls, plays)
    shallow = Search(evaluator, 0).play_outcomes(rows, rolls, plays)
    for i in range(n):
        mine = np.flatnonzero(plays.owner == i)
        ranked = sorted(mine, key=lambda j: -shallow.values[j])
        kept = [j for j in ranked[:keep] if shallow.values[j] >= shallow.values[ranked[0]] - within]
        assert sorted(kept) == [j for j in mine if judged.plies[j] == 1]
        for j in mine:
            again = plays.again is not None and bool(plays.again[j])
            deep = slow_outcomes(evaluator, plays.boards[j], int(judged.plies[j]))
            seen = deep if again else flip(deep)
            np.testing.assert_allclose(judged.outcomes[j], seen, atol=1e-5)
            assert judged.values[j] == pytest.approx(points(seen), abs=1e-5)
        best = search.choose(rows, rolls, plays)[i]
        assert best == judged.best(plays, n)[i] == max(kept, key=lambda j: judged.values[j])
    assert (judged.plies == 0).any() and (judged.plies == 1).any()


def test_a_play_left_behind_is_not_chosen_however_good_it_looked() -> None:
    rows = wanderings(STANDARD, 60, seed=6)
    rolls = dice.roll(np.random.default_rng(2), len(rows))
    plays = STANDARD.legal_plays(rows, rolls)
    search = Search(guesswork(STANDARD), 1, filters=(Filter(2, 0.3),))
    judged = search.play_outcomes(rows, rolls, plays)
    chosen = search.choose(rows, rolls, plays)
    assert (judged.plies[chosen] == 1).all()
    best_of_all = np.maximum.reduceat(judged.values, plays.firsts(len(rows)))
    assert (judged.values[chosen] < best_of_all).any()  # some looked better without a look ahead


def test_a_filter_may_be_left_out() -> None:
    rows = wanderings(HYPERGAMMON, 3, seed=7)
    rolls = dice.roll(np.random.default_rng(3), 3)
    plays = HYPERGAMMON.legal_plays(rows, rolls)
    evaluator = guesswork(HYPERGAMMON)
    judged = Search(evaluator, 2, filters=(Filter(4, 9.0), None)).play_outcomes(rows, rolls, plays)
    assert np.bincount(judged.plies, minlength=3)[1] == 0
    deep = np.bincount(plays.owner[judged.plies == 2])
    assert deep.tolist() == np.minimum(4, np.bincount(plays.owner)).tolist()
    narrow = Search(evaluator, 2, filters=(Filter(4, 9.0), Filter(1, 9.0)))
    judged = narrow.play_outcomes(rows, rolls, plays)
    assert np.bincount(plays.owner[judged.plies == 2]).tolist() == [1, 1, 1]


def test_many_positions_at_once_are_each_as_if_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = wanderings(STANDARD, 12, seed=8)
    evaluator = guesswork(STANDARD)
    together = Search(evaluator, 1).outcomes(rows)
    monkeypatch.setattr(module, "_PARENTS", 5)
    monkeypatch.setattr(module, "_QUESTIONS", 100)
    np.testing.assert_array_equal(Search(evaluator, 1).outcomes(rows), together)
    alone = [Search(evaluator, 1).outcomes(row[None])[0] for row in rows]
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("variant", [STANDARD, RUSSIAN], ids=lambda v: v.name)
def test_only_what_the_scout_finds_promising_is_asked_about(variant: Variant) -> None:
    evaluator, other = guesswork(variant), guesswork(variant)
    scout = Scout(variant, lambda rows: -other.logits(rows), 0.3)
    scouted = Search(replace(evaluator, scout=scout), 1)
    rows = wanderings(variant, 4, seed=11)
    expected, spared = np.zeros((4, 6)), 0
    for i, row in enumerate(rows):
        for roll, chance in zip(dice.ROLLS, dice.CHANCES, strict=True):
            forced = variant.forced_rolls(row[None])
            roll = forced[0] if forced.any() else roll
            plays = variant.legal_plays(row[None], roll[None])
            seen = plays.sign() * (scout.outcomes(plays.boards) @ SCORINGS["english"])
            ranked = np.argsort(-seen, kind="stable")[: Scout.KEEP]
            asked = np.sort(ranked[seen[ranked] >= seen.max() - 0.3])
            spared += len(seen) - len(asked)
            outcomes = evaluator.outcomes(plays.boards[asked])
            if plays.again is None:
                outcomes = flip(outcomes)
            else:
                outcomes = np.where(plays.again[asked, None], outcomes, flip(outcomes))
            expected[i] += chance * outcomes[np.argmax(outcomes @ SCORINGS["english"])]
    assert spared > 100
    np.testing.assert_allclose(scouted.outcomes(rows), expected, atol=1e-5)


def test_what_was_worked_out_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    inner = guesswork(HYPERGAMMON)

    def logits(rows: np.ndarray) -> np.ndarray:
        asked.append(len(rows))
        return inner.logits(rows)

    search = Search(Evaluator(HYPERGAMMON, logits), 1)
    rows = wanderings(HYPERGAMMON, 20, seed=9)
    first = search.outcomes(rows)
    asked.clear()
    np.testing.assert_array_equal(search.outcomes(rows), first)
    assert sum(asked) == len(rows)  # only to learn what is known
    monkeypatch.setattr(module, "_REMEMBERED", 10)
    search.outcomes(wanderings(HYPERGAMMON, 15, seed=10))
    assert len(search._memory) <= 40
    np.testing.assert_array_equal(search.outcomes(rows), first)


def test_memory_tells_plies_and_sides_apart() -> None:
    rows = wanderings(HYPERGAMMON, 4, seed=11)
    utility = lambda o: o @ np.array([1, 1, 1, -0.1, -3, -5])  # noqa: E731
    evaluator = guesswork(HYPERGAMMON)
    search = Search(evaluator, 1, utility=utility)
    mine, his = (search._ahead(rows, np.full(4, asks), 1) for asks in (True, False))
    assert not np.allclose(mine, his)
    np.testing.assert_array_equal(search._ahead(rows, np.ones(4, bool), 1), mine)
    assert not np.allclose(search._ahead(rows, np.ones(4, bool), 2), mine)


def test_nothing_asked_nothing_answered() -> None:
    for variant in (STANDARD, RUSSIAN):
        none = np.zeros((0, variant.width), np.int8)
        rolls = np.zeros((0, 2), np.int8)
        search = Search(guesswork(variant), 2)
        assert search.outcomes(none).shape == (0, 6)
        plays = variant.legal_plays(none, rolls)
        assert search.choose(none, rolls, plays).shape == (0,)
        assert search.play_outcomes(none, rolls, plays).outcomes.shape == (0, 6)


def test_bad_depths_and_filters_are_refused() -> None:
    with pytest.raises(SearchError, match="0 plies or more, not -1"):
        Search(guesswork(STANDARD), -1)
    with pytest.raises(SearchError, match="needs a filter"):
        Search(guesswork(STANDARD), 1, filters=(None,))


def test_names() -> None:
    assert Search(guesswork(STANDARD), 2, label="net").name == "net@2"
    assert Search(guesswork(STANDARD), 0, label="net").name == "net"


def test_distinct_rows_are_those_of_unique(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(-2, 3, (3000, 5)).astype(np.int8)
    which, where = distinct(rows)
    np.testing.assert_array_equal(rows[which][where], rows)
    assert len(which) == len(np.unique(rows, axis=0)) < len(rows)
    monkeypatch.setattr(distinct_module, "_weights", lambda width: np.ones(width))  # all collide
    which, where = distinct(rows)
    np.testing.assert_array_equal(rows[which][where], rows)


@pytest.mark.peers
def test_one_ply_is_gnubgs_one_ply() -> None:
    """With gnubg's own networks as the evaluator."""
    gnubg = peer("gnubg_nn")

    def chances(rows: np.ndarray, ply: int) -> np.ndarray:
        sides = np.maximum(np.stack([STANDARD.flip(rows), rows], axis=1), 0)[:, :, 1:]
        return from_cumulative(np.array([gnubg.probabilities(s, ply) for s in sides.tolist()]))

    def logits(rows: np.ndarray) -> np.ndarray:
        return np.log(np.maximum(chances(rows, 0), 1e-9)).astype(np.float32)

    rows = np.concatenate([STANDARD.starts(1), wanderings(STANDARD, 12, seed=13)])
    found = Search(Evaluator(STANDARD, logits), 1).outcomes(rows)
    np.testing.assert_allclose(found, chances(rows, 1), atol=2e-3)
