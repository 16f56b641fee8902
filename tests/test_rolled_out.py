"""Rollouts seen by the side that asks, valued at its score."""

import numpy as np
import pytest

from bgnet.engine.engine import Engine
from bgnet.engine.rolled_out import roll_out_plays, roll_out_position, rolled_out_cube
from bgnet.engine.rollout import RolloutError, Settings
from bgnet.game.board import place
from bgnet.game.match import MatchError, MatchState
from bgnet.game.scoring import SCORINGS
from bgnet.position import Position

LAST_ROLL = Position.parse("XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10")
#: X bears off with 61 and wins; or he plays 6/5/off, and O, who needs one roll, wins.
WINS = Position(place({6: 1, 1: 1}, {1: 1}), roll="61")
SHORT = Settings(games=216, truncate=3)


def test_a_certain_position(engine: Engine) -> None:
    found = roll_out_position(engine, LAST_ROLL, SHORT)
    assert found.equity == pytest.approx(1 / 18, abs=1e-6)
    assert found.equity_error == pytest.approx(0, abs=1e-6)
    cube = rolled_out_cube(engine, LAST_ROLL, found)
    assert cube.action == "double, take"
    assert cube.double_take == pytest.approx(1 / 9, abs=1e-6)


def test_plays_are_seen_by_the_side_that_plays(engine: Engine) -> None:
    position = Position(roll="31")
    plays = engine.rank(position)[:3]
    found = roll_out_plays(engine, position, plays, SHORT)
    raw = engine.rollout([play.position for play in plays], SHORT)
    assert [-f.equity for f in found] == pytest.approx(raw.equities.tolist())
    assert [f.equity_error for f in found] == pytest.approx(raw.equity_errors.tolist())
    best = int(np.argmin(raw.equities))
    assert (found[best].lost, found[best].lost_error) == (0, 0)
    for n, said in enumerate(found):
        gap, error = raw.difference(n, best)
        assert (said.lost, said.lost_error) == pytest.approx((gap, error))


def test_plays_at_a_score_are_valued_by_its_utility(engine: Engine) -> None:
    match = MatchState(length=3, score=1)
    position = Position(roll="31", match=match)
    plays = engine.rank(position)[:2]
    utility = engine.utility(match)
    assert utility
    for said in roll_out_plays(engine, position, plays, SHORT):
        assert said.equity == pytest.approx(
            float(utility(np.array([said.outcomes]))[0]), abs=1e-6
        )
        assert said.equity_error > 0
    # At double match point only games won count, and errors are twice those of their chance.
    last = Position(roll="31", match=MatchState(length=1))
    for said in roll_out_plays(engine, last, engine.rank(last)[:2], SHORT):
        assert said.equity == pytest.approx(2 * sum(said.outcomes[:3]) - 1, abs=1e-6)
        assert said.equity_error == pytest.approx(2 * said.chance_errors[0], abs=1e-6)


def test_a_play_that_wins_is_certain(engine: Engine) -> None:
    plays = engine.rank(WINS)
    found = roll_out_plays(engine, WINS, plays, SHORT)
    over = [n for n, play in enumerate(plays) if play.position.result]
    assert over
    for n in over:
        assert found[n].equity == SCORINGS["english"][:3] @ found[n].outcomes[:3] >= 1
        assert found[n].equity_error == 0


def test_nothing_to_roll_out(engine: Engine) -> None:
    over = Position([0] * 24 + [-15, 0])
    with pytest.raises(RolloutError, match="finished game"):
        roll_out_position(engine, over, SHORT)
    beavered = Position(LAST_ROLL.board, match=MatchState(beavers=True).double().beaver())
    with pytest.raises(MatchError, match="only be answered"):
        rolled_out_cube(engine, beavered, roll_out_position(engine, beavered, SHORT))
