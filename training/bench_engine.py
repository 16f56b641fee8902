"""Benchmarks of the engine: look-ahead, rollouts, bear-off tables, cube decisions."""

import time
from functools import partial

import numpy as np

from bgnet.arena import cube_decisions
from bgnet.engine.bearoff import one_sided_error
from bgnet.engine.cube_search import CubeSearch
from bgnet.engine.networks import load_evaluator
from bgnet.engine.rollout import Settings, rollout
from bgnet.engine.search import Search
from bgnet.game.board import flip
from bgnet.game.variants import STANDARD

from .bench import Figure, installed, midgame

POSITIONS = 100


def look_ahead() -> list[Figure]:
    """Seconds a decision of the shipped network at 1 and 2 plies, beside gnubg's on the same."""
    boards, rolls = midgame(400, seed=11)
    at = np.flatnonzero(STANDARD.contact(boards))[:POSITIONS]
    boards, rolls = boards[at], rolls[at]
    evaluator = load_evaluator(fast=True)
    figures = []
    for ply in (1, 2):
        search = Search(evaluator, ply)
        ours, theirs = 0.0, 0.0 if installed("gnubg_nn") else float("nan")
        for board, roll in zip(boards, rolls, strict=True):
            start = time.perf_counter()
            plays = STANDARD.legal_plays(board[None], roll[None])
            assert search.choose(board[None], roll[None], plays)[0] < len(plays.owner)
            ours += time.perf_counter() - start
            if installed("gnubg_nn"):
                theirs += gnubg_seconds(board, roll, ply)
        figures.append(Figure(f"{ply}-ply decision, contact, shipped network", ours / len(boards),
                              "s", f"gnubg-nn {ply}-ply", theirs / len(boards)))  # fmt: skip
    return figures


def gnubg_seconds(board: np.ndarray, roll: np.ndarray, ply: int) -> float:
    """How long gnubg takes for one decision."""
    import gnubg_nn

    sides = [np.maximum(flip(board), 0)[1:].tolist(), np.maximum(board, 0)[1:].tolist()]
    start = time.perf_counter()
    gnubg_nn.best_move(sides, int(roll[0]), int(roll[1]), n=ply, b=1)
    return time.perf_counter() - start


def rollouts() -> list[Figure]:
    """1,296 games from the opening position, with variance reduction, two processes."""
    start = time.perf_counter()
    done = rollout(partial(load_evaluator, fast=True), STANDARD.starts(1), Settings(), jobs=2)
    seconds = time.perf_counter() - start
    assert done.games == 1296
    return [
        Figure("rollout of the opening, 1,296 games, 2 cores", seconds, "s"),
        Figure("its standard error of the equity", float(done.equity_errors[0]), "points"),
        Figure("variance without reduction over variance with", float(done.variance_ratios[0]), ""),
    ]


def bearoff() -> list[Figure]:
    """How far the one-sided bear-off table is from the exact two-sided one, P(win)."""
    found = one_sided_error()
    return [Figure(f"one-sided against two-sided table, {name} error", found[name], "P(win)")
            for name in ("mean", "max")]  # fmt: skip


def cube() -> list[Figure]:
    """Equity lost a cube decision, in thousandths of the cube, judged by gnubg at 2 plies."""
    decisions = cube_decisions.read()
    figures = []
    for ply in (0, 2):
        player = CubeSearch(load_evaluator(fast=True), ply)
        lost = cube_decisions.cube_error_rates(player, decisions).overall.error_rate
        figures.append(Figure(f"lost a cube decision, {ply} plies", lost, "millipoints"))
    return figures
