"""The bot for OpenSpiel: whole games against a random player, split doublets, other games."""

import numpy as np
import pytest

from bgnet.engine.engine import Engine, EngineError
from bgnet.game.variants import STANDARD

pyspiel = pytest.importorskip("pyspiel", reason="the peers extra is not installed")

from bgnet.frontends.openspiel import BgnetBot, seen_by  # noqa: E402

pytestmark = pytest.mark.peers


def test_plays_games_to_the_end_as_the_engine_would(engine: Engine) -> None:
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    rng = np.random.default_rng(2)
    same = asked = 0
    for player in (0, 1):
        bot = BgnetBot(engine, player)
        state = game.new_initial_state()
        begun = None  # the board and roll of a turn, and what the engine would make of it
        while not state.is_terminal():
            if state.is_chance_node():
                if begun is not None:
                    asked += 1
                    same += seen_by(state, player) == begun
                    begun = None
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(actions, p=chances)))
            elif state.current_player() == player:
                if begun is None:
                    board = np.array([seen_by(state, player)], np.int8)
                    roll = np.array([state.observation_tensor(player)[-2:]], np.int8)
                    plays = STANDARD.legal_plays(board, roll)
                    row = engine.choose(board, roll, plays)[0]
                    begun = tuple(STANDARD.flip(plays.boards)[row].tolist())
                action = bot.step(state)
                assert action in state.legal_actions()
                state.apply_action(action)
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
    # Rules differ in rare corners, and equal plays may be chosen in another order.
    assert asked > 20 and same >= 0.95 * asked


def test_the_opening_position_is_the_same_to_both(engine: Engine) -> None:
    state = pyspiel.load_game("backgammon").new_initial_state()
    for player in (0, 1):
        assert seen_by(state, player) == tuple(STANDARD.start.tolist())


def test_other_games_and_other_turns_are_refused(engine: Engine) -> None:
    state = pyspiel.load_game("backgammon(hyper_backgammon=true)").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(EngineError, match="this is hypergammon"):
        BgnetBot(engine, state.current_player()).step(state)
    with pytest.raises(EngineError, match="not the turn"):
        BgnetBot(engine, 1 - state.current_player()).step(state)
