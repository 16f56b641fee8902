"""Look-ahead: what positions are worth if the next plies are played out on all 21 rolls.

Plies are counted as gnubg counts them: 0-ply is the network alone, and n-ply is the mean over the
21 rolls of the best reply's (n-1)-ply value. Replies are chosen at 0-ply, also inside a deep
search; the plays of the roll on the table are compared ply by ply, and after every ply a filter
keeps those that are worth a deeper look.

All of it is arrays. One level asks the network about every reply to every roll of a block of
positions at once, each distinct position only once. A position known for certain (a finished
game, a bear-off table) is never looked into any further.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..game import dice
from ..game.plays import Plays
from ..game.variants import Variant
from ..nets.outcomes import equity, flip
from .distinct import distinct
from .evaluator import Evaluator
from .filters import FILTERS, Filter, best_of_each
from .player import best_rows

#: ``utility(outcomes)``: (m, 6) chances **of the side that asks**, to (m,) what they are worth to
#: it. The opponent is thought to play for the contrary.
Utility = Callable[[np.ndarray], np.ndarray]

_PARENTS = 64  # positions looked into at once: some 27,000 replies to compare
_QUESTIONS = 2048  # positions in one question to the network: keeps a layer in the cache
#: Look-ahead values kept, some 200 bytes each. In play next to nothing is asked twice; it pays
#: where the same position is asked about again, as in analysis: a play, then what comes of it.
_REMEMBERED = 1 << 16


class SearchError(ValueError):
    """A look-ahead that cannot be had."""


@dataclass(frozen=True, eq=False)
class Replies:
    """The best replies to every roll, for a batch of n positions; b rows in all."""

    owner: np.ndarray
    """``(b,)`` int64, ascending: whose position. 21 rows each in the order of ``dice.ROLLS``, or
    one where the roll is fixed."""
    chances: np.ndarray
    """``(b,)`` float32, of the roll."""
    rows: np.ndarray
    """``(b, width)`` int8, after the best play, seen by the side that decides next."""
    outcomes: np.ndarray
    """``(b, 6)`` float32, of the side that decides next."""
    known: np.ndarray
    """``(b,)`` bool: ``outcomes`` are certain."""
    again: np.ndarray
    """``(b,)`` bool: the side that decides next is the one that has just played."""

    def seen(self) -> np.ndarray:
        """``outcomes`` as seen by the side that plays the roll, ``(b, 6)`` float32."""
        return np.where(self.again[:, None], self.outcomes, flip(self.outcomes))

    def mean(self, n: int) -> np.ndarray:
        """Mean over the rolls, ``(n, 6)`` float32 of the side that rolls."""
        weighted = self.seen() * self.chances[:, None]
        return np.add.reduceat(weighted, np.searchsorted(self.owner, np.arange(n)), axis=0)


@dataclass(frozen=True, eq=False)
class Judgement:
    """What look-ahead says of m legal plays."""

    outcomes: np.ndarray
    """``(m, 6)`` float32, chances **of the side that plays**."""
    values: np.ndarray
    """``(m,)`` float, what they are worth to it: equity in points, or the search's utility."""
    plies: np.ndarray
    """``(m,)`` int8, how deep each was looked into. Plays rank by this first, then by value."""

    def best(self, plays: Plays, n: int) -> np.ndarray:
        """``(n,)`` int64: the best row of each position; of equal rows the first."""
        deepest = np.maximum.reduceat(self.plies, plays.firsts(n))
        ranked = np.where(self.plies == deepest[plays.owner], self.values, -np.inf)
        return best_rows(ranked, plays, n)


@dataclass(frozen=True, eq=False)
class Search:
    """A network that looks ahead: an evaluator of positions and a ``Player``.

    >>> from bgnet.engine.evaluator import Evaluator
    >>> from bgnet.game.variants import STANDARD
    >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
    >>> search = Search(blank, ply=1, label="blank")
    >>> search.name, round(float(search.outcomes(STANDARD.starts(1))[0, 0]), 3)
    ('blank@1', 0.167)
    """

    evaluator: Evaluator
    """What it believes without looking ahead."""
    ply: int
    """How far it looks."""
    scoring: str = "english"
    """What games are played for, a key of ``SCORINGS``."""
    utility: Utility | None = None
    """What plays are ranked by instead of cubeless equity by ``scoring``."""
    filters: tuple[Filter | None, ...] = FILTERS
    """The filter after each ply; None goes on to the next ply without valuing plays at this one.
    The first is never None; plies beyond the last filter use the last."""
    label: str = "network"
    """What the evaluator is called."""
    _memory: dict[bytes, np.ndarray] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.ply < 0:
            raise SearchError(f"look-ahead is 0 plies or more, not {self.ply}")
        if not self.filters or self.filters[0] is None:
            raise SearchError("look-ahead needs a filter for the plays as the network sees them")

    @property
    def name(self) -> str:
        """How tables and commands call it: ``NAME@2``, or ``NAME`` without look-ahead."""
        return f"{self.label}@{self.ply}" if self.ply else self.label

    @property
    def variant(self) -> Variant:
        """The game that it plays."""
        return self.evaluator.variant

    def outcomes(self, rows: np.ndarray) -> np.ndarray:
        """Chances of the six outcomes, by look-ahead, for the side that rolls next.

        Args:
            rows: ``(n, width)`` int8, seen by the side that rolls.

        Returns:
            ``(n, 6)`` float32.
        """
        outcomes, known = _chances(self.evaluator, rows)
        open_ = np.flatnonzero(~known)
        if self.ply:
            outcomes[open_] = self._ahead(rows[open_], np.ones(len(open_), bool), self.ply)
        return outcomes

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The best play of each position; see ``Player``.

        Of equal plays the first is chosen. A play that is alone, or alone after a filter, is
        chosen without a further look.
        """
        return self._judge(plays, len(boards), choice_only=True).best(plays, len(boards))

    def play_outcomes(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> Judgement:
        """What each legal play is worth.

        Args:
            boards: ``(n, width)`` int8, seen by the side that plays.
            rolls: ``(n, 2)`` int8, dice 1..6.
            plays: the legal plays of those rolls.

        Returns:
            ``Judgement`` of the rows of ``plays``, seen by **the side that plays**. Plays that a
            filter left behind keep the value of the ply at which they were left.
        """
        return self._judge(plays, len(boards))

    def replies(self, rows: np.ndarray, asks: np.ndarray | None = None) -> Replies:
        """The best plays of all rolls, as the network sees them.

        Args:
            rows: ``(n, width)`` int8, games that go on, seen by the side that rolls.
            asks: ``(n,)`` bool, where the side that rolls is the one whose utility counts;
                None is everywhere.

        Returns:
            ``Replies``; of equal plays the first is chosen.
        """
        asks = np.ones(len(rows), bool) if asks is None else asks
        owner, rolls, chances = all_rolls(self.variant.forced_rolls(rows))
        plays = self.variant.legal_plays(rows.take(owner, axis=0), rolls)
        plays = self._scouted(plays, asks[owner])
        which, where = distinct(plays.boards)
        outcomes, known = _chances(self.evaluator, plays.boards.take(which, axis=0))
        values = self._values(outcomes, where, asks[owner[plays.owner]], plays.again)
        best = best_rows(values, plays, len(rolls))
        at = where[best]
        again = np.zeros(len(best), bool) if plays.again is None else plays.again[best]
        return Replies(owner, chances, plays.boards[best], outcomes[at], known[at], again)

    def _scouted(self, plays: Plays, asks: np.ndarray) -> Plays:
        """The plays that the scout, if there is one, finds promising.

        Args:
            plays: the legal plays of n positions.
            asks: ``(n,)`` bool, the side that plays is the one that asks.
        """
        scout = self.evaluator.scout
        if scout is None:
            return plays
        blocks = range(0, len(plays.boards), _QUESTIONS)
        answers = [scout.outcomes(plays.boards[i : i + _QUESTIONS]) for i in blocks]
        outcomes, every = np.concatenate(answers), np.arange(len(plays.boards))
        values = self._values(outcomes, every, asks[plays.owner], plays.again)
        return plays.take(scout.promising(values, plays))

    def _values(self, outcomes: np.ndarray, where: np.ndarray, asks: np.ndarray,
                again: np.ndarray | None) -> np.ndarray:
        """What plays are worth to the side that plays.

        Args:
            outcomes: ``(u, 6)``, of the side that decides after a play.
            where: ``(m,)``, which row of ``outcomes`` each play leads to.
            asks: ``(m,)`` bool, the side that plays is the one that asks.
            again: ``(m,)`` bool or None, see ``Plays``.

        Returns:
            ``(m,)`` floats.
        """
        if self.utility is None:  # the same for both sides but for the sign
            values = equity(outcomes, self.scoring)[where]
            return -values if again is None else np.where(again, values, -values)
        next_asks = ~asks if again is None else asks == again
        of_next = outcomes[where]
        values = self.utility(np.where(next_asks[:, None], of_next, flip(of_next)))
        return np.where(asks, values, -values)

    def _ahead(self, rows: np.ndarray, asks: np.ndarray, ply: int) -> np.ndarray:
        """Values by look-ahead of 1 ply or more, each distinct position once.

        Args:
            rows: ``(n, width)`` int8, none of them known for certain.
            asks: ``(n,)`` bool, the side that rolls is the one that asks.
            ply: how far.

        Returns:
            ``(n, 6)`` float32 of the side that rolls.
        """
        # Without a utility of one side's own, it does not matter who asks.
        told_apart = np.full(len(rows), ply, np.int8) if self.utility is None else 2 * ply + asks
        keyed = np.column_stack([rows, told_apart.astype(np.int8)])
        which, where = distinct(keyed)
        keys = [key.tobytes() for key in keyed[which]]
        answers = np.empty((len(which), 6), np.float32)
        new = []
        for i, key in enumerate(keys):
            remembered = self._memory.get(key)
            if remembered is None:
                new.append(i)
            else:
                answers[i] = remembered
        for start in range(0, len(new), _PARENTS):
            block = new[start : start + _PARENTS]
            answers[block] = self._expand(rows[which[block]], asks[which[block]], ply)
        self._remember([keys[i] for i in new], answers[new])
        return answers[where]

    def _expand(self, rows: np.ndarray, asks: np.ndarray, ply: int) -> np.ndarray:
        """``_ahead`` of a block of distinct positions."""
        replies = self.replies(rows, asks)
        open_ = np.flatnonzero(~replies.known)
        if ply > 1 and len(open_):
            next_asks = asks[replies.owner[open_]] == replies.again[open_]
            replies.outcomes[open_] = self._ahead(replies.rows[open_], next_asks, ply - 1)
        return replies.mean(len(rows))

    def _remember(self, keys: list[bytes], answers: np.ndarray) -> None:
        """Keep values by position and ply; when there are too many, the oldest give way."""
        for key, answer in zip(keys, answers, strict=True):
            self._memory[key] = answer
        if len(self._memory) > _REMEMBERED:
            for key in list(self._memory)[: _REMEMBERED // 4]:
                self._memory.pop(key, None)

    def _judge(self, plays: Plays, n: int, choice_only: bool = False) -> Judgement:
        """Value all plays at 0-ply, then what the filters leave at one ply after another."""
        m = len(plays.boards)
        asks = np.zeros(m, bool) if plays.again is None else plays.again  # at the rows of plays
        outcomes, known = _chances(self.evaluator, plays.boards)
        plies = np.zeros(m, np.int8)
        every, playing = np.arange(m), np.ones(m, bool)
        values = self._values(outcomes, every, playing, plays.again)
        left = every
        for ply in range(1, self.ply + 1):
            chosen_by = self._filter(ply - 1)
            if chosen_by is not None:
                left = best_of_each(left, values[left], plays.owner[left], chosen_by)
            if choice_only:
                rivals = np.bincount(plays.owner[left], minlength=n)
                left = left[rivals[plays.owner[left]] > 1]
            if ply < self.ply and self._filter(ply) is None:
                continue
            open_ = left[~known[left]]
            outcomes[open_] = self._ahead(plays.boards[open_], asks[open_], ply)
            again = None if plays.again is None else plays.again[left]
            values[left] = self._values(outcomes, left, playing[left], again)
            plies[left] = ply
        of_player = np.where(asks[:, None], outcomes, flip(outcomes))
        return Judgement(of_player, values, plies)

    def _filter(self, ply: int) -> Filter | None:
        """The filter that picks from values at this ply."""
        return self.filters[min(ply, len(self.filters) - 1)]


def _chances(evaluator: Evaluator, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``Evaluator.chances``, in questions of a size that is answered fast."""
    if len(rows) <= _QUESTIONS:
        return evaluator.chances(rows)
    blocks = range(0, len(rows), _QUESTIONS)
    answers = [evaluator.chances(rows[i : i + _QUESTIONS]) for i in blocks]
    outcomes, known = zip(*answers, strict=True)
    return np.concatenate(outcomes), np.concatenate(known)


def all_rolls(forced: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All rolls of n positions, in the order of ``dice.ROLLS``, or the one that is fixed.

    Args:
        forced: ``(n, 2)`` int8, the fixed roll of a position, or 0 0.

    Returns:
        owner ``(b,)``, rolls ``(b, 2)`` int8, chances ``(b,)`` float32.
    """
    free = forced[:, 0] == 0
    counts = np.where(free, len(dice.ROLLS), 1)
    owner = np.repeat(np.arange(len(forced)), counts)
    number = np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
    rolls = np.where(free[owner, None], dice.ROLLS[number], forced[owner])
    return owner, rolls, np.where(free[owner], dice.CHANCES[number], np.float32(1))
