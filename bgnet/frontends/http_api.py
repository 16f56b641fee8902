"""bgnet over HTTP: our own JSON interface, and wildbg's beside it.

Everything of ours is under ``/v1`` and takes positions as XGIDs or gnubg ids; ``/docs`` shows and
tries it, ``/openapi.json`` describes it, ``/health`` says whether the server lives. Equities are
in points, chances are cumulative as gnubg's are (a gammon won is a win too), both of the side on
roll, unrounded.

An application lives in one event loop. Requests that come together for evaluations and plays are
answered in one forward pass (``batching``); the others run in threads, which may all ask one
``Decider``. ``http_server`` serves it, in one process or in several.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from .. import __version__
from ..engine.answers import Evaluation, RankedPlay
from ..engine.engine import EngineError
from ..engine.rollout import Settings
from ..game.match import Offer
from ..game.referee import point_name
from ..game.steps import Step
from ..nets.outcomes import CUMULATIVE, to_cumulative
from ..notation.plays import format_steps
from ..position import Position, PositionError
from . import http_models as models
from .batching import Batcher, OverloadedError
from .decisions import Decider
from .http_limits import BodyLimits
from .wildbg_api import add_wildbg

_ANSWERS = {"take": "take", "pass": "drop", "beaver": "beaver"}
_RESIGNATIONS = {1: "resign", 2: "resign gammon", 3: "resign backgammon"}


def create_app(decider: Decider) -> FastAPI:
    """The application.

    Args:
        decider: who answers. A request may ask for another look-ahead.
    """
    app = FastAPI(
        title="bgnet", version=__version__, redirect_slashes=False,
        description="A backgammon bot that learned from nothing but its own games.",
    )  # fmt: skip
    app.add_middleware(BodyLimits)
    app.add_exception_handler(ValueError, _bad_request)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _no_such_request)
    app.add_exception_handler(OverloadedError, _overloaded)
    app.add_exception_handler(Exception, _our_fault)
    # Routes are tried in turn: those that are asked most come first.
    if decider.variant.men == 15 and decider.variant.width == 26:
        add_wildbg(app, decider)
    _add_v1(app, decider)

    @app.get("/health", tags=["server"], summary="Whether the server lives")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    return app


# -- errors ----------------------------------------------------------------------------------


async def _bad_request(request: Request, error: Exception) -> Response:
    """Bad input is one sentence; an error that is none of ours is nobody's bad input."""
    if isinstance(error, RequestValidationError):
        return JSONResponse({"message": _complaint(error.errors()[0])}, 400)
    if type(error).__module__.partition(".")[0] != __package__.partition(".")[0]:
        raise error
    return JSONResponse({"message": " ".join(str(error).split())}, 400)


def _complaint(error: dict[str, Any]) -> str:
    """What is wrong with a body, in a sentence."""
    where = ".".join(str(part) for part in error["loc"] if part != "body")
    if error["type"] == "json_invalid":
        return f"the body is not JSON: {error['ctx']['error']}, at character {where}"
    if not where:
        return "a body is a JSON object, sent with Content-Type: application/json"
    name = where[:60] if where.isprintable() else ascii(where[:60])  # which may be of their making
    return f"{name}: {error['msg']}"


async def _no_such_request(request: Request, error: Exception) -> Response:
    """An address or a method that there is not."""
    assert isinstance(error, HTTPException)
    wrong = "address" if error.status_code == 404 else "method here"
    sentence = f"there is no such {wrong}; /docs shows what there is"
    return JSONResponse({"message": sentence}, error.status_code, error.headers)


async def _our_fault(request: Request, error: Exception) -> Response:
    """A bug; the error goes on into the server's log."""
    sentence = "the server has failed, and it is not the request's fault"
    return JSONResponse({"message": sentence}, 500)


async def _overloaded(request: Request, error: Exception) -> Response:
    return JSONResponse({"message": str(error)}, 503, {"Retry-After": "1"})


# -- our own interface -----------------------------------------------------------------------


def _add_v1(app: FastAPI, decider: Decider) -> None:
    """Add ``/v1``."""
    engines = _Plies(decider)
    rolling_out = threading.Lock()
    variant = decider.variant
    v1: dict[str, Any] = {"tags": ["v1"], "responses": {400: {"model": models.Error}}}

    @app.get("/v1/engine", tags=["v1"], summary="Who answers")
    async def engine() -> models.Engine:
        return models.Engine(
            version=__version__, name=decider.engine.name, variant=variant.name,
            ply=decider.engine.search.ply, scoring=decider.engine.search.scoring,
            seconds=decider.seconds,
        )  # fmt: skip

    @app.post("/v1/evaluate", summary="What a position is worth before the throw", **v1)
    async def evaluate(asked: models.Ask) -> models.Evaluation:
        position = Position.parse(asked.position, variant)
        found = await engines.evaluate(position, asked.ply)
        return models.Evaluation(
            position=_text(position), equity=found.equity, chances=_chances(found.outcomes)
        )

    @app.post("/v1/plays", summary="All plays of a roll, the best first", **v1)
    async def plays(asked: models.AskPlays) -> models.Plays:
        position = Position.parse(asked.position, variant)
        if asked.roll is not None:
            position = position.rolled(asked.roll)
        ranked = await engines.rank(position, asked.ply)
        return models.Plays(position=_text(position), plays=[
            models.RankedPlay(
                play=play.text, steps=_steps(play.steps), position=_text(play.position),
                equity=play.equity, cubeless=play.cubeless, chances=_chances(play.outcomes),
                plies=play.plies,
            )
            for play in ranked[: asked.limit]
        ])  # fmt: skip

    @app.post("/v1/cube", summary="Whether to double, and what to answer", **v1)
    def cube(asked: models.Ask) -> models.Cube:
        position = Position.parse(asked.position, variant)
        found = engines.decider(asked.ply).cube(position)
        chances = models.MatchChances(**found.chances._asdict()) if found.chances else None
        return models.Cube(
            position=_text(position), action=found.action, may_double=found.may_double,
            no_double=found.no_double, double_take=found.double_take,
            double_pass=found.double_pass, match_chances=chances,
        )  # fmt: skip

    @app.post("/v1/decide", summary="What the player does, score, cube and level included", **v1)
    def decide(asked: models.Ask) -> models.Decision:
        position = Position.parse(asked.position, variant)
        return _decide(engines.decider(asked.ply), position)

    @app.post("/v1/resignation", summary="Whether to accept what the side on roll gives up", **v1)
    def resignation(asked: models.AskResignation) -> models.Resignation:
        position = Position.parse(asked.position, variant)
        accept = engines.decider(asked.ply).accepts(position, asked.points)
        return models.Resignation(position=_text(position), accept=accept)

    @app.post("/v1/rollout", summary="Play a position out many times; one rollout at a time", **v1)
    def roll_out(asked: models.AskRollout) -> models.Rollout:
        position = Position.parse(asked.position, variant)
        settings = Settings(
            games=asked.games, truncate=asked.truncate, seed=asked.seed,
            scoring=decider.engine.search.scoring,
        )  # fmt: skip
        if not rolling_out.acquire(blocking=False):
            raise OverloadedError("another rollout is being played; try again later")
        try:
            found = decider.engine.rollout([position], settings)
        finally:
            rolling_out.release()
        return models.Rollout(
            position=_text(position), equity=float(found.equities[0]),
            standard_error=float(found.equity_errors[0]), games=found.games,
            chances=_chances(found.outcomes[0].tolist()),
        )  # fmt: skip


class _Plies:
    """The engine at every look-ahead, with a queue for each."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider
        self._plies = range(max(models.MOST_PLIES, decider.engine.search.ply) + 1)
        self._deciders = {ply: self._looking(ply) for ply in self._plies}
        self._evaluations = {
            ply: Batcher[Position, Evaluation](self._deciders[ply].engine.evaluate_many)
            for ply in self._plies
        }
        self._rankings = {
            ply: Batcher[Position, list[RankedPlay]](self._deciders[ply].engine.rank_many)
            for ply in self._plies
        }

    def _looking(self, ply: int) -> Decider:
        search = self._decider.engine.search
        if ply != search.ply:
            search = replace(search, ply=ply)
        return replace(self._decider, engine=replace(self._decider.engine, search=search))

    def _ply(self, asked: int | None) -> int:
        ply = self._decider.engine.search.ply if asked is None else asked
        if ply not in self._plies:
            raise EngineError(f"ply is 0 to {self._plies[-1]} here, not {ply}")
        return ply

    def decider(self, ply: int | None) -> Decider:
        """The player at this look-ahead; None is its own."""
        return self._deciders[self._ply(ply)]

    async def evaluate(self, position: Position, ply: int | None) -> Evaluation:
        """See ``Engine.evaluate``."""
        return await self._evaluations[self._ply(ply)].ask(position)

    async def rank(self, position: Position, ply: int | None) -> list[RankedPlay]:
        """See ``Engine.rank``."""
        return await self._rankings[self._ply(ply)].ask(position)


def _decide(decider: Decider, position: Position) -> models.Decision:
    """What the player does about whatever a position asks."""
    if position.match.offer is not Offer.NONE:
        return models.Decision(position=_text(position), action=_ANSWERS[decider.answers(position)])
    if position.result:
        raise PositionError("the game is over: there is nothing to decide")
    if points := decider.resigns(position):
        return models.Decision(position=_text(position), action=_RESIGNATIONS[points])
    if position.roll is None:
        action = "double" if decider.doubles(position) else "roll"
        return models.Decision(position=_text(position), action=action)
    steps = decider.chequer_play(position)
    text = format_steps(steps)
    return models.Decision(
        position=_text(position), action="play", play=text, steps=_steps(steps),
        after=_text(position.play(text)),
    )  # fmt: skip


def _chances(outcomes: Sequence[float]) -> models.Chances:
    cumulative = to_cumulative(np.array(outcomes)).tolist()
    return models.Chances(**dict(zip(CUMULATIVE, cumulative, strict=True)))


def _text(position: Position) -> str:
    """A position as its game writes it: an XGID where there is one."""
    return next(iter(position.texts.values()))


def _steps(steps: Sequence[Step]) -> list[models.Step]:
    return [
        models.Step(source=point_name(s.source), target=point_name(s.target), hit=s.hit)
        for s in steps
    ]
