"""How strong a network in training is: duels against baselines."""

from dataclasses import replace

from bgnet.arena.duel import duel
from bgnet.engine import baselines
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.networks import evaluator_of
from bgnet.engine.search import Search
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Checkpoint

from .config import Config, ConfigError, override


def measure(evaluator: Evaluator, config: Config) -> dict[str, float]:
    """Duels against the opponents that a config names, always with the same dice.

    Returns:
        The numbers ``duel/NAME``, ``duel_error/NAME`` and ``duel_wins/NAME``.
    """
    variant = VARIANTS[config.variant]
    player = Search(evaluator, 0, config.scoring)
    numbers = {}
    for name in config.opponents:
        opponent = baselines.player(name, variant, config.scoring)
        result = duel(player, opponent, config.duel_games, config.seed, config.scoring)
        numbers[f"duel/{name}"] = result.ppg
        numbers[f"duel_error/{name}"] = result.standard_error
        numbers[f"duel_wins/{name}"] = result.win_rate
    return numbers


def config_of(checkpoint: Checkpoint) -> Config:
    """The settings that a network was trained with.

    Raises:
        ConfigError: its history tells of settings that this version does not know.
    """
    settings = checkpoint.history.get("config", {})
    if not isinstance(settings, dict):
        raise ConfigError(f"the network's history: config must be a table, not {settings!r}")
    return override(Config(variant=checkpoint.variant), settings, "the network's history")


def measured(checkpoint: Checkpoint, games: int) -> Checkpoint:
    """The same with its strength in its history, by duels as of a training run.

    Raises:
        ConfigError: see ``config_of``.
    """
    config = config_of(checkpoint)
    strength = measure(evaluator_of(checkpoint, fast=True), replace(config, duel_games=games))
    return replace(checkpoint, history=checkpoint.history | {"strength": strength})
