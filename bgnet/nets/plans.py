"""Which game is being played: divisions of all positions by game plan, each under a name that
never changes its meaning.

A race against time with a man caught behind has little in common with two sides that hold points
in each other's home. A network may keep weights of its own for each game plan: each position is
asked of one of them alone, so they know more together than one, and a big batch takes hardly
longer to ask.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..game.board import BAR
from ..game.standard import contact


@dataclass(frozen=True)
class Division:
    """So many game plans, and which of them a position belongs to."""

    count: int
    """How many plans."""
    of: Callable[[np.ndarray], np.ndarray]
    """``of(rows)``: ``(n, width)`` int8 rows to ``(n,)`` int8 numbers of their plans, from 0."""
    homes_apart: bool = False
    """Whether it makes sense only where each side has a home of its own."""
    grown_from: str = ""
    """Name of a coarser division whose networks may grow into this one, if there is one."""
    begins_as: tuple[int, ...] = ()
    """Which plan of the coarser division each of these begins as."""

    def sort(self, rows: np.ndarray) -> tuple[np.ndarray | slice, np.ndarray]:
        """Put positions in the order of their plans, so that those of one lie together.

        Args:
            rows: ``(n, width)`` int8.

        Returns:
            ``(n,)`` int64, the order: by plan, then as they come (where there is one plan, a slice
            of everything, which copies nothing); ``(count,)`` int64, how many each plan has.
        """
        if self.count == 1:
            return slice(None), np.array([len(rows)])
        plans = self.of(rows)
        return np.argsort(plans, kind="stable"), np.bincount(plans, minlength=self.count)


def blocks(of_each: np.ndarray, size: int) -> Iterator[tuple[int, slice]]:
    """Cut sorted positions into blocks of one plan.

    Args:
        of_each: ``(count,)`` ints, how many each plan has, see ``Division.sort``.
        size: the most positions of a block.

    Yields:
        The plan's number and where the block lies, from the first position to the last.

    >>> list(blocks(np.array([0, 3, 1]), 2))
    [(1, slice(0, 2, None)), (1, slice(2, 3, None)), (2, slice(3, 4, None))]
    """
    stop = 0
    for plan, count in enumerate(of_each.tolist()):
        start, stop = stop, stop + count
        for at in range(start, stop, size):
            yield plan, slice(at, min(at + size, stop))


def none(rows: np.ndarray) -> np.ndarray:
    """All positions alike: ``(n,)`` int8, 0."""
    return np.zeros(len(rows), np.int8)


def behind(rows: np.ndarray) -> np.ndarray:
    """Three times the men that the side to roll has behind, plus those of the other side.

    Behind is in the other side's home or on the bar; two stand for two or more.

    Args:
        rows: ``(n, 26)`` int8, seen by the side that rolls.

    Returns:
        ``(n,)`` int8, 0 to 8.

    >>> from bgnet.game.board import START, place
    >>> behind(np.stack([START, place({24: 1, 6: 5}, {6: 15})])).tolist()
    [8, 3]
    """
    men, others = _behind(rows)
    return 3 * np.minimum(men, 2) + np.minimum(others, 2)


def phases(rows: np.ndarray) -> np.ndarray:
    """A race is 0; where the sides have still to pass, by the men that each has behind.

    Men behind count as in ``behind``, but up to three, and side by side: 1 and up are none against
    none, one, two or three or more, then one against none, and so on. A side with three or more
    against one with two or more is the last plan whoever it is: that is rare.

    Args:
        rows: ``(n, 26)`` int8, seen by the side that rolls.

    Returns:
        ``(n,)`` int8, 0 to 14.

    >>> from bgnet.game.board import START, place
    >>> phases(np.stack([START, place({24: 3, 6: 5}, {6: 15}), place({6: 15}, {6: 15})])).tolist()
    [11, 12, 0]
    """
    men, others = _behind(rows)
    both = 1 + 4 * np.minimum(men, 3) + np.minimum(others, 3)
    return np.where(contact(rows), _OF_MEN_BEHIND[both], np.int8(0))


def _behind(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``(n,)`` int8 twice: men behind of the side that rolls and of the other."""
    mine, his = rows[:, BAR - 6 :], -rows[:, :7]
    men, others = (np.maximum(part, 0).sum(axis=1, dtype=np.int8) for part in (mine, his))
    return men, others


#: The plan of each entry 1 + 4 * mine + his of ``phases``; two against three shares with its kin.
_OF_MEN_BEHIND = np.array([0, *range(1, 12), 14, 12, 13, 14, 14], np.int8)


#: Every division by name. A name never changes its meaning: checkpoints rely on it.
PLANS: dict[str, Division] = {
    "none": Division(1, none),
    "behind": Division(9, behind, homes_apart=True),
    "phases": Division(15, phases, homes_apart=True, grown_from="behind",
                       begins_as=(0, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 6, 7, 8)),
}
