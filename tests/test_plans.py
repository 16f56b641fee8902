"""Game plans: who belongs to which, and networks that know each of them by weights of its own."""

import random
from dataclasses import replace

import numpy as np
import pytest
import reference
import torch

from bgnet.game.board import flip
from bgnet.game.standard import contact
from bgnet.game.variants import STANDARD
from bgnet.nets.network import Architecture, NetworkError, Weights
from bgnet.nets.plans import PLANS, behind, blocks, phases
from bgnet.nets.torch_network import PlannedNet, ValueNet, net_of, new_net, torch_logits
from training.apprentice import narrowed
from training.starts import race
from training.widen import fits, widened

PLANNED = Architecture("shots", (12, 8), plans="behind")


def boards(count: int, seed: int = 1) -> np.ndarray:
    """Positions of random play, men behind and on the bar in plenty."""
    return np.array(reference.random_boards(random.Random(seed), count), np.int8)


def opinionated(architecture: Architecture, seed: int = 1) -> Weights:
    """Fresh weights whose biases, 0 at first, differ too."""
    net = new_net(architecture, torch.Generator().manual_seed(seed))
    for member in net.members:
        for layer in member.linear:
            torch.nn.init.uniform_(layer.bias, -1, 1)
    return net.weights()


def men_behind(board: list[int]) -> tuple[int, int]:
    """Of the side that rolls and of the other, man by man."""
    mine = sum(1 for point in range(19, 26) for _ in range(board[point]))
    his = sum(1 for point in range(0, 7) for _ in range(-board[point]))
    return mine, his


def plan_of(board: list[int]) -> int:
    """``behind``, man by man."""
    mine, his = men_behind(board)
    return 3 * min(mine, 2) + min(his, 2)


def test_behind_counts_men_in_the_home_opposite_and_on_the_bar() -> None:
    rows = boards(2000)
    found = behind(rows)
    assert found.tolist() == [plan_of(row) for row in rows.tolist()]
    assert set(found.tolist()) == set(range(9))
    assert behind(flip(rows)).tolist() == [3 * (p % 3) + p // 3 for p in found.tolist()]


def phase_of(board: list[int]) -> int:
    """``phases``, case by case."""
    last = max(point for point in range(26) if board[point] > 0)
    if all(board[point] >= 0 for point in range(last)):
        return 0
    mine, his = (min(3, men) for men in men_behind(board))
    if mine == 3 or (mine, his) == (2, 3):
        return 12 + min(his, 2)
    return 1 + 4 * mine + his


def test_phases_are_races_and_men_behind_up_to_three() -> None:
    rows = np.concatenate([boards(3000), race(STANDARD, 50, np.random.default_rng(1))[0]])
    found = phases(rows)
    assert found.tolist() == [phase_of(row) for row in rows.tolist()]
    assert set(found.tolist()) == set(range(15))


def test_a_phase_begins_as_the_plan_that_it_is_part_of() -> None:
    rows = boards(3000)
    rows = rows[contact(rows)]
    assert np.array_equal(np.array(PLANS["phases"].begins_as)[phases(rows)], behind(rows))


@pytest.mark.parametrize("name", PLANS)
def test_sorted_positions_lie_plan_by_plan(name: str) -> None:
    rows, division = boards(500), PLANS[name]
    order, of_each = division.sort(rows)
    order = np.arange(500)[order]
    assert sorted(order.tolist()) == list(range(500)) and len(of_each) == division.count
    seen = 0
    for plan, block in blocks(of_each, 64):
        assert block.start == seen and 0 < block.stop - block.start <= 64
        assert (division.of(rows[order[block]]) == plan).all()
        seen = block.stop
    assert seen == 500
    assert list(blocks(division.sort(rows[:0])[1], 64)) == []


def test_each_position_is_asked_of_the_network_of_its_plan() -> None:
    weights, rows = opinionated(PLANNED), boards(1500)
    wanted = np.stack([weights.members[plan_of(row.tolist())].logits(row[None])[0] for row in rows])
    net = net_of(weights)
    np.testing.assert_allclose(weights.logits(rows), wanted, atol=1e-4)
    np.testing.assert_allclose(torch_logits(net)(rows), wanted, atol=1e-4)
    np.testing.assert_allclose(net.answer(rows).detach().numpy(), wanted, atol=1e-4)
    assert len({tuple(member.logits(rows[:1])[0]) for member in weights.members}) == 9
    for ask in (weights.logits, torch_logits(net)):
        assert ask(rows[:0]).shape == (0, 6)
        np.testing.assert_allclose(ask(rows[:1]), wanted[:1], atol=1e-4)


def test_weights_survive_the_way_there_and_back() -> None:
    weights = opinionated(PLANNED)
    net = net_of(weights)
    assert isinstance(net, PlannedNet)
    for again in (net.weights(), Weights.joined(PLANNED, list(weights.members))):
        for one, other in zip(weights.layers, again.layers, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    doubled = net.weights([2 * p for p in net.parameters()])
    assert np.array_equal(doubled.layers[1][0], 2 * weights.layers[1][0])


def test_only_the_plans_that_were_met_learn() -> None:
    net, rows = net_of(opinionated(PLANNED)), boards(200)
    met = rows[np.isin(behind(rows), (4, 8))]
    net.answer(met).square().sum().backward()
    learnt = [any(p.grad is not None for p in member.parameters()) for member in net.members]
    assert [plan for plan, does in enumerate(learnt) if does] == [4, 8]


def test_a_network_without_plans_grows_into_one_with_them() -> None:
    rows = boards(300)
    small = opinionated(Architecture("points", (6, 4)))
    wide = widened(small, opinionated(PLANNED, seed=2))
    np.testing.assert_allclose(wide.logits(rows), small.logits(rows), atol=1e-4)
    assert fits(small.architecture, PLANNED) and fits(PLANNED, PLANNED)
    assert not fits(PLANNED, replace(PLANNED, plans="none"))


def test_plans_grow_into_finer_ones() -> None:
    finer = replace(PLANNED, hidden=(14, 9), plans="phases")
    assert fits(PLANNED, finer) and not fits(finer, PLANNED)
    coarse, rows = opinionated(PLANNED), boards(1500)
    wide = widened(coarse, opinionated(finer, seed=2))
    rows = rows[contact(rows)]
    np.testing.assert_allclose(wide.logits(rows), coarse.logits(rows), atol=1e-4)
    far = race(STANDARD, 50, np.random.default_rng(1))[0]
    wanted = coarse.members[0].logits(far)
    np.testing.assert_allclose(wide.logits(far), wanted, atol=1e-4)


def test_each_plan_is_narrowed_by_what_it_meets() -> None:
    rows = boards(800)
    wide = opinionated(PLANNED)
    narrow = narrowed(wide, (9, 8), rows)
    assert narrow.architecture == replace(PLANNED, hidden=(9, 8))
    of_four = narrowed(wide.members[4], (9, 8), rows[behind(rows) == 4])
    assert np.array_equal(narrow.members[4].layers[0][0], of_four.layers[0][0])
    few = rows[behind(rows) == 8]  # plans that are not met are narrowed by all positions
    assert narrowed(wide, (9, 8), few).logits(few).shape == (len(few), 6)


def test_plans_that_cannot_be() -> None:
    with pytest.raises(NetworkError, match="no game plans are called 'attack'"):
        replace(PLANNED, plans="attack")
    with pytest.raises(NetworkError, match="in russian nobody is behind"):
        Architecture("russian", (4,), variant="russian", plans="behind")
    assert isinstance(new_net(replace(PLANNED, plans="none")), ValueNet)
