"""A network as a player, without look-ahead."""

from ..nets.outcomes import equity
from .evaluator import Evaluator
from .player import ValuePlayer


def network_player(name: str, evaluator: Evaluator, scoring: str = "english") -> ValuePlayer:
    """The player that makes the play with the best cubeless equity.

    Args:
        name: how tables call it.
        evaluator: what it believes.
        scoring: what games are played for, a key of ``SCORINGS``.
    """
    return ValuePlayer(
        name, evaluator.variant, lambda rows: equity(evaluator.outcomes(rows), scoring)
    )
