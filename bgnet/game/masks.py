"""Bit masks: where men stand, as one 32-bit number a board, for the move generators.

Bit p of a mask is slot p of a board row. Asking from where a die can be played is then a few
shifts for a whole batch of boards.
"""

import numpy as np

U = np.uint32
POINTS = U((1 << 25) - 2)  # bits 1..24


def _bear_off_table() -> np.ndarray:
    """(7 * 128,) uint32: at die * 128 + home mask, the points that this die bears off from."""
    table = np.zeros((7, 128), np.uint32)
    for die in range(1, 7):
        for home in range(2, 128, 2):
            highest = home.bit_length() - 1
            if home >> die & 1:
                table[die, home] = 1 << die
            elif highest < die:
                table[die, home] = 1 << highest
    return table.ravel()


_BEAR_OFF = _bear_off_table()


def mask(flags: np.ndarray) -> np.ndarray:
    """Pack flags: ``(n, k)`` bool, 25 <= k <= 32, to ``(n,)`` uint32, bit p for column p."""
    # Rows of 32 bits pack as one long row, four times faster than row by row.
    padded = np.zeros((len(flags), 32), bool)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded.ravel(), bitorder="little").view("<u4")


def expand(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Set bits of ``(n,)`` uint32 masks as flat rows: which mask, which bit; both ascending.

    >>> expand(np.array([0b101, 0, 0b10], np.uint32))
    (array([0, 0, 2]), array([0, 2, 1]))
    """
    bits = np.unpackbits(masks.view(np.uint8), bitorder="little").view(bool)
    flat = np.flatnonzero(bits)
    return flat >> 5, flat & 31


def bit(index: np.ndarray) -> np.ndarray:
    """``(n,)`` uint32 with just this bit set."""
    return U(1) << index.astype(U)


def bearing_off(occupied: np.ndarray, die: np.ndarray) -> np.ndarray:
    """Points from which the die bears a man off: none unless all men are home.

    Args:
        occupied: ``(n,)`` uint32, where the mover's men are, wherever they may be.
        die: ``(n,)`` uint32, 1..6.
    """
    return _BEAR_OFF.take(die << U(7) | occupied & U(127)) * (occupied < 128)
