"""The review of a match: slow twins, every kind of decision, the command."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from guesswork import guesswork
from test_record import random_record

from bgnet.cli import main
from bgnet.engine.cube import worth
from bgnet.engine.cube_search import CubeSearch
from bgnet.engine.met import match_equities
from bgnet.engine.ratings import Luck, rate
from bgnet.engine.review import Review, review
from bgnet.engine.review_decision import Decision, Topic
from bgnet.game import dice
from bgnet.game.board import START, flip
from bgnet.game.match import MatchState
from bgnet.game.variants import STANDARD, Variant
from bgnet.notation.mat import parse_mat
from bgnet.notation.record import Action, Kind, MatchRecord
from bgnet.notation.sgf import format_sgf

GOLDEN = Path(__file__).parent / "golden"
MATCH = parse_mat((GOLDEN / "match.mat").read_text())


def engine(ply: int = 0, variant: Variant = STANDARD) -> CubeSearch:
    return CubeSearch(guesswork(variant), ply)


def played(*actions: Action, scores: tuple[int, int] = (0, 0), length: int = 0,
           crawford: bool = False, **rules: bool) -> MatchRecord:
    """A record of one game."""
    record = MatchRecord(("O", "X"), length, (), **rules)
    sheet = record.scoresheet(scores, crawford)
    for action in actions:
        sheet.act(action)
    return replace(record, games=(sheet.record(),))


def decisions(record: MatchRecord, ply: int = 0) -> list[Decision]:
    return list(review(record, engine(ply, record.variant)).decisions)


OPENING = (Action(1, Kind.PLAY, (3, 1), "8/5 6/5"), Action(0, Kind.PLAY, (5, 2), "13/8 24/22"))


@pytest.fixture(scope="module")
def golden() -> Review:
    return review(MATCH, engine())


# -- a match ---------------------------------------------------------------------------------


def test_every_action_is_a_decision_in_its_order(golden: Review) -> None:
    for game, reviewed in zip(MATCH.games, golden.games, strict=True):
        acted = [d for d in reviewed.decisions if not d.choice.text.startswith("no ")]
        assert [d.player for d in acted] == [action.player for action in game.actions]
        plays = [d.choice.text for d in reviewed.decisions if d.topic is Topic.PLAY]
        assert plays == [a.text for a in game.actions if a.kind is Kind.PLAY]


def test_what_counts_is_what_gnubg_counts(golden: Review) -> None:
    """gnubg's statistics of the same match: 86 and 88 unforced moves of 94 and 96."""
    counts = [(golden.rating(p).plays.count, golden.rating(p).rolls) for p in (0, 1)]
    assert counts == [(86, 94), (88, 96)]


def test_ratings_are_sums_over_decisions(golden: Review) -> None:
    rating = golden.rating(1)
    own = [d for d in golden.decisions if d.player == 1]
    lost = [d.lost for d in own if d.counted]
    assert rating.error_rate == pytest.approx(1000 * np.mean(lost))
    assert rating.performance == pytest.approx(500 * np.mean(lost))
    assert rating.luck == pytest.approx(sum(d.roll_luck.equity for d in own if d.roll_luck))
    assert rating.classes["blunder"].count == sum(d.counted and d.lost >= 0.08 for d in own)
    worst = golden.errors
    assert [d.lost for d in worst] == sorted((d.lost for d in worst), reverse=True)
    assert all(d.lost >= 0.02 for d in worst) and min(d.lost for d in golden.decisions) >= 0


def test_course_ends_with_what_was_won(golden: Review) -> None:
    assert len(golden.games[0].course) == 24 + 1  # plays, and the drop
    assert golden.games[-1].course[-1] == 0
    assert golden.games[3].course[-1] == pytest.approx(float(match_equities().chance(4, 1)))
    money = played(*OPENING, Action(1, Kind.RESIGN, points=2), scores=(3, 4))
    assert review(money, engine()).games[0].course[-1] == 3 + 2 - 4


# -- slow twins ------------------------------------------------------------------------------


@pytest.mark.parametrize("ply", [0, 1])
def test_plays_one_by_one(ply: int) -> None:
    games = MATCH.games[2:3]
    for decision in decisions(replace(MATCH, games=games), ply)[:14]:
        if decision.topic is not Topic.PLAY:
            continue
        state = decision.position.match
        won, lost = (float(worth(state, points)) for points in (state.cube, -state.cube))
        legal = {play.text: play.position.board for play in decision.position.legal_plays()}
        assert decision.legal == len(legal)
        for option in decision.options:
            after = legal[option.text][None]
            value = -float(engine(option.plies).worth(after, state.flip())[0])
            assert option.equity == pytest.approx((2 * value - won - lost) / (won - lost))
            assert option.chance == pytest.approx((1 + value) / 2)
        assert decision.choice.plies == decision.options[0].plies == ply
        if ply == 0:
            values = engine().worth(np.stack(list(legal.values())), state.flip())
            best = (1 - values.min()) / 2
            assert decision.options[0].chance == pytest.approx(best)


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_doubles_are_those_of_the_cube_search(ply: int) -> None:
    record = parse_mat((GOLDEN / "match.mat").read_text().partition(" Game 4")[0])
    found = [d for d in decisions(replace(record, games=record.games[2:3]), ply) if d.cube]
    assert len(found) > 1
    for decision in found if ply < 2 else found[-1:]:
        expected = engine(max(ply, 1)).action(decision.position.board, decision.position.match)
        assert decision.cube.action == expected.action
        assert decision.cube.no_double == pytest.approx(expected.no_double)
        assert decision.cube.double_take == pytest.approx(expected.double_take)
        assert decision.options[0].equity == pytest.approx(expected.equity)
    assert found[-1].choice.text.startswith("double") and found[-1].counted


def slow_roll(row: np.ndarray, roll: np.ndarray, state: MatchState) -> float:
    """Worth of a roll, well played."""
    plays = STANDARD.legal_plays(row[None], roll[None])
    return float(-engine().worth(plays.boards, state.flip()).min())


def test_luck_roll_by_roll() -> None:
    _, decision = (d for d in decisions(played(*OPENING)) if d.topic is Topic.PLAY)
    row, state = decision.position.board, decision.position.match
    every = [slow_roll(row, roll, state) for roll in dice.ROLLS]
    mean = float(np.dot(every, dice.CHANCES))
    expected = slow_roll(row, np.array([5, 2]), state) - mean
    assert decision.roll_luck == (pytest.approx(expected, abs=1e-6), None)


def test_luck_of_the_opening_throw_is_who_begins_too() -> None:
    decision = decisions(played(OPENING[0], length=5, scores=(1, 2)))[0]
    state, rolls = decision.position.match, dice.OPENING_ROLLS
    mine = np.mean([slow_roll(START, roll, state) for roll in rolls])
    his = np.mean([slow_roll(flip(START[None])[0], roll, state.flip()) for roll in rolls])
    gain = slow_roll(START, np.array([3, 1]), state) - (mine - his) / 2
    assert decision.roll_luck.chance == pytest.approx(gain / 2, abs=1e-6)


# -- kinds of decisions ----------------------------------------------------------------------


def test_no_cube_in_the_crawford_game_but_after_it() -> None:
    for crawford, doubles in ((True, 0), (False, 1)):
        record = played(*OPENING, scores=(2, 4), length=5, crawford=crawford)
        topics = [d.topic for d in decisions(record)]
        assert topics.count(Topic.DOUBLE) == doubles


def test_answers_and_their_faults() -> None:
    double = (*OPENING, Action(1, Kind.DOUBLE))
    answers = {}
    for kind in (Kind.TAKE, Kind.DROP):
        *_, made = decisions(played(*double, Action(0, kind)))
        assert (made.topic, made.player, made.counted) == (Topic.ANSWER, 0, True)
        answers[made.choice.text] = made
        wrong = made.lost >= 0.02
        assert made.fault == (f"wrong {made.choice.text}" if wrong else "")
    taken, passed = answers["take"], answers["pass"]
    state, row = taken.position.match, taken.position.board[None]
    assert passed.choice.equity == -1 and min(taken.lost, passed.lost) == 0
    assert taken.choice.equity == pytest.approx(-float(engine(1).worth(row, state.take())[0]))


def test_beavers() -> None:
    beaver = (*OPENING, Action(1, Kind.DOUBLE), Action(0, Kind.BEAVER))
    found = decisions(played(*beaver, Action(1, Kind.TAKE), beavers=True))
    *_, beavered, answered = found
    assert {option.text for option in beavered.options} == {"take", "pass", "beaver"}
    row, offered = answered.position.board[None], answered.position.match
    taken = float(engine(1).worth(row, offered.take())[0])
    assert answered.player == 1 and answered.choice.text == "take"
    assert answered.choice.equity == pytest.approx(taken / 2)  # of a cube that showed 2 by then
    assert beavered.choice.equity == pytest.approx(-max(taken, -2))


def test_resignations_and_turns_lost_are_valued_but_not_counted() -> None:
    gone = Action(1, Kind.FORFEIT, (6, 5))
    record = played(*OPENING, gone, Action(0, Kind.RESIGN, points=3))
    *_, forfeit, resigned = decisions(record)
    assert (forfeit.topic, forfeit.choice.text) == (Topic.FORFEIT, "no play")
    assert not forfeit.counted and forfeit.roll_luck is not None
    row, state = forfeit.position.board[None], forfeit.position.match
    value = -float(engine().worth(STANDARD.flip(row), state.flip())[0])
    assert forfeit.choice.equity == pytest.approx(value)
    assert (resigned.topic, resigned.choice.text) == (Topic.RESIGN, "resign 3")
    assert resigned.choice.equity == -3 and resigned.lost > 0 and not resigned.counted
    assert resigned.options[0].equity == pytest.approx(
        float(engine(1).worth(resigned.position.board[None], resigned.position.match)[0])
    )
    other = decisions(played(*OPENING, gone, Action(1, Kind.RESIGN, points=3)))[-1]
    assert other.options[0].equity == pytest.approx(-resigned.options[0].equity)


def test_nothing_to_review() -> None:
    empty = MatchRecord(("a", "b"), 7, ())
    assert review(empty, engine()).rating(0).error_rate is None
    assert decisions(played(length=3)) == []
    assert rate([]).performance is None


@pytest.mark.parametrize("seed", range(8))
def test_random_matches(seed: int) -> None:
    """Variants, money and matches, set-ups, beavers, games not finished."""
    record = random_record(random.Random(seed), set_ups=True)
    seen: list[tuple[int, int]] = []
    reviewed = review(record, engine(0, record.variant), lambda done, of: seen.append((done, of)))
    total = len(list(reviewed.decisions))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert not total or seen[-1] == (total, total)
    for decision in reviewed.decisions:
        assert np.isfinite([option.equity for option in decision.options]).all()
        assert decision.lost >= 0 and decision.made < len(decision.options) <= 6
        if decision.choice.chance is not None:
            assert -1e-9 <= decision.choice.chance <= 1 + 1e-9
        assert (decision.roll_luck is None) == (decision.position.roll is None)
        assert decision.roll_luck is None or isinstance(decision.roll_luck, Luck)


# -- the command -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The third game of the match, as .mat."""
    path = tmp_path_factory.mktemp("matches") / "short"
    text = (GOLDEN / "match.mat").read_text()
    path.write_text(" 5 point match\n\n Game 3" + text.split(" Game 3")[1].split(" Game 4")[0])
    return path


def test_text(short: Path, net: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(short), "--net", net, "--top", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("gnubg (O) against root (X), match to 5: 1 : 3, unfinished\n")
    for word in ("performance rating (PR)", "missed doubles", "millipoints", "eXtreme Gammon",
                 "doubtful from 0.02", "error from 0.04", "blunder from 0.08", "BAR"):  # fmt: skip
        assert word in " ".join(out.split())
    assert out.count("XGID=") == 2


def test_json_of_both_formats(
    short: Path, net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sgf = tmp_path / "match.txt"  # told by its contents, whatever its name
    sgf.write_text(format_sgf(parse_mat(short.read_text())))
    answers = []
    for path in (short, sgf):
        assert main(["review", str(path), "--net", net, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    answer = answers[0]
    assert next(iter(answer)) == "schema" and answer["players"] == ["gnubg", "root"]
    [game] = answer["games"]
    first = game["decisions"][0]
    assert (first["topic"], first["dice"]) == ("play", [6, 1])
    assert first["options"][first["made"]]["text"] == "13/7 8/7"
    counted = [d["lost"] for d in game["decisions"] if d["counted"] and d["player"] == 0]
    assert answer["ratings"][0]["performance"] == pytest.approx(500 * np.mean(counted))


def test_other_alphabets_and_bad_files(
    short: Path, net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.mat"
    path.write_bytes(short.read_text().replace("gnubg", "J\xf6rg\x1b").encode("latin-1"))
    assert main(["review", str(path), "--net", net, "--top", "0"]) == 0
    assert capsys.readouterr().out.startswith("J\xf6rg? (O)")
    path.write_text("nothing at all")
    assert main(["review", str(path), "--net", net]) == 2
    assert "no game found" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "none"), "--net", net]) == 2
