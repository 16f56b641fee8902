"""Eligibility traces: equal to the forward view, decayed and reset as they should be."""

import numpy as np
import torch

from bgnet.engine.evaluator import Evaluator
from bgnet.game.variants import HYPERGAMMON
from bgnet.nets.network import Architecture
from bgnet.nets.outcomes import flip, masked_softmax
from bgnet.nets.torch_network import ValueNet, torch_logits
from training.learner import cross_entropy
from training.online import Traces
from training.selfplay import Table, play
from training.targets import lambda_returns

LAM = 0.7


def small_net() -> ValueNet:
    architecture = Architecture("tesauro198", (5,), "sigmoid", HYPERGAMMON.name)
    return ValueNet(architecture, torch.Generator().manual_seed(3))


def whole_game(net: ValueNet) -> tuple[np.ndarray, np.ndarray]:
    """Positions ``(T, 26)`` and the chances after each turn ``(T, 6)`` of one game."""
    table = Table.fresh(HYPERGAMMON, 1, np.random.default_rng(5))
    segment = play(table, Evaluator(HYPERGAMMON, torch_logits(net)), 400, "english")
    end = int(np.flatnonzero(segment.ended[:, 0])[0]) + 1
    return segment.rows[:end, 0], segment.next_values[:end, 0]


def test_forward_and_backward_views_agree_when_weights_are_frozen() -> None:
    net = small_net()
    rows, after = whole_game(net)
    inputs = net.inputs(rows)
    allowed = HYPERGAMMON.possible(rows)
    ended = np.zeros((len(rows), 1), bool)
    ended[-1] = True

    targets = lambda_returns(after[:, None], ended, None, LAM)[:, 0]
    loss = cross_entropy(net(inputs), torch.from_numpy(targets), torch.from_numpy(allowed))
    (loss * len(rows)).backward()
    forward = {name: -p.grad for name, p in net.named_parameters() if p.grad is not None}

    traces = Traces(net)
    backward = {name: torch.zeros_like(p) for name, p in net.named_parameters()}
    with torch.no_grad():
        before = masked_softmax(net(inputs).numpy(), allowed)
    for t in range(len(rows)):
        traces.visit(inputs[t : t + 1], LAM, turned=t > 0)
        error = torch.from_numpy(flip(after[t]) - before[t])
        for name, change in traces.update(error).items():
            backward[name] += change

    assert len(rows) > 5
    for name, total in forward.items():
        torch.testing.assert_close(total, backward[name], rtol=1e-3, atol=1e-4)


def test_the_last_error_reaches_the_first_position() -> None:
    """The known bug: multiplying traces by the terminal 0 before the reward is credited."""
    net = small_net()
    first, second = (net.inputs(row[None]) for row in whole_game(net)[0][:2])
    traces = Traces(net)
    traces.visit(first, 0.9, turned=False)
    alone = {name: trace.clone() for name, trace in traces.of.items()}
    traces.visit(second, 0.9, turned=False)
    fresh = Traces(net)
    fresh.visit(second, 0.9, turned=True)
    for name, trace in traces.of.items():
        torch.testing.assert_close(trace, 0.9 * alone[name] + fresh.of[name])


def test_weights_of_a_two_step_episode() -> None:
    """One-hot positions, linear value, step size 0.1, reward 1 at the end, decay 0.9: the weights
    become 0.09 and 0.1. (A known bug left the first at 0.)"""
    net = torch.nn.Linear(2, 6, bias=False)
    traces = Traces(net)
    for position in torch.eye(2):
        traces.visit(position[None], 0.9, turned=False)
    change = traces.update(torch.tensor([1.0, 0, 0, 0, 0, 0]))["weight"]
    torch.testing.assert_close(0.1 * change[0], torch.tensor([0.09, 0.1]))


def test_a_new_game_begins_without_traces() -> None:
    assert all((trace == 0).all() for trace in Traces(small_net()).of.values())
