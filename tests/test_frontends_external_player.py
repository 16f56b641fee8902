"""The external player: gnubg's lines, and whole matches against the real gnubg."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from frontend_matches import listening, opponent, play_matches
from real_gnubg import gnubg, needs_gnubg

from bgnet.frontends.decisions import Decider
from bgnet.frontends.external_player import Session
from bgnet.notation.fibs_board import Dialect, parse_fibs_board
from bgnet.position import Position

START = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
TAIL = "1:-1:0:25:0:0:0:0:0:0:0:1"
#: As gnubg 1.07 sent them; what is asked, and which replies are of the right kind.
ASKED = {
    "play, player 0": (f"board:gnubg:root:5:0:0:{START}:-1:3:1:3:1:1:1:1:0:{TAIL}", "play"),
    "play, player 1": (f"board:gnubg:root:5:2:1:{START}:1:6:4:6:4:1:1:1:0:{TAIL}", "play"),
    "roll or double": (f"board:gnubg:root:5:2:1:{START}:-1:0:0:0:0:1:1:1:0:{TAIL}", "roll"),
    "owning the cube": (f"board:alice:bot:0:0:0:{START}:1:0:0:0:0:2:1:0:0:{TAIL}", "roll"),
    "doubled, player 0": (f"board:alice:bot:5:1:2:{START}:1:0:0:0:0:1:1:1:1:{TAIL}", "take"),
    "doubled, player 1": (f"board:root:gnubg:5:1:2:{START}:-1:0:0:0:0:1:1:1:1:{TAIL}", "take"),
    "redoubled": (f"board:alice:bot:0:0:0:{START}:1:0:0:0:0:2:1:0:1:{TAIL}", "take"),
    "beavered": (f"board:bot:alice:0:0:0:{START}:-1:0:0:0:0:2:1:0:1:{TAIL}", "take"),
}


def line(men: dict[int, int], rest: str, score: str = "0:0") -> str:
    """A board line of gnubg's with men by slot; ``rest`` is turn, dice, cube and so on."""
    slots = ":".join(str(men.get(slot, 0)) for slot in range(26))
    return f"board:alice:bot:5:{score}:{slots}:{rest}"


KINDS = {"roll": {"roll", "double"}, "take": {"take", "drop"}}


@pytest.mark.parametrize("name", ASKED)
def test_every_question_of_gnubg_is_answered_in_kind(decider: Decider, name: str) -> None:
    said, kind = ASKED[name]
    [reply] = Session(decider).receive(said)
    if kind != "play":
        assert reply in KINDS[kind]
        return
    asked = parse_fibs_board(said, Dialect.GNUBG)
    after = Position(asked.board, roll=asked.roll, match=asked.match).play(reply)
    best = decider.engine.rank(Position(asked.board, roll=asked.roll))
    assert any(after.gnubg_id == play.position.gnubg_id for play in best)
    assert all(len(move.split("/")) == 2 for move in reply.split())


def test_replies_have_the_form_of_gnubgs_own(decider: Decider) -> None:
    known = json.loads((Path(__file__).parent / "golden" / "external_player.json").read_text())
    session = Session(decider)
    for name, asked in known["messages"].items():
        [reply], gnubgs = session.receive(asked), known["replies"][name]
        if "/" in gnubgs:
            read = parse_fibs_board(asked, Dialect.GNUBG)
            assert Position(read.board, roll=read.roll).play(reply)
            assert "(" not in reply and len(reply.split()) == len(gnubgs.split())
        else:
            words = {"roll": ["roll", "double"], "take": ["take", "drop"]}.get(gnubgs, [""])
            assert reply in words
    assert session.receive("garbage")[0].startswith("Error: ")


def test_a_dance_is_an_empty_line(decider: Decider) -> None:
    closed = {25: 1, 18: 1, **dict.fromkeys(range(19, 25), -2)}
    dance = line(closed, f"1:5:3:5:3:1:1:1:0:{TAIL}")
    assert Session(decider).receive(dance) == [""]


def test_a_play_names_every_die_in_plain_numbers(decider: Decider) -> None:
    last = line({4: 1, 24: -1}, f"1:6:2:6:2:1:1:1:0:{TAIL}")
    assert Session(decider).receive(last) == ["4/2 2/0"]
    enters = line({25: 2, 3: -2}, f"1:5:5:5:5:1:1:1:0:{TAIL}")
    [reply] = Session(decider).receive(enters)
    assert reply.split()[:2] == ["25/20", "25/20"] and len(reply.split()) == 4


@pytest.mark.parametrize(
    "foreign",
    [
        "", "hello", "board:", "board:a:b", "\0", "board" + ":1" * 52, "board:" + "x" * 5000,
        f"board:a:b:5:7:0:{START}:1:3:1:3:1:1:1:1:0:{TAIL}",
        f"board:a:b:5:0:0:{START}:1:7:1:7:1:1:1:1:0:{TAIL}",
        f"board:a:b:5:0:0:{START}:0:3:1:3:1:1:1:1:0:{TAIL}",
        f"board:a:b:5:0:0:{START.replace('-5', '-9')}:1:3:1:3:1:1:1:1:0:{TAIL}",
        f"board:a:b:9000:0:0:{START}:1:0:0:0:0:1:1:1:0:{TAIL}",
        f"board:a:b:0:0:0:{START}:1:0:0:0:0:3:1:1:0:{TAIL}",
        "board:a:b:0:0:0:" + "0:" * 6 + "1:" + "0:" * 19 + f"1:3:1:3:1:1:1:1:0:{TAIL}",
    ],
)  # fmt: skip
def test_foreign_lines_are_refused_and_the_session_goes_on(decider: Decider, foreign: str) -> None:
    session = Session(decider)
    good = ASKED["play, player 1"][0]
    before = session.receive(good)
    [reply] = session.receive(foreign)
    assert reply.startswith("Error: ") and len(reply) < 255 and "\n" not in reply
    assert not session.closed
    assert session.receive(good) == before


def test_a_declined_resignation_is_not_offered_again(decider: Decider) -> None:
    # He bears off his last man next, as the bear-off tables know for certain.
    men = {24: -1, 1: 15}
    before, thrown = (line(men, f"1:{dice}:1:1:1:0:{TAIL}") for dice in ("0:0:0:0", "2:1:2:1"))
    session = Session(decider)
    assert session.receive(before) == ["resign normal"]
    assert session.receive(before) == ["roll"]
    [play] = session.receive(thrown)
    assert "/" in play
    assert session.receive(before.replace(":5:0:0:", ":5:2:0:", 1)) == ["resign normal"]
    assert Session(decider, resigns=False).receive(before) == ["roll"]


def test_goodbye_closes_the_session(decider: Decider) -> None:
    session = Session(decider)
    assert session.receive("quit") == [] and session.closed


# -- the real gnubg --------------------------------------------------------------------------


def check(said: list[tuple[str, str]]) -> Counter[str]:
    """Counts of what we replied; no reply was an error."""
    assert not [pair for pair in said if pair[1].startswith("Error")]
    return Counter("play" if "/" in reply else reply.split(" ")[0] for _, reply in said)


@needs_gnubg
@pytest.mark.peers
@pytest.mark.parametrize("seat", [0, 1])
def test_plays_whole_matches_in_both_seats(decider: Decider, tmp_path: Path, seat: int) -> None:
    printed, said = play_matches(decider, tmp_path, matches=3, length=5, seat=seat)
    assert printed.count("has won the match") == 3
    assert "badly formed" not in printed and "llegal" not in printed
    replies = check(said)
    # Plays, roll or double, answers to doubles, dances: all have come up.
    assert replies["play"] and replies["roll"] and replies["take"] + replies["drop"]
    assert replies[""] and replies["double"]


@needs_gnubg
@pytest.mark.peers
@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_ten_matches_end_in_a_minute(decider: Decider, tmp_path: Path, seat: int) -> None:
    start = time.monotonic()
    printed, said = play_matches(decider, tmp_path, matches=10, length=5, seat=seat)
    assert printed.count("has won the match") == 10
    check(said)
    assert time.monotonic() - start < 60


@needs_gnubg
@pytest.mark.peers
@pytest.mark.parametrize("seat", [0, 1])
def test_plays_money_games_with_beavers(decider: Decider, tmp_path: Path, seat: int) -> None:
    with listening(decider, jacoby=True, beavers=True) as (port, said):
        for seed in (1, 2, 3):
            # gnubg itself may pause when a beaver of its own has been taken: play goes on.
            game = ["set automatic game off", f"set seed {seed}", "new session", *["play"] * 20]
            printed = gnubg(tmp_path, *opponent(seat, port), *game)
            assert printed.count(" wins a ") == 1
    check(said)


@needs_gnubg
@pytest.mark.peers
def test_our_beaver_is_understood(decider: Decider, tmp_path: Path) -> None:
    human = [
        "set automatic roll off", "set automatic game off", "set player 0 human", "new session",
        "set turn 0", "set board 4HPwATDgc/ABMA",
    ]  # fmt: skip
    with listening(decider, beavers=True) as (port, said):
        connect = f"set player 1 external 127.0.0.1:{port}"
        printed = gnubg(tmp_path, *human[:3], connect, *human[3:], "double", "show board")
    answered = [reply for line, reply in said if line.split(":")[40] == "1"]
    assert answered and set(answered) <= {"take", "drop", "beaver"}
    if "beaver" in answered:
        assert "Cube offered at 4" in printed


@needs_gnubg
@pytest.mark.peers
def test_gnubg_may_come_back(decider: Decider, tmp_path: Path) -> None:
    with listening(decider) as (port, said):
        again = [*opponent(0, port), "set player 0 gnubg", *opponent(0, port)]
        printed = gnubg(tmp_path, *again, "new match 1", *opponent(1, port), "new match 1")
    assert printed.count("has won the match") == 2
    check(said)


@needs_gnubg
@pytest.mark.peers
def test_a_match_goes_on_after_a_lost_connection(decider: Decider, tmp_path: Path) -> None:
    with listening(decider, leaves_after=9) as (port, said):
        again = [f"set player 0 external 127.0.0.1:{port}", "play"]
        printed = gnubg(tmp_path, *opponent(0, port), "new match 3", *again)
    assert printed.count("has won the match") == 1 and len(said) > 9
    check(said)
