"""How strong a network in training is: duels against baselines."""

from bgnet.arena.duel import duel
from bgnet.engine import baselines
from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.search import Search
from bgnet.game.variants import VARIANTS
from bgnet.nets.network import Weights
from bgnet.nets.torch_network import ValueNet, torch_logits

from .config import Config


def measure(weights: Weights, config: Config, exact: Exact | None) -> dict[str, float]:
    """Duel a network against the opponents that a config names, always with the same dice.

    Returns:
        The numbers ``duel/NAME``, ``duel_error/NAME`` and ``duel_wins/NAME``.
    """
    net = ValueNet(weights.architecture)
    net.load(weights)
    variant = VARIANTS[config.variant]
    evaluator = Evaluator(variant, torch_logits(net), exact)
    player = Search(evaluator, 0, config.scoring)
    numbers = {}
    for name in config.opponents:
        opponent = baselines.player(name, variant, config.scoring)
        result = duel(player, opponent, config.duel_games, config.seed, config.scoring)
        numbers[f"duel/{name}"] = result.ppg
        numbers[f"duel_error/{name}"] = result.standard_error
        numbers[f"duel_wins/{name}"] = result.win_rate
    return numbers
