"""A toy game with rules of its own, to show what a variant needs: backgammon in which nobody is
hit. One adverse man holds a point as well as two, and after a doublet the same side throws again.
"""

import sys

import numpy as np

from bgnet.game.board import place
from bgnet.game.plays import Plays
from bgnet.game.standard import flip, forced_rolls, pip_counts, possible, problem, result
from bgnet.game.steps import Board, Law, Step, sequences
from bgnet.game.steps import fault as standard_fault
from bgnet.game.steps import step as standard_step
from bgnet.game.variants import Variant, standard_columns

__all__ = ["TRUCE", "contact", "flip", "forced_rolls", "legal_plays", "pip_counts", "possible",
           "problem", "result", "steps"]  # fmt: skip


class steps:
    """The single steps, a module in all but name: a single man holds a point."""

    MEN = slice(0, 26)
    SOURCES = tuple(range(25, 0, -1))

    @staticmethod
    def fault(board: Board, source: int, die: int) -> Law | None:
        if source > die and board[source] > 0 and board[source - die] < 0:
            return Law.HELD
        return standard_fault(board, source, die)

    @staticmethod
    def step(board: Board, source: int, die: int) -> tuple[Board, Step]:
        return standard_step(board, source, die)


def contact(rows: np.ndarray) -> np.ndarray:
    """Nobody is ever hit."""
    return np.zeros(len(rows), bool)


def legal_plays(rows: np.ndarray, rolls: np.ndarray) -> Plays:
    """As many dice as possible; slow, one position at a time."""
    boards, owner, again = [], [], []
    for i, (row, (a, b)) in enumerate(zip(rows.tolist(), rolls.tolist(), strict=True)):
        ways = list(sequences(steps, tuple(row), (max(a, b), min(a, b))))
        most = max(len(played) for _, played in ways)
        for after in sorted({left for left, played in ways if len(played) == most}):
            left = np.array(after, np.int8)
            goes_on = a == b and most == 4 and bool((left > 0).any())
            boards.append(left if goes_on else flip(left))
            owner.append(i)
            again.append(goes_on)
    return Plays(
        np.array(boards, np.int8).reshape(-1, 26), np.array(owner, np.int64), np.array(again, bool)
    )


TRUCE = Variant(
    name="truce",
    summary="nobody is hit, and a doublet throws again",
    men=3,
    start=place({24: 1, 23: 1, 22: 1}, {24: 1, 23: 1, 22: 1}),
    columns=standard_columns(3),
    rules=sys.modules[__name__],  # type: ignore[arg-type]  a module that offers them
    rulebook="As in backgammon, but that one man holds a point as well as two.",
    homes_apart=False,  # the tables know nothing of a further throw
)
