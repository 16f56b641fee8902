"""Decisions: both formats, the matching of plays, the error rate, and bad files."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import reference

from bgnet.arena.decisions import (
    YARDSTICK,
    Decisions,
    DecisionsError,
    Rate,
    error_rate,
    read,
    write_compact,
)
from bgnet.game.board import START, flip
from bgnet.game.plays import Plays
from bgnet.game.variants import HYPERGAMMON, STANDARD, Variant


@dataclass
class Fixed:
    """Plays the rows it is told."""

    rows: np.ndarray
    name: str = "fixed"
    variant: Variant = STANDARD

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        return self.rows


def lines_of(decisions: Decisions, n: int) -> list[str]:
    """The first n decisions as JSON lines, best play first as a referee writes them."""
    lines = []
    for i in range(n):
        rows = np.flatnonzero(decisions.plays.owner == i)
        rows = rows[np.argsort(-decisions.equities[rows], kind="stable")]
        plays = [
            [flip(decisions.plays.boards[row]).tolist(), float(decisions.equities[row]), 3]
            for row in rows
        ]
        fields = {
            "board": decisions.boards[i].tolist(),
            "dice": decisions.rolls[i].tolist(),
            "class": str(decisions.classes[i]),
            "plays": plays,
        }
        lines.append(json.dumps(fields))
    return lines


@pytest.fixture(scope="module")
def yardstick() -> Decisions:
    return read(YARDSTICK)


def test_the_yardstick_is_whole_and_light(yardstick: Decisions) -> None:
    names, counts = np.unique(yardstick.classes, return_counts=True)
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == {
        "contact": 2257, "crashed": 340, "race": 403,
    }  # fmt: skip
    assert len(yardstick.equities) == 65_615
    assert YARDSTICK.stat().st_size < 400_000


def test_its_plays_are_those_of_the_slow_generator(yardstick: Decisions) -> None:
    for i in range(0, 3000, 60):
        board, roll = tuple(yardstick.boards[i].tolist()), tuple(yardstick.rolls[i].tolist())
        rows = yardstick.plays.boards[yardstick.plays.owner == i]
        assert {tuple(row) for row in rows.tolist()} == reference.legal_results(board, roll)


def test_its_first_decision(yardstick: Decisions) -> None:
    """Written down from the referee's own file, so that the rows are tied to their equities."""
    assert yardstick.rolls[0].tolist() == [4, 3] and yardstick.classes[0] == "contact"
    best = [0, -1, 0, 1, 0, -2, 4, 0, 4, 2, 0, 0, -2, 3, -1, 0, -1, -2, 0, -4, 0, -2, 1, 0, 0, 0]
    worst = [0, -1, 1, 1, 0, -2, 3, 0, 4, 1, 0, 0, -2, 4, -1, 0, -1, -2, 0, -4, 0, -2, 1, 0, 0, 0]
    boards = yardstick.plays.boards[yardstick.plays.owner == 0]
    for after, equity in ((best, -0.19288), (worst, -0.61435)):
        row = int((boards == flip(np.array(after, np.int8))).all(axis=1).argmax())
        assert yardstick.equities[row] == pytest.approx(equity)


def test_both_formats_say_the_same(yardstick: Decisions, tmp_path: Path) -> None:
    lines = tmp_path / "few.jsonl"
    lines.write_text("\n".join(lines_of(yardstick, 40)) + "\n")
    few = read(lines)
    assert len(few) == 40
    m = len(few.equities)
    assert (few.plays.boards == yardstick.plays.boards[:m]).all()
    assert (few.equities == yardstick.equities[:m]).all()
    write_compact(tmp_path / "few.npz", few)
    again = read(tmp_path / "few.npz")
    for field in ("boards", "rolls", "classes", "equities"):
        assert (getattr(again, field) == getattr(few, field)).all()


def test_error_rate_by_its_definition(yardstick: Decisions) -> None:
    rng = np.random.default_rng(2)
    firsts = yardstick.plays.firsts(3000)
    counts = np.bincount(yardstick.plays.owner)
    chosen = firsts + rng.integers(0, counts)
    rates = error_rate(Fixed(chosen), yardstick)
    losses = [
        1000 * float(max(yardstick.equities[f : f + c]) - yardstick.equities[row])
        for f, c, row in zip(firsts, counts, chosen, strict=True)
    ]
    assert rates.overall.error_rate == pytest.approx(np.mean(losses))
    assert rates.overall.standard_error == pytest.approx(np.std(losses) / np.sqrt(3000))
    crashed = np.array(losses)[yardstick.classes == "crashed"]
    assert rates.by_class["crashed"].error_rate == pytest.approx(np.mean(crashed))
    assert sum(rate.decisions for rate in rates.by_class.values()) == 3000
    assert rates.to_dict()["error_rate"] == rates.overall.error_rate


def test_the_best_plays_lose_nothing(yardstick: Decisions) -> None:
    best = [
        first + int(np.argmax(equities))
        for first, equities in zip(
            yardstick.plays.firsts(3000),
            np.split(yardstick.equities, yardstick.plays.firsts(3000)[1:]),
            strict=True,
        )
    ]
    assert error_rate(Fixed(np.array(best)), yardstick).overall == Rate(3000, 0.0, 0.0)


def test_a_player_of_another_game_is_refused(yardstick: Decisions) -> None:
    with pytest.raises(DecisionsError, match="hypergammon"):
        error_rate(Fixed(np.zeros(3000, int), variant=HYPERGAMMON), yardstick)


GOOD = {
    "board": START.tolist(),
    "dice": [5, 5],
    "class": "contact",
    "plays": [
        [flip(np.array(after)).tolist(), 0.1]
        for after in sorted(reference.legal_results(reference.START, (5, 5)))
    ],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dice": [5, 7]}, "line 1 is no decision: dice are two numbers from 1 to 6"),
        ({"dice": [5]}, "dice are two numbers from 1 to 6"),
        ({"board": [0] * 24}, "a board of backgammon has 26 numbers"),
        ({"board": [0] * 25 + [999]}, "line 1 is no decision"),
        ({"board": "XGID"}, "line 1 is no decision"),
        ({"plays": GOOD["plays"][1:]}, "line 1: its plays are not exactly the legal ones"),
        ({"plays": [*GOOD["plays"], GOOD["plays"][0]]}, "not exactly the legal ones"),
        ({"dice": [6, 5]}, "not exactly the legal ones"),
        ({"plays": []}, "line 1 is no decision"),
        ({"plays": [[GOOD["plays"][0][0], float("nan")]]}, "not a finite number"),
    ],
)
def test_bad_lines(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(GOOD))
    assert len(read(path)) == 1
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(DecisionsError, match=message):
        read(path)


def test_a_difference_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    short = GOOD | {"plays": GOOD["plays"][:-1]}
    path.write_text("\n".join(json.dumps(fields) for fields in (GOOD, GOOD, short)))
    with pytest.raises(DecisionsError, match="line 3"):
        read(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.jsonl", b"", "holds no decisions"),
        ("bad.jsonl", b"not json", "line 1 is no decision"),
        ("bad.jsonl", b"\x93NUMPY\x01", "line 1 is no decision"),
        ("bad.jsonl", b"[]", "line 1 is no decision"),
        ("bad.jsonl", b'{"board": []}', "it has no 'dice'"),
        ("bad.npz", b"", "no compact file of decisions"),
        ("bad.npz", b"PK\x03\x04 cut short", "no compact file of decisions"),
        ("bad.npz", b"not a zip", "no compact file of decisions"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DecisionsError, match=message):
        read(path)
    with pytest.raises(DecisionsError, match="cannot read"):
        read(tmp_path / "missing" / name)


def test_a_compact_file_that_does_not_fit_the_rules(yardstick: Decisions, tmp_path: Path) -> None:
    with np.load(YARDSTICK) as file:
        arrays = dict(file)
    for name, change in (
        ("boards", arrays["boards"][:, :25]),
        ("rolls", arrays["rolls"][::-1]),
        ("rolls", arrays["rolls"] + 6),
        ("equities", arrays["equities"][1:]),
        ("plays", arrays["plays"][::-1]),
        ("classes", arrays["classes"].astype(object)),
    ):
        np.savez_compressed(tmp_path / "bad.npz", **(arrays | {name: change}))
        with pytest.raises(DecisionsError):
            read(tmp_path / "bad.npz")
