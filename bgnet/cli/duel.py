"""``bgnet duel``: two players, many games, points a game with a standard error."""

import sys
from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from ..arena.duel import duel
from ..frontends.players import player
from ..game.scoring import SCORINGS
from .arguments import Parser, variant
from .display import json_line

PLAYERS = """\
A player is a baseline (random, pipcount, foster, pubeval; prime in Russian
backgammon; gnubg and gnubg@1 with the peers extra), a shipped network's name, the
path of a checkpoint, or default, the shipped network of the variant. @N behind a
network looks N plies ahead."""
_DESCRIPTION = f"""\
Let two players play each other. Games are played in pairs: both of a pair have
the same dice, and the player who opened the first sits on the other side in the
second. Points a game and rates are those of A.

{PLAYERS}"""
_EXAMPLES = """\
  bgnet duel default pubeval --games 2000
  bgnet duel default foster --scoring american --seed 7 --json
  bgnet duel default default --scoring american --b-scoring english
  bgnet duel runs/mine/net.safetensors default@1 --games 200"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet duel``; see ``bgnet.cli.main``."""
    parser = Parser("duel", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("a", metavar="A", help="a player, whose view the result takes")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_games(1000)
    parser.add_game()
    parser.add_argument("--b-scoring", choices=SCORINGS, metavar="SCORING",
                        help="what B plays for, if not for what the games count")  # fmt: skip
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    lots = np.random.SeedSequence(args.seed).generate_state(2).tolist()
    aims = (args.scoring, args.b_scoring or args.scoring)
    a, b = (
        player(name, variant(args), aim, seed)
        for name, aim, seed in zip((args.a, args.b), aims, lots, strict=True)
    )
    with tqdm(total=args.games, unit=" games", disable=None) as bar:
        result = duel(a, b, args.games, args.seed, args.scoring, bar.update)
    answer = {"seed": args.seed, **result.to_dict(), "a_scoring": aims[0], "b_scoring": aims[1]}
    print(json_line(answer) if args.json else result)
    return 0
