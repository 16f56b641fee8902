"""Dice: the 21 rolls, their chances, and drawing them."""

import numpy as np

#: (21, 2) int8, the larger die first, in ascending order.
ROLLS = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)], np.int8)
#: (21,) float32, the chance of each; a doublet comes once in 36, any other twice.
CHANCES = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2).astype(np.float32) / 36
#: (15, 2) int8, the rolls that are no doublet: the opening throws of the IBA.
OPENING_ROLLS = ROLLS[ROLLS[:, 0] != ROLLS[:, 1]]


def roll(rng: np.random.Generator, n: int) -> np.ndarray:
    """Throw two dice n times.

    Args:
        rng: where the chance comes from.
        n: how many throws.

    Returns:
        ``(n, 2)`` int8, each die 1..6, in the order they fell.

    >>> roll(np.random.default_rng(1), 3).shape
    (3, 2)
    """
    return rng.integers(1, 7, (n, 2), dtype=np.int8)


def opening_roll(rng: np.random.Generator, n: int, rethrow: bool = False) -> np.ndarray:
    """Throw for the first move of n games.

    Args:
        rng: where the chance comes from.
        n: how many games.
        rethrow: False (IBA): the starter plays the two unequal dice just thrown. True (Foster,
            law 4): he throws again, so that a doublet can open.

    Returns:
        ``(n, 2)`` int8.

    >>> a, b = opening_roll(np.random.default_rng(1), 100).T
    >>> bool((a == b).any())
    False
    """
    if rethrow:
        return roll(rng, n)
    return OPENING_ROLLS[rng.integers(0, len(OPENING_ROLLS), n)]
