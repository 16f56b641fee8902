"""The live cube: Janowski's formulas, and the recursion that they follow from."""

import numpy as np
import pytest

from bgnet.engine.janowski import Step, live_worth, money_window, window


@pytest.mark.parametrize(
    ("win", "lose", "take", "cash"),
    [
        (1.0, -1.0, 0.2, 0.8),  # Keeler and Spencer's continuous game
        (1.5, -1.0, 0.5 / 3, 2 / 3),  # Janowski: (L - 1/2) and (L + 1) over W + L + 1/2
        (1.0, -2.0, 1.5 / 3.5, 3 / 3.5),
    ],
)
def test_points_of_the_live_cube_for_money(
    win: float, lose: float, take: float, cash: float
) -> None:
    found = money_window(win, lose)
    assert (found.low, found.high) == pytest.approx((take, cash))
    assert (found.low_worth, found.high_worth) == (-1, 1)


def money_steps(win: float, lose: float, turns: int) -> list[Step]:
    """A money cube that can be turned so many times."""
    return [
        Step(win * cube, lose * cube, cube, -cube, cube < 1 << turns, cube < 1 << turns)
        for cube in (1 << turned for turned in range(turns + 1))
    ]


def test_many_turns_are_as_good_as_endless_ones() -> None:
    found, endless = window(money_steps(1.3, -1.2, 16)), money_window(1.3, -1.2)
    assert np.allclose(found, endless, atol=1e-6)


def test_the_last_turn_leaves_a_dead_cube() -> None:
    """Cube at 1 and nobody may turn beyond 2: dead-cube take points of 25 %."""
    found = window(money_steps(1.0, -1.0, 1))
    assert (float(found.low), float(found.high)) == (0.25, 0.75)


def test_a_cube_that_nobody_can_turn_has_no_window() -> None:
    assert window(money_steps(1.0, -1.0, 0)) == (0.0, -1.0, 1.0, 1.0)


def test_a_side_is_indifferent_at_the_ends_of_the_window() -> None:
    """At my take point, owning the next cube is worth as much as passing; and his likewise."""
    steps = money_steps(1.4, -1.1, 5)
    here, above = window(steps), window(steps[1:])
    i_own = above._replace(low=0.0, low_worth=steps[1].lose)
    he_owns = above._replace(high=1.0, high_worth=steps[1].win)
    take, cash = np.array([here.low]), np.array([here.high])
    assert live_worth(take, steps[1].win, steps[1].lose, i_own)[0] == pytest.approx(-1)
    assert live_worth(cash, steps[1].win, steps[1].lose, he_owns)[0] == pytest.approx(1)


def test_positions_side_by_side_do_not_disturb_each_other() -> None:
    win, lose = np.array([1.0, 1.5, 1.2]), np.array([-1.0, -1.0, -1.8])
    chance = np.array([0.3, 0.75, 0.1])
    together = live_worth(chance, win, lose, money_window(win, lose))
    for i in range(3):
        alone = live_worth(chance[i : i + 1], win[i], lose[i], money_window(win[i], lose[i]))
        assert together[i] == alone[0]
    assert len(live_worth(chance[:0], win[:0], lose[:0], money_window(win[:0], lose[:0]))) == 0


def test_the_worth_never_falls_as_the_chance_rises() -> None:
    chance = np.linspace(0, 1, 101)
    for win, lose in ((1.0, -1.0), (1.6, -1.0), (2.5, -3.0)):
        worth = live_worth(chance, win, lose, money_window(win, lose))
        assert (np.diff(worth) >= -1e-12).all()
        assert worth[[0, -1]].tolist() == [lose, win]
