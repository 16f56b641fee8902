"""The bear-off, exactly: chances, cube and effective pips once both sides are home.

Two tables answer, built when first needed and cached (``bearoff_cache``):

*One-sided* (``bearoff_tables.one_sided``), up to 15 men a side. Each side plays to finish in
the fewest rolls on average; who wins is then a matter of two independent distributions. Playing
for the mean is nearly always best whatever the opponent has left, but not quite: the chance of
winning is off by 0.0009 on average and 0.014 at most where six men or fewer are left
(``one_sided_error``). Gammons come from a second distribution, that of the rolls until the first
man is off.

*Two-sided* (``bearoff_tables.two_sided``), up to six men a side. Exact, cube included. It is
preferred wherever it applies.

A network is never asked where a table answers. Of one more thing a table knows better: whether
the loser's last men get out of the winner's home in time, or are caught there (``Bearoff.refine``).
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..game import standard
from ..game.board import BAR, HOME, flip, men_on_board
from ..game.masks import mask
from ..game.scoring import LOSE, WIN
from . import bearoff_tables as tables
from .bearoff_cache import cached

#: Pips that an average roll moves; a roll's worth of effective pips.
PIPS_A_ROLL = 49 / 6
_BLOCK = 8192  # boards at a time: keeps the looked-up rows in the cache


class CubeEquities(NamedTuple):
    """Exact money equities, ``(n,)`` float32 each, of the side that rolls, for a cube at 1.

    Doubling and being taken is worth ``2 * opponents``, being passed 1.
    """

    centred: np.ndarray
    """Cube in the middle, best action now and later."""
    owned: np.ndarray
    """Cube owned by the side that rolls, best action now and later."""
    opponents: np.ndarray
    """Cube owned by its opponent."""
    centred_held: np.ndarray
    """Cube in the middle and no double this turn."""
    owned_held: np.ndarray
    """Cube owned by the side that rolls and no redouble this turn."""


class Bearoff:
    """Answers from the tables for a game of standard rules with so many men a side.

    >>> from bgnet.game.board import place
    >>> boards = np.stack([place({5: 1, 2: 1}, {1: 1}), place({6: 1}, {13: 1})])
    >>> bearoff = Bearoff()
    >>> bearoff.covers(boards).tolist()
    [True, False]
    >>> float(bearoff.outcomes(boards[:1])[0, 0] * 36)  # 19 of 36 rolls bear both off
    19.0
    """

    def __init__(self, men: int = tables.MEN) -> None:
        self.men = men
        # Positions with every man still on the board come from this number on.
        self._all_men = tables.positions_of(men - 1)

    def covers(self, boards: np.ndarray) -> np.ndarray:
        """Where the answer is exact: both sides home, or the game over.

        Args:
            boards: ``(n, 26)`` int8.

        Returns:
            ``(n,)`` bool.
        """
        return both_home(boards) | ~(boards > 0).any(axis=1) | ~(boards < 0).any(axis=1)

    def outcomes(self, boards: np.ndarray) -> np.ndarray:
        """Chances of the six ways to end, for the side that rolls.

        No backgammon can come about while both are home: a loser's men are all out of the
        winner's table. A finished game is what it is.

        Args:
            boards: ``(n, 26)`` int8, all of them covered.

        Returns:
            ``(n, 6)`` float32 in the order of ``scoring.OUTCOMES``, rows summing to 1.
        """
        outcomes = np.zeros((len(boards), 6), np.float32)
        for start in range(0, len(boards), _BLOCK):
            home = both_home(boards[start : start + _BLOCK])
            racing = np.flatnonzero(home) + start
            outcomes[racing] = self._race(boards[racing])
            over = np.flatnonzero(~home) + start
            outcomes[over, standard.result(boards[over], self.men)] = 1
        return outcomes

    def refine(self, boards: np.ndarray, outcomes: np.ndarray) -> None:
        """Put the chance of a backgammon right where the winner bears off and the loser, past all
        contact, still has some men (six at most) in the winner's home.

        The loser plays to get them out in the fewest rolls on average. What is taken from or
        given to backgammons is shared by the other ways to lose as they stand.

        Args:
            boards: ``(n, 26)`` int8.
            outcomes: ``(n, 6)`` float32, chances for the side that rolls; changed in place.

        >>> from bgnet.game.board import place
        >>> caught = place({19: 1, 6: 14}, {1: 2})[None]  # any roll gets the man out
        >>> chances = np.array([[0, 0, 0, 0, 0.5, 0.5]], np.float32)
        >>> Bearoff().refine(caught, chances)
        >>> chances.tolist()
        [[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
        """
        mine, his = mask(boards > 0), mask(boards < 0)
        lowest = his & -his.astype(np.int32).view(np.uint32)
        race = mine < lowest
        late = race & (mine >> (BAR - HOME) != 0) & (lowest >> (BAR - HOME) != 0)
        self._refine(boards, outcomes, np.flatnonzero(late), LOSE)
        late = race & (mine < 1 << (HOME + 1)) & (lowest < 1 << (HOME + 1))
        self._refine(boards, outcomes, np.flatnonzero(late), WIN)

    def _refine(self, boards: np.ndarray, outcomes: np.ndarray, at: np.ndarray, way: int) -> None:
        """``refine`` the rows ``at``, whose loser is the side that rolls (LOSE) or not (WIN)."""
        if not len(at):
            return
        seen = boards[at] if way == LOSE else flip(boards[at])  # by the loser
        home = seen[:, BAR - HOME : BAR]  # the winner's, where men of both stand
        none_off = men_on_board(seen)[:, 0] == self.men
        few = none_off & (np.maximum(home, 0).sum(axis=1) <= tables.TWO_SIDED_MEN)
        at, home = at[few], home[few]
        caught, winner = (tables.index(np.maximum(men, 0)) for men in (home, -home[:, ::-1]))
        chance = _race_won(_one_sided().finish, winner, _stragglers(), caught,
                           more=int(way == LOSE))  # fmt: skip
        lost = outcomes[at, way : way + 3].sum(axis=1)
        backgammon = np.minimum(chance, lost)
        others = lost - outcomes[at, way + 2]
        share = np.divide(lost - backgammon, others, out=np.zeros_like(lost), where=others > 0)
        outcomes[at, way : way + 2] *= share[:, None]
        outcomes[at, way + 1] += np.where(others > 0, 0, lost - backgammon)
        outcomes[at, way + 2] = backgammon

    def _race(self, boards: np.ndarray) -> np.ndarray:
        """``outcomes`` where both sides are home."""
        mine, his = _numbers(boards)
        table = _one_sided()
        win = _race_won(table.finish, mine, table.unfinished, his)
        few = (mine < tables.TWO_SIDED_POSITIONS) & (his < tables.TWO_SIDED_POSITIONS)
        # The two-sided table knows no gammons (with three men a side they are possible in it).
        exact = np.flatnonzero(few & (mine < self._all_men) & (his < self._all_men))
        if len(exact):
            cubeless = _two_sided()[tables.CUBELESS, mine[exact], his[exact]]
            win[exact] = (1 + cubeless) / 2
        outcomes = np.zeros((len(boards), 6), np.float32)
        outcomes[:, WIN] = np.clip(win, 0, 1)
        outcomes[:, LOSE] = 1 - outcomes[:, WIN]

        at = np.flatnonzero(his >= self._all_men)
        gammon = _race_won(table.finish, mine[at], table.unsaved, his[at])
        _split(outcomes, at, WIN, gammon)
        at = np.flatnonzero(mine >= self._all_men)
        gammon = _race_won(table.finish, his[at], table.unsaved, mine[at], more=1)
        _split(outcomes, at, LOSE, gammon)
        return outcomes


def _race_won(
    finish: np.ndarray, sides: np.ndarray, left: np.ndarray, others: np.ndarray, more: int = 0
) -> np.ndarray:
    """Chance that a side finishes while the other has men left (or none off yet).

    Args:
        finish: ``(m, 24)``, chance of exactly k rolls.
        sides: ``(n,)``, rows of the sides that finish.
        left: ``(m, 24)``, chance that it is not done after k - 1 rolls.
        others: ``(n,)``, rows of the other sides.
        more: 0 if the side that finishes rolls first; 1 if the other does and so has k rolls.

    Returns:
        ``(n,)`` float32.
    """
    just = finish.take(sides, axis=0)[:, : tables.ROLLS_KEPT - more]
    return np.einsum("ij,ij->i", just, left.take(others, axis=0)[:, more:])


def _split(outcomes: np.ndarray, at: np.ndarray, single: int, gammon: np.ndarray) -> None:
    """Part these rows' games won or lost, so far all counted single, from the gammons."""
    gammon = np.minimum(gammon, outcomes[at, single])  # rounding
    outcomes[at, single + 1] = gammon
    outcomes[at, single] -= gammon


def both_home(boards: np.ndarray) -> np.ndarray:
    """Whether all men of both sides are in their own home tables; (n, 26) int8 to (n,) bool."""
    mine, his = mask(boards > 0), mask(boards < 0)
    # My men on bits 1 to 6, his on bits 19 to 24; bits 0 and 25 are the bars.
    return (mine < 1 << (HOME + 1)) & (his & ((1 << (BAR - HOME)) - 1) == 0)


def cube_covers(boards: np.ndarray) -> np.ndarray:
    """Where ``cube_equities`` knows the answer: both sides home with at most six men each.

    Args:
        boards: ``(n, 26)`` int8.

    Returns:
        ``(n,)`` bool.
    """
    few = (men_on_board(boards) <= tables.TWO_SIDED_MEN).all(axis=1)
    return few & both_home(boards)


def last_turn(boards: np.ndarray) -> np.ndarray:
    """Where the side that rolls will not roll again: its opponent then bears off all that he has
    left, whatever he throws.

    Args:
        boards: ``(n, 26)`` int8, both sides home.

    Returns:
        ``(n,)`` bool.

    >>> from bgnet.game.board import place
    >>> last_turn(np.stack([place({6: 2}, {2: 1, 1: 1}), place({6: 2}, {2: 2})])).tolist()
    [True, False]
    """
    return _one_sided().mean.take(_numbers(boards)[1]) == 1


def cube_equities(boards: np.ndarray) -> CubeEquities:
    """Exact cubeful equities before the roll, money play, no gammon possible.

    Args:
        boards: ``(n, 26)`` int8, all within ``cube_covers``. A finished game is worth 1 or -1.

    >>> from bgnet.game.board import place
    >>> cube = cube_equities(place({6: 1, 1: 1}, {1: 1})[None])  # 15 of 36 rolls bear both off
    >>> [round(float(equity[0]), 4) for equity in cube]
    [-0.1667, -0.1667, -0.1667, -0.1667, -0.1667]
    """
    mine, his = _numbers(boards)
    return CubeEquities(*_two_sided()[1:, mine, his])


def effective_pips(boards: np.ndarray) -> np.ndarray:
    """Effective pip count of each side: mean rolls to bear off, playing alone, times 49/6.

    The idea is Walter Trice's (Backgammon Boot Camp, 2004); the excess over the plain pip count
    is what a side will waste.

    Args:
        boards: ``(n, 26)`` int8.

    Returns:
        ``(n, 2)`` float32: the side that rolls, its opponent; NaN for a side not all home.

    >>> from bgnet.game.board import place
    >>> print(effective_pips(place({1: 2}, {7: 1})[None]).round(2))
    [[8.17  nan]]
    """
    sides = []
    for view in (boards, flip(boards)):
        home = ~(view[:, HOME + 1 :] > 0).any(axis=1)
        counts = np.maximum(view[:, 1 : HOME + 1], 0)
        rolls = _one_sided().mean.take(tables.index(counts))
        sides.append(np.where(home, rolls * np.float32(PIPS_A_ROLL), np.float32(np.nan)))
    return np.stack(sides, axis=1)


def one_sided_error() -> dict[str, float]:
    """How far one-sided chances of winning are from exact ones, over the two-sided table.

    Returns:
        ``positions`` compared, ``mean`` and ``max`` absolute difference in chance of winning.
    """
    few = slice(1, tables.TWO_SIDED_POSITIONS)
    chance = _one_sided().finish[few] @ _one_sided().unfinished[few].T
    error = np.abs(chance - (1 + _two_sided()[tables.CUBELESS, few, few]) / 2)
    return {"positions": error.size, "mean": float(error.mean()), "max": float(error.max())}


def _numbers(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of both sides' home positions, (n,) int32 each."""
    his = -boards[:, BAR - 1 : BAR - HOME - 1 : -1]
    return tables.index(boards[:, 1 : HOME + 1]), tables.index(his)


@cache
def _one_sided() -> tables.OneSided:
    return tables.OneSided(**cached("bear-off-one-sided", lambda: tables.one_sided()._asdict()))


@cache
def _stragglers() -> np.ndarray:
    return tables.stragglers()  # a few milliseconds, so not worth a file


@cache
def _two_sided() -> np.ndarray:
    return cached("bear-off-two-sided", lambda: {"equity": tables.two_sided()})["equity"]
