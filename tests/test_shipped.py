"""The networks that come with bgnet: each plays its game, tells its history and knows something."""

from pathlib import Path

import pytest

from bgnet.arena.duel import duel
from bgnet.engine import baselines
from bgnet.engine.networks import evaluator_of, shipped
from bgnet.engine.search import Search
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import load_checkpoint

#: A simple opponent for each game, and the share of games to win against it at the least; with 300
#: games a share strays by 0.03.
_OPPONENTS = {
    "backgammon": ("pubeval", 0.6), "nackgammon": ("pubeval", 0.6),
    "hypergammon": ("pipcount", 0.6), "hypergammon2": ("pipcount", 0.55),
    "russian": ("prime", 0.55),
}  # fmt: skip


@pytest.mark.parametrize("path", shipped().values(), ids=lambda path: path.stem)
def test_it_plays_its_game(path: Path) -> None:
    assert path.stat().st_size < 5_000_000
    checkpoint = load_checkpoint(path)
    assert checkpoint.variant == path.stem
    assert {"games", "steps", "config", "seed", "strength", "git_commit"} <= {
        *checkpoint.history, *checkpoint.history["config"]}  # fmt: skip
    variant = VARIANTS[checkpoint.variant]
    name, least = _OPPONENTS[checkpoint.variant]
    player = Search(evaluator_of(checkpoint, fast=True), 0)
    assert duel(player, baselines.player(name, variant, "english"), 300, 1).win_rate > least
