"""The engine answers in the game's words what its network believes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.arena.duel import duel
from bgnet.engine import networks
from bgnet.engine.engine import LEVELS, Engine, EngineError
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.player import PlayerError
from bgnet.engine.players import TORCH_PAYS, player
from bgnet.game.dice import ROLLS
from bgnet.game.match import MatchState
from bgnet.game.variants import NACKGAMMON, RUSSIAN, STANDARD, Variant
from bgnet.nets.checkpoint import CheckpointError
from bgnet.position import NotationError, Position, PositionError


def positions() -> list[Position]:
    """Positions of a random game, dice thrown."""
    rng = np.random.default_rng(3)
    found, position = [], Position()
    while len(found) < 30 and not position.result:
        position = position.rolled(rng.choice(ROLLS).tolist())
        found.append(position)
        plays = position.legal_plays()
        position = plays[rng.integers(len(plays))].position
    return found


def test_plays_are_worth_what_they_lead_to(engine: Engine) -> None:
    for position in positions()[:5]:
        for play in engine.rank(position):
            after = engine.evaluate(play.position)
            assert play.equity == pytest.approx(-after.equity, abs=1e-6)
            assert play.outcomes == pytest.approx(
                after.outcomes[3:] + after.outcomes[:3], abs=1e-6
            )
            assert position.play(play.text) == play.position


def test_a_side_that_goes_on_keeps_its_own_view(tmp_path: Path) -> None:
    engine = Engine.load(str(tiny_network(tmp_path, "russian", "russian")), "russian")
    rng = np.random.default_rng(2)
    position, seen = Position(variant=RUSSIAN), set()
    for _ in range(40):
        forced = RUSSIAN.forced_rolls(position.board[None])[0].tolist()
        ranked = engine.rank(position, forced if forced[0] else rng.choice(ROLLS).tolist())
        for play in ranked[:3]:
            goes_on = play.position.match.seat == position.match.seat
            sign = 1 if goes_on else -1
            seen.add(sign)
            after = engine.evaluate(play.position).equity
            assert play.equity == pytest.approx(sign * after, abs=1e-6)
        position = ranked[0].position
        if position.result:
            break
    assert seen == {1, -1}


def test_every_legal_play_is_ranked_the_best_first(engine: Engine) -> None:
    for position in positions():
        ranked = engine.rank(position)
        assert sorted(p.text for p in ranked) == sorted(p.text for p in position.legal_plays())
        equities = [play.equity for play in ranked]
        assert equities == sorted(equities, reverse=True)


def test_many_at_once_are_the_same_as_one_by_one(engine: Engine) -> None:
    game = positions()
    for together, position in zip(engine.rank_many(game), game, strict=True):
        alone = engine.rank(position)
        assert [play.text for play in together] == [play.text for play in alone]
        assert [p.equity for p in together] == pytest.approx([p.equity for p in alone], abs=1e-6)
    equities = [evaluation.equity for evaluation in engine.evaluate_many(game)]
    assert equities == pytest.approx([engine.evaluate(p).equity for p in game], abs=1e-6)
    assert engine.rank_many([]) == engine.evaluate_many([]) == []


def test_look_ahead_ranks_what_it_looked_into_first(net: str) -> None:
    engine = Engine.load(net, ply=1)
    ranked = engine.rank(Position(), "31")
    assert engine.name == f"{net}@1"
    assert ranked[0].plies == 1
    plies = [play.plies for play in ranked]
    assert plies == sorted(plies, reverse=True)


def test_chooses_for_the_arena_what_it_plays_for_people(engine: Engine) -> None:
    game = positions()
    boards = np.array([p.board for p in game])
    rolls = np.array([p.roll for p in game], np.int8)
    plays = STANDARD.legal_plays(boards, rolls)
    chosen = plays.boards[engine.choose(boards, rolls, plays)]
    for position, row in zip(game, chosen, strict=True):
        assert (engine.best_play(position).position.board == row).all()


def test_weaker_levels_err_more_and_the_same_under_a_seed(net: str, engine: Engine) -> None:
    lost = {}
    for level in LEVELS:
        learner = Engine.load(net, level=level, rng=5)
        again = Engine.load(net, level=level, rng=5)
        played = [learner.best_play(position) for position in positions()]
        assert played == [again.best_play(position) for position in positions()]
        best = [engine.best_play(position).equity for position in positions()]
        lost[level] = sum(best) - sum(play.equity for play in played)
    assert lost["beginner"] > lost["casual"] > lost["club"] >= lost["expert"] == 0


def test_a_level_spoils_play_but_not_what_is_said(net: str, engine: Engine) -> None:
    learner = Engine.load(net, level="beginner", rng=1)
    assert learner.rank(Position(), "31") == engine.rank(Position(), "31")
    assert learner.evaluate(Position()) == engine.evaluate(Position())


def test_an_engine_is_level_with_itself_and_not_with_its_beginner(engine: Engine) -> None:
    assert duel(engine, engine, 20, seed=1).ppg == 0
    beginner = replace(engine, noise=LEVELS["beginner"], rng=np.random.default_rng(1))
    assert duel(beginner, engine, 20, seed=1).ppg != 0


def test_american_scoring_counts_wins_alone(net: str) -> None:
    american = Engine.load(net, scoring="american")
    evaluation = american.evaluate(Position())
    wins = sum(evaluation.outcomes[:3])
    assert evaluation.equity == pytest.approx(2 * wins - 1, abs=1e-6)


def test_finished_games_are_certain(engine: Engine) -> None:
    won = Position([0] * 24 + [-15, 0])
    assert won.result == "win gammon"
    assert engine.evaluate(won).outcomes == (0, 1, 0, 0, 0, 0)
    assert engine.evaluate(won).equity == 2
    with pytest.raises(PositionError, match="over"):
        engine.rank(won, "31")


@pytest.mark.parametrize(
    ("xgid", "nothing"),
    [
        # Both sides have men off: no gammon (a bug of wildbg 27, of gnubg before 2004).
        ("XGID=-CBCba---c---------b-b-bb-:0:0:1:00:0:0:0:0:10", (1, 2, 4, 5)),
        ("XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10", (1, 2, 4, 5)),
        # The opponent has men off, the side on roll has none: only it can lose a gammon.
        ("XGID=------B-B--AAA----AcbeDcC-:0:0:1:00:0:0:0:0:10", (1, 2)),
    ],
)
def test_what_cannot_happen_has_no_chance(
    engine: Engine, xgid: str, nothing: tuple[int, ...]
) -> None:
    outcomes = engine.evaluate(Position.parse(xgid)).outcomes
    assert [outcomes[i] for i in nothing] == [0.0] * len(nothing)
    assert sum(outcomes) == pytest.approx(1)


def test_bear_off_is_exact(engine: Engine) -> None:
    position = Position.parse("XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10")
    assert engine.evaluate(position).outcomes[0] == pytest.approx(19 / 36, abs=1e-6)


def test_the_same_question_from_the_other_seat_has_the_same_answer(engine: Engine) -> None:
    for x in positions():
        top = Position(x.board, match=MatchState(seat=0))
        o = Position.parse(top.xgid)
        assert o.match.seat == 0 and "-1" in top.xgid
        assert engine.evaluate(o) == engine.evaluate(x)


def test_errors_say_what_would_be_right(net: str, engine: Engine) -> None:
    with pytest.raises(EngineError, match="no game is called 'chess'; there are backgammon, "):
        Engine.load(net, variant="chess")
    with pytest.raises(EngineError, match="no scoring is called"):
        Engine.load(net, scoring="french")
    with pytest.raises(EngineError, match="no level is called 'god'; there are beginner"):
        Engine.load(net, level="god")
    with pytest.raises(EngineError, match="0 to 3 plies, not 9"):
        Engine.load(net, ply=9)
    with pytest.raises(CheckpointError, match="plays backgammon, not hypergammon"):
        Engine.load(net, variant="hypergammon")
    with pytest.raises(EngineError, match="plays backgammon, not nackgammon"):
        engine.evaluate(Position(variant=NACKGAMMON))
    with pytest.raises(NotationError, match="without dice"):
        engine.rank(Position())


# -- players by name -------------------------------------------------------------------------


def test_players_by_name(net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "FOLDER", Path(net).parent)
    assert player("pubeval").name == "pubeval"
    assert player("default").name == "default"
    assert player("backgammon@1").name == "backgammon@1"
    assert player(net).name == net
    assert player(f"{net}@2").name == f"{net}@2"
    own_at = tmp_path / "odd@2"
    own_at.write_bytes(Path(net).read_bytes())
    assert player(str(own_at)).name == str(own_at)


def test_torch_is_loaded_where_it_pays(net: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def load(name: str, variant: Variant, *, fast: bool) -> Evaluator:
        asked.append(fast)
        return networks.load_evaluator(name, variant)

    monkeypatch.setattr("bgnet.engine.engine.load_evaluator", load)
    for look_ahead, decisions in (("", 0), ("", TORCH_PAYS - 1), ("", TORCH_PAYS), ("@1", 3000)):
        player(net + look_ahead, decisions=decisions)
    assert asked == [False, False, True, True]


def test_unknown_players_are_told_the_known_ones(net: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "FOLDER", Path(net).parent)
    with pytest.raises(PlayerError, match=r"'nobody@2'; there are random, .*default, backgammon$"):
        player("nobody@2")
    with pytest.raises(PlayerError, match="foster@2"):
        player("foster@2")
    with pytest.raises(CheckpointError, match="nackgammon"):
        player("default", NACKGAMMON)
    with pytest.raises(EngineError, match="plies"):
        player(f"{net}@17")
