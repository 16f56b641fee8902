"""The HTTP interfaces: wildbg's shapes to the letter, our own, and what is refused."""

import asyncio
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bgnet.engine.engine import Engine
from bgnet.frontends.decisions import Decider
from bgnet.position import Position

fastapi = pytest.importorskip("fastapi", reason="the web extra is not installed")
pytest.importorskip("httpx")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

from bgnet.frontends import batching, http_api, http_limits  # noqa: E402
from bgnet.frontends.batching import Batcher, OverloadedError  # noqa: E402

OPENING = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
JSON = "application/json"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@pytest.fixture(scope="module")
def client(net: str) -> Iterator[TestClient]:
    with TestClient(http_api.create_app(Decider(Engine.load(net)))) as talking:
        yield talking


#: What wildbg says of a bar with men of the wrong side.
_BAR = '{{"message":"Index {} is the bar for player {}, number of checkers needs to be {}."}}'

# -- wildbg's --------------------------------------------------------------------------------


def test_move_lists_all_plays_the_best_first(client: TestClient, net: str) -> None:
    answer = client.get(f"/move?die1=3&die2=1&{OPENING}&foreign=1")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    moves = answer.json()["moves"]
    ranked = Engine.load(net).rank(Position(), "31")
    assert list(moves[0]) == ["play", "probabilities"]
    assert list(moves[0]["play"][0]) == ["from", "to"]
    assert list(moves[0]["probabilities"]) == ["win", "winG", "winBg", "loseG", "loseBg"]
    assert len(moves) == len(ranked) == 16
    for move, play in zip(moves, ranked, strict=True):
        text = " ".join(f"{step['from']}/{step['to']}" for step in move["play"])
        assert Position().play(text, "31") == play.position
        assert move["probabilities"]["win"] == pytest.approx(sum(play.outcomes[:3]), abs=1e-6)
        assert move["probabilities"]["loseG"] == pytest.approx(sum(play.outcomes[4:]), abs=1e-6)


def test_move_in_wildbgs_own_examples(client: TestClient) -> None:
    forced = client.get("/move?die1=3&die2=1&p5=1&p24=-1").json()["moves"]
    assert len(forced) == 1 and len(forced[0]["play"]) == 2
    double = client.get("/move?die1=1&die2=1&p5=2&p24=-1").json()["moves"]
    assert len(double) == 3 and all(len(move["play"]) == 4 for move in double)


def test_move_says_bar_25_and_off_0_and_nothing_for_a_dance(client: TestClient) -> None:
    enter = client.get("/move?die1=5&die2=3&p25=1&p0=-1").json()["moves"]
    assert all(move["play"][0]["from"] == 25 for move in enter)
    off = client.get("/move?die1=6&die2=5&p1=2&p24=-1").json()["moves"]
    assert [step["to"] for step in off[0]["play"]] == [0, 0]
    dance = client.get("/move?die1=6&die2=5&p25=1&p24=-2&p23=-2&p22=-2&p21=-2&p20=-2&p19=-2")
    assert [move["play"] for move in dance.json()["moves"]] == [[]]


def test_one_point_matches_are_played_for_wins(client: TestClient) -> None:
    away = client.get(f"/move?die1=3&die2=1&{OPENING}&x_away=1&o_away=1").json()["moves"]
    wins = [move["probabilities"]["win"] for move in away]
    assert wins == sorted(wins, reverse=True)


def test_eval_in_wildbgs_shape(client: TestClient) -> None:
    answer = client.get("/eval?p1=1&p20=-1&p24=-1")
    assert answer.text == (
        '{"cube":{"double":true,"accept":false},"probabilities":'
        '{"win":1.0,"winG":0.0,"winBg":0.0,"loseG":0.0,"loseBg":0.0}}'
    )


@pytest.mark.parametrize(
    ("query", "kind", "body"),
    [
        ("move", "text", "Failed to deserialize query string: missing field `die1`"),
        ("move?die1=3", "text", "Failed to deserialize query string: missing field `die2`"),
        ("move?die1=a&die2=1", "text",
         "Failed to deserialize query string: die1: invalid digit found in string"),
        ("move?die1=1&die2=1&p3=999", "text",
         "Failed to deserialize query string: p3: number too large to fit in target type"),
        ("move?die1=2&die2=0&p4=4&p5=-5", "json",
         '{"message":"Dice values must be between 1 and 6."}'),
        ("move?die1=2&die2=1&p4=4&p5=-5&p25=-2", "json",
         _BAR.format(25, "x", "positive")),
        ("eval?p0=1&p4=4&p5=-5", "json",
         _BAR.format(0, "o", "negative")),
        ("eval?p4=16&p5=-5", "json",
         '{"message":"Player x has more than 15 checkers on the board."}'),
        ("eval?p4=1&p5=-16", "json",
         '{"message":"Player o has more than 15 checkers on the board."}'),
        (f"move?die1=2&die2=1&{OPENING}&x_away=2&o_away=3", "json",
         '{"message":"Currently only 1 pointers and money games are supported."}'),
        (f"move?die1=2&die2=1&{OPENING}&o_away=3", "json",
         '{"message":"If x_away is 0, then o_away must also be 0."}'),
    ],
)  # fmt: skip
def test_errors_as_wildbg_words_them(
    client: TestClient, query: str, kind: str, body: str
) -> None:
    answer = client.get(f"/{query}")
    assert answer.status_code == 400 and answer.text == body
    types = {"text": "text/plain; charset=utf-8", "json": "application/json"}
    assert answer.headers["content-type"] == types[kind]


@pytest.mark.parametrize("query", ["eval", "move?die1=1&die2=1", "move?die1=1&die2=1&p5=1",
                                   f"move?die1={'9' * 5000}&die2=1"])  # fmt: skip
def test_impossible_positions_are_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/{query}").status_code == 400
    assert client.get("/health").json() == {"status": "ok"}


# -- our own ---------------------------------------------------------------------------------


def ask(client: TestClient, what: str, **body: object) -> dict:
    answer = client.post(f"/v1/{what}", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["schema_version"] == 1
    return answer.json()


def test_evaluates_and_ranks_as_the_engine_does(client: TestClient, net: str) -> None:
    engine, position = Engine.load(net), Position.parse(XGID)
    assert ask(client, "evaluate", position=XGID)["equity"] == engine.evaluate(position).equity
    plays = ask(client, "plays", position="4HPwATDgc/ABMA", roll="31", limit=5)["plays"]
    best = engine.rank(position)
    assert [play["play"] for play in plays] == [play.text for play in best[:5]]
    assert plays[0]["position"] == best[0].position.xgid
    assert plays[0]["equity"] == pytest.approx(best[0].equity)
    assert ask(client, "plays", position=XGID, ply=1)["plays"][0]["plies"] == 1


def test_decides_everything_a_player_has_to(client: TestClient) -> None:
    decision = ask(client, "decide", position=XGID)
    assert decision["action"] == "play"
    assert Position.parse(XGID).play(decision["play"]).xgid == decision["after"]
    winning = "XGID=-A----------------------a-:0:0:1:{}:0:0:0:0:10"
    assert ask(client, "decide", position=winning.format("00"))["action"] == "double"
    assert ask(client, "decide", position=winning.format("D"))["action"] == "drop"
    lost = "XGID=-O----------------------a-:1:-1:1:00:0:0:0:0:10"
    assert ask(client, "decide", position=lost)["action"] == "resign"
    crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:0:1:5:10"
    assert ask(client, "decide", position=crawford)["action"] == "roll"


def test_tells_all_about_the_cube(client: TestClient) -> None:
    money = ask(client, "cube", position=XGID.replace(":31:", ":00:"))
    assert money["may_double"] and money["double_pass"] == 1 and money["match_chances"] is None
    match = ask(client, "cube", position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:5:10")
    assert 0 < match["match_chances"]["no_double"] < 1


def test_accepts_what_is_enough(client: TestClient) -> None:
    lost = "XGID=-O----------------------a-:0:0:1:00:0:0:0:0:10"
    assert ask(client, "resignation", position=lost, points=1)["accept"]


def test_rolls_out(client: TestClient) -> None:
    found = ask(client, "rollout", position=XGID, games=36, truncate=2)
    assert found["games"] == 36 and found["standard_error"] >= 0


@pytest.mark.parametrize(
    ("what", "body", "complaint"),
    [
        ("plays", {"position": "nonsense"}, "a position is"),
        ("plays", {"position": XGID.replace("31", "00")}, "without dice"),
        ("plays", {"position": XGID, "roll": "77"}, "dice of 1 to 6"),
        ("plays", {"position": XGID, "limit": 0}, "limit"),
        ("plays", {"positio": XGID}, "position"),
        ("plays", {"position": XGID, "foreign": 1}, "foreign"),
        ("evaluate", {"position": XGID, "ply": 9}, "ply is 0 to 2 here"),
        ("evaluate", {"position": ["x"]}, "position"),
        ("evaluate", {"position": XGID, "\u2028\n": 1}, r"'\u2028\n': "),
        ("evaluate", {"position": XGID, "x" * 5000: 1}, "x" * 60 + ": "),
        ("evaluate", [XGID], "a body is a JSON object"),
        ("cube", {"position": XGID.replace(":0:0:1:", ":1:-1:1:").replace("31", "B")}, ""),
        ("decide", {"position": "XGID=-----------------------A--:0:0:1:00:0:0:0:0:10"}, "over"),
        ("resignation", {"position": XGID, "points": 4}, "points"),
        ("rollout", {"position": XGID, "games": 10**9}, "games"),
    ],
)  # fmt: skip
def test_bad_requests_are_told_what_is_wrong(
    client: TestClient, what: str, body: object, complaint: str
) -> None:
    answer = client.post(f"/v1/{what}", json=body)
    assert answer.status_code == 400 and complaint in answer.json()["message"]


def test_bodies_that_are_no_json_are_told_so(client: TestClient) -> None:
    answer = client.post("/v1/plays", data={"position": XGID})  # as forms are sent
    assert answer.status_code == 400 and "application/json" in answer.json()["message"]
    answer = client.post("/v1/plays", content='{"position', headers={"Content-Type": JSON})
    assert answer.status_code == 400 and "at character 1" in answer.json()["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 404), ("POST", "/v1/plays/", 404), ("GET", "/v1/plays", 405)],
)
def test_what_there_is_not(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status and "/docs shows" in answer.json()["message"]
    assert status == 404 or answer.headers["Allow"] == "POST"


def test_a_bug_is_said_to_be_one(net: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = http_api.create_app(Decider(Engine.load(net)))
    monkeypatch.setattr(http_api, "_decide", lambda decider, position: 1 // 0)
    with TestClient(app, raise_server_exceptions=False) as talking:
        answer = talking.post("/v1/decide", json={"position": XGID})
    assert answer.status_code == 500 and "not the request's fault" in answer.json()["message"]


def test_bodies_have_limits(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    big = client.post("/v1/plays", content=b"x" * (http_limits.LONGEST_BODY + 1))
    assert big.status_code == 413
    assert client.post("/v1/plays", content=b"{").status_code == 400


def test_bodies_that_do_not_come_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "BODY_SECONDS", 0.01)
    sent: list[dict] = []

    async def never() -> dict:
        await asyncio.sleep(60)
        return {}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/plays", "headers": []}
    asyncio.run(http_limits.BodyLimits(None)(scope, never, send))
    assert sent[0]["status"] == 408


def test_describes_itself(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/move", "/eval", "/health", "/v1/engine", "/v1/plays"} <= set(paths)
    assert client.get("/docs").status_code == 200
    assert client.get("/v1/engine").json()["variant"] == "backgammon"


# -- many at once ----------------------------------------------------------------------------


def test_many_clients_get_the_answers_of_one(client: TestClient) -> None:
    queries = [f"/move?die1={a}&die2={b}&{OPENING}" for a in range(1, 7) for b in range(1, 7)]
    alone = [client.get(query).json() for query in queries]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: client.get(query).json(), queries))
    for one, other in zip(alone, together, strict=True):
        assert [move["play"] for move in one["moves"]] == [move["play"] for move in other["moves"]]


def test_questions_that_come_together_are_one_batch() -> None:
    sizes = []

    def answer(batch: list[int]) -> list[int]:
        sizes.append(len(batch))
        if 13 in batch:
            raise ValueError("thirteen")
        return [2 * number for number in batch]

    async def main() -> list[object]:
        batcher = Batcher(answer)
        return await asyncio.gather(*map(batcher.ask, range(10, 15)), return_exceptions=True)

    answers = asyncio.run(main())
    assert answers[:3] == [20, 22, 24] and answers[4] == 28
    assert isinstance(answers[3], ValueError)
    assert sizes == [5, 1, 1, 1, 1, 1]


def test_a_crowd_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "MOST_WAITING", 2)

    async def main() -> list[object]:
        batcher = Batcher(lambda batch: batch)
        return await asyncio.gather(*map(batcher.ask, range(4)), return_exceptions=True)

    answers = asyncio.run(main())
    assert answers[:2] == [0, 1]
    assert all(isinstance(answer, OverloadedError) for answer in answers[2:])
