"""Russian positions and plays as text, and the judging of plays."""

import random

import numpy as np
import pytest
import russian_reference as twin
from hypothesis import given
from hypothesis import strategies as st

from bgnet.game.match import MatchState
from bgnet.game.referee import IllegalPlayError
from bgnet.game.russian import START, flip, place
from bgnet.game.russian_row import PENDING
from bgnet.game.scoring import ONGOING
from bgnet.game.setup import PositionError
from bgnet.game.steps import Law
from bgnet.game.variants import RUSSIAN, STANDARD, VARIANTS
from bgnet.notation.errors import NotationError
from bgnet.notation.mat import format_mat
from bgnet.notation.plays import parse_play
from bgnet.notation.record import Action, Kind, MatchRecord, Scoresheet
from bgnet.notation.russian import format_position, parse_position
from bgnet.notation.sgf import format_sgf
from bgnet.position import Position

BAR, WAITING = 25, 26
NOBODY = {WAITING: 15}


@given(st.integers(0, 2**32))
def test_positions_survive_being_written(seed):
    row = np.array(twin.row(twin.random_position(random.Random(seed))), np.int8)
    text = format_position(row)
    assert np.array_equal(parse_position(text), row)
    assert np.array_equal(parse_position(f" {text.removeprefix('RUS=')} "), row)


def test_a_position_is_read_as_documented():
    row = parse_position("RUS=b------------------bA-A---:13:11:-:4")
    assert np.array_equal(row, place({20: 1, 22: 1, WAITING: 13}, {BAR: 2, 19: 2, WAITING: 11},
                                     pending=4))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", NotationError, "5 fields"),
        ("RUS=-------:15:15:Aa:0", NotationError, "26 letters, not 7"),
        ("RUS=?-------------------------:15:15:Aa:0", NotationError, "column 1"),
        ("RUS=A-------------------------:14:15:a:0", NotationError, "first letter"),
        ("RUS=--------------------------:15:15:x:0", NotationError, "first throws"),
        ("RUS=--------------------------:15:-1:-:0", NotationError, "men waiting"),
        ("RUS=--------------------------:15:15:-:9", PositionError, "not 9"),
        ("RUS=--------------------------:15:15:A:3", PositionError, "pending before"),
        ("RUS=-A------------------------:15:15:-:0", PositionError, "16 men"),
    ],
)
def test_positions_that_are_refused(text, error, words):
    with pytest.raises(error, match=words):
        parse_position(text)


def test_plays_survive_being_written():
    rng = random.Random(11)
    for before in twin.random_rows(rng, 40):
        roll = twin.throw_for(rng, twin.position(before))
        row = np.array(before, np.int8)
        plays = Position(row, variant=RUSSIAN).legal_plays(roll)[:30]
        assert len({play.text for play in plays}) == len(plays)
        for play in plays:
            played = parse_play(play.text, row, roll, RUSSIAN)
            assert np.array_equal(played.board, play.position.board), (before, roll, play.text)


def text_of(row: np.ndarray, after: np.ndarray, roll: tuple[int, int]) -> str:
    """How the play that leads there is written."""
    plays = Position(row, variant=RUSSIAN).legal_plays(roll)
    return next(play.text for play in plays if np.array_equal(play.position.board, after))


@pytest.mark.parametrize(
    ("row", "roll", "text", "after"),
    [
        (START, (6, 3), "enter/22 enter/19", place({19: 1, 22: 1, WAITING: 13}, NOBODY,
                                                   opponent_first=True)),
        (START, (4, 4), "enter/21(4)", place({21: 4, WAITING: 11}, NOBODY, opponent_first=True)),
        (place({BAR: 1, WAITING: 14}, {22: 1, WAITING: 14}), (3, 1), "bar/22* enter/24",
         place({22: 1, 24: 1, WAITING: 13}, {BAR: 1, WAITING: 14})),
        (place({20: 1, WAITING: 14}, NOBODY), (5, 2), "enter/18",
         place({20: 1, 18: 1, WAITING: 13}, NOBODY)),
    ],
)  # fmt: skip
def test_plays_with_men_entering(row, roll, text, after):
    seen = flip(after)
    for written in (text, text_of(row, seen, roll)):
        played = parse_play(written, row, roll, RUSSIAN)
        assert np.array_equal(played.board, seen) and not played.again


def test_a_bonus_leaves_the_row_with_its_player():
    row = place({20: 1, WAITING: 14}, NOBODY)
    after, again = parse_play("enter/21(4)", row, (4, 4), RUSSIAN)
    assert again and np.array_equal(after, place({20: 1, 21: 4, WAITING: 10}, NOBODY, pending=3))
    assert text_of(row, after, (4, 4)) == "enter/21(4)"


@pytest.mark.parametrize(
    ("row", "roll", "text", "law"),
    [
        (START, (6, 3), "enter/19/16", Law.ENTER),
        (START, (6, 3), "enter/19", Law.BOTH),
        (START, (6, 3), "24/18 24/21", Law.NO_MAN),
        (START, (6, 3), "enter/20 enter/22", Law.POINTS),
        (place({BAR: 1, 10: 1, WAITING: 13}, NOBODY), (6, 3), "enter/19 bar/22", None),
        (place({BAR: 1, 10: 1, WAITING: 13}, NOBODY), (6, 3), "enter/19 10/7", Law.BAR),
        (place({WAITING: 15}, {19: 2, WAITING: 13}), (6, 3), "enter/19 enter/22", Law.HELD),
        (place({3: 14, WAITING: 1}, NOBODY), (3, 1), "3/off 3/2", Law.HOME),
        (place({5: 1, 2: 1}, NOBODY), (4, 1), "2/off 5/4", Law.HIGHEST),
        (place({24: 1, 1: 14}, {15: 2, 2: 13}), (5, 4), "24/20", Law.LARGER),
        (place({20: 1, WAITING: 14}, NOBODY), (4, 4), "enter/21(3)", Law.BOTH),
    ],
)
def test_the_referee_names_the_law(row, roll, text, law):
    if law is None:
        parse_play(text, row, roll, RUSSIAN)
        return
    with pytest.raises(IllegalPlayError) as caught:
        parse_play(text, row, roll, RUSSIAN)
    assert caught.value.law == law


def test_a_position_knows_who_goes_on():
    start = Position(variant=RUSSIAN)
    second = start.play("enter/19 enter/22", "63").play("enter/20 enter/24", "51")
    assert second.match.seat == start.match.seat
    bonus = second.play("enter/23(4)", "22")
    assert bonus.match.seat == second.match.seat
    assert np.array_equal(bonus.board, place({19: 1, 22: 1, 23: 4, WAITING: 9},
                                             {20: 1, 24: 1, WAITING: 13}, pending=5))  # fmt: skip
    assert {play.position.board[PENDING] for play in bonus.legal_plays()} == {0}
    assert "enter/20*(4)" in [play.text for play in bonus.legal_plays("55")]
    with pytest.raises(PositionError, match="5-5 is still to be played"):
        bonus.play("enter/20 enter/19", "65")
    with pytest.raises(PositionError, match="31 slots"):
        Position([0] * 26, variant=RUSSIAN)


def test_a_record_of_a_game_keeps_the_turn_with_who_goes_on():
    sheet = Scoresheet(MatchState(seat=0), RUSSIAN)
    throws = [((6, 3), "enter/19 enter/22"), ((5, 1), "enter/20 enter/24"), ((2, 2), "enter/23(4)"),
              ((5, 5), "enter/20*(4)"), ((6, 5), "enter/19 enter/20")]  # fmt: skip
    players = [0, 1, 0, 0, 0]
    for player, (roll, text) in zip(players, throws, strict=True):
        sheet.act(Action(player, Kind.PLAY, roll, text))
    assert [moment.match.seat for moment in sheet.moments] == players
    assert [moment.action.text for moment in sheet.moments][3] == "enter/20*(4)"
    assert sheet.on_roll == 1 and -sheet.board[0] == 0 and sheet.board[25] == 1


def test_a_record_knows_who_won_in_the_middle_of_a_doublet():
    sheet = Scoresheet(MatchState(seat=0), RUSSIAN)
    last = tuple(place({1: 2}, {2: 15}).tolist())
    sheet.act(Action(1, Kind.SETUP, board=last))
    sheet.act(Action(1, Kind.PLAY, (3, 3), "1/off(2)"))
    assert (sheet.winner, sheet.points) == (1, 2)


def test_a_position_is_written_and_drawn():
    start = Position(variant=RUSSIAN)
    assert start.texts == {"russian": "RUS=--------------------------:15:15:Aa:0"}
    assert eval(repr(start), {"Position": Position, "VARIANTS": VARIANTS}) == start
    bonus = start.play("enter/19 enter/22", "63").play("enter/20 enter/24", "51").play(
        "enter/23(4)", "22"
    )  # fmt: skip
    assert Position.parse(bonus.texts["russian"], RUSSIAN) == bonus
    assert bonus.roll == (5, 5)
    drawn = str(bonus).splitlines()  # the sides move the same way, so no number is another's
    assert drawn[0] == "+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+"
    assert drawn[1] == (
        "|                   |   |  X  O     X  X  O |  O: 369 pips, 0 off, 13 to enter"
    )
    assert drawn[-2].endswith("X: 358 pips, 0 off, 9 to enter")
    assert drawn[-1].endswith("X to play 55")
    assert bonus.svg.count("<circle") == 8


@pytest.mark.parametrize(
    ("text", "variant", "words"),
    [
        ("RUS=--------------------------:15:15:Aa:0", STANDARD, "not describe a position of back"),
        ("4HPwATDgc/ABMA", RUSSIAN, "a gnubg id does not describe a position of russian"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", RUSSIAN, "an XGID does not"),
        ("RUS=", RUSSIAN, "5 fields"),
    ],
)
def test_a_text_of_another_game_is_refused(text, variant, words):
    with pytest.raises(NotationError, match=words):
        Position.parse(text, variant)


def test_a_russian_position_has_no_xgid():
    with pytest.raises(NotationError, match="russian has no xgid"):
        Position(variant=RUSSIAN).xgid  # noqa: B018


def test_files_without_a_place_for_it_say_so():
    record = MatchRecord(("x", "o"), 0, (), RUSSIAN)
    for write in (format_mat, format_sgf):
        with pytest.raises(NotationError, match="has no place for a game of russian"):
            write(record)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_texts_of_every_game_handle_its_men(variant):
    rng = np.random.default_rng(2)
    rows = variant.starts(10)
    rolls = variant.opening_rolls(rng, 10)
    for _ in range(30):
        plays = variant.legal_plays(rows, rolls)
        firsts = plays.firsts(len(rows))
        rows = plays.boards[firsts + rng.integers(0, np.diff(firsts, append=len(plays.owner)))]
        rows = rows[variant.result(rows) == ONGOING]
        rolls = variant.next_rolls(rng, rows)
        for position in (Position(row, variant=variant) for row in rows):
            for text in position.texts.values():
                assert Position.parse(text, variant) == position
