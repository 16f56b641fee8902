"""HTTP requests that are nearly right: an answer or one sentence, never a traceback."""

import asyncio
import json
import random
import warnings
from collections import Counter
from typing import Any
from urllib.parse import quote

import pytest

from bgnet.frontends.decisions import Decider

pytest.importorskip("fastapi", reason="the web extra is not installed")
httpx = pytest.importorskip("httpx")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from bgnet.frontends.http_api import create_app

_MEN = "XGID=-b----E-C---eE---c-e----B-"
#: Whatever a position can ask: plays, doubles, answers, beavers, resignations, ends of games.
POSITIONS = [
    f"{_MEN}:0:0:1:31:0:0:0:0:10", f"{_MEN}:1:-1:1:00:0:0:3:0:10", f"{_MEN}:0:0:1:D:0:0:3:0:10",
    f"{_MEN}:0:0:1:B:0:0:3:0:10", f"{_MEN}:2:1:-1:00:2:4:0:7:10", f"{_MEN}:0:0:1:52:4:0:1:5:10",
    f"{_MEN}:0:0:1:00:24:23:0:25:10", "XGID=-A----------------------a-:0:0:1:D:0:0:0:0:10",
    "XGID=-O----------------------a-:1:-1:1:00:0:0:0:0:10", "4HPwATDgc/ABMA",
    "XGID=-----------------------A--:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA:8AmgACAAIAAE",
    "RUS=--------------------------:15:15:Aa:0",
]  # fmt: skip
BODIES: dict[str, list[dict[str, Any]]] = {
    "evaluate": [{}, {"ply": 0}],
    "plays": [{}, {"roll": "31"}, {"roll": "66", "limit": 2, "ply": 0}],
    "cube": [{}, {"ply": 0}],
    "decide": [{}, {"ply": 0}],
    "resignation": [{"points": 1}, {"points": 3, "ply": 0}],
    "rollout": [{"games": 2, "truncate": 1}, {"games": 3, "truncate": 1, "seed": 7}],
}
QUERIES = [
    "move?die1=3&die2=1&p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2",
    "move?die1=6&die2=5&p25=1&p24=-2&p23=-2&x_away=1&o_away=1", "move?die1=5&die2=5&p5=2&p24=-1",
    "eval?p1=1&p20=-1&p24=-1", "eval?p0=-3&p25=2&p6=4",
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e400, float("nan"), 2**63, 10**40, "", " ", "0", "-1", "NaN",
    "\0", "\ud800", "\u0663\u0661", "\u2028", "=" * 300, [], [1], {}, {"a": []}, "31", [3, 1],
]  # fmt: skip
JSON = {"Content-Type": "application/json"}
CHARACTERS = "0123456789-:=ABDRabo/+&%?{}[]\",\\\0\t\n\u00e9\u0663\u2028\U0001f3b2"


def mutated(text: str, rng: random.Random) -> str:
    """A text with a few characters changed, left out or put in, or a piece of it doubled."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        piece = rng.choice(["", rng.choice(CHARACTERS), text[at : at + rng.randint(1, 9)] * 2])
        text = text[:at] + piece + text[at + rng.randint(0, 1) :]
    return text


def body(what: str, rng: random.Random) -> bytes:
    """The body of a request, more or less spoilt."""
    position = rng.choice(POSITIONS)
    asked: Any = {"position": position, **rng.choice(BODIES[what])}
    kind = rng.randrange(5)
    if kind == 0:
        asked["position"] = mutated(position, rng)
    elif kind == 1:
        asked[rng.choice([*asked, "ply", "limit", "odd"])] = rng.choice(ODD)
    elif kind == 2:
        asked.pop(rng.choice([*asked]))
    elif kind == 3:
        asked = rng.choice([rng.choice(ODD), [asked], {"body": asked}])
    text = json.dumps(asked)
    if rng.random() < 0.2:
        text = mutated(text, rng)
    data = text.encode(rng.choice(["utf-8", "utf-8", "utf-8", "utf-16"]), "surrogatepass")
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data


def takes_long(data: bytes) -> bool:
    """Whether a request asks for look-ahead or for many games."""
    try:
        asked = json.loads(data)
        deep = int(asked.get("ply") or 0) > 0
        return deep or int(asked.get("games", 999)) * int(asked.get("truncate") or 999) > 50
    except (ValueError, TypeError, AttributeError, OverflowError):
        return False


def requests(number: int, rng: random.Random) -> list[tuple[str, str, bytes]]:
    """Methods, addresses and bodies."""
    made: list[tuple[str, str, bytes]] = []
    while len(made) < number:
        if rng.random() < 0.25:
            query = rng.choice(QUERIES)
            query = mutated(query, rng) if rng.random() < 0.9 else query
            made.append(("GET", "/" + quote(query, safe="/?&=%+-", errors="replace"), b""))
            continue
        what = rng.choice([*BODIES]) if rng.random() < 0.2 else rng.choice([*BODIES][:-1])
        data = body(what, rng)
        if takes_long(data) and (what == "rollout" or b"ply" in data):
            continue
        method = "POST" if rng.random() < 0.98 else rng.choice(["GET", "PUT", "DELETE", "OPTIONS"])
        path = what if rng.random() < 0.98 else quote(mutated(what, rng))
        made.append((method, f"/v1/{path}", data))
    return made


def check(answer: httpx.Response) -> None:
    """An answer is JSON without NaN; an error is one sentence, in wildbg's queries also as text."""
    if answer.headers["content-type"].startswith("text/plain"):
        assert answer.status_code == 400 and answer.request.method == "GET"
        assert answer.text.startswith("Failed to deserialize query string: ")
        return
    assert answer.headers["content-type"] == "application/json"
    said = json.loads(answer.content, parse_constant=lambda name: pytest.fail(name))
    if answer.status_code == 200:
        return
    assert answer.status_code in (400, 404, 405), said
    assert list(said) == ["message"]
    assert said["message"] and said["message"].isprintable() and len(said["message"]) < 400


def fuzz(decider: Decider, number: int) -> Counter[tuple[str, int]]:
    """Ask; how often each kind of request was answered in each way."""
    seen: Counter[tuple[str, int]] = Counter()

    async def ask() -> None:
        transport = httpx.ASGITransport(app=create_app(decider))  # which raises what the app does
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            for method, path, data in requests(number, random.Random(number)):
                try:
                    answer = await client.request(method, path, content=data, headers=JSON)
                    check(answer)
                except (Exception, pytest.fail.Exception) as error:
                    raise AssertionError(f"{method} {path} {data!r}: {error!r}") from error
                seen[path.split("?")[0], answer.status_code] += 1

    asyncio.run(ask())
    return seen


def test_mutated_requests_are_answered_or_told_what_is_wrong(decider: Decider) -> None:
    seen = fuzz(decider, 2_000)
    for path in [*(f"/v1/{what}" for what in BODIES), "/move", "/eval"]:
        assert seen[path, 200] > 5 and seen[path, 400] > 5, (path, seen)


@pytest.mark.slow
def test_very_many_mutated_requests(decider: Decider) -> None:
    fuzz(decider, 30_000)
