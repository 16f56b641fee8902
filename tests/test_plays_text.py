"""Plays as text: written as gnubg writes them, read in every spelling, judged by the rules."""

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_gnubg import gnubg, needs_gnubg
from reference import legal_results, random_board, random_boards

from bgnet.game.board import START, place
from bgnet.game.referee import IllegalPlayError, Move, judge
from bgnet.game.steps import Law, Step
from bgnet.game.variants import STANDARD
from bgnet.notation.errors import NotationError
from bgnet.notation.plays import (
    format_steps,
    parse_moves,
    parse_play,
    parse_roll,
    ways,
)
from bgnet.position import Position

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def reached(text, board, roll):
    """The position that a play leads to."""
    return parse_play(text, board, roll).board


def board(mine: dict[int, int], his: dict[int, int] | None = None) -> np.ndarray:
    """A board, his men on *my* numbering: easier to read where the two meet."""
    return place(mine, {25 - point: count for point, count in (his or {}).items()})


def law(position: np.ndarray, roll: tuple[int, int], text: str) -> Law | None:
    with pytest.raises(IllegalPlayError) as caught:
        reached(text, position, roll)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value.law


# -- writing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([], "Cannot Move"),
        ([(24, 18, 0), (18, 13, 0)], "24/13"),
        ([(24, 18, 1), (18, 13, 0)], "24/18*/13"),
        ([(13, 7, 0), (24, 19, 0)], "24/19 13/7"),
        ([(25, 22, 1), (8, 3, 0)], "bar/22* 8/3"),
        ([(6, 0, 0), (1, 0, 0)], "6/off 1/off"),
        ([(8, 5, 1), (8, 5, 0), (6, 3, 0), (6, 3, 0)], "8/5*(2) 6/3(2)"),
        ([(13, 10, 0), (13, 10, 0), (10, 7, 1), (10, 7, 0)], "13/7*(2)"),
        ([(21, 18, 1), (21, 18, 0), (18, 15, 0), (18, 15, 0)], "21/18*/15(2)"),
        ([(8, 5, 0), (8, 5, 0), (5, 2, 0)], "8/2 8/5"),
    ],
)
def test_format_steps(steps, text):
    assert format_steps([Step(a, b, bool(hit)) for a, b, hit in steps]) == text


def test_every_legal_play_has_a_text_that_leads_back_to_it():
    rng = random.Random(1)
    for men in random_boards(rng, 60):
        position, roll = np.array(men, np.int8), rng.choice(ROLLS)
        plays = Position(position).legal_plays(roll)
        assert len({play.text for play in plays}) == len(plays)
        for play in plays:
            after = reached(play.text, position, roll)
            assert (after == play.position.board).all(), (men, roll, play.text)


def test_ways_are_playable_step_by_step():
    rng = random.Random(2)
    for men in random_boards(rng, 60):
        position, roll = np.array(men, np.int8), rng.choice(ROLLS)
        known = ways(position, roll)
        for result in legal_results(men, roll):
            after = tuple(-count for count in reversed(result))
            text = " ".join(f"{s.source}/{s.target}" for s in known[after])
            assert tuple(reached(text, position, roll).tolist()) == result


# -- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("8/5 6/5", [(8, 5), (6, 5)]),
        ("8/5,6/5", [(8, 5), (6, 5)]),
        (" 8/5 ,  6/5 ", [(8, 5), (6, 5)]),
        ("8-5 6-5", [(8, 5), (6, 5)]),
        ("8 5 6 5", [(8, 5), (6, 5)]),
        ("bar/22*", [(25, 22)]),
        ("BAR/22", [(25, 22)]),
        ("b/22", [(25, 22)]),
        ("25/22", [(25, 22)]),
        ("bar-20", [(25, 20)]),
        ("bar 20", [(25, 20)]),
        ("6/off", [(6, 0)]),
        ("6/o 6/0 6/- 6-off", [(6, 0)] * 4),
        ("6/home", [(6, 0)]),
        ("24/18/13", [(24, 18), (18, 13)]),
        ("24/18*/13*", [(24, 18), (18, 13)]),
        ("8/5(2)", [(8, 5), (8, 5)]),
        ("8/5*(2)", [(8, 5), (8, 5)]),
        ("8/5(2)*", [(8, 5), (8, 5)]),
        ("13/10/7(2)", [(13, 10), (10, 7), (13, 10), (10, 7)]),
        ("bar/22 pass", [(25, 22)]),
        *[(text, []) for text in ("", "Cannot Move", "pass", "Pass", "no move", "Can't move", "-")],
        ("dance", []),
    ],
)
def test_spellings(text, moves):
    assert parse_moves(text) == tuple(Move(*move) for move in moves)


@pytest.mark.parametrize(
    ("text", "column"),
    [("8/5 x/3", 5), ("8/5 26/3", 5), ("8/5 6", 5), ("8/", 1), ("8/5(5)", 1), ("8//5", 1)],
)
def test_unreadable(text, column):
    with pytest.raises(NotationError) as caught:
        parse_moves(text)
    assert caught.value.column == column
    assert f"column {column}" in str(caught.value)


@pytest.mark.parametrize("text", ["8/7/6/5/4/3", "8/5(3) 6/3(2)", "6 5 " * 5, "8/5 " * 10**4])
def test_too_many_moves(text):
    with pytest.raises(NotationError, match="four moves at most"):
        parse_moves(text)


@pytest.mark.parametrize("roll", ["13", "31", "3 1", "3-1", "3,1", (1, 3), [3, 1]])
def test_rolls(roll):
    assert parse_roll(roll) == (3, 1)


@pytest.mark.parametrize("roll", ["07", "3", "310", "", "ab", (0, 1), (7, 1), (1, 2, 3), (1.5, 2)])
def test_no_rolls(roll):
    with pytest.raises(NotationError, match="two dice of 1 to 6"):
        parse_roll(roll)


# -- judging ---------------------------------------------------------------------------------


def test_any_order_and_dice_taken_together():
    for text in ("13/8 13/7", "13/7 13/8"):
        assert (reached(text, START, (6, 5)) == reached("13/7, 13/8", START, (6, 5))).all()
    expected = reached("24/18/13", START, (6, 5))
    assert (reached("24/13", START, (6, 5)) == expected).all()
    position = board({10: 1, 5: 1})  # 5/off comes first in the text and second on the board
    reached("5/off 10/5", position, (6, 5))


def test_dice_taken_together_go_round_a_blot():
    position = board({24: 1}, {18: 1})
    assert reached("24/13", position, (6, 5))[25] == 0
    assert reached("24/18*/13", position, (6, 5))[25] == 1
    assert law(board({24: 1}, {18: 1, 19: 1}), (6, 5), "24/13") is None


def test_last_man_may_be_written_with_one_die_or_two():
    position = board({4: 1}, {24: 1})
    for text in ("4/off", "4/2/off", "4/2 2/off", "4/0"):
        assert (reached(text, position, (6, 2)) == place({1: 1}, {})).all()


def test_entering_men():
    position = board({25: 1}, {20: 2})
    for text in ("bar/22", "25/22", "Bar/22", "bar/22 pass"):
        assert reached(text, position, (3, 2))[3] == -1
    assert law(position, (3, 2), "bar/23") is Law.LARGER
    assert law(position, (3, 2), "bar/22/20") is Law.HELD


@pytest.mark.parametrize(
    ("position", "roll", "text", "broken"),
    [
        (START, (3, 1), "24/14", Law.POINTS),
        (START, (3, 1), "8/5 6/5 24/23", Law.POINTS),
        (START, (3, 1), "5/8 6/5", Law.POINTS),
        (START, (3, 1), "20/17 6/5", Law.NO_MAN),
        (START, (6, 5), "24/18 24/19", Law.HELD),
        (START, (5, 5), "24/19", Law.HELD),
        (START, (3, 1), "8/5", Law.BOTH),
        (START, (3, 1), "", Law.BOTH),
        (START, (3, 3), "8/5(2)", Law.BOTH),
        (board({25: 1, 6: 2}), (3, 1), "6/3 6/5", Law.BAR),
        (board({25: 2, 6: 2}), (3, 1), "bar/22 6/5", Law.BAR),
        (board({7: 1, 3: 1}), (6, 3), "3/off 7/1", None),
        (board({8: 1, 3: 1}), (3, 1), "3/off 8/7", Law.HOME),
        (board({6: 1, 3: 2}), (4, 3), "3/off 3/off", Law.HIGHEST),
        (board({24: 1}, {18: 1, 13: 2, 20: 2, 12: 2}), (6, 4), "", Law.BOTH),
        (board({20: 1}, {11: 2}), (5, 4), "20/16", Law.LARGER),
    ],
)
def test_the_law_is_named(position, roll, text, broken):
    if broken is None:
        reached(text, position, roll)
    else:
        assert law(position, roll, text) is broken


def test_both_numbers_although_the_larger_alone_looks_right():
    position = board({24: 1, 8: 1, 6: 13}, {4: 2, 16: 2, 18: 3, 19: 4, 20: 4})
    assert law(position, (6, 2), "8/2") is Law.BOTH
    reached("24/22 8/2", position, (6, 2))


def truth(men: tuple[int, ...], roll: tuple[int, int], moves: tuple[Move, ...]) -> set:
    """Legal positions that moves of one die each can mean: tried in every order, no shortcuts."""
    dice = [roll[0]] * 4 if roll[0] == roll[1] else list(roll)
    found = set()

    def play(men, dice, moves):
        if not moves:
            found.add(tuple(-count for count in reversed(men)))
        for i, (source, target) in enumerate(moves):
            for j, die in enumerate(dice):
                if max(source - die, 0) != target or men[source] < 1:
                    continue
                if (target and men[target] < -1) or (men[25] and source != 25):
                    continue
                if not target and (
                    any(count > 0 for count in men[7:])
                    or (source < die and any(count > 0 for count in men[source + 1 : 7]))
                ):
                    continue
                after = list(men)
                after[source] -= 1
                if target:
                    if after[target] == -1:
                        after[target], after[0] = 0, after[0] - 1
                    after[target] += 1
                play(after, dice[:j] + dice[j + 1 :], moves[:i] + moves[i + 1 :])

    play(list(men), dice, moves)
    return found & legal_results(men, roll)


@given(st.integers(0, 2**32), st.data())
def test_the_referee_agrees_with_trying_everything(seed, data):
    rng = random.Random(seed)
    men, roll = random_board(rng), rng.choice(ROLLS)
    sources = [point for point in range(1, 26) if men[point] > 0]
    moves = []
    for _ in range(data.draw(st.integers(0, 4 if roll[0] == roll[1] else 2))):
        source = rng.choice(sources)
        moves.append(Move(source, max(source - rng.choice(roll), 0)))
        sources.append(moves[-1].target or source)
    expected = truth(men, roll, tuple(moves))
    try:
        result = judge(np.array(men, np.int8), roll, tuple(moves), STANDARD).board
    except IllegalPlayError as error:
        assert not expected or error.law is None
    else:
        assert tuple(result.tolist()) in expected


@given(st.text("0123456789/-*()barof ,\t", max_size=40))
def test_no_text_does_worse_than_a_clear_error(text):
    try:
        reached(text, START, (3, 1))
    except (NotationError, IllegalPlayError) as error:
        assert re.fullmatch(r".{5,200}", str(error))


@needs_gnubg
@pytest.mark.peers
def test_gnubg_writes_every_play_alike(tmp_path):
    rng = random.Random(3)
    asked = []
    for men in random_boards(rng, 40):
        position = Position(men, roll=rng.choice(ROLLS))
        if not position.result:
            asked.append(position)
    answers = gnubg(
        tmp_path,
        "set evaluation chequerplay evaluation plies 0",
        *(line for position in asked for line in (f"set xgid {position.xgid}", "hint 3000")),
    )
    blocks = re.split(r"Position ID: (\S+)\s*\n.*?Match ID\s*: (\S+)", answers)
    hints = {}
    for name, match, block in zip(blocks[1::3], blocks[2::3], blocks[3::3], strict=True):
        if texts := re.findall(r"^\s*\d+\. Cubeful 0-ply\s+(.*?)\s+Eq", block, re.MULTILINE):
            hints[name, match] = sorted(texts)
    compared = 0
    for position in asked:
        texts = hints.get((position.gnubg_id, position.gnubg_match_id))
        if texts:  # gnubg answers otherwise where there is but one play
            assert sorted(play.text for play in position.legal_plays()) == texts
            compared += len(texts)
    assert compared > 200
