"""The baselines against slow twins, against each other, and against gnubg-nn where installed."""

import random
import sys
from functools import cache

import numpy as np
import pytest
import reference
from peers import peer

from bgnet.arena.decisions import YARDSTICK, Decisions, error_rate, read
from bgnet.arena.duel import duel
from bgnet.engine.baselines import BASELINES, RandomPlayer, pipcount, player
from bgnet.engine.foster import Foster
from bgnet.engine.player import Player, PlayerError, ValuePlayer, best_rows
from bgnet.engine.pubeval import _WEIGHTS, Pubeval
from bgnet.game.board import START, flip
from bgnet.game.dice import roll
from bgnet.game.plays import Plays
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, STANDARD


@pytest.fixture(scope="module")
def yardstick() -> Decisions:
    return read(YARDSTICK)


@cache
def boards(n: int) -> np.ndarray:
    return np.array(reference.random_boards(random.Random(7), n), np.int8)


# Choosing


def test_best_rows_like_a_loop() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 6, 500)
    plays = Plays(np.zeros((counts.sum(), 26), np.int8), np.repeat(np.arange(500), counts))
    values = rng.integers(0, 3, counts.sum())  # many ties
    expected, start = [], 0
    for count in counts:
        own = values[start : start + count].tolist()
        expected.append(start + own.index(max(own)))
        start += count
    assert best_rows(values, plays, 500).tolist() == expected


def test_best_rows_of_nothing() -> None:
    plays = Plays(np.zeros((0, 26), np.int8), np.zeros(0, np.int64))
    assert best_rows(np.zeros(0), plays, 0).shape == (0,)


def test_values_are_negated_only_where_the_turn_passes() -> None:
    rows = np.zeros((3, 26), np.int8)
    rows[:, 1] = [5, 3, 4]
    by_ace = ValuePlayer("ace", STANDARD, lambda rows: rows[:, 1].astype(float))
    owner, none = np.zeros(3, np.int64), np.zeros((1, 26), np.int8)
    assert by_ace.choose(none, none[:, :2], Plays(rows, owner)).tolist() == [1]
    again = np.array([False, False, True])
    assert by_ace.choose(none, none[:, :2], Plays(rows, owner, again)).tolist() == [2]


@pytest.mark.parametrize("name", ["random", "pipcount", "foster", "pubeval"])
def test_choices_are_rows_of_their_owners(name: str) -> None:
    chooser = player(name)
    for n in (0, 1, 60):
        rows = boards(60)[:n]
        rolls = roll(np.random.default_rng(2), n)
        plays = STANDARD.legal_plays(rows, rolls)
        chosen = chooser.choose(rows, rolls, plays)
        assert (plays.owner[chosen] == np.arange(n)).all()


def test_random_reaches_every_position_equally_often() -> None:
    chooser = RandomPlayer(np.random.default_rng(3))
    rows, rolls = STANDARD.starts(8000), np.full((8000, 2), 5, np.int8)
    plays = STANDARD.legal_plays(rows, rolls)
    chosen = chooser.choose(rows, rolls, plays) - plays.firsts(8000)
    counts = np.bincount(chosen, minlength=4)
    assert len(counts) == 4
    assert abs(counts - 2000).max() < 5 * np.sqrt(8000 * 3 / 16)


# Pubeval


def slow_pubeval(after: list[int], weights: np.ndarray) -> float:
    """Tesauro's inputs, one at a time; the board as the side that moved sees it."""
    inputs = []
    for point in range(24, 0, -1):
        men = after[point]
        inputs += [men == -1, men == 1, men >= 2, men == 3, (men - 3) / 2 if men > 3 else 0]
    inputs += [-after[0] / 2, (15 - sum(men for men in after if men > 0)) / 15]
    return sum(float(x) * float(w) for x, w in zip(inputs, weights, strict=True))


def test_pubeval_equals_its_slow_twin() -> None:
    pubeval, rows = Pubeval(), boards(60)
    weights = np.loadtxt(_WEIGHTS)
    assert weights.shape == (122, 2)
    for race in (False, True):
        scores = pubeval.scores(rows, np.full(60, race))
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True):
            assert score == pytest.approx(slow_pubeval(row, weights[:, int(race)]))


def test_pubeval_takes_the_weights_of_the_position_before_the_play() -> None:
    """The last two men run past each other: all plays are still weighed as contact."""
    before = np.zeros((1, 26), np.int8)
    before[0, [12, 6, 5, 11]] = 1, 7, 7, -2
    before[0, 24] = -13
    rolls = np.array([[4, 2]], np.int8)
    plays = STANDARD.legal_plays(before, rolls)
    after = flip(plays.boards)
    assert STANDARD.contact(before).all() and not STANDARD.contact(after).all()
    scores = Pubeval().scores(after, np.zeros(len(after), bool))
    chosen = Pubeval().choose(before, rolls, plays)
    assert scores[chosen[0]] == scores.max()


def test_pubeval_bears_its_last_man_off() -> None:
    before = np.zeros((1, 26), np.int8)
    before[0, [2, 24]] = 1, -3
    rolls = np.array([[1, 2]], np.int8)
    plays = STANDARD.legal_plays(before, rolls)
    assert not (plays.boards[Pubeval().choose(before, rolls, plays)] < 0).any()


# How strong they are


@pytest.mark.parametrize(("name", "low", "high"), [("pubeval", 39, 46), ("foster", 44, 60)])
def test_error_rates(yardstick: Decisions, name: str, low: float, high: float) -> None:
    assert low < error_rate(player(name), yardstick).overall.error_rate < high


def test_the_baselines_earn_their_names() -> None:
    opponents: list[tuple[Player, float]] = [
        (RandomPlayer(np.random.default_rng(0)), 0.95), (pipcount(), 0.60),
    ]  # fmt: skip
    for scoring in ("english", "american"):
        for opponent, win_rate in opponents:
            result = duel(Foster(scoring), opponent, 300, seed=1, scoring=scoring)
            assert result.win_rate - 3 * result.win_rate_error > win_rate


# Names


def test_players_by_name() -> None:
    for name in set(BASELINES) - {"gnubg", "prime"}:
        assert player(name).name == name
        assert player(name, NACKGAMMON).variant is NACKGAMMON
    with pytest.raises(PlayerError, match="pubeval"):
        player("pubevil")
    with pytest.raises(PlayerError, match="hypergammon"):
        player("pubeval", HYPERGAMMON)


def test_random_is_seeded() -> None:
    rows = STANDARD.starts(50)
    rolls = roll(np.random.default_rng(1), 50)
    plays = STANDARD.legal_plays(rows, rolls)
    one, same, other = (player("random", seed=s).choose(rows, rolls, plays) for s in (1, 1, 2))
    assert (one == same).all() and (one != other).any()


# Peers

CLASSES = ("contact", "crashed", "race")


def test_without_gnubg_nn_the_player_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    with pytest.raises(PlayerError, match="pip install"):
        player("gnubg")


@pytest.mark.peers
def test_gnubg_has_its_published_error_rate(yardstick: Decisions) -> None:
    """The published figures take equal plays in the referee's order, the best first. Where gnubg
    values plays alike (hopeless races, where it does not look at backgammons closely) that is a
    favour; a player that takes the first legal play loses a little more."""
    peer("gnubg_nn")
    values = -player("gnubg").equities(yardstick.plays.boards)
    order = np.lexsort((-yardstick.equities, yardstick.plays.owner))
    best_first = Plays(yardstick.plays.boards[order], yardstick.plays.owner)
    losses = yardstick.losses(order[best_rows(values[order], best_first, 3000)])
    assert losses.mean() == pytest.approx(4.34, abs=0.01)
    by_class = {name: losses[yardstick.classes == name].mean() for name in CLASSES}
    assert by_class == pytest.approx({"contact": 4.89, "crashed": 5.31, "race": 0.39}, abs=0.01)
    assert yardstick.losses(best_rows(values, yardstick.plays, 3000)).mean() < 4.6


@pytest.mark.peers
def test_gnubg_looks_ahead_and_knows_the_scoring() -> None:
    peer("gnubg_nn")
    rows, rolls = STANDARD.starts(1), np.array([[3, 1]], np.int8)
    plays = STANDARD.legal_plays(rows, rolls)
    for name in ("gnubg", "gnubg@1"):
        after = flip(plays.boards[player(name).choose(rows, rolls, plays)])[0]
        assert after[[8, 6, 5]].tolist() == [2, 4, 2]  # 8/5 6/5
    american = player("gnubg", scoring="american")
    assert abs(american.equities(START[None])[0]) < abs(player("gnubg").equities(START[None])[0])
    with pytest.raises(PlayerError, match="gnubg@"):
        player("gnubg@deep")


@pytest.mark.peers
def test_pubeval_scores_like_gnubgs_copy(yardstick: Decisions) -> None:
    gnubg_nn = peer("gnubg_nn")
    rows = yardstick.plays.boards[::50]
    rows = rows[(rows > 0).any(axis=1) & (rows < 0).any(axis=1)]
    race = ~STANDARD.contact(rows)
    scores = Pubeval().scores(flip(rows), race)
    for row, score in zip(rows, scores.tolist(), strict=True):
        sides = np.stack([np.maximum(flip(row), 0), np.maximum(row, 0)])[:, 1:]
        assert gnubg_nn.pub_eval_score(sides.tolist()) == pytest.approx(score, abs=1e-3)
