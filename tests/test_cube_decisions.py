"""Cube decisions with known answers: what is counted, the file, and gnubg as the referee."""

from pathlib import Path

import numpy as np
import pytest
from peers import peer

from bgnet.arena.cube_decisions import (
    CubeDecisions,
    cube_error_rates,
    draw_cube_decisions,
    read,
    write,
)
from bgnet.arena.decisions import DecisionsError
from bgnet.arena.gnubg_analyst import GnubgAnalyst, find_gnubg
from bgnet.engine.cube_decision import CubeDecision, classify
from bgnet.game.match import MatchState, Owner
from bgnet.game.variants import STANDARD

needs_gnubg = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")


class Says:
    """Does the same thing everywhere."""

    def __init__(self, action: str) -> None:
        self._action = action

    def action(self, row: np.ndarray, state: MatchState) -> CubeDecision:
        return CubeDecision(self._action, True, 0.0, 0.0, 1.0)


class Knows:
    """Decides by the referee's own equities, one position after another."""

    def __init__(self, decisions: CubeDecisions) -> None:
        self._equities = iter(decisions.equities.tolist())

    def action(self, row: np.ndarray, state: MatchState) -> CubeDecision:
        held, taken, passed = next(self._equities)
        return CubeDecision(classify(held, taken, passed), True, held, taken, passed)


def some(*equities: tuple[float, float]) -> CubeDecisions:
    """Decisions at the start of a game with these equities: no double, and double, take."""
    n = len(equities)
    return CubeDecisions(
        STANDARD.starts(n), [MatchState()] * n, np.array([(*pair, 1.0) for pair in equities])
    )


def test_what_wrong_decisions_cost() -> None:
    decisions = some((0.5, 0.8), (0.9, 1.2), (0.2, 0.0))
    timid = cube_error_rates(Says("no double, take"), decisions)
    # Not doubling costs 0.3 and 0.1; the two doubles of the referee: taking the second costs 0.2.
    assert timid.overall.decisions == 5
    assert timid.double.error_rate == pytest.approx(1000 * (0.3 + 0.1 + 0) / 3)
    assert timid.answer is not None
    assert timid.answer.error_rate == pytest.approx(1000 * (0 + 0.2) / 2)
    bold = cube_error_rates(Says("double, pass"), decisions)
    assert bold.double.error_rate == pytest.approx(1000 * 0.2 / 3)
    assert bold.answer is not None
    assert bold.answer.error_rate == pytest.approx(1000 * 0.2 / 2)
    assert bold.match is None and bold.close is None


def test_close_decisions_are_counted_apart() -> None:
    rates = cube_error_rates(Says("double, take"), some((0.3, 0.25), (0.3, -0.5)))
    assert rates.close is not None and rates.clear is not None
    assert rates.close.error_rate == pytest.approx(50)
    assert rates.clear.error_rate == pytest.approx(800)
    assert rates.to_dict()["answer"] is None
    assert "close 50.00" in str(rates)


def test_the_shipped_decisions() -> None:
    decisions = read()
    assert len(decisions) == 500
    assert all(state.may_double for state in decisions.states)
    assert 0.2 < np.mean([state.money for state in decisions.states]) < 0.6
    perfect = cube_error_rates(Knows(decisions), decisions)
    assert perfect.overall.error_rate < 0.01
    assert cube_error_rates(Says("no double, take"), decisions).overall.error_rate > 25


def test_what_is_written_is_read(tmp_path: Path) -> None:
    decisions, path = read(), tmp_path / "some.jsonl"
    write(path, decisions)
    again = read(path)
    assert (again.boards == decisions.boards).all()
    assert again.states == decisions.states
    assert (again.equities == decisions.equities).all()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "holds no decisions"),
        ("{}", "line 1 is no cube decision"),
        ('{"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "equities": [1]}',
         "no three equities"),
        ('{"xgid": "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", "equities": [1,1,1]}',
         "may not double"),
    ],
)  # fmt: skip
def test_broken_files_say_what_is_wrong(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(line)
    with pytest.raises(DecisionsError, match=message):
        read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DecisionsError, match="No such file"):
        read(tmp_path / "none")


@pytest.mark.peers
@needs_gnubg
def test_gnubg_answers_for_the_side_on_roll() -> None:
    state = MatchState(length=5, score=3, opponent_score=1, cube=2, owner=Owner.MINE)
    with GnubgAnalyst() as analyst:
        answers = analyst.ask(STANDARD.starts(2), [MatchState(jacoby=True), state], ply=0)
        again = analyst.ask(STANDARD.starts(1), [state], ply=0)
    assert (again.equities == answers.equities[1:]).all()
    assert answers.outcomes.sum(axis=1) == pytest.approx([1, 1], abs=1e-6)
    assert answers.outcomes[0, :3].sum() == pytest.approx(0.5215, abs=1e-3)
    assert answers.equities[0] == pytest.approx([0.0843, -0.1913, 1], abs=1e-3)


@pytest.mark.slow
@pytest.mark.peers
@needs_gnubg
def test_decisions_are_drawn_from_games_of_gnubg() -> None:
    peer("gnubg_nn")
    decisions = draw_cube_decisions(10, seed=3, ply=0)
    assert len(decisions) == 10 and all(state.may_double for state in decisions.states)
    assert np.isfinite(decisions.equities).all()
