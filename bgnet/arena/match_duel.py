"""Duels with the doubling cube: matches, or money games one by one.

Like ``duel``, in pairs with common dice and changed seats. Two matches of a pair part ways when
one of their games ends before the other, so dice belong to a turn of a game of a pair, whenever
that turn is played. Matches run in lockstep: those at the same score, with the same cube, are
decided together.

A player that knows no chances cannot judge a double. Its opponent's network then decides for it:
what is measured is its moving of men.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..engine.cube_decision import CubeDecision
from ..engine.engine import Engine
from ..engine.player import Player, PlayerError
from ..game.match import MatchState
from ..game.plays import Plays
from ..game.scoring import ONGOING
from ..game.variants import Variant
from .duel import PAIRS_AT_ONCE, standard_error


@dataclass(frozen=True)
class MatchDuelResult:
    """What a duel with the cube says, seen by its first player."""

    a: str
    """Name of the first player."""
    b: str
    """Name of the second."""
    variant: str
    """The game played."""
    scoring: str
    """How games were counted: a key of ``SCORINGS``."""
    match: int
    """Points of a match; 0 is single games for money."""
    matches: int
    """Matches (or money games) played, two to a pair."""
    win_rate: float
    """Share of them that the first player won."""
    win_rate_error: float
    """Standard error of ``win_rate``."""
    games: int
    """Games played in all."""
    ppg: float
    """Mean points a game of the first player, the cube included."""
    standard_error: float
    """Of ``ppg``, in points."""
    double_rate: float
    """Share of the games in which somebody doubled."""
    drop_rate: float
    """Share of the games that ended with a double refused."""

    def __str__(self) -> str:
        what = f"matches to {self.match}" if self.match else "money games"
        return (
            f"{self.a} against {self.b}: wins {self.win_rate:.1%} ± {self.win_rate_error:.1%} of "
            f"{self.matches:,} {what}, {self.ppg:+.4f} ± {self.standard_error:.4f} points a game "
            f"({self.scoring})\n{self.games:,} games, doubled in {self.double_rate:.1%}, dropped "
            f"in {self.drop_rate:.1%}"
        )


def match_duel(a: Player, b: Player, matches: int, seed: int, length: int = 0,
               scoring: str = "english", progress: Callable[[int], object] | None = None
               ) -> MatchDuelResult:
    """Let two players play each other with the cube, the Jacoby rule and beavers off.

    A player that draws no lots of its own comes out exactly level with itself.

    Args:
        a: the first player, whose view the result takes.
        b: the second; the same game as the first.
        matches: how many, rounded up to whole pairs; at least two pairs.
        seed: decides all dice.
        length: points of a match; 0 plays single games for money.
        scoring: a key of ``SCORINGS``.
        progress: told the number of matches that have just ended, whenever some have.

    Raises:
        PlayerError: the players play different games, or neither knows what a double is.
        MetError: the match is longer than match equity tables go.
    """
    if a.variant is not b.variant:
        raise PlayerError(f"{a.name} plays {a.variant.name} and {b.name} {b.variant.name}: "
                          "a duel needs two players of the same game")  # fmt: skip
    seats = _seats(a, b)
    pairs = max(2, (matches + 1) // 2)
    sizes = [min(PAIRS_AT_ONCE, pairs - i) for i in range(0, pairs, PAIRS_AT_ONCE)]
    start = MatchState(length=length)
    tables = []
    for size, child in zip(sizes, np.random.SeedSequence(seed).spawn(len(sizes)), strict=True):
        tables.append(_Table(seats, start, scoring, _Dice(a.variant, size, child)))
        tables[-1].play(progress or (lambda ended: None))
    points, games = (
        np.concatenate([each.reshape(2, -1) for each in parts], axis=1)
        for parts in zip(*((t.points, t.games) for t in tables), strict=True)
    )
    won = np.concatenate([t.won.reshape(2, -1) for t in tables], axis=1)
    total = int(games.sum())
    return MatchDuelResult(
        a.name, b.name, a.variant.name, scoring, length, matches=won.size,
        win_rate=float(won.mean()), win_rate_error=standard_error(won),
        games=total, ppg=float(points.sum() / total),
        standard_error=standard_error(points) / float(games.mean()),
        double_rate=sum(t.doubled for t in tables) / total,
        drop_rate=sum(t.dropped for t in tables) / total,
    )  # fmt: skip


class _Seat:
    """A player with its judge of doubles."""

    def __init__(self, player: Player, judge: Engine) -> None:
        self._player = player
        self._judge = judge
        self._at: dict[MatchState, Player] = {}

    def decisions(self, rows: np.ndarray, state: MatchState) -> list[CubeDecision]:
        """Whether the side on roll doubles, and how its opponent answers."""
        return self._judge.cubes.actions(rows, state)

    def choose(self, state: MatchState, rows: np.ndarray, rolls: np.ndarray, plays: Plays
               ) -> np.ndarray:
        """Rows of plays, at this score."""
        if state not in self._at:
            self._at[state] = self._for(state)
        return self._at[state].choose(rows, rolls, plays)

    def _for(self, state: MatchState) -> Player:
        if not isinstance(self._player, Engine):
            return self._player
        utility = self._player.utility(state)
        return replace(self._player, search=replace(self._player.search, utility=utility))


def _seats(a: Player, b: Player) -> tuple[_Seat, _Seat]:
    """Both players, each with somebody who knows chances."""
    judges = [player for player in (a, b) if isinstance(player, Engine)]
    if not judges:
        raise PlayerError(f"neither {a.name} nor {b.name} can judge a double: with the cube, at "
                          "least one player must be a network")  # fmt: skip
    return _Seat(a, judges[0]), _Seat(b, judges[-1])


class _Dice:
    """Throws of pairs of matches: the same for both matches of a pair."""

    def __init__(self, variant: Variant, pairs: int, seed: np.random.SeedSequence) -> None:
        self.variant = variant
        self.pairs = pairs
        self._seed = seed
        self._thrown: dict[tuple[int, int], np.ndarray] = {}

    def _rng(self, *key: int) -> np.random.Generator:
        seed = np.random.SeedSequence(
            self._seed.entropy, spawn_key=(*self._seed.spawn_key, *key)
        )  # fmt: skip
        return np.random.default_rng(seed)

    def openers(self, game: int) -> np.ndarray:
        """``(pairs,)`` which player opens that game of the first match of each pair."""
        return self._rng(game).integers(0, 2, self.pairs)

    def throws(self, game: int, turn: int) -> np.ndarray:
        """``(pairs, 2)`` int8, those of a turn of a game; turn 0 is the opening."""
        if (game, turn) not in self._thrown:
            rng = self._rng(game, turn)
            self._thrown[game, turn] = (
                self.variant.next_rolls(rng, self.variant.starts(self.pairs))
                if turn
                else self.variant.opening_rolls(rng, self.pairs)
            )
        return self._thrown[game, turn]


class _Table:
    """Pairs of matches in lockstep; match i and match ``pairs + i`` are a pair."""

    def __init__(self, seats: tuple[_Seat, _Seat], start: MatchState, scoring: str, dice: _Dice
                 ) -> None:
        n = 2 * dice.pairs
        self._seats, self._scoring, self._dice = seats, scoring, dice
        self._boards = dice.variant.starts(n)
        self._states = [start] * n  # seen by the side on roll
        self._on_roll = np.zeros(n, np.int64)
        self._turn = np.zeros(n, np.int64)
        self._going_on = np.ones(n, bool)
        self.points = np.zeros(n, np.int64)
        """Of the first player, summed over the games of each match."""
        self.games = np.zeros(n, np.int64)
        """Games finished in each match."""
        self.won = np.zeros(n, bool)
        """Matches that the first player has won."""
        self.doubled = self.dropped = 0
        for i in range(n):
            self._open(i, start)

    def play(self, progress: Callable[[int], object]) -> None:
        """Play all matches to their end."""
        while (before := int(self._going_on.sum())):
            for side in (0, 1):
                waiting = np.flatnonzero(self._going_on & (self._on_roll == side))
                self._double(side, waiting[self._turn[waiting] > 0].tolist())
            # Who has dropped is in the next game already, and throws for its opening.
            rolls = self._rolls()
            turn = [np.flatnonzero(self._going_on & (self._on_roll == side)) for side in (0, 1)]
            for side, at in enumerate(turn):
                self._move(side, at, rolls)
            if ended := before - int(self._going_on.sum()):
                progress(ended)

    def _open(self, i: int, state: MatchState) -> None:
        """Begin a game; the state is seen by the first player."""
        opener = int(self._dice.openers(int(self.games[i]))[i % self._dice.pairs])
        opener ^= i >= self._dice.pairs
        self._boards[i] = self._dice.variant.start
        self._states[i] = state.flip() if opener else state
        self._on_roll[i] = opener
        self._turn[i] = 0

    def _double(self, side: int, at: Iterable[int]) -> None:
        """Those on roll double, and the others take or drop."""
        may = [i for i in at if self._states[i].may_double]
        offered = [i for i, found in self._decided(side, may) if found.double]
        self.doubled += sum(self._states[i].cube == 1 for i in offered)
        for i, found in self._decided(1 - side, offered):
            state = self._states[i].double()
            if found.answer == "pass":
                self.dropped += 1
                self._end(i, state.drop() * (1 if side == 0 else -1))
            else:
                self._states[i] = state.take()

    def _decided(self, side: int, at: Sequence[int]) -> Iterator[tuple[int, CubeDecision]]:
        """What a player thinks of doubles of the sides on roll."""
        for state, group in self._by_state(at):
            found = self._seats[side].decisions(self._boards[group], state)
            yield from zip(group.tolist(), found, strict=True)

    def _by_state(self, at: Iterable[int]) -> list[tuple[MatchState, np.ndarray]]:
        """Matches with the same score and cube."""
        groups: dict[MatchState, list[int]] = {}
        for i in at:
            groups.setdefault(self._states[i], []).append(int(i))
        return [(state, np.array(group)) for state, group in groups.items()]

    def _rolls(self) -> np.ndarray:
        """The throw of every match that goes on, ``(n, 2)`` int8."""
        rolls = self._dice.variant.forced_rolls(self._boards)
        free = np.flatnonzero(self._going_on & (rolls[:, 0] == 0))
        keys = np.stack([self.games[free], self._turn[free]], axis=1)
        which, where = np.unique(keys, axis=0, return_inverse=True)
        for number, (game, turn) in enumerate(which.tolist()):
            at = free[where.ravel() == number]
            rolls[at] = self._dice.throws(game, turn)[at % self._dice.pairs]
        return rolls

    def _move(self, side: int, at: np.ndarray, rolls: np.ndarray) -> None:
        """Those on roll move their men."""
        variant = self._dice.variant
        for state, group in self._by_state(at):
            plays = variant.legal_plays(self._boards[group], rolls[group])
            chosen = self._seats[side].choose(state, self._boards[group], rolls[group], plays)
            self._boards[group] = plays.boards[chosen]
            again = np.zeros(len(group), bool) if plays.again is None else plays.again[chosen]
            for i, goes_on in zip(group.tolist(), again.tolist(), strict=True):
                self._turn[i] += 1
                if not goes_on:
                    self._states[i] = state.flip()
                    self._on_roll[i] = 1 - side
        results = variant.result(self._boards[at])
        for i, outcome in zip(at.tolist(), results.tolist(), strict=True):
            if outcome != ONGOING:
                points = self._states[i].points(outcome, self._scoring)
                self._end(i, points if self._on_roll[i] == 0 else -points)

    def _end(self, i: int, points: int) -> None:
        """A game ends with so many points for the first player; the next one begins."""
        state = self._states[i] if self._on_roll[i] == 0 else self._states[i].flip()
        self.points[i] += points
        self.games[i] += 1
        follows = state.next_game(points)
        if follows is None or state.money:
            self._going_on[i] = False
            self.won[i] = points > 0
        else:
            self._open(i, follows)
