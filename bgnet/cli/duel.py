"""``bgnet duel``: two players, many games, points a game with a standard error."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from tqdm import tqdm

from ..arena.duel import DECISIONS, duel
from ..arena.match_duel import match_duel
from ..engine.met import LONGEST
from ..engine.player import Player
from ..frontends.players import player
from ..game.scoring import SCORINGS
from .arguments import Parser, UsageError, at_least, variant
from .display import json_line

PLAYERS = """\
A player is a baseline (random, pipcount, foster, pubeval; prime in Russian
backgammon; gnubg and gnubg@1 with the peers extra), a shipped network's name, the
path of a checkpoint, or default, the shipped network of the variant. @N behind a
network looks N plies ahead."""
_DESCRIPTION = f"""\
Let two players play each other. Games are played in pairs: both of a pair have
the same dice, and the player who opened the first sits on the other side in the
second. Points a game and rates are those of A. With the cube, a player without a
network leaves doubles to the judgement of its opponent's.

{PLAYERS}"""
_EXAMPLES = """\
  bgnet duel default pubeval --games 2000
  bgnet duel default foster --scoring american --seed 7 --json
  bgnet duel default default --scoring american --b-scoring english
  bgnet duel runs/mine/net.safetensors default@1 --games 200
  bgnet duel default pubeval --match 5 --games 200"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet duel``; see ``bgnet.cli.main``."""
    parser = Parser("duel", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("a", metavar="A", help="a player, whose view the result takes")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_games(1000)
    parser.add_argument("--match", type=at_least(1, LONGEST), metavar="N",
                        help="matches to N points; --games counts matches")  # fmt: skip
    parser.add_argument("--cube", action="store_true",
                        help="money games with the doubling cube")  # fmt: skip
    parser.add_game()
    parser.add_argument("--b-scoring", choices=SCORINGS, metavar="SCORING",
                        help="what B plays for, if not for what the games count")  # fmt: skip
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    lots = np.random.SeedSequence(args.seed).generate_state(2).tolist()
    aims = (args.scoring, args.b_scoring or args.scoring)
    decisions = args.games * (args.match or 1) * DECISIONS
    a, b = (
        player(name, variant(args), aim, seed, decisions)
        for name, aim, seed in zip((args.a, args.b), aims, lots, strict=True)
    )
    if args.match is not None or args.cube:
        return _with_cube(a, b, args)
    with tqdm(total=args.games, unit=" games", disable=None) as bar:
        result = duel(a, b, args.games, args.seed, args.scoring, bar.update)
    answer = {"seed": args.seed, **result.to_dict(), "a_scoring": aims[0], "b_scoring": aims[1]}
    print(json_line(answer) if args.json else result)
    return 0


def _with_cube(a: Player, b: Player, args: argparse.Namespace) -> int:
    """Matches, or money games with the cube."""
    if args.cube and args.match is not None:
        raise UsageError("--match is played with the cube anyway; --cube is for money games")
    unit = " matches" if args.match else " games"
    with tqdm(total=args.games, unit=unit, disable=None) as bar:
        result = match_duel(a, b, args.games, args.seed, args.match or 0, args.scoring, bar.update)
    print(json_line({"seed": args.seed, **asdict(result)}) if args.json else result)
    return 0
