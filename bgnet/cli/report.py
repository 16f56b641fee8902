"""``bgnet report``: networks against the baselines, a table and a plot."""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from ..arena import decisions
from ..arena.duel import DECISIONS
from ..arena.report import Row, markdown_table, measure, plot
from ..engine.baselines import BASELINES
from ..engine.networks import shipped
from ..engine.player import Player, PlayerError
from ..frontends.players import player
from ..game.variants import STANDARD, Variant
from ..nets.checkpoint import load_checkpoint
from .arguments import Parser, UsageError, variant
from .display import json_line, table
from .duel import PLAYERS

_DESCRIPTION = f"""\
Measure players against opponents: points a game with standard errors, games won,
and, in backgammon, the error rate on the yardstick.

Without names all shipped networks of the variant are measured; without --against
their opponents are all baselines that play it.

{PLAYERS}"""
_EXAMPLES = """\
  bgnet report
  bgnet report default runs/mine/net.safetensors --against pubeval --games 400
  bgnet report --plot report.png --markdown"""
_LONGEST = 40  # of a player's name, lest lines are wider than a terminal


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet report``; see ``bgnet.cli.main``."""
    parser = Parser("report", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="a row each")
    parser.add_argument("--against", nargs="+", metavar="PLAYER", help="a column each")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it: .png, .svg or .pdf")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    parser.add_games(1000)
    parser.add_game()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    if args.plot and not args.plot.suffix:
        raise UsageError(f"--plot {args.plot} does not say the format, as report.png does")
    game = variant(args)
    names = args.players or _networks(game)
    if not names:
        raise UsageError(f"there is no shipped network of {game.name}: name the players to measure")
    against = args.against or list(BASELINES)
    each = args.games * len(against) * DECISIONS
    players = [player(name, game, args.scoring, args.seed, each) for name in names]
    opponents = (
        [player(name, game, args.scoring, args.seed, each) for name in args.against]
        if args.against
        else _baselines(game, args.scoring, args.seed)
    )
    yardstick = decisions.read(decisions.YARDSTICK) if game is STANDARD else None
    with tqdm(total=args.games * len(players) * len(opponents), unit=" games", disable=None) as bar:
        rows = measure(
            players, opponents, args.games, args.seed, yardstick, args.scoring, bar.update
        )
    if args.json:
        print(json_line({"seed": args.seed, "players": [_answer(row) for row in rows]}))
    else:
        print(markdown_table(rows) if args.markdown else page(rows))
    if args.plot:
        plot(rows, args.plot)
    return 0


def _networks(game: Variant) -> list[str]:
    """The shipped networks that play this game."""
    return [name for name, path in shipped().items() if load_checkpoint(path).variant == game.name]


def _baselines(game: Variant, scoring: str, seed: int) -> list[Player]:
    """All baselines that can be had for this game."""
    found = []
    for name in BASELINES:
        # One that does not play this game, or whose package is not installed, is left out.
        with contextlib.suppress(PlayerError):
            found.append(player(name, game, scoring, seed))
    return found


def page(rows: Sequence[Row]) -> str:
    """What a terminal shows: player by player, no wider than 80 columns."""
    return "\n\n".join(map(_section, rows))


def _section(row: Row) -> str:
    """A player and its duels, a line each."""
    rates = row.error_rates and f": {row.error_rates.overall} millipoints a decision"
    lines = [["", "points a game", "games won"]]
    for result in row.duels:
        points = f"{result.ppg:+.3f} ± {result.standard_error:.3f}"
        lines.append([f"against {_short(result.b)}", points, f"{result.win_rate:.1%}"])
    return f"{_short(row.player)}{rates or ''}\n{table(lines)}"


def _short(name: str) -> str:
    """A name, or the end of a long path.

    >>> _short("runs/a-very-long-name-of-a-run/net.safetensors")
    '…very-long-name-of-a-run/net.safetensors'
    """
    return name if len(name) <= _LONGEST else "…" + name[1 - _LONGEST :]


def _answer(row: Row) -> dict[str, object]:
    """The JSON object of a player."""
    return {
        "player": row.player,
        "error_rates": row.error_rates.to_dict() if row.error_rates else None,
        "duels": [result.to_dict() for result in row.duels],
    }
