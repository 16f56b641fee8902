"""The HTTP interface of wildbg 0.3: ``GET /move`` and ``GET /eval``.

Programs that play against wildbg can play against bgnet by changing a URL: the same parameters,
fields, order of plays and error bodies. ``p1`` to ``p24`` are men on points as the side on roll
(x) counts them, the other side's (o) negative; ``p25`` is x's bar, ``p0`` o's.
"""

import json
import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from ..engine.cube_decision import cube_action
from ..game.board import BAR, OPPONENT_BAR, SLOTS
from ..game.match import MatchState
from ..game.steps import Step
from ..nets.outcomes import to_cumulative
from ..notation.plays import ways
from ..position import Position
from .batching import Batcher
from .decisions import Decider

_PROBABILITIES = ("win", "winG", "winBg", "loseG", "loseBg")
#: What follows the steps of a play. Written by hand, because answers are long and many; nine
#: digits are all that a float32 has.
_MOVE = '"probabilities":{' + ",".join(f'"{name}":%.9g' for name in _PROBABILITIES) + "}}"
_PIPS = tuple(f"p{slot}" for slot in range(SLOTS))
#: Ranges of the integers that wildbg reads.
_PIP_RANGE, _SIZE_RANGE = (-128, 127), (0, 2**64 - 1)


class _QueryError(ValueError):
    """Parameters that cannot be read at all; wildbg says so in plain text."""


class _Refused(ValueError):
    """Parameters that make no sense; wildbg says so in JSON."""


class _Question(NamedTuple):
    """A roll to play."""

    board: np.ndarray
    roll: tuple[int, int]
    one_point: bool
    """Whether only winning counts."""


def add_wildbg(app: FastAPI, decider: Decider) -> None:
    """Add ``/move`` and ``/eval``.

    Args:
        app: to which they are added.
        decider: of a game of 15 men on 24 points.
    """
    moves = Batcher[_Question, bytes](lambda batch: _moves(decider, batch))
    evaluations = Batcher[np.ndarray, bytes](lambda batch: _evaluations(decider, batch))
    errors: dict[int | str, dict[str, Any]] = {400: {"description": "no position or no roll"}}
    pips = [_parameter(name, required=False) for name in _PIPS]
    dice = [_parameter(name, required=True) for name in ("die1", "die2")]
    away = [_parameter(name, required=False) for name in ("x_away", "o_away")]

    @app.get("/move", tags=["wildbg"], summary="All plays of a roll, the best first",
             responses=errors, openapi_extra={"parameters": dice + away + pips})  # fmt: skip
    async def move(request: Request) -> Response:
        try:
            question = _read_question(request, decider)
        except ValueError as error:
            return _error(error)
        return Response(await moves.ask(question), media_type="application/json")

    @app.get("/eval", tags=["wildbg"], summary="Chances before the throw, and the cube",
             responses=errors, openapi_extra={"parameters": pips})  # fmt: skip
    async def evaluate(request: Request) -> Response:
        try:
            board = _read_board(_numbers(request, _PIPS), decider)
        except ValueError as error:
            return _error(error)
        return Response(await evaluations.ask(board), media_type="application/json")


def _parameter(name: str, required: bool) -> dict[str, object]:
    schema = {"type": "integer"}
    return {"name": name, "in": "query", "required": required, "schema": schema}


def _error(error: ValueError) -> Response:
    """The answer to bad parameters."""
    if isinstance(error, _QueryError):
        return PlainTextResponse(f"Failed to deserialize query string: {error}", 400)
    return JSONResponse({"message": str(error)}, 400)


# -- reading ---------------------------------------------------------------------------------


def _read_question(request: Request, decider: Decider) -> _Question:
    """The roll and the position of a request for plays."""
    numbers = _numbers(request, ("die1", "die2", "x_away", "o_away", *_PIPS))
    for name in ("die1", "die2"):
        if name not in numbers:
            raise _QueryError(f"missing field `{name}`")
    board = _read_board(numbers, decider)
    roll = numbers["die1"], numbers["die2"]
    if not all(1 <= die <= 6 for die in roll):
        raise _Refused("Dice values must be between 1 and 6.")
    x_away, o_away = numbers.get("x_away", 0), numbers.get("o_away", 0)
    if x_away == 0 and o_away != 0:
        raise _Refused("If x_away is 0, then o_away must also be 0.")
    if (x_away, o_away) not in ((0, 0), (1, 1)):
        raise _Refused("Currently only 1 pointers and money games are supported.")
    if Position(board, variant=decider.variant).result:
        raise _Refused("The game is over.")
    return _Question(board, (max(roll), min(roll)), one_point=x_away == 1)


def _numbers(request: Request, names: tuple[str, ...]) -> dict[str, int]:
    """The parameters of these names; others are passed over."""
    found: dict[str, int] = {}
    for name, text in request.query_params.multi_items():
        if name not in names:
            continue
        if name in found:
            raise _QueryError(f"duplicate field `{name}`")
        low, high = _PIP_RANGE if name in _PIPS else _SIZE_RANGE
        if not text:
            raise _QueryError(f"{name}: cannot parse integer from empty string")
        if not re.fullmatch(r"[-+]?[0-9]+" if low else r"\+?[0-9]+", text):
            raise _QueryError(f"{name}: invalid digit found in string")
        value = int(text) if len(text) < 30 else (-1 if text[0] == "-" else 1) << 70
        if value > high:
            raise _QueryError(f"{name}: number too large to fit in target type")
        if value < low:
            raise _QueryError(f"{name}: number too small to fit in target type")
        found[name] = value
    return found


def _read_board(numbers: dict[str, int], decider: Decider) -> np.ndarray:
    """The board, ``(26,)`` int8, seen by x."""
    board = np.array([numbers.get(name, 0) for name in _PIPS])
    for player, men in (("x", board), ("o", -board)):
        if men[men > 0].sum() > decider.variant.men:
            raise _Refused(f"Player {player} has more than 15 checkers on the board.")
    for slot, player, sign in ((BAR, "x", "positive"), (OPPONENT_BAR, "o", "negative")):
        if board[slot] < 0 if slot == BAR else board[slot] > 0:
            raise _Refused(
                f"Index {slot} is the bar for player {player}, "
                f"number of checkers needs to be {sign}."
            )
    return Position(board, variant=decider.variant).board


# -- answering -------------------------------------------------------------------------------


def _moves(decider: Decider, batch: list[_Question]) -> list[bytes]:
    """The bodies of answers to requests for plays."""
    bodies: list[bytes] = [b""] * len(batch)
    for one_point in (False, True):
        at = [i for i, question in enumerate(batch) if question.one_point == one_point]
        if not at:
            continue
        player = _playing_for_wins(decider) if one_point else decider
        for i, body in zip(at, _ranked(player, [batch[i] for i in at]), strict=True):
            bodies[i] = body
    return bodies


def _playing_for_wins(decider: Decider) -> Decider:
    """The same player in a match to one point."""
    search = replace(decider.engine.search, scoring="american")
    return replace(decider, engine=replace(decider.engine, search=search))


def _ranked(decider: Decider, batch: list[_Question]) -> list[bytes]:
    """All plays of each question, the best first."""
    variant = decider.variant
    boards = np.array([question.board for question in batch])
    rolls = np.array([question.roll for question in batch], np.int8)
    plays = variant.legal_plays(boards, rolls)
    judgement = decider.judge(boards, rolls, plays)
    order = np.lexsort((-judgement.values, -judgement.plies, plays.owner))
    afters = variant.seen_by_player(plays)[order].tolist()
    chances = to_cumulative(judgement.outcomes[order]).tolist()
    moves = [_MOVE % tuple(row) for row in chances]
    firsts = [*plays.firsts(len(batch)).tolist(), len(order)]
    bodies = []
    for question, (first, end) in zip(batch, pairwise(firsts), strict=True):
        known = ways(question.board, question.roll, variant)
        steps = (_steps(known[tuple(after)]) for after in afters[first:end])
        listed = ",".join(
            f'{{"play":[{way}],{move}' for way, move in zip(steps, moves[first:end], strict=True)
        )
        bodies.append(f'{{"moves":[{listed}]}}'.encode())
    return bodies


@lru_cache(maxsize=1 << 15)
def _steps(steps: tuple[Step, ...]) -> str:
    """Steps as the items of a JSON array."""
    return ",".join(f'{{"from":{step.source},"to":{step.target}}}' for step in steps)


def _evaluations(decider: Decider, boards: list[np.ndarray]) -> list[bytes]:
    """The bodies of answers to requests for evaluations."""
    outcomes = decider.engine.search.outcomes(np.array(boards))
    chances = to_cumulative(outcomes).tolist()
    bodies = []
    for row, cumulative in zip(outcomes, chances, strict=True):
        decision = cube_action(row, MatchState())
        cube = {"double": decision.double, "accept": decision.answer != "pass"}
        probabilities = dict(zip(_PROBABILITIES, cumulative, strict=True))
        bodies.append(_json({"cube": cube, "probabilities": probabilities}))
    return bodies


def _json(body: object) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()
