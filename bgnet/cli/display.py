"""How answers look: JSON for programs, aligned tables for people."""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from ..nets.outcomes import CUMULATIVE, to_cumulative

#: Goes up whenever a key of the JSON answers changes its meaning or goes away.
SCHEMA = 1


def json_line(answer: Mapping[str, object]) -> str:
    """An answer for programs: one line, the schema's version first, numbers unrounded.

    >>> json_line({"equity": 0.1})
    '{"schema": 1, "equity": 0.1}'
    """
    return json.dumps({"schema": SCHEMA, **answer}, allow_nan=False)


def chances(outcomes: Sequence[float]) -> dict[str, float]:
    """Six exclusive chances as gnubg's five cumulative ones, by name.

    >>> chances([0.25, 0.25, 0, 0.5, 0, 0])["win_gammon"]
    0.25
    """
    cumulative = to_cumulative(np.array(outcomes, np.float64))
    return dict(zip(CUMULATIVE, cumulative.tolist(), strict=True))


def table(rows: Sequence[Sequence[str]], left: int = 1, width: int | None = None) -> str:
    """Aligned columns, the head first.

    Args:
        rows: equally long; the first is the head.
        left: so many columns are aligned to the left, the others to the right.
        width: of the page; columns that do not fit go, the last first. None is no limit.

    >>> print(table([["play", "equity"], ["8/5 6/5", "+0.152"]]))
    play     equity
    8/5 6/5  +0.152
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while width and len(widths) > left + 1 and sum(widths) + 2 * len(widths) - 2 > width:
        widths.pop()
    return "\n".join(
        "  ".join(
            cell.ljust(size) if at < left else cell.rjust(size)
            for at, (cell, size) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    )


def page_width() -> int | None:
    """Columns of the terminal, or None where the answer goes to a file or a program."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
