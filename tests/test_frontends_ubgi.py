"""UBGI: the probes of its tournament manager, older spellings, and errors that change nothing."""

import io

import pytest

from bgnet.frontends.decisions import Decider
from bgnet.frontends.server import serve_lines
from bgnet.frontends.ubgi import Session
from bgnet.frontends.ubgi_table import Table
from bgnet.position import Position

START = "4HPwATDgc/ABMA"


def say(session: Session, *lines: str) -> list[str]:
    """All replies to some lines."""
    return [reply for line in lines for reply in session.receive(line)]


def test_a_whole_conversation(decider: Decider) -> None:
    lines = [
        "ubgi", "isready", "newgame", "set game.variant backgammon", f"position gnubgid {START}",
        "dice 6 1", "go chequer", "quit", "unheard",
    ]  # fmt: skip
    out = io.StringIO()
    serve_lines(Session(decider), io.StringIO("\n".join(lines)), out)
    said = out.getvalue().splitlines()
    assert said[0].startswith("id name bgnet ") and said[1].startswith("id author ")
    assert said[2] == "proto 0.2"
    assert "key engine.ply int 1..4 1 look-ahead, the play itself counted" in said
    assert said[-3:-1] == ["ubgiok", "readyok"]
    assert Position().play(said[-1].removeprefix("bestmove "), "61")


@pytest.mark.parametrize(
    ("gnubg_id", "dice", "word"),
    [
        (START, "6 1", "/"), ("Np7BQSCYZ/AAWA", "5 3", "bar/"),
        ("/z0AADDeaxsAAA", "5 5", "/off"), ("t02oASACAAAAAA", "5 1", " "),
    ],
)  # fmt: skip
def test_plays_are_spelled_die_by_die(
    decider: Decider, gnubg_id: str, dice: str, word: str
) -> None:
    [reply] = say(Session(decider), f"position gnubgid {gnubg_id}", f"dice {dice}", "go")
    kind, _, move = reply.partition(" ")
    assert kind == "bestmove" and word in move
    assert Position.parse(gnubg_id).play(move, dice.replace(" ", ""))
    for step in move.replace("bar", "25").replace("off", "0").split():
        source, target = map(int, step.split("/"))
        assert source - target <= max(map(int, dice.split()))


def test_no_play_is_a_pass(decider: Decider) -> None:
    xgid = "XGID=-------------------bbbbbbA:0:0:1:00:0:0:0:0:10"
    session = Session(decider)
    assert say(session, f"position xgid {xgid}", "dice 6 1", "go") == ["bestmove pass"]
    assert say(session, xgid.replace(":00:", ":61:")) == [""]


def test_dice_count_for_one_play(decider: Decider) -> None:
    session = Session(decider)
    play = [f"position gnubgid {START}", "dice 3 1", "go", "go"]
    assert say(session, *play)[1] == "error bad_state missing dice"


def test_cube_and_turn(decider: Decider) -> None:
    session = Session(decider)
    winning = "XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10"
    assert say(session, f"position xgid {winning}", "go cube") == ["bestcube double"]
    assert say(session, "dice 2 1", "go turn") == ["bestturn cube=double move=1/off"]
    doubled = winning.replace(":00:", ":D:")
    assert say(session, f"position xgid {doubled}", "go cube") == ["bestcube drop"]
    assert say(session, "dice 2 1", "go")[0].startswith("error bad_state the double")
    assert say(session, winning, doubled) == ["double", "drop"]


def test_the_first_draft(decider: Decider) -> None:
    session = Session(decider)
    [move] = session.receive("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert Position().play(move, "31") and "(" not in move and "*" not in move
    board = (
        "board:You:Opp:7:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0"
        ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
    )
    assert session.receive(board) == [move]
    assert session.receive("XGID=nonsense") == ["sorry"]
    assert session.receive(board.replace(":3:1:", ":9:1:")) == ["sorry"]


def test_version_1_spellings(decider: Decider) -> None:
    session = Session(decider)
    silent = [
        "setoption name engine.ply value 1", "setoption name Seed value 7",
        "setoption name Threads value 4", "setoption name EvalMode value cubeful", "stop",
        "newsession type match length 5", "setscore 1 4", "setcube value 1 owner center",
        "setturn p0", f"position gnubgid {START}", "dice 3 1",
    ]  # fmt: skip
    assert say(session, *silent) == []
    assert say(session, "go role cube") == ["bestcube nodouble"]
    assert say(session, "go role chequer movetime 500 depth 1")[0].startswith("bestmove ")
    assert say(session, "get game.cube", "get engine.seed") == [
        "value game.cube true", "value engine.seed 7",
    ]  # fmt: skip


def test_crawford_is_the_first_game_at_one_away() -> None:
    table = Table()
    found = []
    for line in ("newsession type match length 3", "setscore 2 0", "setscore 2 1", "setscore 0 0"):
        table.command(line.split())
        found.append(table.match(cube=True).crawford)
    assert found == [False, True, False, False]
    for line in ("newsession type match length 3 crawford off", "setscore 2 0"):
        table.command(line.split())
    assert not table.match(cube=True).crawford


def test_scores_and_cube_follow_the_seat_on_roll() -> None:
    table = Table()
    for line in ("newsession type match length 7", "setscore 3 1", "setcube value 2 owner p1"):
        table.command(line.split())
    first = table.match(cube=True)
    assert (first.score, first.opponent_score, first.owner) == (3, 1, "his")
    table.command(["setturn", "p1"])
    second = table.match(cube=True)
    assert (second.score, second.opponent_score, second.owner) == (1, 3, "mine")


def test_without_a_cube_nobody_thinks_of_it(decider: Decider) -> None:
    assert not Table().match(cube=False).may_double
    assert Table().match(cube=True).may_double


def test_settings_can_be_read_back(decider: Decider) -> None:
    session = Session(decider)
    for key, value in {
        "engine.ply": "3", "engine.level": "club", "engine.movetime": "250", "engine.seed": "9",
        "game.cube": "true", "game.jacoby": "true",
    }.items():  # fmt: skip
        assert say(session, f"set {key} {value}", f"get {key}") == [f"value {key} {value}"]
    assert len(say(session, "keys")) == 7


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("hello", "bad_command"), ("UBGI", "bad_command"), ("set engine.ply", "bad_command"),
        ("set engine.ply 9", "bad_value engine.ply must be 1..4"), ("set a b", "unsupported"),
        ("set game.variant chess", "unsupported"), ("get nothing", "unsupported"),
        ("set engine.level god", "bad_value"), ("set game.cube maybe", "bad_value"),
        ("position", "bad_command"), ("position gnubgid xyz", "bad_value"),
        ("position fen x", "unsupported"), ("position gnubgid ////////////AA", "bad_value"),
        ("dice 7 1", "bad_value"), ("dice", "bad_value"), ("dice 1 2 3", "bad_value"),
        ("go nodes 5", "unsupported"), ("go movetime", "bad_command"), ("go depth 0", "bad_value"),
        ("setscore 1", "bad_command"), ("setscore x y", "bad_value"), ("setturn p2", "bad_command"),
        ("setcube value 3 owner p0", "bad_value"), ("newsession type match", "bad_value"),
        ("newsession type chess", "bad_value"), ("newsession colour red", "unsupported"),
        ("setoption name engine.ply", "bad_command"), ("z" * 5000, "bad_command"),
        ("setcube value 99999999999999999999999 owner p0", "bad_value"),
    ],
)  # fmt: skip
def test_errors_leave_everything_as_it_was(decider: Decider, line: str, error: str) -> None:
    session, untouched = Session(decider), Session(decider)
    for one in (session, untouched):
        assert say(one, f"position gnubgid {START}", "dice 3 1") == []
    [reply] = session.receive(line)
    assert reply.startswith(f"error {error}") and "\n" not in reply
    assert say(session, "keys") == say(untouched, "keys")
    assert say(session, "go turn") == say(untouched, "go turn")


def test_nothing_to_decide(decider: Decider) -> None:
    assert say(Session(decider), "dice 3 1", "go") == ["error bad_state missing position"]
    over = ["position xgid XGID=-----------------------A--:0:0:1:00:0:0:0:0:10", "go cube"]
    assert say(Session(decider), *over) == ["error bad_state the game is over"]
