"""``bgnet review``: a match gone through, decision by decision."""

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from ..engine.cube_search import CubeSearch
from ..engine.engine import Engine
from ..engine.ratings import CLASSES, Rating, Tally
from ..engine.review import GameReview, Review, review
from ..engine.review_decision import Decision
from ..frontends.review_html import page
from ..frontends.review_words import LEGEND, dice, kind, length, names, position, standing, summary
from ..game.variants import Variant
from ..notation.mat import parse_mat
from ..notation.record import MatchRecord
from ..notation.sgf import parse_sgf
from .arguments import Parser, at_least, variant
from .display import json_line, page_width, table

_DESCRIPTION = """\
Review a match: every decision of a .mat or .sgf file, what would have been best,
and how both players did. Errors are doubtful from 0.02 of equity lost, errors from
0.04, blunders from 0.08; equity is normalised to the cube. The error rate is in
millipoints a decision, plays with only one legal way left out; the performance
rating (PR) is 500 times the mean equity lost a decision, as in eXtreme Gammon.

Whatever depends on a roll to come (luck, the cube) looks at least one roll ahead,
also at 0 plies."""
_EXAMPLES = """\
  bgnet review match.mat
  bgnet review match.sgf --ply 1 --html report.html
  bgnet review match.mat --top 3
  bgnet review match.mat --json > review.json"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet review``; see ``bgnet.cli.main``."""
    parser = Parser("review", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("file", type=Path, metavar="FILE", help="a match, .mat or .sgf")
    parser.add_argument("--html", type=Path, metavar="FILE",
                        help="write a report with drawn boards, one file on its own")  # fmt: skip
    parser.add_argument("--top", type=at_least(0), default=10, metavar="N",
                        help="show the N worst errors (default: %(default)s)")  # fmt: skip
    parser.add_variant()
    parser.add_network()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    record = read_match(args.file, variant(args))
    engine = Engine.load(args.net, record.variant.name, args.ply)
    for warning in record.warnings:
        print(f"bgnet review: {args.file}: {warning}", file=sys.stderr)
    with tqdm(unit=" decisions", disable=None) as bar:

        def progress(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        reviewed = review(record, CubeSearch(engine.search.evaluator, args.ply), progress)
    if args.json:
        print(json_line({"net": args.net, "ply": args.ply, **_answer(reviewed)}))
    else:
        print(_page(reviewed, engine.name, args.top))
    if args.html:
        args.html.write_text(page(reviewed, engine.name), encoding="utf-8")
    return 0


def read_match(path: Path, game: Variant) -> MatchRecord:
    """Read a match of either format, which its contents tell.

    Args:
        path: of the file.
        game: the variant, unless the file names it.

    Raises:
        OSError: the file cannot be read.
        NotationError: with line and column: no match, or a play that the rules forbid.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:  # older programs write their own alphabet
        text = data.decode("latin-1")
    return (parse_sgf if text.lstrip().startswith("(") else parse_mat)(text, game)


# -- for people ------------------------------------------------------------------------------


def _page(reviewed: Review, engine: str, top: int) -> str:
    """Summary, table of the worst errors, and each of them drawn."""
    record, players = reviewed.record, names(reviewed.record)
    parts = [
        f"{players[0]} (O) against {players[1]} (X), {length(record)}: {standing(record)}\n"
        f"Reviewed by {engine}.",
        table([["", *players], *summary(reviewed)]),
    ]
    errors = reviewed.errors
    if errors and top:
        parts.append(_worst(errors[:top], players))
        shown = min(top, len(errors))
        more = f" of {len(errors)}" if shown < len(errors) else ""
        parts.append(f"The worst {shown}{more}, drawn:" if shown > 1 else "Drawn:")
        parts += [_drawn(n, decision, players) for n, decision in enumerate(errors[:top], 1)]
    elif not errors:
        parts.append("No errors.")
    return "\n\n".join([*parts, "\n".join(_wrapped(LEGEND))])


def _wrapped(sentences: Sequence[str]) -> list[str]:
    """Paragraphs in lines of 80."""
    return [line for sentence in sentences for line in textwrap.wrap(sentence, 80)]


def _worst(errors: Sequence[Decision], players: tuple[str, str]) -> str:
    """The table of errors."""
    rows = [["", "player", "dice", "played", "best", "game", "turn", "lost", "class"]]
    for n, decision in enumerate(errors, 1):
        rows.append([f"{n}.", players[decision.player], dice(decision), decision.choice.text,
                     decision.options[0].text, str(decision.game), str(decision.turn),
                     f"{decision.lost:.3f}", kind(decision)])  # fmt: skip
    return table(rows, left=5, width=page_width())


def _drawn(n: int, decision: Decision, players: tuple[str, str]) -> str:
    """A decision with its board and alternatives."""
    head = (f"{n}. Game {decision.game}, turn {decision.turn}: {players[decision.player]} "
            f"({'OX'[decision.player]}) {decision.choice.text}, {kind(decision)}")  # fmt: skip
    rows = [["", "", "equity", "lost", *(["match"] if decision.choice.chance is not None else [])]]
    best = decision.options[0]
    for at, option in enumerate(decision.options):
        mark = "*" if at == decision.made else ""
        lost = f"{best.equity - option.equity:.3f}" if at else ""
        chance = [f"{option.chance:.1%}"] if option.chance is not None else []
        rows.append([mark, option.text, f"{option.equity:+.3f}", lost, *chance])
    return "\n".join([head, str(decision.position), position(decision), table(rows, left=2)])


# -- for programs ----------------------------------------------------------------------------


def _answer(reviewed: Review) -> dict[str, object]:
    """The JSON object of a review."""
    record = reviewed.record
    return {
        "players": list(record.players),
        "length": record.length,
        "variant": record.variant.name,
        "classes": CLASSES,
        "ratings": [_rating(reviewed.rating(player)) for player in (0, 1)],
        "games": [_game(game) for game in reviewed.games],
        "warnings": list(record.warnings),
    }


def _rating(rating: Rating) -> dict[str, object]:
    """The JSON object of a player."""
    return {
        "error_rate": rating.error_rate,
        "performance": rating.performance,
        "plays": vars(rating.plays),
        "cube": vars(rating.cube),
        "classes": _tallies(rating.classes),
        "faults": _tallies(rating.faults),
        "rolls": rating.rolls,
        "luck": rating.luck,
        "luck_chance": rating.luck_chance,
    }


def _tallies(tallies: dict[str, Tally]) -> dict[str, dict[str, object]]:
    return {name: vars(tally) for name, tally in tallies.items()}


def _game(game: GameReview) -> dict[str, object]:
    """The JSON object of a game."""
    return {
        "scores": list(game.record.scores),
        "crawford": game.record.crawford,
        "winner": game.record.winner,
        "points": game.record.points,
        "course": list(game.course),
        "decisions": [_decision(decision) for decision in game.decisions],
    }


def _decision(decision: Decision) -> dict[str, object]:
    """The JSON object of a decision."""
    cube, luck = decision.cube, decision.roll_luck
    return {
        "turn": decision.turn,
        "player": decision.player,
        "topic": decision.topic,
        "position": decision.position.texts,
        "dice": list(decision.position.roll) if decision.position.roll else None,
        "options": [option._asdict() for option in decision.options],
        "legal": decision.legal,
        "made": decision.made,
        "lost": decision.lost,
        "chance_lost": decision.chance_lost,
        "class": decision.error_class or None,
        "fault": decision.fault or None,
        "counted": decision.counted,
        "luck": luck and luck._asdict(),
        "cube": cube and {
            "action": cube.action, "no_double": cube.no_double,
            "double_take": cube.double_take, "double_pass": cube.double_pass,
        },
    }  # fmt: skip
