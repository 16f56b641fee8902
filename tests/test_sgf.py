"""The .sgf format: gnubg's own files, set-ups, damaged files, there and back."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_gnubg import gnubg, needs_gnubg
from test_mat import MATCH as MAT
from test_mat import mutated
from test_record import for_gnubg, random_record

from bgnet.game.match import Owner
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON
from bgnet.notation.errors import NotationError
from bgnet.notation.mat import parse_mat
from bgnet.notation.record import Action, Kind, MatchRecord
from bgnet.notation.sgf import format_sgf, parse_sgf

MATCH = (Path(__file__).parent / "golden" / "match.sgf").read_text()
ROOT = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]"


def test_a_match_of_gnubg():
    """The same match as in the other format, with some of gnubg's analysis in it."""
    record = parse_sgf(MATCH)
    assert record.games == parse_mat(MAT).games
    assert (record.players, record.length) == (("gnubg", "root"), 5)
    assert record.tags == (("EventDate", "2026-11-30"),)


def test_rules_and_names():
    tree = ROOT.replace("PW[a]", r"PW[alice\]b\\c]") + "RU[Crawford:CrawfordGame:Nackgammon])"
    record = parse_sgf(tree.replace("ws:0", "ws:2"))
    assert record.players[0] == r"alice]b\c"
    assert record.variant is NACKGAMMON and record.games[0].crawford
    assert parse_sgf(ROOT + "RU[Hypergammon3])").variant is HYPERGAMMON
    assert parse_sgf(ROOT.replace("length:3", "length:0") + "RU[Jacoby])").jacoby
    assert parse_sgf(format_sgf(record)) == record


def test_both_sides_letters():
    record = parse_sgf(ROOT + ";W[31hefe]\n;B[31qtst]\n;PL[W]DI[65])")
    assert [action.text for action in record.games[0].actions] == ["8/5 6/5", "8/5 6/5"]


def test_a_position_set_up_by_hand():
    up = ";PL[B]AE[a:y]AW[a][a][y]AB[x][w][w]CO[w]CV[4]"
    record = parse_sgf(f"{ROOT}{up};B[21xzwz];W[double];B[take])".replace("length:3", "length:0"))
    setup = record.games[0].actions[0]
    board = [0] * 26
    board[1], board[2], board[24], board[0] = 1, 2, -2, -1
    assert setup == Action(1, Kind.SETUP, board=tuple(board), cube=4, owner=Owner.HIS)
    assert [action.kind for action in record.games[0].actions[1:]] == [
        Kind.PLAY,
        Kind.DOUBLE,
        Kind.TAKE,
    ]
    assert parse_sgf(format_sgf(record)) == record


def test_beaver_and_resignation():
    text = ROOT.replace("length:3", "length:0") + "RE[W+12R];B[31qtst];W[double];B[double];W[take])"
    record = parse_sgf(text)
    assert [action.kind for action in record.games[0].actions] == [
        Kind.PLAY,
        Kind.DOUBLE,
        Kind.BEAVER,
        Kind.TAKE,
        Kind.RESIGN,
    ]
    assert (record.games[0].winner, record.games[0].points) == (0, 12)
    assert parse_sgf(format_sgf(record)) == record


def test_a_turn_lost():
    record = parse_sgf(ROOT + "RE[W+1R];B[31qtst];W[13];B[42qusu];W[65])")
    kinds = [action.kind for action in record.games[0].actions]
    assert kinds == [Kind.PLAY, Kind.FORFEIT, Kind.PLAY, Kind.RESIGN]
    assert parse_sgf(format_sgf(record)) == record


def test_variations_comments_and_case():
    text = ROOT + ";C[a (;remark\\]]\n(;B[31qtst];W[31hefe])(;B[21lnab](;W[66])))"
    assert [action.roll for action in parse_sgf(text).games[0].actions] == [(3, 1), (3, 1)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no game found"),
        ("hello", "line 1, column 1: "),
        ("(;GM[1])", "GM.6. is backgammon"),
        (ROOT + "\n;B[31qtsu])", "line 2, column 1: "),
        (ROOT + "\n;B[99])", "line 2, column 1: a move is like"),
        (ROOT + "\n;B[31qtst]\n;B[31qtst])", "line 3, column 1: player 1 has a play out of turn"),
        (ROOT + "\n;B[31qtst]\n;W[take])", "no double"),
        (ROOT + "\n;B[31qts", "line 2, column 3: "),
        (ROOT + "))", "a '.' without its"),
        (ROOT + ";AW[a];B[31qtst])", "neither|no man"),
        (ROOT + ";AW[aa])", "a point is a letter"),
        (ROOT + ";CV[3])", "power of two"),
        (ROOT + ";PL[x]CV[2])", "PL is W or B"),
        (ROOT.replace("ws:0", "ws:3") + ")", "is over at 3-0"),
        (ROOT.replace("length:3", "length:x") + ")", "length is a whole number"),
        ("(W[31hefe])", "outside a node"),
        ("([x])", "outside a node"),
        (";", r"begins with '\(;'"),
    ],
)
def test_bad_files(text, says):
    with pytest.raises(NotationError, match=says):
        parse_sgf(text)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_there_and_back(seed):
    record = random_record(random.Random(seed), set_ups=True)
    text = format_sgf(record)
    assert parse_sgf(text) == record
    assert format_sgf(parse_sgf(text)) == text


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_damage_does_no_worse_than_a_clear_error(seed):
    trees = MATCH.split("\n(")
    try:
        parse_sgf(mutated(random.Random(seed), "(" + trees[2]))
    except NotationError as error:
        assert len(str(error).splitlines()) == 1


def test_an_empty_record():
    assert format_sgf(MatchRecord(("a", "b"), 3, ())) == "\n"


@needs_gnubg
@pytest.mark.peers
def test_gnubg_reads_what_we_write_and_we_what_it_writes(tmp_path):
    rng = random.Random(4)
    for record in (parse_sgf(MATCH), *(for_gnubg(rng) for _ in range(6))):
        (tmp_path / "ours.sgf").write_text(format_sgf(record))
        gnubg(tmp_path, "set confirm save off", "load match ours.sgf", "save match theirs.sgf")
        theirs = parse_sgf((tmp_path / "theirs.sgf").read_text())
        assert theirs.games == record.games
        assert (theirs.players, theirs.variant) == (record.players, record.variant)
