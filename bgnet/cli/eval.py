"""``bgnet eval``: what a position is worth, and its plays, ranked."""

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from typing import cast

from ..engine.engine import Engine, Evaluation, RankedPlay
from ..position import Position
from .arguments import Parser, UsageError, at_least, variant
from .display import chances, json_line, page_width, table

_DESCRIPTION = """\
Evaluate a position for the side to roll. With dice, rank every legal play, seen
by the side that plays. Dice in an XGID or a match id count; --dice overrides them.

POSITION is an XGID (with or without XGID=) or a gnubg id, in Russian backgammon a
text that begins with RUS=; without one it is the opening position. "-" reads one
position a line from standard input and answers one JSON object a line; a bad line
is answered by an object with "error" and "line", and the exit status is then 2.
Chances are cumulative, as gnubg prints them: a gammon won is a game won too. They
are those before the roll; the plays have their own. Equity is cubeless, in points."""
_EXAMPLES = """\
  bgnet eval
  bgnet eval --dice 31 --top 5
  bgnet eval 4HPwATDgc/ABMA --dice 31 --play "13/10 6/5"
  bgnet eval XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10 --json
  bgnet eval --variant russian --dice 63
  bgnet eval - < positions.txt > answers.jsonl"""
_HEAD = ("win", "gammon", "backgammon", "lose gammon", "backgammon")
#: Positions in one question to the network.
_BATCH = 256


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet eval``; see ``bgnet.cli.main``."""
    parser = Parser("eval", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("position", nargs="?", metavar="POSITION", help='or "-" for many')
    parser.add_argument("--dice", metavar="31", help="the roll")
    parser.add_argument("--play", metavar='"8/5 6/5"', help="rate your play against the best")
    parser.add_argument("--top", type=at_least(1), metavar="N", help="show the N best plays only")
    parser.add_game()
    parser.add_network()
    parser.add_json()
    args = parser.parse(sys.argv[2:] if argv is None else argv)
    if args.position == "-" and args.play is not None:
        raise UsageError("--play rates a play of one position: give that position instead of -")
    if args.position == "-":
        engine = Engine.load(args.net, args.variant, args.ply, args.scoring)
        return _stream(engine, args)
    position = _position(args.position, args)
    if args.play is not None and position.roll is None:
        raise UsageError("--play needs the roll that it plays: give --dice 31 or the like")
    reached = None if args.play is None else position.play(args.play)
    engine = Engine.load(args.net, args.variant, args.ply, args.scoring)
    evaluation = engine.evaluate(position)
    ranked = engine.rank(position) if position.roll else []
    yours = next((n for n, play in enumerate(ranked) if play.position == reached), None)
    if args.json:
        print(json_line(_answer(position, evaluation, ranked, yours, args)))
    else:
        print(_page(position, evaluation, ranked, yours, args.top))
    return 0


def _position(text: str | None, args: argparse.Namespace) -> Position:
    """The position to evaluate, with the roll to be played if there is one."""
    game = variant(args)
    position = Position(variant=game) if text is None else Position.parse(text, game)
    if args.dice is not None:
        position = position.rolled(args.dice)
        if position.result:
            raise UsageError("the game is over: there is no roll to play")
    return position.rolled(None) if position.result else position


# -- for programs ----------------------------------------------------------------------------


def _answer(
    position: Position,
    evaluation: Evaluation,
    ranked: Sequence[RankedPlay],
    yours: int | None,
    args: argparse.Namespace,
) -> dict[str, object]:
    """The JSON object of a position. ``yours`` is the index of the play to be rated."""
    answer: dict[str, object] = {
        "position": position.texts,
        "variant": position.variant.name,
        "scoring": args.scoring,
        "net": args.net,
        "ply": args.ply,
        "dice": list(position.roll) if position.roll else None,
        "result": position.result,
        "outcomes": chances(evaluation.outcomes),
        "equity": evaluation.equity,
        "plays": [_play(play) for play in ranked[: args.top]],
        "best": ranked[0].text if ranked else None,
    }
    if yours is not None:
        loss = ranked[0].equity - ranked[yours].equity
        answer["rated"] = {**_play(ranked[yours]), "rank": yours + 1, "loss": loss}
    return answer


def _play(play: RankedPlay) -> dict[str, object]:
    """The JSON object of a play."""
    return {
        "play": play.text,
        "equity": play.equity,
        "outcomes": chances(play.outcomes),
        "ply": play.plies,
    }


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
        positions = [position for _, position in good]
        evaluations = engine.evaluate_many(positions)
        rolled = [position for position in positions if position.roll]
        ranked = iter(engine.rank_many(rolled))
        for (at, position), evaluation in zip(good, evaluations, strict=True):
            plays = next(ranked) if position.roll else []
            answers[at] = _answer(position, evaluation, plays, None, args)
        for answer in answers:
            print(json_line(answer))
        sys.stdout.flush()
    return status


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


# -- for people ------------------------------------------------------------------------------


def _page(
    position: Position,
    evaluation: Evaluation,
    ranked: Sequence[RankedPlay],
    yours: int | None,
    top: int | None,
) -> str:
    """The board, the chances before the roll, and the plays."""
    side = "XO"[1 - position.match.seat]
    row = [f"{side} to roll", f"{evaluation.equity:+.4f}", *_percent(evaluation.outcomes)]
    parts = [str(position)]
    if position.texts:
        named = (text if "=" in text else f"{name.replace('_', ' ')} {text}"
                 for name, text in position.texts.items())  # fmt: skip
        parts.append(", ".join(named))
    if position.result:
        parts.append(f"The game is over: for {side}, {position.result}.")
    parts.append(table([["", "equity", *_HEAD], row], width=page_width()))
    if ranked:
        parts.append(_plays(ranked[:top], len(ranked)))
    if yours is not None:
        loss = 1000 * (ranked[0].equity - ranked[yours].equity)
        verdict = "as good as any" if yours == 0 or loss <= 0 else f"{loss:.1f} millipoints lost"
        place = f"number {yours + 1} of {len(ranked)}"
        parts.append(f"Your play, {ranked[yours].text}, is {place}: {verdict}.")
    return "\n\n".join(parts)


def _plays(shown: Sequence[RankedPlay], legal: int) -> str:
    """The table of plays."""
    best = shown[0].equity
    rows = [["", "play", "equity", "lost", *_HEAD]]
    for number, play in enumerate(shown, 1):
        lost = f"{best - play.equity:.4f}" if number > 1 else ""
        rows.append([f"{number}.", play.text, f"{play.equity:+.4f}", lost,
                     *_percent(play.outcomes)])  # fmt: skip
    text = table(rows, left=2, width=page_width())
    return text if len(shown) == legal else f"{text}\n{len(shown)} of {legal} legal plays."


def _percent(outcomes: Sequence[float]) -> list[str]:
    """Chances as people read them."""
    return [f"{chance:.1%}" for chance in chances(outcomes).values()]
