"""The .mat format: gnubg's own files, other programs' habits, damaged files, there and back."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_gnubg import gnubg, needs_gnubg
from test_record import for_gnubg, random_record

from bgnet.game.variants import HYPERGAMMON, HYPERGAMMON_1, HYPERGAMMON_2, NACKGAMMON
from bgnet.notation.errors import NotationError
from bgnet.notation.mat import format_mat, parse_mat
from bgnet.notation.record import Action, GameRecord, Kind, MatchRecord

MATCH = (Path(__file__).parent / "golden" / "match.mat").read_text()
HEAD = " 5 point match\n\n Game 1\n a : 0                          b : 0\n"


def test_a_match_of_gnubg():
    record = parse_mat(MATCH)
    assert (record.players, record.length, record.warnings) == (("gnubg", "root"), 5, ())
    assert record.tags == (("EventDate", "2026.11.30"),)
    assert [(game.scores, game.crawford, game.winner, game.points) for game in record.games] == [
        ((0, 0), False, 1, 1),
        ((0, 1), False, 1, 2),
        ((0, 3), False, 0, 1),
        ((1, 3), False, 1, 1),
        ((1, 4), True, 0, 1),
        ((2, 4), False, 1, 6),
    ]
    first = record.games[0].actions
    assert first[:2] == (
        Action(1, Kind.PLAY, (2, 1), "24/23 13/11"),
        Action(0, Kind.PLAY, (5, 2), "24/22 13/8"),
    )
    assert [action.text for action in first if action.roll == (6, 6)] == ["Cannot Move"]
    assert record.games[1].actions[-1].kind is Kind.RESIGN
    assert parse_mat(format_mat(record)) == record


def test_other_programs_habits():
    record = parse_mat(
        '; [Site "somewhere"]\n; [Jacoby "True"]\n; a remark\n\n0 point match\n\n'
        " Game 1\n An na : 0\t\t\tBo: the 3rd : 2\n"
        "  1) 31: 8/5 6/5                 66: 24/18(2) 13/7(2)\n\n"
        "  2) 54: 24/20/15                 Doubles => 2\n"
        "  3)  Accepts                    21: 18/15\n"
        "  4)  Resigned Game\n"
        "                                  Wins 4 points and the match\n"
    )
    assert record.players == ("An na", "Bo: the 3rd")
    assert record.jacoby and record.tags == (("Site", "somewhere"),)
    (game,) = record.games
    assert [action.text for action in game.actions if action.kind is Kind.PLAY] == [
        "8/5 6/5",
        "24/18(2) 13/7(2)",
        "24/15",
        "18/15",
    ]
    assert (game.winner, game.points) == (1, 4)


def test_beaver():
    text = (
        " 0 point match\n\n Game 1\n a : 0                          b : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2)  Doubles => 2                Beavers => 4\n"
        "  3) 31: 8/5 6/5\n"
    )
    record = parse_mat(text)
    kinds = [action.kind for action in record.games[0].actions]
    assert kinds == [Kind.PLAY, Kind.DOUBLE, Kind.BEAVER, Kind.TAKE, Kind.PLAY]
    assert record.beavers and parse_mat(format_mat(record)) == record


def test_variants():
    for tag, variant in (("NackGammon", NACKGAMMON), ("HyperGammon (3)", HYPERGAMMON),
                         ("HyperGammon (2)", HYPERGAMMON_2), ("hypergammon", HYPERGAMMON),
                         ("HyperGammon (1)", HYPERGAMMON_1)):  # fmt: skip
        text = f'; [Variation "{tag}"]\n{HEAD}'
        assert parse_mat(text).variant is variant
        assert parse_mat(format_mat(parse_mat(text))).variant is variant


def test_who_won_a_resigned_game():
    # The score of the next game knows better than the column.
    text = (
        " 5 point match\n\n Game 1\n a : 0                          b : 0\n"
        "  1) 31:       Wins 2 points\n\n Game 2\n a : 0                          b : 2\n"
    )
    assert parse_mat(text).games[0] == GameRecord(
        (0, 0), False, (Action(0, Kind.RESIGN, points=2),), winner=1, points=2
    )


@pytest.mark.parametrize(
    "changed",
    [
        MATCH.replace("\n", "\r\n"),
        MATCH.replace("\n", "\n\n"),
        MATCH.replace(" 5 point match", "").replace(
            " Game 1\n", "; x\n" * 30 + " 5 point match\n Game 1\n"
        ),
        MATCH.replace("Wins 6 points", "wins 6 points and the match"),
        MATCH.replace("33: \n", "33: Cannot Move\n"),
        MATCH.replace("/0 ", "/off ").replace("25/", "bar/"),
    ],
)
def test_differences_that_mean_nothing(changed):
    assert parse_mat(changed) == parse_mat(MATCH)


def test_an_unfinished_match():
    cut = MATCH.rstrip().rsplit("\n", 3)[0]
    record = parse_mat(cut)
    assert record.games[-1].winner is None
    assert record.games[:-1] == parse_mat(MATCH).games[:-1]
    assert "Wins" not in format_mat(record).rsplit("Game 6", 1)[1]


def test_names_are_kept():
    changed = MATCH.replace(" gnubg : ", " a: b  7) : ")
    assert parse_mat(changed).players[0] == "a: b  7)"


def test_garbage_between_the_lines():
    lines = MATCH.splitlines()
    lines[20:20] = ["xyz 9/9", "Takes a nap"]
    record = parse_mat("\n".join(lines))
    assert record == parse_mat(MATCH)
    assert record.warnings == (
        "line 21 passed over: xyz 9/9",
        "line 22 passed over: Takes a nap",
    )


def test_a_turn_lost():
    """A program gave gnubg an illegal play; a roll before the result was only thrown."""
    record = parse_mat(
        HEAD + "  1) 31: 8/5 6/5                 31:\n  2) 42: 8/4 6/4     65:\n  Wins 1 point"
    )
    (game,) = record.games
    assert [action.kind for action in game.actions] == [
        Kind.PLAY,
        Kind.FORFEIT,
        Kind.PLAY,
        Kind.RESIGN,
    ]
    assert record.warnings == ("line 5: 31 was not played: a turn lost",)
    assert parse_mat(format_mat(record)) == record


def test_claims_that_do_not_add_up():
    record = parse_mat(MATCH.replace("Wins 1 point ", "Wins 3 points", 1))
    assert record.games == parse_mat(MATCH).games
    assert record.warnings == ("line 20: 3 points claimed, 1 won",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no game found"),
        ("\0\x01\x02", "no game found"),
        (HEAD + "  1) 31: 8/5 6/4", "line 5, column 6: 8/5 6/4 cannot be made with 3-1"),
        (HEAD + "  1) 31: 8/5 x/4", r"line 5, column 14: .*'x/4'"),
        (HEAD + "  1) 31: 8/5", "line 5, column 6: both numbers"),
        (HEAD + "  1) 31: 8/5 6/5 64: 24/14 21: 13/11", "a row has two cells"),
        (HEAD + "  1) what", "line 5, column 6: a cell is like"),
        (HEAD + "  1)  Takes", "line 5, column 7: .*"),
        (HEAD + "  1) 31: 8/5 6/5                 31: 8/5 6/5\n  2)    31: 8/5 x", "'x'"),
        (HEAD.replace(": 0   ", ": 5   "), "line 3: a match to 5 is over at 5-0"),
        (" Game 1\n  1) 31: 8/5 6/5", "before names"),
        (" Game 1\n" + " a : 1 " * 10**5, "line 2: no line is longer"),
    ],
)
def test_bad_files(text, says):
    with pytest.raises(NotationError, match=says):
        parse_mat(text)


def test_what_the_format_cannot_hold():
    up = Action(0, Kind.SETUP, board=(0, 1, *[0] * 22, -1, 0))
    with pytest.raises(NotationError, match="set up by hand"):
        format_mat(MatchRecord(("a", "b"), 0, (GameRecord((0, 0), False, (up,)),)))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_there_and_back(seed):
    record = random_record(random.Random(seed))
    text = format_mat(record)
    assert parse_mat(text) == record
    assert format_mat(parse_mat(text)) == text


def mutated(rng: random.Random, text: str) -> str:
    """A file with some damage."""
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(text)), rng.choice([1, 1, 2, 40])
        piece = rng.choice(
            ["", " ", "\n", ":", ")", "9", "x", "é\0", "(;", "]", text[at : at + 30]]
        )
        text = text[:at] + piece + text[at + size :]
    return text


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_damage_does_no_worse_than_a_clear_error(seed):
    start = MATCH.index(" Game 3")
    short = MATCH[: MATCH.index(" Game 1")] + MATCH[start : MATCH.index(" Game 4")]
    try:
        parse_mat(mutated(random.Random(seed), short))
    except NotationError as error:
        assert len(str(error).splitlines()) == 1


@needs_gnubg
@pytest.mark.peers
def test_gnubg_reads_what_we_write_and_we_what_it_writes(tmp_path):
    rng = random.Random(4)
    for record in (parse_mat(MATCH), *(for_gnubg(rng) for _ in range(6))):
        (tmp_path / "ours.mat").write_text(format_mat(record))
        gnubg(
            tmp_path, "set confirm save off", "import mat ours.mat", "export match mat theirs.mat"
        )
        theirs = parse_mat((tmp_path / "theirs.mat").read_text())
        assert theirs.games == record.games
        assert (theirs.players, theirs.variant) == (record.players, record.variant)


@needs_gnubg
@pytest.mark.peers
def test_nackgammon_of_gnubg(tmp_path):
    gnubg(
        tmp_path,
        "set variation nackgammon",
        "set display off",
        *(f"set player {n} gnubg" for n in (0, 1)),
        *(f"set player {n} chequerplay evaluation plies 0" for n in (0, 1)),
        "set seed 3",
        "new match 1",
        "export match mat m.mat",
    )
    record = parse_mat((tmp_path / "m.mat").read_text())
    assert record.variant is NACKGAMMON
    assert len(record.games[0].actions) > 20
    assert record.games[0].winner is not None
