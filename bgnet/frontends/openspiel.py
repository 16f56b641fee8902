"""A bot for OpenSpiel's backgammon.

OpenSpiel names points 0 to 23, plays two men an action, and splits a doublet into two turns of
two; some plays that the rules of backgammon forbid (the smaller die alone, say) it allows. The
bot looks at what each of its actions can come to by the end of the turn, and chooses the action
that leads to the best of all that.

Needs the package open_spiel: ``pip install "bgnet[peers]"``.
"""

import numpy as np
import pyspiel

from ..engine.engine import Engine, EngineError
from ..game.board import BAR
from ..game.plays import Plays
from ..game.steps import Board

_BAR = 100
_POINTS = 24


class BgnetBot(pyspiel.Bot):
    """An engine at OpenSpiel's table.

    It remembers nothing between its actions, so it can be asked about any state, and by several
    threads; two bots may share an engine.
    """

    def __init__(self, engine: Engine, player_id: int) -> None:
        """
        Args:
            engine: who plays, backgammon or hypergammon.
            player_id: 0 plays x, 1 plays o.
        """
        super().__init__()
        self._engine = engine
        self._player = player_id

    def restart_at(self, state: "pyspiel.State") -> None:
        """Nothing has to be done."""

    def step(self, state: "pyspiel.State") -> int:
        """The action of the engine.

        Args:
            state: of OpenSpiel's backgammon, this bot's turn.

        Raises:
            EngineError: another game than the engine's, or not the bot's turn.
        """
        if state.current_player() != self._player:
            raise EngineError(f"it is not the turn of player {self._player}")
        hyper = state.get_game().get_parameters()["hyper_backgammon"]
        game = "hypergammon" if hyper else "backgammon"
        if game != self._engine.variant.name:
            raise EngineError(f"this is {game}, and the engine plays {self._engine.variant.name}")
        actions = state.legal_actions()
        roll = tuple(int(die) for die in state.observation_tensor(self._player)[-2:])
        ends = [(action, end) for action in actions for end in self._ends(state, action, roll[0])]
        boards = np.array([end for _, end in ends], np.int8)
        if len(actions) == 1:
            return int(actions[0])
        turned = self._engine.variant.flip(boards)
        plays = Plays(turned, np.zeros(len(turned), np.int64))
        board = np.array([seen_by(state, self._player)], np.int8)
        chosen = self._engine.choose(board, np.array([roll], np.int8), plays)
        return int(ends[int(chosen[0])][0])

    def _ends(self, state: "pyspiel.State", action: int, die: int) -> list[Board]:
        """The boards, seen by the bot, that an action can come to by the end of the turn."""
        after = state.child(action)
        board = seen_by(after, self._player)
        # Half a doublet, if the same side goes on without a throw.
        if after.is_terminal() or after.current_player() != self._player:
            return [board]
        return sorted(self._halves(board, die, 2))

    def _halves(self, board: Board, die: int, times: int) -> set[Board]:
        """The boards after a die has been played so many times, or as often as it can be."""
        steps = self._engine.variant.rules.steps
        found: set[Board] = set()
        for source in steps.SOURCES if times else ():
            if board[source] > 0 and steps.fault(board, source, die) is None:
                found |= self._halves(steps.step(board, source, die)[0], die, times - 1)
        return found or {board}


def seen_by(state: "pyspiel.State", player: int) -> Board:
    """The 26 slots of a board as one of OpenSpiel's players sees it.

    Args:
        state: of its backgammon.
        player: 0 moves up OpenSpiel's points, 1 down.
    """
    men = [0] * (BAR + 1)
    for position in range(_POINTS):
        point = _POINTS - position if player == 0 else position + 1
        men[point] = state.board(player, position) - state.board(1 - player, position)
    men[BAR], men[0] = state.board(player, _BAR), -state.board(1 - player, _BAR)
    return tuple(men)
