"""``bgnet eval``: what a position is worth, and its plays, ranked."""

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import cast

from ..engine.answers import Analysis
from ..engine.engine import Engine
from ..engine.met import MetError
from ..position import Position
from .arguments import MOST_GAMES, Parser, UsageError, at_least, variant
from .display import json_line
from .study import Study
from .study_json import answer
from .study_page import page

_DESCRIPTION = """\
Evaluate a position for the side to roll, and say what to do about the cube. With
dice, rank every legal play instead, seen by the side that plays. Dice, score and
cube in an XGID or a match id count; --dice overrides the dice.

POSITION is an XGID (with or without XGID=) or a gnubg id, in Russian backgammon a
text that begins with RUS=; without one it is the opening position. "-" reads one
position a line from standard input and answers one JSON object a line; a bad line
is answered by an object with "error" and "line", and the exit status is then 2.

Chances are cumulative, as gnubg prints them: a gammon won is a game won too. They
are those before the roll; the plays have their own. Equity is cubeless, in points;
at a match score, with a turned cube and under the Jacoby rule, plays are ranked by
cubeful equity, where 1 is a single game at the cube as it stands."""
_EXAMPLES = """\
  bgnet eval
  bgnet eval --dice 31 --top 5
  bgnet eval 4HPwATDgc/ABMA --dice 31 --play "13/10 6/5"
  bgnet eval XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10 --json
  bgnet eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:5:10 --ply 1
  bgnet eval --dice 43 --rollout 1296 --top 3
  bgnet eval --variant russian --dice 63
  bgnet eval - < positions.txt > answers.jsonl"""
#: Games of a rollout, and plays that are rolled out, where nothing else is said.
_ROLLOUT, _ROLLED_OUT = 1296, 3
#: Positions in one question to the network.
_BATCH = 256


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet eval``; see ``bgnet.cli.main``."""
    parser = Parser("eval", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("position", nargs="?", metavar="POSITION", help='or "-" for many')
    parser.add_argument("--dice", metavar="31", help="the roll")
    parser.add_argument("--play", metavar='"8/5 6/5"', help="rate your play against the best")
    parser.add_argument("--top", type=at_least(1), metavar="N", help="show the N best plays only")
    parser.add_argument("--rollout", type=at_least(2, MOST_GAMES), nargs="?", const=_ROLLOUT,
                        metavar="GAMES", help=f"play it out so often ({_ROLLOUT}), with dice the "
                        f"{_ROLLED_OUT} best plays or those of --top; 'bgnet rollout' has more "
                        "options")  # fmt: skip
    parser.add_game()
    parser.add_network()
    parser.add_json()
    args = parser.parse(_with_games(sys.argv[2:] if argv is None else argv))
    if args.position == "-" and args.play is not None:
        raise UsageError("--play rates a play of one position: give that position instead of -")
    if args.position == "-" and args.rollout:
        raise UsageError("--rollout plays out one position: give that position instead of -")
    if args.position == "-":
        engine = Engine.load(args.net, args.variant, args.ply, args.scoring)
        return _stream(engine, args)
    position = _position(args.position, args)
    if args.play is not None and position.roll is None:
        raise UsageError("--play needs the roll that it plays: give --dice 31 or the like")
    reached = None if args.play is None else position.play(args.play)
    engine = Engine.load(args.net, args.variant, args.ply, args.scoring)
    study = _study(engine, position, engine.analyse(position))
    if args.rollout:
        study = _rolled_out(engine, study, reached, args)
    yours = next((n for n, play in enumerate(study.plays) if play.position == reached), None)
    if args.json:
        print(json_line(_answer(study, args, yours)))
    else:
        print(page(study, args.top, yours))
    return 0


def _with_games(words: Sequence[str]) -> list[str]:
    """The words with a number behind --rollout, lest it takes a position for one.

    >>> _with_games(["--rollout", "4HPwATDgc/ABMA"])
    ['--rollout=1296', '4HPwATDgc/ABMA']
    """
    return [
        f"--rollout={_ROLLOUT}" if word == "--rollout" and not after.isdigit() else word
        for word, after in zip_longest(words, words[1:], fillvalue="")
    ]


def _study(engine: Engine, position: Position, analysis: Analysis) -> Study:
    """What is known without a rollout."""
    return Study(position, analysis, cubeful=engine.utility(position.match) is not None)


def _rolled_out(engine: Engine, study: Study, reached: Position | None, args: argparse.Namespace
                ) -> Study:
    """The study with the best plays, and the one to be rated, or the position rolled out."""
    from ..engine.rollout import Settings  # not for those who only ask a question
    from .study_rollout import roll_out

    candidates = list(study.plays[: args.top or _ROLLED_OUT])
    candidates += [
        play for play in study.plays[len(candidates) :] if play.position == reached
    ]  # fmt: skip
    settings = Settings(args.rollout, args.ply, scoring=args.scoring, seed=1)
    return roll_out(engine, study, candidates, settings)


def _answer(study: Study, args: argparse.Namespace, yours: int | None = None) -> dict[str, object]:
    """The JSON object of a position."""
    asked = {"scoring": args.scoring, "net": args.net, "ply": args.ply}
    return {**asked, **answer(study, args.top, yours)}


def _position(text: str | None, args: argparse.Namespace) -> Position:
    """The position to evaluate, with the roll to be played if there is one."""
    game = variant(args)
    position = Position(variant=game) if text is None else Position.parse(text, game)
    if args.dice is not None:
        position = position.rolled(args.dice)
        if position.result:
            raise UsageError("the game is over: there is no roll to play")
    return position.rolled(None) if position.result else position


def _stream(engine: Engine, args: argparse.Namespace) -> int:
    """Answer positions from standard input, a line each, as many at once as are waiting."""
    status = number = 0
    for lines in _waiting_lines():
        answers: list[dict[str, object]] = []
        good: list[tuple[int, Position]] = []
        for line in lines:
            number += 1
            answers.append({"line": number})
            try:
                good.append((len(answers) - 1, _position(line, args)))
            except ValueError as error:
                answers[-1]["error"] = str(error)
                status = 2
        found = _analysed(engine, [position for _, position in good])
        for (at, position), analysis in zip(good, found, strict=True):
            if isinstance(analysis, MetError):
                answers[at]["error"] = str(analysis)
                status = 2
            else:
                answers[at] = _answer(_study(engine, position, analysis), args)
        for said in answers:
            print(json_line(said))
        sys.stdout.flush()
    return status


def _analysed(engine: Engine, positions: list[Position]) -> list[Analysis | MetError]:
    """Analyses of positions, or why there is none."""
    try:
        return list(engine.analyse_many(positions))
    except MetError as error:
        if len(positions) == 1:
            return [error]
        return [found for at in positions for found in _analysed(engine, [at])]


def _waiting_lines() -> Iterator[list[str]]:
    """Lines of standard input in batches: all that wait, so that a program that asks one by one
    is answered one by one."""
    stream = cast(io.BufferedReader, sys.stdin.buffer)
    rest = b""
    while chunk := stream.read1(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for start in range(0, len(lines), _BATCH):
            yield [line.decode(errors="replace") for line in lines[start : start + _BATCH]]
    if rest:
        yield [rest.decode(errors="replace")]
