"""Decisions at the table: score and cube count, limits of time are kept, threads may share."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from bgnet.engine.bearoff import Bearoff
from bgnet.engine.engine import LEVELS, Engine
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.search import Search
from bgnet.frontends.decisions import Decider
from bgnet.game.board import place
from bgnet.game.match import MatchState
from bgnet.game.variants import STANDARD
from bgnet.notation.plays import format_steps
from bgnet.position import Position


def test_plays_what_the_engine_plays_when_there_is_no_cube(engine: Engine) -> None:
    no_cube = MatchState(max_cube=1)
    for roll in ("31", "42", "55", "61"):
        position = Position(roll=roll, match=no_cube)
        assert format_steps(Decider(engine).chequer_play(position)) == engine.best_play(
            Position(roll=roll)
        ).text


def test_the_score_counts() -> None:
    """Wins against gammons: at one point to go only wins count, and then the other play is best."""

    def logits(rows: np.ndarray) -> np.ndarray:
        # Seen by the opponent. 8/5 6/5: the player wins 60%, no gammons; anything else: 55%, 40%
        # of all being gammons.
        point = rows[:, 20] <= -2
        chances = np.where(point[:, None], [0.4, 0, 0, 0.6, 0, 0], [0.45, 0, 0, 0.15, 0.4, 0])
        return np.log(np.maximum(chances, 1e-9)).astype(np.float32)

    decider = Decider(Engine(Search(Evaluator(STANDARD, logits), ply=0)))
    money = Position(roll="31", match=MatchState(max_cube=1))
    one_point = Position(roll="31", match=MatchState(length=1))
    assert format_steps(decider.chequer_play(one_point)) == "8/5 6/5"
    assert format_steps(decider.chequer_play(money)) != "8/5 6/5"


def test_the_cube_is_turned_taken_and_dropped_as_tables_know(engine: Engine) -> None:
    decider = Decider(engine)
    last_roll = place({5: 1, 2: 1}, {1: 1})  # 19 of 36 throws win
    assert decider.doubles(Position(last_roll))
    assert decider.answers(Position(last_roll, match=MatchState().double())) == "take"
    certain = place({1: 1}, {1: 1})
    assert decider.answers(Position(certain, match=MatchState().double())) == "pass"
    hopeless = place({6: 2}, {1: 1})
    beavers = MatchState(beavers=True)
    assert decider.answers(Position(hopeless, match=beavers.double())) == "beaver"
    assert decider.answers(Position(hopeless, match=beavers.double().beaver())) == "pass"
    assert not decider.doubles(Position(last_roll, match=MatchState(length=1)))


def test_lost_races_are_given_up_and_nothing_else(engine: Engine) -> None:
    decider = Decider(engine)
    assert decider.resigns(Position(place({1: 15}, {1: 1}))) == 1
    assert decider.resigns(Position(place({1: 15}, {1: 1}), roll="21")) == 1
    assert decider.resigns(Position(place({1: 1}, {1: 1}))) == 0
    assert decider.resigns(Position()) == 0
    assert decider.accepts(Position(place({1: 15}, {1: 1})), 1)


def test_a_limit_of_time_is_kept() -> None:
    asked = 0

    def slow(rows: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += 1
        time.sleep(0.01)
        return np.zeros((len(rows), 6), np.float32)

    engine = Engine(Search(Evaluator(STANDARD, slow, Bearoff()), ply=3))
    hurried = Decider(engine, seconds=0.15)
    start = time.monotonic()
    assert hurried.chequer_play(Position(roll="31"))
    assert time.monotonic() - start < 2 and asked == 1
    patient = Decider(replace(engine, search=replace(engine.search, ply=1)), seconds=60)
    assert patient.chequer_play(Position(roll="31"))
    assert asked > 2


def test_levels_err_in_what_is_judged(engine: Engine) -> None:
    boards, rolls = STANDARD.starts(1), np.array([[3, 1]], np.int8)
    plays = STANDARD.legal_plays(boards, rolls)
    beginner = replace(engine, noise=LEVELS["beginner"], rng=np.random.default_rng(1))
    best = Decider(engine).judge(boards, rolls, plays)
    felt = Decider(beginner).judge(boards, rolls, plays)
    assert (best.outcomes == felt.outcomes).all() and (best.values != felt.values).any()


def test_threads_may_share_one_player(engine: Engine) -> None:
    decider = Decider(replace(engine, search=replace(engine.search, ply=1)))
    positions = [Position(roll=(a, b)) for a in range(1, 7) for b in range(1, a + 1)]
    alone = [decider.chequer_play(position) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(decider.chequer_play, positions)) == alone
