"""Duels: two players over many games, every sequence of dice played twice with changed seats.

Luck decides most single games, so a difference of strength shows only in the mean of many. Part
of the luck is taken out by playing in pairs: both games of a pair are played with the same dice,
and the player who opened the first sits on the other side in the second. The two games of a pair
are not independent, so the pair is the unit from which standard errors are computed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..engine.player import Player, PlayerError
from ..game import scoring as scores
from ..game.scoring import ONGOING, SCORINGS
from ..game.variants import Variant

#: Pairs of games played in lockstep. Fixed, so that a seed means the same games everywhere.
PAIRS_AT_ONCE = 1024
#: Decisions of one side in a game, about.
DECISIONS = 28


@dataclass(frozen=True)
class DuelResult:
    """What a duel says, seen by its first player."""

    a: str
    """Name of the first player."""
    b: str
    """Name of the second."""
    variant: str
    """The game played."""
    scoring: str
    """How its results were counted: a key of ``SCORINGS``."""
    games: int
    """Games played, two to a pair."""
    ppg: float
    """Mean points a game of the first player."""
    standard_error: float
    """Of ``ppg``, in points."""
    win_rate: float
    """Share of the games that the first player won."""
    win_rate_error: float
    """Standard error of ``win_rate``."""
    outcomes: tuple[float, ...]
    """Shares of the games by how they ended for the first player, in the order of
    ``scoring.OUTCOMES``; they sum to 1."""
    length: float
    """Mean turns a game, those of both sides counted."""

    def to_dict(self) -> dict[str, object]:
        """The same as plain data, with every outcome by name, cumulative as gnubg counts: a
        backgammon is a gammon too."""
        shares = np.array(self.outcomes)
        return {
            "a": self.a,
            "b": self.b,
            "variant": self.variant,
            "scoring": self.scoring,
            "games": self.games,
            "ppg": self.ppg,
            "standard_error": self.standard_error,
            "win_rate": self.win_rate,
            "win_rate_error": self.win_rate_error,
            "win_gammon_rate": float(shares[scores.WIN_GAMMON : scores.LOSE].sum()),
            "win_backgammon_rate": self.outcomes[scores.WIN_BACKGAMMON],
            "lose_gammon_rate": float(shares[scores.LOSE_GAMMON :].sum()),
            "lose_backgammon_rate": self.outcomes[scores.LOSE_BACKGAMMON],
            "length": self.length,
        }

    def __str__(self) -> str:
        named = zip(scores.OUTCOMES, self.outcomes, strict=True)
        shares = ", ".join(f"{name} {share:.1%}" for name, share in named)
        return (
            f"{self.a} against {self.b}: {self.ppg:+.4f} ± {self.standard_error:.4f} points a "
            f"game ({self.scoring}), wins {self.win_rate:.1%} ± {self.win_rate_error:.1%} of "
            f"{self.games:,} games of {self.length:.0f} turns\n{shares}"
        )


def duel(a: Player, b: Player, games: int, seed: int | np.random.SeedSequence,
         scoring: str = "english", progress: Callable[[int], object] | None = None) -> DuelResult:
    """Let two players play each other.

    A player that draws no lots of its own comes out exactly level with itself, since the two
    games of each pair then mirror each other.

    Args:
        a: the first player, whose view the result takes.
        b: the second; the same game as the first.
        games: how many, rounded up to whole pairs; at least two pairs.
        seed: decides all dice. The same seed, players and number of games give the same result.
        scoring: a key of ``SCORINGS``.
        progress: told the number of games that have just ended, whenever some have.

    Returns:
        ``DuelResult``; one game in two is opened by either player.

    Raises:
        PlayerError: the players play different games.

    >>> from bgnet.engine.baselines import pipcount
    >>> from bgnet.game.variants import HYPERGAMMON
    >>> result = duel(pipcount(HYPERGAMMON), pipcount(HYPERGAMMON), 100, seed=1)
    >>> result.games, result.ppg, result.win_rate
    (100, 0.0, 0.5)
    """
    if a.variant is not b.variant:
        raise PlayerError(
            f"{a.name} plays {a.variant.name} and {b.name} {b.variant.name}: "
            "a duel needs two players of the same game"
        )
    worth = SCORINGS[scoring]
    pairs = max(2, (games + 1) // 2)
    sizes = [min(PAIRS_AT_ONCE, pairs - i) for i in range(0, pairs, PAIRS_AT_ONCE)]
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    rngs = [np.random.default_rng(child) for child in root.spawn(len(sizes))]
    report = progress or (lambda ended: None)
    played = [_play_pairs((a, b), n, rng, report) for n, rng in zip(sizes, rngs, strict=True)]
    outcomes = np.concatenate([outcome for outcome, _ in played], axis=1)
    turns = np.concatenate([length for _, length in played], axis=1)

    points = worth[outcomes]
    wins = outcomes < scores.LOSE
    shares = np.bincount(outcomes.ravel(), minlength=6) / outcomes.size
    return DuelResult(
        a.name, b.name, a.variant.name, scoring, games=outcomes.size,
        ppg=float(points.mean()), standard_error=standard_error(points),
        win_rate=float(wins.mean()), win_rate_error=standard_error(wins),
        outcomes=tuple(shares.tolist()), length=float(turns.mean()),
    )  # fmt: skip


def standard_error(results: np.ndarray) -> float:
    """Of the mean of ``(2, pairs)`` results, the pairs being independent of each other."""
    means = results.mean(axis=0, dtype=np.float64)
    return float(means.std(ddof=1) / np.sqrt(len(means)))


def _play_pairs(players: tuple[Player, Player], pairs: int, rng: np.random.Generator,
                progress: Callable[[int], object]) -> tuple[np.ndarray, np.ndarray]:
    """Play pairs of games to the end, all in lockstep.

    Game i and game ``pairs + i`` are a pair: the first player opens one, the second the other.

    Returns:
        Outcomes for the first player and lengths in turns, both ``(2, pairs)`` ints.
    """
    variant = players[0].variant
    boards = variant.starts(2 * pairs)
    to_play = np.repeat([0, 1], pairs)  # which player each game waits for
    outcomes = np.full(2 * pairs, ONGOING, np.int8)
    turns = np.zeros(2 * pairs, np.int64)
    rolls = np.tile(variant.opening_rolls(rng, pairs), (2, 1))
    while (waiting := outcomes == ONGOING).any():
        turns += waiting
        games_of = [np.flatnonzero(waiting & (to_play == side)) for side in (0, 1)]
        for player, at in zip(players, games_of, strict=True):
            plays = variant.legal_plays(boards[at], rolls[at])
            chosen = player.choose(boards[at], rolls[at], plays)
            boards[at] = plays.boards[chosen]
            to_play[at] ^= True if plays.again is None else ~plays.again[chosen]
        result = variant.result(boards)
        ended = np.flatnonzero(waiting & (result != ONGOING))
        # Seen by the side that would play next; a win of the second player is a loss of the first.
        outcomes[ended] = np.where(to_play[ended] == 0, result[ended], (result[ended] + 3) % 6)
        if len(ended):
            progress(len(ended))
        rolls = _common_rolls(variant, boards, rng)
    return outcomes.reshape(2, pairs), turns.reshape(2, pairs)


def _common_rolls(variant: Variant, boards: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The next throws, ``(2 * pairs, 2)``: the same luck in both games of a pair."""
    luck = int(rng.integers(2**63))
    halves = [variant.next_rolls(np.random.default_rng(luck), half) for half in np.split(boards, 2)]
    return np.concatenate(halves)
