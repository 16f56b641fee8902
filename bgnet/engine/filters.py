"""Move filters: which plays are worth a deeper look."""

from typing import NamedTuple

import numpy as np


class Filter(NamedTuple):
    """Which plays are worth a deeper look."""

    keep: int
    """At most so many, the best ones."""
    within: float
    """And only those that the best one beats by no more than this, in the utility's unit."""


#: Filters by ply: the first picks from 0-ply values, the next from 1-ply values, and so on. The
#: first is gnubg's; over 500 contact decisions the second saved a third of the time of 2-ply and
#: gave away nothing that could be measured.
FILTERS = (Filter(8, 0.16), Filter(5, 0.08), Filter(3, 0.04))


def best_of_each(rows: np.ndarray, values: np.ndarray, owner: np.ndarray, chosen_by: Filter
                 ) -> np.ndarray:
    """The plays of each position that a filter keeps.

    Args:
        rows: ``(m,)`` ascending indices of plays.
        values: ``(m,)`` floats, what they are worth to the side that plays.
        owner: ``(m,)`` ascending, whose position each belongs to.
        chosen_by: the filter.

    Returns:
        Those of ``rows`` that are kept, ascending; of equal values the first rows.

    >>> values = np.array([0.3, 0.5, 0.45, 0.1])
    >>> best_of_each(np.arange(4), values, np.array([0, 0, 0, 1]), Filter(8, 0.1)).tolist()
    [1, 2, 3]
    """
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    least = np.maximum.reduceat(values, begins) - chosen_by.within
    close = np.flatnonzero(values >= np.repeat(least, np.diff(begins, append=len(owner))))
    order = close[np.lexsort((-values[close], owner[close]))]  # few are left to be sorted
    ranked = owner[order]
    few = np.arange(len(order)) - np.searchsorted(ranked, ranked) < chosen_by.keep
    return np.sort(rows[order[few]])
