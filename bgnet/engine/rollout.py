"""Rollouts: what a position is worth, by playing it out thousands of times.

All games of a chunk are played in lockstep. A game ends where the rules end it, where a table
knows the rest, or after a given number of turns, when the network's opinion takes its place.

*Luck is taken out.* The luck of a throw is what the position after its best play is worth, less
the mean of that over all 21 rolls, as the network sees it. It is zero on average whatever the
network believes, so a game's result less the luck of its throws has the same mean, and a far
smaller spread the better the network judges. (David Montgomery, Variance reduction, GammOnLine
2000; gnubg does the same.)

*Dice are spread evenly.* The first two turns of 1,296 games bring every pair of throws once.

*Moves are compared with common dice.* Game g of every position has the same throws, so that the
difference of two moves is known better than either.

A rollout is cut into chunks of a fixed size, each with a seed of its own: the result is the same
for any number of processes.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

import numpy as np

from ..game.scoring import ONGOING, SCORINGS
from .evaluator import Evaluator
from .rollout_chunk import ROTATION, Chunk, play

#: Games of each position in a chunk; a dozen chunks bring all pairs of first throws once.
CHUNK = 108
#: Chunks before a standard error is trusted enough to stop.
_TRUSTED = 3


class RolloutError(ValueError):
    """A rollout that cannot be made; the message says why."""


@dataclass(frozen=True)
class Settings:
    """How to roll out."""

    games: int = ROTATION
    """Games of each position, at most; multiples of 1,296 spread the first two throws evenly."""
    ply: int = 0
    """Look-ahead of both sides when they choose plays."""
    truncate: int | None = None
    """Turns after which the network's opinion takes the place of the result; None plays on."""
    reduce_variance: bool = True
    """Take the luck of the dice out of the results."""
    standard_error: float = 0.0
    """Stop when the equity of every position is known this well, in points; 0 plays all games."""
    scoring: str = "english"
    """What the games are played for, a key of ``SCORINGS``."""
    seed: int = 0
    """Decides all dice."""

    def __post_init__(self) -> None:
        if self.games < 2:
            raise RolloutError(f"a rollout needs at least two games, not {self.games}")
        if self.truncate is not None and self.truncate < 1:
            raise RolloutError(f"a rollout is cut off after one turn or more, not {self.truncate}")
        if self.standard_error < 0:
            raise RolloutError(f"a standard error is not negative, as {self.standard_error} is")
        if self.scoring not in SCORINGS:
            raise RolloutError(f"no scoring is called {self.scoring!r}; {', '.join(SCORINGS)} are")


@dataclass(frozen=True, eq=False)
class Rollout:
    """What g games of each of k positions say. Everything is seen by the side that rolls first."""

    results: np.ndarray
    """``(k, g, 6)`` float64: how each game ended, certain or in the network's opinion."""
    luck: np.ndarray
    """``(k, g, 6)`` float64: what the dice of each game were worth; zeros if not reckoned."""
    scoring: str = "english"
    """A key of ``SCORINGS``."""

    @property
    def games(self) -> int:
        """Games of each position."""
        return self.results.shape[1]

    @property
    def outcomes(self) -> np.ndarray:
        """``(k, 6)`` float64: chances of the six outcomes. Taking out luck can leave one that is
        next to 0 a little below it."""
        return (self.results - self.luck).mean(axis=1)

    @property
    def outcome_errors(self) -> np.ndarray:
        """``(k, 6)`` float64: their standard errors."""
        return _standard_errors(self.results - self.luck)

    @property
    def equities(self) -> np.ndarray:
        """``(k,)`` float64, cubeless points."""
        return self._points(self.results - self.luck).mean(axis=1)

    @property
    def equity_errors(self) -> np.ndarray:
        """``(k,)`` float64: their standard errors, in points."""
        return _standard_errors(self._points(self.results - self.luck))

    @property
    def variance_ratios(self) -> np.ndarray:
        """``(k,)`` float64: how many times as many games the same standard error would take if
        luck were left in. NaN where nothing was left to chance."""
        plain = self._points(self.results).var(axis=1)
        reduced = self._points(self.results - self.luck).var(axis=1)
        return np.divide(plain, reduced, out=np.full(len(plain), np.nan), where=reduced > 0)

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """By how much position i is worth more than j, and the standard error, in points.

        Common dice make this error smaller than those of the two equities suggest.
        """
        points = self._points(self.results - self.luck)
        gap = points[i] - points[j]
        return float(gap.mean()), float(_standard_errors(gap[None])[0])

    def _points(self, outcomes: np.ndarray) -> np.ndarray:
        return outcomes @ SCORINGS[self.scoring].astype(np.float64)


def _standard_errors(samples: np.ndarray) -> np.ndarray:
    """Of the means along axis 1, g independent games."""
    return samples.std(axis=1, ddof=1) / np.sqrt(samples.shape[1])


def rollout(load: Callable[[], Evaluator], rows: np.ndarray, settings: Settings | None = None,
            jobs: int = 1, progress: Callable[[int], object] | None = None) -> Rollout:
    """Play positions out many times and average.

    Args:
        load: makes the evaluator that plays. With more than one job it is called in each process
            and must be picklable, such as ``functools.partial(load_evaluator, "default")``.
        rows: ``(k, width)`` int8, positions before the throw, seen by the side that rolls. To
            compare the plays of a roll give all the positions they lead to at once: common dice.
        settings: see ``Settings``.
        jobs: processes. The result does not depend on it.
        progress: told how many games (k to each number) have just ended, like ``tqdm.update``.

    Returns:
        ``Rollout``.

    Raises:
        RolloutError: one of the games is over.

    >>> from bgnet.game.board import place
    >>> from bgnet.game.variants import HYPERGAMMON
    >>> blank = Evaluator(HYPERGAMMON, lambda rows: np.zeros((len(rows), 6), np.float32))
    >>> race = place({6: 1}, {7: 1})[None]
    >>> found = rollout(lambda: blank, race, Settings(games=1296))
    >>> round(float(found.outcomes[0, 0]), 4)  # 27 throws do it, or 13 of his miss
    0.8403
    """
    settings = settings or Settings()
    evaluator = load()
    over = np.flatnonzero(evaluator.variant.result(rows) != ONGOING)
    if len(over):
        raise RolloutError(f"position {over[0] + 1} is a finished game: nothing to roll out")
    chunks = _chunks(rows, settings)
    played: list[tuple[np.ndarray, np.ndarray]] = []
    with closing(_play_all(evaluator, load, chunks, jobs)) as stream:
        for results, luck in stream:
            played.append((results, luck))
            if progress is not None:
                progress(results.shape[1])
            if settings.standard_error and len(played) >= _TRUSTED:
                errors = _gather(played, settings.scoring).equity_errors
                if errors.max(initial=0) <= settings.standard_error:
                    break
    return _gather(played, settings.scoring)


def _chunks(rows: np.ndarray, settings: Settings) -> list[Chunk]:
    """The games of a rollout, cut into chunks: the same whoever plays them."""
    number = -(-settings.games // CHUNK)
    first, *seeds = np.random.SeedSequence(settings.seed).spawn(number + 1)
    rng = np.random.default_rng(first)
    rotations = [rng.permutation(ROTATION) for _ in range(0, settings.games, ROTATION)]
    pairs = np.concatenate(rotations)[: settings.games]
    return [
        Chunk(
            rows, pairs[i * CHUNK : (i + 1) * CHUNK], seed, settings.ply, settings.truncate,
            settings.reduce_variance, settings.scoring,
        )
        for i, seed in enumerate(seeds)
    ]  # fmt: skip


def _gather(played: list[tuple[np.ndarray, np.ndarray]], scoring: str) -> Rollout:
    results, luck = (np.concatenate(part, axis=1) for part in zip(*played, strict=True))
    return Rollout(results, luck, scoring)


def _play_all(evaluator: Evaluator, load: Callable[[], Evaluator], chunks: list[Chunk], jobs: int
              ) -> Generator[tuple[np.ndarray, np.ndarray], None, None]:
    """What ``play`` says of each chunk, in their order; every process uses one thread."""
    if min(jobs, len(chunks)) == 1:
        with _one_thread():
            for chunk in chunks:
                yield play(evaluator, chunk)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(chunks)), spawn, _start, (load,)) as pool:
        try:
            with _one_thread():
                played = pool.map(_play_here, chunks)  # the processes are started here
            yield from played
        finally:
            pool.shutdown(cancel_futures=True)


_here: Evaluator  # of a process that plays chunks


def _start(load: Callable[[], Evaluator]) -> None:
    """Make a process ready to play chunks."""
    global _here
    _here = load()


def _play_here(chunk: Chunk) -> tuple[np.ndarray, np.ndarray]:
    return play(_here, chunk)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Use one core, here and in processes started meanwhile: jobs share out the cores instead.

    It also makes sums come out the same bit for bit, whoever works them out.
    """
    before = os.environ.get("OMP_NUM_THREADS")
    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else 1
    os.environ["OMP_NUM_THREADS"] = "1"
    if torch:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if torch:
            torch.set_num_threads(threads)
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
