"""Position: the object people meet first."""

import subprocess
import sys

import numpy as np
import pytest

from bgnet.game.match import MatchError, MatchState, Owner
from bgnet.game.scoring import LOSE_GAMMON, ONGOING
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, STANDARD, legal_plays
from bgnet.position import IllegalPlayError, NotationError, Position, PositionError

CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10"


def test_the_opening():
    position = Position()
    assert position.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    assert position.gnubg_id == "4HPwATDgc/ABMA"
    assert position.pips == (167, 167)
    assert position.result is None
    assert "X to roll" in str(position)
    assert position.svg.startswith("<svg")
    assert Position(variant=NACKGAMMON).pips == (194, 194)


def test_it_never_changes():
    position = Position()
    with pytest.raises(ValueError):
        position.board[6] = 0
    with pytest.raises(AttributeError):
        position.roll = (3, 1)
    mine = np.array(position.board)
    other = Position(mine)
    mine[6] = 0
    assert other == position and other is not position


def test_equality_and_hash():
    top, bottom = (
        Position.parse(f"-b----E-C---eE---c-e----B-:0:0:{turn}:31:0:0:0:0:10") for turn in (1, -1)
    )
    assert top == bottom and hash(top) == hash(bottom) and top.xgid != bottom.xgid
    assert (
        len({Position(), Position(), Position(roll="31"), Position(match=MatchState(length=5))})
        == 3
    )
    assert Position() != "4HPwATDgc/ABMA"


@pytest.mark.parametrize(
    "text",
    [
        CRAWFORD,
        CRAWFORD.removeprefix("XGID="),
        "4HPwATDgc/ABMA:8AmgACAAIAAE",
        " 4HPwATDgc/ABM:8AmgACAAIAAE ",
        "4HPwATDgc/ABMA==:8AmgACAAIAAE",
    ],
)
def test_parse(text):
    position = Position.parse(text)
    assert position.match == MatchState(length=5, score=4, opponent_score=2, crawford=True)
    assert (position.xgid, position.gnubg_match_id) == (CRAWFORD, "8AmgACAAIAAE")
    assert eval(repr(position)) == position


def test_the_side_on_roll_is_player_1_in_a_match_id():
    position = Position.parse("-b----E-C---eE---c-e----B-:1:1:-1:00:4:2:0:7:10")
    assert position.gnubg_match_id == "QQngAEAAEAAE"
    assert Position.parse(f"{position.gnubg_id}:{position.gnubg_match_id}") == position


def test_parse_reads_the_dice():
    assert Position.parse("4HPwATDgc/ABMA").roll is None
    assert Position.parse(CRAWFORD.replace(":00:", ":16:")).roll == (6, 1)
    assert Position.parse("4HPwATDgc/ABMA:cAkHAAAAAAAA").roll == (6, 1)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", NotationError),
        ("hello", NotationError),
        ("cAkAAAAAAAAA", NotationError),  # a match id alone
        ("4HPwATDgc/ABMA:", None),
        ("4HPwATDgc/ABMA:zz", NotationError),
        ("4HPwATDgc/ABMA:cAkgAAAAEAAE", MatchError),
        ("////////////AA", PositionError),
        ("XGID=", NotationError),
    ],
)
def test_what_is_no_position(text, error):
    if error is None:
        assert Position.parse(text) == Position()
        return
    with pytest.raises(error) as caught:
        Position.parse(text)
    assert 10 < len(str(caught.value)) < 200 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("board", "says"),
    [
        (np.zeros(26, int), "neither side"),
        (np.zeros(25, int), "26 slots"),
        ([-1] * 26, "its opponent's"),
        ([0] * 25 + [16], "16 men"),
        ([0] * 25 + [300], "300 men"),
        ([1] + [0] * 25, "slot 0"),
    ],
)
def test_impossible_boards(board, says):
    with pytest.raises(PositionError, match=says):
        Position(board)


def test_legal_plays_are_the_rules_in_their_order():
    for variant in (STANDARD, NACKGAMMON, HYPERGAMMON):
        for roll in ("31", "66"):
            position = Position(variant=variant, roll=roll)
            plays = position.legal_plays()
            rows = legal_plays(position.board[None], np.array([position.roll]), variant).boards
            assert [play.position.board.tolist() for play in plays] == rows.tolist()
            for play in plays:
                assert position.play(str(play)) == play.position
                assert play.position.match.seat == 0
                spelled = " ".join(f"{s.source}/{s.target}" for s in play.steps)
                assert position.play(spelled) == play.position


def test_a_dance():
    position = Position.parse("-------------------bbbbbbA:0:0:1:53:0:0:0:0:10")
    (play,) = position.legal_plays()
    assert play.text == "Cannot Move" and play.steps == ()
    assert position.play("") == play.position


def test_undo_is_keeping_the_old_one():
    before = Position.parse("XGID=-b-BC-C-C---bB---e-e-a--B-:0:0:1:53:0:0:0:0:10")
    key = hash(before)
    after = before.play("24/21* 13/8")
    assert after.board[25] == 1
    assert hash(before) == key and before.board[0] == 0 and before.board[21] == -1


def test_the_match_turns_round_with_the_board():
    match = MatchState(length=7, score=3, cube=2, owner=Owner.MINE)
    after = Position(match=match).play("8/5 6/5", (3, 1))
    assert (after.match.score, after.match.opponent_score) == (0, 3)
    assert after.match.owner is Owner.HIS
    assert after.roll is None


def test_when_there_is_nothing_to_play():
    with pytest.raises(NotationError, match="without dice"):
        Position().legal_plays()
    with pytest.raises(NotationError, match="1 to 6"):
        Position().legal_plays("07")
    with pytest.raises(IllegalPlayError, match="both numbers"):
        Position().play("8/5", "31")
    doubled = Position(match=MatchState().double())
    with pytest.raises(PositionError, match="double must be answered"):
        doubled.legal_plays("31")
    with pytest.raises(PositionError, match="before dice are thrown"):
        Position(match=MatchState().double(), roll="31")
    won = Position.parse("-A-----------------eee----:0:0:1:61:0:0:0:0:10").play("1/off")
    assert won.result == "lose gammon"
    with pytest.raises(PositionError, match="the game is over"):
        won.legal_plays("31")


@pytest.mark.parametrize(
    ("state", "points"),
    [("1:-1:1:61:0:0:1:0:10", 4), ("0:0:1:61:0:0:0:5:10", 2), ("0:0:1:61:0:0:1:0:10", 1)],
)
def test_what_a_gammon_wins(state, points):
    """Jacoby: with a turned cube; in a match, which has no Jacoby rule; with a central cube."""
    won = Position.parse(f"-A-----------------eee----:{state}").play("1/off")
    assert won.match.points(LOSE_GAMMON) == -points


def test_hypergammon_ends_with_three_men_off():
    last = Position.parse("-A----------a-----------b-", HYPERGAMMON)
    assert last.play("1/off", "31").result == "lose gammon"
    assert last.variant.result(last.board[None])[0] == ONGOING


def test_importing_it_is_light():
    code = "import sys, bgnet.position; print({'torch', 'hypothesis', 'tqdm'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
