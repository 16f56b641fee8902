"""Where games of self-play begin: legal positions, as many men as there are, of the kind asked."""

import numpy as np
import pytest

from bgnet.game.board import flip
from bgnet.game.scoring import ONGOING
from bgnet.game.variants import HYPERGAMMON_2, STANDARD, Variant
from training.starts import STARTS


@pytest.mark.parametrize("variant", [STANDARD, HYPERGAMMON_2], ids=lambda v: v.name)
@pytest.mark.parametrize("name", STARTS)
def test_games_can_begin_there(name: str, variant: Variant) -> None:
    rows, rolls = STARTS[name](variant, 300, np.random.default_rng(3))
    assert rows.shape == (300, variant.width) and rows.dtype == np.int8
    assert rolls.min() >= 1 and rolls.max() <= 6
    assert (variant.result(rows) == ONGOING).all()
    assert all(variant.rules.problem(row, variant.men) is None for row in rows)
    assert (np.maximum(rows, 0).sum(axis=1) <= variant.men).all()
    assert (np.minimum(rows, 0).sum(axis=1) >= -variant.men).all()
    variant.legal_plays(rows, rolls)


def test_races_are_races_of_all_kinds() -> None:
    rows, _ = STARTS["race"](STANDARD, 3000, np.random.default_rng(4))
    assert not STANDARD.contact(rows).any()
    mine, his = STANDARD.pip_counts(rows).T
    for pips in (mine, his):
        assert pips.min() < 15 and pips.max() > 200 and 40 < np.median(pips) < 80
    assert abs(float((mine > his).mean()) - 0.5) < 0.04
    behind = (rows[:, 19:25] > 0).any(axis=1)
    assert 0.02 < behind.mean() < 0.3  # men in the other's home: a backgammon may be lost


def test_half_of_the_scattered_begin_as_always() -> None:
    rows, _ = STARTS["scattered"](HYPERGAMMON_2, 2000, np.random.default_rng(5))
    always = (rows == HYPERGAMMON_2.start).all(axis=1)
    assert abs(float(always.mean()) - 0.5) < 0.05
    assert len(np.unique(rows, axis=0)) > 900


def test_a_quarter_of_the_crashed_wait_behind_a_broken_home() -> None:
    rows, _ = STARTS["crashed"](STANDARD, 4000, np.random.default_rng(6))
    crashed = rows[(rows != STANDARD.start).any(axis=1)]
    assert abs(len(crashed) / 4000 - 0.25) < 0.03
    assert STANDARD.contact(crashed).all()
    sides = np.stack([crashed, flip(crashed)])
    waits = ((sides[:, :, 18:] > 0).any(axis=2)) & ~(sides[:, :, 7:18] > 0).any(axis=2)
    assert waits.any(axis=0).all()
    assert abs(float(waits[0].mean()) - 0.5) < 0.06  # either side
    off = 15 + np.minimum(crashed, 0).sum(axis=1)
    assert 0.05 < (off > 0).mean() < 0.5
