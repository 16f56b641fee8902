"""The engine with score and cube: what it ranks plays by, doubles, answers, resignations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgnet.engine.cube import cubeful, worth
from bgnet.engine.cube_search import CubeSearch
from bgnet.engine.engine import Engine, EngineError
from bgnet.engine.rollout import RolloutError, Settings
from bgnet.game.match import MatchError, MatchState, Owner
from bgnet.game.variants import NACKGAMMON
from bgnet.nets.outcomes import flip
from bgnet.position import Position, PositionError

LAST_ROLL = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10"  # 19 of 36 win
GAMMON = "XGID=-A-----------------eee----:0:0:1:00:0:0:0:0:10"  # won for certain
OVER = Position([0] * 24 + [-15, 0])


STATES = [
    MatchState(cube=2, owner=Owner.MINE),
    MatchState(cube=4, owner=Owner.HIS),
    MatchState(jacoby=True),
    MatchState(length=7, score=2, opponent_score=4),
    MatchState(length=5, score=4, opponent_score=3, crawford=True),
]


@pytest.mark.parametrize("match", STATES)
def test_plays_are_ranked_by_what_they_are_worth_with_the_cube(
    engine: Engine, match: MatchState
) -> None:
    won, lost = (float(worth(match, points)) for points in (match.cube, -match.cube))
    ranked = engine.rank(Position(match=match), "31")
    for play in ranked:
        after = np.array(engine.evaluate(play.position).outcomes)
        value = float(cubeful(flip(after)[None], match)[0])
        assert play.equity == pytest.approx((2 * value - won - lost) / (won - lost), abs=1e-5)
    equities = [play.equity for play in ranked]
    assert equities == sorted(equities, reverse=True)
    cubeless = engine.rank(Position(), "31")
    assert {p.text for p in ranked} == {p.text for p in cubeless}
    assert [p.equity for p in ranked] != [p.equity for p in cubeless]


def test_money_with_the_cube_in_the_middle_is_ranked_cubeless(engine: Engine) -> None:
    plain = engine.rank(Position(), "31")
    assert [p.equity for p in plain] == pytest.approx([p.cubeless for p in plain], abs=1e-6)
    assert engine.utility(MatchState(beavers=True)) is None


def test_positions_of_several_scores_at_once(engine: Engine) -> None:
    asked = [Position(match=match, roll=roll) for match in STATES for roll in ("31", "64")]
    for together, position in zip(engine.rank_many(asked), asked, strict=True):
        alone = engine.rank(position)
        assert [play.text for play in together] == [play.text for play in alone]
        assert [p.equity for p in together] == pytest.approx([p.equity for p in alone], abs=1e-6)


def test_with_a_certain_win_a_gammon_counts_only_where_it_pays(engine: Engine) -> None:
    position = Position.parse(GAMMON)
    assert engine.evaluate(position).equity == 2
    jacoby = Position(position.board, match=MatchState(jacoby=True))
    assert engine.evaluate(jacoby).equity == 1
    turned = Position(position.board, match=MatchState(jacoby=True, cube=2, owner=Owner.HIS))
    assert engine.evaluate(turned).equity == 2


def test_cube_action(net: str, engine: Engine) -> None:
    decision = engine.cube_action(Position.parse(LAST_ROLL))
    assert decision.action == "double, take"
    assert decision.no_double == pytest.approx(1 / 18, abs=1e-6)
    assert decision.double_take == pytest.approx(1 / 9, abs=1e-6)
    start = MatchState(length=3, score=1)
    assert engine.cube_action(start) == engine.cube_action(Position(match=start))
    ahead = Engine.load(net, ply=1)
    by_search = CubeSearch(ahead.search.evaluator, 1).action(Position().board, MatchState())
    assert ahead.cube_action(Position()) == by_search


def test_answers(engine: Engine) -> None:
    board = Position.parse(GAMMON).board
    doubled = Position(board, match=MatchState(beavers=True).double())
    assert engine.answer(doubled) == "pass"
    beavered = Position(board, match=doubled.match.beaver())
    assert engine.answer(beavered) == "beaver"  # a raccoon: it wins
    with pytest.raises(MatchError, match="no double to answer"):
        engine.answer(Position())


def test_resignations(engine: Engine) -> None:
    # The last man of O goes off with any throw, and X has none off.
    lost = Position.parse("XGID=------------HG----------a-:0:0:1:00:0:0:0:0:0")
    deep = replace(engine, search=replace(engine.search, ply=2))
    assert deep.resign(lost) == 2
    assert not deep.accepts(lost, 1) and deep.accepts(lost, 2) and deep.accepts(lost, 3)
    assert engine.resign(Position.parse(GAMMON)) == 0
    # At double match point a single game is as good as any.
    last = Position(lost.board, match=MatchState(length=3, score=2, opponent_score=2))
    assert deep.resign(last) == 1 and deep.accepts(last, 1)


def test_an_analysis_is_all_of_it(engine: Engine) -> None:
    before = engine.analyse(Position.parse(LAST_ROLL))
    assert before.cube == engine.cube_action(Position.parse(LAST_ROLL))
    assert (before.plays, before.answer) == ([], None)
    after = engine.analyse(Position(roll="31"))
    assert after.plays == engine.rank(Position(), "31") and after.cube is None
    doubled = engine.analyse(Position.parse(LAST_ROLL.replace(":00:", ":D:")))
    assert doubled.answer == "take" and doubled.cube == before.cube
    over = engine.analyse(OVER)
    assert (over.plays, over.cube, over.answer) == ([], None, None)


def test_rollouts(net: str, engine: Engine) -> None:
    settings = Settings(games=216)
    found = engine.rollout([Position.parse(LAST_ROLL), Position.parse(GAMMON)], settings)
    assert found.equities == pytest.approx([1 / 18, 2], abs=1e-6)
    again = Engine.load(net).rollout([Position()], replace(settings, truncate=2), jobs=2)
    alone = engine.rollout([Position()], replace(settings, truncate=2))
    assert np.array_equal(again.results, alone.results)
    with pytest.raises(EngineError, match="not loaded by name"):
        replace(engine, net=None).rollout([Position()], jobs=2)


def test_what_the_rules_forbid_is_refused_with_the_rule(engine: Engine) -> None:
    with pytest.raises(MatchError, match="no double: a side may double only before it throws"):
        engine.cube_action(Position(roll="31"))
    with pytest.raises(PositionError, match="the game is over: there is nothing to double"):
        engine.cube_action(OVER)
    with pytest.raises(RolloutError, match="a finished game"):
        engine.rollout([OVER])
    with pytest.raises(EngineError, match="plays backgammon, not nackgammon"):
        engine.cube_action(Position(variant=NACKGAMMON))
    with pytest.raises(MatchError, match="no double: the opponent owns the cube"):
        Position.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:0:10")
    assert Path(engine.net or "").is_file()
