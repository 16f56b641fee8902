"""The solved games against a solution worked out one position at a time."""

from collections.abc import Iterator

import numpy as np
import pytest
import reference

from bgnet.arena.duel import duel
from bgnet.arena.exact import equity_error, met_in_play
from bgnet.engine.baselines import pipcount
from bgnet.engine.bearoff import Bearoff
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.hypergammon import Solved, SolvedError
from bgnet.engine.search import Search
from bgnet.game.variants import HYPERGAMMON, HYPERGAMMON_1, HYPERGAMMON_2, RUSSIAN
from bgnet.nets.outcomes import equity


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setenv("BGNET_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(scope="module")
def one() -> Solved:
    return Solved(HYPERGAMMON_1)


def solve_one_man() -> dict[tuple[int, ...], float]:
    """Value iteration with dictionaries and the reference rules, in place."""
    start = tuple(HYPERGAMMON_1.start.tolist())
    rolls = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    after: dict[tuple[int, ...], list[list[tuple[int, ...]]]] = {}
    todo = [start]
    while todo:
        board = todo.pop()
        if board in after or not (max(board) > 0 > min(board)):
            continue
        after[board] = [sorted(reference.legal_results(board, roll)) for roll in rolls]
        todo += [b for boards in after[board] for b in boards]
    values = dict.fromkeys(after, 0.0)

    def value(board: tuple[int, ...]) -> float:
        if board in values:
            return values[board]
        # The opponent has just borne off his man; mine is far behind in his home table or on
        # the bar (a backgammon), or it is not (a gammon: it is not off).
        return -3.0 if any(board[19:26]) else -2.0

    for _ in range(60):
        for board, results in after.items():
            values[board] = sum(
                (1 if a == b else 2) / 36 * max(-value(r) for r in boards)
                for (a, b), boards in zip(rolls, results, strict=True)
            )
    return values


def test_one_man_like_a_slow_solution(one: Solved) -> None:
    values = solve_one_man()
    boards = np.array(list(values), np.int8)
    np.testing.assert_allclose(one.equities(boards), list(values.values()), atol=1e-5)
    assert len(boards) > 450  # all that the start leads to


def test_every_position_of_one_man_is_in_the_table(one: Solved) -> None:
    boards = one.positions()
    assert len(np.unique(one.index(boards))) == len(boards) == len(np.unique(boards, axis=0))
    chances = one.outcomes(boards)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-5)
    assert not chances[~HYPERGAMMON_1.possible(boards)].any()


def test_american_wins_count_alike() -> None:
    american = Solved(HYPERGAMMON_1, "american")
    assert 0.20 < american.equities(HYPERGAMMON_1.start[None])[0] < 0.21


def test_the_table_is_read_back_from_the_disk(one: Solved) -> None:
    again = Solved(HYPERGAMMON_1)
    boards = one.positions()
    assert np.array_equal(again.outcomes(boards), one.outcomes(boards))


def test_a_perfect_player_wins(one: Solved) -> None:
    perfect = Search(one.evaluator(), ply=0)
    assert duel(perfect, pipcount(HYPERGAMMON_1), 4000, seed=1).ppg > 0


def test_the_error_of_the_truth_is_none_and_of_ignorance_is_not(one: Solved) -> None:
    boards = one.positions()
    assert equity_error(one.evaluator(), one, boards)[1:] == (0, 0)
    knows_nothing = Evaluator(HYPERGAMMON_1, lambda rows: np.zeros((len(rows), 6), np.float32))
    assert equity_error(knows_nothing, one, boards).mean > 0.1


def test_positions_met_in_play(one: Solved) -> None:
    met = met_in_play(one, 100, np.random.default_rng(2))
    assert (met[:100] == HYPERGAMMON_1.start).all() and 300 < len(met) < 2000
    assert (HYPERGAMMON_1.result(met) == -1).all()


@pytest.mark.parametrize("variant", [HYPERGAMMON, RUSSIAN])
def test_other_games_are_not_solved(variant: object) -> None:
    with pytest.raises(SolvedError, match="is not solved: hypergammon1"):
        Solved(variant)  # type: ignore[arg-type]


@pytest.mark.slow
def test_two_men() -> None:
    two = Solved(HYPERGAMMON_2)
    boards = two.positions()
    # Each value is the mean over the rolls of the best play's.
    rng = np.random.default_rng(1)
    some = boards[rng.choice(len(boards), 300, replace=False)]
    rolls = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    for board, known in zip(some.tolist(), two.equities(some), strict=True):
        mean = sum(
            (1 if a == b else 2) / 36 * max(-equity(_chances(two, results)))
            for a, b in rolls
            for results in [sorted(reference.legal_results(tuple(board), (a, b)))]
        )
        assert mean == pytest.approx(known, abs=2e-5)
    # Once both are home the bear-off tables say the same, but that they play to finish soonest
    # even where saving the gammon is worth a little more.
    bearoff = Bearoff(2)
    home = boards[bearoff.covers(boards)]
    assert len(home) > 500
    np.testing.assert_allclose(two.outcomes(home), bearoff.outcomes(home), atol=5e-3)
    assert (np.abs(two.outcomes(home) - bearoff.outcomes(home)).max(axis=1) < 2e-4).mean() > 0.85


@pytest.mark.slow
def test_perfect_play_for_wins_alone_wins_more_games() -> None:
    evaluator = Solved(HYPERGAMMON_2).evaluator()
    american, english = (Search(evaluator, 0, aim) for aim in ("american", "english"))
    result = duel(american, english, 40_000, seed=1, scoring="american")
    assert result.win_rate - 1.5 * result.win_rate_error > 0.5


def _chances(table: Solved, results: list[tuple[int, ...]]) -> np.ndarray:
    """Exact chances of the positions after a play, finished ones included."""
    return table.outcomes(np.array(results, np.int8))
