"""An evaluator with opinions as wild as a hash, the same bit for bit in any batch."""

import numpy as np

from bgnet.engine.evaluator import Evaluator, Exact
from bgnet.game.variants import Variant


def guesswork(variant: Variant, exact: Exact | None = None) -> Evaluator:
    """Logits between 0 and 3 that have nothing to do with the game: whole numbers, no rounding."""
    weights = np.random.default_rng(3).integers(1, 97, (variant.width, 6))

    def logits(rows: np.ndarray) -> np.ndarray:
        return (((rows.astype(np.int64) + 15) @ weights) % 97 / 32).astype(np.float32)

    return Evaluator(variant, logits, exact)


def wanderings(variant: Variant, n: int, seed: int) -> np.ndarray:
    """``(n, width)`` int8: positions of random games that still go on."""
    rng = np.random.default_rng(seed)
    rows, kept = variant.starts(n), []
    rolls = variant.opening_rolls(rng, n)
    for _ in range(30):
        plays = variant.legal_plays(rows, rolls)
        firsts = plays.firsts(n)
        rows = plays.boards[firsts + rng.integers(0, np.diff(firsts, append=len(plays.owner)))]
        over = variant.result(rows) >= 0
        kept.append(rows[~over])
        rows = np.where(over[:, None], variant.start, rows)
        rolls = variant.next_rolls(rng, rows)
    every = np.concatenate(kept)
    return every[rng.choice(len(every), n, replace=False)]
