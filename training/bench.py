"""``python -m training.bench``: the speed figures of the README, each beside its peer.

Every benchmark first asserts the right answer, then warms up, then takes the median of several
rounds; ours and the peer's alternate within one run, so that a busy machine slows both. Figures
are for one core (``OMP_NUM_THREADS=1`` unless you set it) but where said. Peers that are not
installed are left out, and said to be.
"""

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bgnet.engine import baselines
from bgnet.engine.evaluator import Evaluator
from bgnet.engine.networks import find
from bgnet.engine.player import Player
from bgnet.engine.search import Search
from bgnet.game import dice
from bgnet.game.board import flip
from bgnet.game.variants import STANDARD
from bgnet.nets.checkpoint import load_checkpoint
from bgnet.nets.network import Architecture

ROUNDS = 7
BATCH = 1024


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    value: float
    unit: str
    peer: str = ""
    """Who did the same work in the same run."""
    peer_value: float = float("nan")

    @property
    def ratio(self) -> float:
        """Ours over the peer's."""
        return self.value / self.peer_value


def midgame(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """n positions of games that two pubevals might have, and throws for them.

    Returns:
        ``(n, 26)`` int8, ``(n, 2)`` int8.
    """
    rng = np.random.default_rng(seed)
    player = baselines.player("pubeval")
    boards, seen = STANDARD.starts(n), []
    rolls = STANDARD.opening_rolls(rng, n)
    for ply in range(44):
        plays = STANDARD.legal_plays(boards, rolls)
        boards = plays.boards[player.choose(boards, rolls, plays)]
        boards[STANDARD.result(boards) >= 0] = STANDARD.start
        rolls = dice.roll(rng, n)
        if ply >= 8:
            seen.append(boards)
    pool = np.concatenate(seen)
    return pool[rng.permutation(len(pool))[:n]], rolls


def rates(jobs: dict[str, tuple[int, Callable[[], object]]]) -> dict[str, float]:
    """Items a second of several jobs, alternating; the median of the rounds.

    Args:
        jobs: name to (items that one call does, call).
    """
    for _, job in jobs.values():
        job()
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, (_, job) in jobs.items():
            start = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - start)
    return {name: items / statistics.median(seconds[name]) for name, (items, _) in jobs.items()}


def installed(module: str) -> bool:
    """Whether a peer can be asked."""
    return importlib.util.find_spec(module) is not None


def generator() -> list[Figure]:
    """Distinct resulting boards a second, beside OpenSpiel's legal actions and gnubg's moves."""
    boards, rolls = midgame(BATCH)
    opening = STANDARD.legal_plays(STANDARD.starts(21), dice.ROLLS)
    assert len(opening.boards) == 447
    count = len(STANDARD.legal_plays(boards, rolls).boards)
    jobs: dict[str, tuple[int, Callable[[], object]]] = {
        "bgnet": (count, lambda: STANDARD.legal_plays(boards, rolls))
    }
    if installed("gnubg_nn"):
        jobs["gnubg-nn"] = gnubg_moves(boards, rolls)
    if installed("pyspiel"):
        jobs["OpenSpiel"] = openspiel_actions()
    found = rates(jobs)
    peers = [name for name in jobs if name != "bgnet"] or [""]
    return [
        Figure("distinct boards from 1,024 rolls a call", found["bgnet"], "1/s", peer,
               found.get(peer, float("nan")))
        for peer in peers
    ]  # fmt: skip


def gnubg_moves(boards: np.ndarray, rolls: np.ndarray) -> tuple[int, Callable[[], object]]:
    """gnubg's generator on the same positions."""
    import gnubg_nn

    asked = [
        ([np.maximum(flip(b), 0)[1:].tolist(), np.maximum(b, 0)[1:].tolist()], int(r[0]), int(r[1]))
        for b, r in zip(boards[:200], rolls[:200], strict=True)
    ]
    count = sum(len(gnubg_nn.moves(*a)) for a in asked)
    return count, lambda: [gnubg_nn.moves(*a) for a in asked]


def openspiel_actions() -> tuple[int, Callable[[], object]]:
    """OpenSpiel's legal actions at states of random games, asked from Python."""
    import pyspiel

    rng = np.random.default_rng(1)
    states: list[Any] = []
    game = pyspiel.load_game("backgammon")
    while len(states) < 300:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
            else:
                states.append(state.clone())
                state.apply_action(int(rng.choice(state.legal_actions())))
    count = sum(len(s.legal_actions()) for s in states)
    # A state remembers its legal actions, so every round asks fresh copies.
    return count, lambda: [s.clone().legal_actions() for s in states]


def networks() -> list[Figure]:
    """Positions evaluated a second, encoding included; decisions a second beside gnubg's."""
    import torch

    from bgnet.nets.torch_network import new_net, torch_logits

    torch.set_num_threads(1)
    boards, rolls = midgame(BATCH)
    plays = STANDARD.legal_plays(boards, rolls)
    figures = []
    shipped = load_checkpoint(find("default")).main.architecture
    for made_of in (Architecture("points", (128,)), shipped):
        net = new_net(made_of, torch.Generator().manual_seed(1))
        weights, by_torch = net.weights(), torch_logits(net)
        np.testing.assert_allclose(
            weights.logits(boards), by_torch(boards), atol=1e-3, err_msg="backends differ"
        )
        n = len(plays.boards)
        backends = {"torch": by_torch, "numpy": weights.logits}
        found = rates({name: (n, partial(ask, plays.boards)) for name, ask in backends.items()})
        name = str(made_of)
        figures.append(Figure(f"positions evaluated by torch, {name}", found["torch"], "1/s",
                              "the same in numpy", found["numpy"]))  # fmt: skip
        player = Search(Evaluator(STANDARD, by_torch), ply=0)
        figures.append(decisions(player, name))
    return figures


def decisions(player: Player, name: str) -> Figure:
    """Plays chosen a second on fresh positions, legal plays included."""
    batches = iter([midgame(BATCH, seed) for seed in range(2, 4 + ROUNDS)])

    def ours() -> None:
        boards, rolls = next(batches)
        plays = STANDARD.legal_plays(boards, rolls)
        player.choose(boards, rolls, plays)

    jobs: dict[str, tuple[int, Callable[[], object]]] = {"ours": (BATCH, ours)}
    if installed("gnubg_nn"):
        import gnubg_nn

        fresh = iter([midgame(BATCH, seed) for seed in range(2, 4 + ROUNDS)])

        def gnubg() -> None:
            for b, r in zip(*next(fresh), strict=True):
                sides = [np.maximum(flip(b), 0)[1:].tolist(), np.maximum(b, 0)[1:].tolist()]
                gnubg_nn.best_move(sides, int(r[0]), int(r[1]), n=0, b=1)

        jobs["gnubg"] = (BATCH, gnubg)
    found = rates(jobs)
    return Figure(f"0-ply decisions, {name}", found["ours"], "1/s", "gnubg-nn 0-ply",
                  found.get("gnubg", float("nan")))  # fmt: skip


def training_speed() -> list[Figure]:
    """Games a second with 128 units on two cores, updates included."""
    lines, _ = quick(90, "--hidden", "128")
    late = [line for line in lines if line["minutes"] > 0.75 and "loss" in line]
    games = statistics.median(line["games_per_second"] for line in late)
    steps = statistics.median(line["steps_per_second"] for line in late)
    return [
        Figure("TD(lambda) training, 128 units, 2 cores", games, "games/s"),
        Figure("the same, steps of the optimiser in each process", steps, "1/s"),
    ]


def training_memory() -> list[Figure]:
    """Peak resident memory of the quick preset, its processes added up (Linux)."""
    return [Figure("peak memory of the quick preset, all processes", quick(30)[1], "GiB")]


def quick(seconds: int, *changes: str) -> tuple[list[dict[str, float]], float]:
    """Run the quick preset for a while: the lines of its journal, and its peak memory in GiB."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        command = [sys.executable, "-m", "training", "quick", "--out", str(run), "--minutes",
                   str(seconds / 60), "--duel-minutes", "0", *changes]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, memory_of_tree(process.pid))
            time.sleep(0.5)
        assert process.returncode == 0, "the training run failed"
        lines = (run / "metrics.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines], peak


def memory_of_tree(pid: int) -> float:
    """Peak resident memory of a process and its children, GiB (Linux)."""
    total, waiting = 0.0, [pid]
    while waiting:
        here = Path(f"/proc/{waiting.pop()}")
        try:
            peak = next(line for line in (here / "status").read_text().splitlines()
                        if line.startswith("VmHWM"))  # fmt: skip
            waiting += map(int, (here / f"task/{here.name}/children").read_text().split())
        except (OSError, StopIteration):
            continue
        total += int(peak.split()[1]) / 2**20
    return total


def cold_start() -> list[Figure]:
    """``bgnet eval`` with the shipped network, beside importing numpy."""
    def run(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    jobs = {"eval": (1, run("-m", "bgnet", "eval")), "numpy": (1, run("-c", "import numpy"))}
    found = rates(jobs)
    return [Figure("cold start of bgnet eval", 1 / found["eval"], "s", "import numpy",
                   1 / found["numpy"])]  # fmt: skip


BENCHES: dict[str, Callable[[], list[Figure]]] = {
    "generator": generator,
    "networks": networks,
    "cold-start": cold_start,
    "training": training_speed,
    "memory": training_memory,
}


def main() -> None:
    """Run benchmarks and print a table, or JSON."""
    from . import bench_engine  # it builds on this module

    BENCHES.update({
        "look-ahead": bench_engine.look_ahead, "rollouts": bench_engine.rollouts,
        "bearoff": bench_engine.bearoff, "cube": bench_engine.cube,
    })  # fmt: skip
    parser = argparse.ArgumentParser(prog="python -m training.bench", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(BENCHES)} (default: all)")
    parser.add_argument("--json", action="store_true", help="JSON, a figure a line")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in BENCHES]:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHES)}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for name in args.names or BENCHES:
        for figure in BENCHES[name]():
            if args.json:
                print(json.dumps(asdict(figure) | {"ratio": figure.ratio}), flush=True)
            else:
                beside = f"  {figure.ratio:8.2f} x {figure.peer}" if figure.peer else ""
                print(f"{figure.what:52} {figure.value:14,.4g} {figure.unit:8}{beside}", flush=True)


if __name__ == "__main__":
    main()
