"""Decisions of one's own: how they are drawn, labelled, kept and refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_network import tiny_network

from bgnet.arena.decisions import Decisions, DecisionsError, error_rate, read, write_compact
from bgnet.arena.held_out import FILTERS, PER_GAME, Recipe, draw, label, make
from bgnet.cli import main
from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.engine.networks import load_evaluator
from bgnet.engine.search import Search
from bgnet.game.variants import HYPERGAMMON, HYPERGAMMON_1, RUSSIAN, STANDARD, VARIANTS, Variant
from bgnet.nets.checkpoint import load_checkpoint

RECIPE = Recipe(decisions=12, ply=1, seed=3)


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Tiny networks by game."""
    folder = tmp_path_factory.mktemp("nets")
    return {name: str(tiny_network(folder, name, "russian" if name == "russian" else "points"))
            for name in ("backgammon", "hypergammon", "hypergammon1", "russian")}  # fmt: skip


@pytest.fixture(scope="module")
def evaluator(nets: dict[str, str]) -> Evaluator:
    return load_evaluator(nets["hypergammon"], HYPERGAMMON)


@pytest.fixture(scope="module")
def made(nets: dict[str, str]) -> Decisions:
    return make(nets["hypergammon"], RECIPE, HYPERGAMMON)


def unchanged(decisions: Decisions, others: Decisions) -> bool:
    names = ("boards", "rolls", "classes", "equities")
    return all(np.array_equal(getattr(decisions, n), getattr(others, n)) for n in names)


# -- drawing ---------------------------------------------------------------------------------


def test_what_is_drawn(evaluator: Evaluator) -> None:
    boards, rolls = draw(evaluator, replace(RECIPE, decisions=300))
    assert boards.shape == (300, HYPERGAMMON.width) and rolls.shape == (300, 2)
    assert len(np.unique(np.column_stack([boards, rolls]), axis=0)) == 300
    assert (rolls[:, 0] >= rolls[:, 1]).all()
    assert not evaluator.chances(boards)[1].any()
    assert (np.bincount(HYPERGAMMON.legal_plays(boards, rolls).owner) > 1).all()


def test_a_few_of_each_game(evaluator: Evaluator) -> None:
    """One game gives so many at most, and the draw goes on with others until there are enough."""
    played: list[int] = []
    starts = HYPERGAMMON.starts

    class Counted(Variant):
        def starts(self, n: int) -> np.ndarray:
            played.append(n)
            return starts(n)

    counted = Counted(**{f: getattr(HYPERGAMMON, f) for f in Variant.__dataclass_fields__})
    for n in (1, 40, 1000):
        played.clear()
        boards, _ = draw(replace(evaluator, variant=counted), replace(RECIPE, decisions=n))
        assert len(boards) == n <= sum(played) * PER_GAME


def test_noise_makes_odd_positions(evaluator: Evaluator) -> None:
    """Without it the first play of a throw is always the same one; with much it is any."""

    def seconds(noise: float) -> int:
        """Different positions after the first turn."""
        boards, _ = draw(evaluator, replace(RECIPE, decisions=700, noise=noise))
        untouched = HYPERGAMMON.start[HYPERGAMMON.start > 0]
        mine = np.sort(np.where(boards > 0, boards, 0)[:, 22:25], axis=1)
        still = (mine == untouched).all(axis=1) & (boards != HYPERGAMMON.start).any(axis=1)
        return len(np.unique(boards[still], axis=0))

    assert seconds(0) < seconds(3)


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"ply": 2}, True), ({"seed": 4}, False), ({"noise": 1.0}, False)],
)
def test_the_seed_decides(evaluator: Evaluator, change: dict[str, Any], same: bool) -> None:
    first, second = draw(evaluator, RECIPE), draw(evaluator, replace(RECIPE, **change))
    assert all(map(np.array_equal, first, second)) == same


def test_a_small_game_runs_out(nets: dict[str, str]) -> None:
    few = load_evaluator(nets["hypergammon1"], HYPERGAMMON_1)
    rows = HYPERGAMMON_1.starts(1)
    known = replace(few, exact=_KnowsAllBut(rows))
    with pytest.raises(DecisionsError, match=r"hypergammon1 brought \d+ different .* than 5,000"):
        draw(known, Recipe(decisions=5000))


class _KnowsAllBut(Exact):
    """Games end with their first play."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows

    def covers(self, rows: np.ndarray) -> np.ndarray:
        return (rows != self.rows).any(axis=1)

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        return np.full((len(rows), 6), 1 / 6, np.float32)


@pytest.mark.parametrize("wrong", [{"decisions": 0}, {"ply": 0}, {"noise": -0.1}])
def test_recipes_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(DecisionsError, match="1 or more"):
        Recipe(**wrong)


# -- labels ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["backgammon", "hypergammon", "russian"])
def test_labels_one_decision_at_a_time(nets: dict[str, str], game: str) -> None:
    """The slow twin: each decision alone, its plays sorted out by hand."""
    variant = VARIANTS[game]
    asked = load_evaluator(nets[game], variant)
    recipe = Recipe(decisions=3 if game == "hypergammon" else 2, ply=2, noise=0.5)
    boards, rolls = draw(asked, recipe)
    equities = []
    for board, roll in zip(boards, rolls, strict=True):
        search = Search(asked, 2, filters=FILTERS)
        plays = variant.legal_plays(board[None], roll[None])
        judged = search.play_outcomes(board[None], roll[None], plays)
        assert judged.plies.min() >= 1 or asked.chances(plays.boards)[1].any()
        deep = judged.values[judged.plies == 2]
        assert 1 <= len(deep) <= 8
        equities += [
            value if ply == 2 else min(value, deep.min())
            for value, ply in zip(judged.values, judged.plies, strict=True)
        ]
    assert label(asked, boards, rolls, recipe) == pytest.approx(np.array(equities), abs=1e-5)


def test_no_decisions_no_labels(evaluator: Evaluator) -> None:
    nothing = np.empty((0, HYPERGAMMON.width), np.int8), np.empty((0, 2), np.int8)
    assert label(evaluator, *nothing, RECIPE).shape == (0,)


def test_the_referee_makes_no_errors(made: Decisions, evaluator: Evaluator) -> None:
    assert error_rate(Search(evaluator, 1, filters=FILTERS), made).overall.error_rate == 0
    assert error_rate(Search(evaluator, 0), made).overall.error_rate > 0


# -- files -----------------------------------------------------------------------------------


def test_what_is_made_can_be_read(made: Decisions, nets: dict[str, str], tmp_path: Path) -> None:
    assert len(made) == 12 and set(made.classes) <= {"contact", "race"}
    assert ((made.classes == "contact") == HYPERGAMMON.contact(made.boards)).all()
    assert made.made["fingerprint"] == load_checkpoint(nets["hypergammon"]).fingerprint
    asked = {"ply": 1, "noise": 0.1, "seed": 3, "decisions": 12, "variant": "hypergammon"}
    assert asked.items() <= made.made.items()
    path = tmp_path / "made.npz"
    write_compact(path, made)
    again = read(path, HYPERGAMMON)
    assert unchanged(again, made) and again.made == made.made
    with pytest.raises(DecisionsError, match="decisions of hypergammon, not of backgammon"):
        read(path, STANDARD)


def test_russian_backgammon(nets: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "made.npz"
    write_compact(path, make(nets["russian"], replace(RECIPE, decisions=3), RUSSIAN))
    assert len(read(path, RUSSIAN)) == 3


@pytest.mark.parametrize("text", ["no JSON", "[1]", '{"seed": NaN}', '{"seed": [1]}',
                                  '{"seed": null}', "[" * 100_000])  # fmt: skip
def test_bad_words_about_the_making(made: Decisions, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.npz"
    write_compact(path, made)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez_compressed(path, **(arrays | {"made": np.array(text)}))
    with pytest.raises(DecisionsError, match="no compact file of decisions"):
        read(path, HYPERGAMMON)


def test_equities_that_are_no_numbers(made: Decisions, tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    write_compact(path, replace(made, equities=made.equities * np.nan))
    with pytest.raises(DecisionsError, match="not finite"):
        read(path, HYPERGAMMON)


# -- the command -----------------------------------------------------------------------------

WORDS = ["--variant", "hypergammon", "--decisions", "8", "--ply", "1"]


def test_the_command(
    nets: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("a.npz", "b.npz")]
    words = [*WORDS, "--net", nets["hypergammon"], "--seed", "5"]
    for file in files:
        assert main(["decisions", "make", str(file), *words, "--json"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    out, err = capsys.readouterr()
    answer = json.loads(out.splitlines()[0])
    assert err == "" and sum(answer["classes"].values()) == 8 and answer["made"]["seed"] == 5
    assert sorted(tmp_path.iterdir()) == files  # nothing temporary is left

    words = ["benchmark", str(files[0]), "--player", nets["hypergammon"], *WORDS[:2]]
    assert main([*words, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["decisions"] == 8 and measured["made"] == answer["made"]
    assert main(words) == 0
    assert "made with network " in capsys.readouterr().out.splitlines()[-1]


def test_nothing_is_overwritten_unasked(
    nets: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.npz"
    path.write_bytes(b"dear to somebody")
    words = ["decisions", "make", str(path), "--net", nets["hypergammon"], *WORDS]
    assert main(words) == 2
    assert "exists already; --overwrite replaces it" in capsys.readouterr().err
    assert path.read_bytes() == b"dear to somebody"
    assert main([*words, "--overwrite"]) == 0
    assert capsys.readouterr().out.startswith("8 decisions (contact ")
    assert len(read(path, HYPERGAMMON)) == 8


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["make"], "required: FILE"),
        (["unmake", "mine.npz"], "invalid choice: 'unmake'"),
        (["make", "mine.jsonl"], "has a name in .npz, not 'mine.jsonl'"),
        (["make", "no/where/mine.npz"], "cannot be written"),
        (["make", "mine.npz", "--ply", "0"], "invalid choice: 0"),
        (["make", "mine.npz", "--decisions", "0"], "'0' is not a whole number from 1 on"),
        (["make", "mine.npz", "--noise", "-1"], "'-1' is not a number of points from 0 on"),
        (["make", "mine.npz", "--noise", "nan"], "'nan' is not a number of points from 0 on"),
        (["make", "mine.npz", "--net", "nowhere"], "there is no network or file 'nowhere'"),
        (["make", "mine.npz", "--net", "HYPER"], "plays hypergammon, not backgammon"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, nets: dict[str, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["decisions", *(nets["hypergammon"] if w == "HYPER" else w for w in words)]) == 2
    out, err = capsys.readouterr()
    assert sentence in err and out == "" and err.count("\n") == 1
    assert not list(tmp_path.iterdir())
