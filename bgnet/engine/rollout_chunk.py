"""Some games of a rollout, played in lockstep in one process."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..game import dice
from ..nets.outcomes import flip
from .distinct import distinct
from .evaluator import Evaluator
from .search import Search

#: All throws of two dice in one turn, (36, 2) int8.
_THROWS = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)], np.int8)
#: Pairs of throws of the first two turns.
ROTATION = len(_THROWS) ** 2
#: (7, 7): a throw's place in ``dice.ROLLS``.
_ROLL_NUMBER = np.zeros((7, 7), np.int64)
for _number, (_a, _b) in enumerate(dice.ROLLS):
    _ROLL_NUMBER[_a, _b] = _ROLL_NUMBER[_b, _a] = _number
_ROWS_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class Chunk:
    """c games of each of k positions."""

    rows: np.ndarray
    """``(k, width)`` int8, the positions."""
    pairs: np.ndarray
    """``(c,)`` int64 below ``ROTATION``: the throws of the first two turns of each game."""
    seed: np.random.SeedSequence
    """Of all later throws."""
    ply: int
    """Look-ahead when plays are chosen."""
    truncate: int | None
    """Turns after which an opinion takes the place of the result."""
    reduce_variance: bool
    """Reckon the luck of the dice."""
    scoring: str
    """What the games are played for."""

    def throws(self) -> Iterator[np.ndarray]:
        """Turn after turn, ``(c, 2)`` int8: what game g of every position throws."""
        first, second = np.divmod(self.pairs, len(_THROWS))
        yield _THROWS[first]
        yield _THROWS[second]
        rng = np.random.default_rng(self.seed)
        while True:
            yield dice.roll(rng, len(self.pairs))


def play(evaluator: Evaluator, chunk: Chunk) -> tuple[np.ndarray, np.ndarray]:
    """Play a chunk to its end.

    Args:
        evaluator: plays both sides and knows when the rest is certain.
        chunk: the games.

    Returns:
        ``(k, c, 6)`` float64: how each game ended, and what its dice were worth; both seen by
        the side that rolled first.
    """
    search = Search(evaluator, chunk.ply, chunk.scoring)
    k, c = len(chunk.rows), len(chunk.pairs)
    outcomes, known = evaluator.chances(chunk.rows)
    results = np.repeat(outcomes.astype(np.float64), c, axis=0)
    luck = np.zeros_like(results)
    games = np.flatnonzero(np.repeat(~known, c))  # those in play; game g of position i is i*c + g
    rows = chunk.rows[games // c]
    mine = np.ones(len(games), bool)  # the side that rolled first is to roll
    for turn, throws in enumerate(chunk.throws(), 1):
        if not len(games):
            break
        forced = search.variant.forced_rolls(rows)
        rolls = np.where(forced > 0, forced, throws[games % c])
        if chunk.reduce_variance:
            best, gained = _luck(search, rows, rolls, forced[:, 0] > 0)
            luck[games] += _seen(gained, mine)
        if chunk.reduce_variance and not chunk.ply:
            rows, again = best
        else:
            rows, again = _choose(search, rows, rolls)
        mine ^= ~again
        outcomes, known = evaluator.chances(rows)
        if turn == chunk.truncate:
            outcomes, known = search.outcomes(rows), np.ones(len(rows), bool)
        results[games[known]] = _seen(outcomes[known], mine[known])
        games, rows, mine = games[~known], rows[~known], mine[~known]
    return results.reshape(k, c, 6), luck.reshape(k, c, 6)


def _seen(outcomes: np.ndarray, mine: np.ndarray) -> np.ndarray:
    """Outcomes of the side to decide, ``(n, 6)``, as seen by the side that rolled first."""
    return np.where(mine[:, None], outcomes, flip(outcomes))


#: Rows after plays, and where the same side decides again.
_Played = tuple[np.ndarray, np.ndarray]


def _choose(search: Search, rows: np.ndarray, rolls: np.ndarray) -> _Played:
    """The plays that the search chooses."""
    plays = search.variant.legal_plays(rows, rolls)
    chosen = search.choose(rows, rolls, plays)
    again = np.zeros(len(rows), bool) if plays.again is None else plays.again[chosen]
    return plays.boards[chosen], again


def _luck(search: Search, rows: np.ndarray, rolls: np.ndarray, fixed: np.ndarray
          ) -> tuple[_Played, np.ndarray]:
    """The network's best plays, and the luck of the throws.

    Args:
        search: whose network judges, without looking ahead.
        rows: ``(n, width)`` int8, games that go on.
        rolls: ``(n, 2)`` int8, the throws.
        fixed: ``(n,)`` bool, the throw was no matter of chance.

    Returns:
        The best plays of the throws, and ``(n, 6)`` float32: the outcomes after them less their
        mean over all throws, of the side that throws.
    """
    number = np.where(fixed, 0, _ROLL_NUMBER[rolls[:, 0], rolls[:, 1]])
    parts = []
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        which, where = distinct(rows[block])
        replies = search.replies(rows[block][which])
        thrown = np.searchsorted(replies.owner, where) + number[block]
        gained = replies.seen()[thrown] - replies.mean(len(which))[where]
        parts.append((replies.rows[thrown], replies.again[thrown], gained))
    after, again, gained = (np.concatenate(part) for part in zip(*parts, strict=True))
    return (after, again), gained
