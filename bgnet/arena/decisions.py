"""Decisions with known answers: how much a player gives away, play by play.

A file of decisions holds positions, rolls, and what every legal play is worth by a referee that
looks far ahead. The **error rate** of a player is what it loses against the best play, on average
over the decisions, in millipoints (thousandths of a point). It needs no luck to even out, so a
few thousand decisions tell more than as many games.

Two formats hold the same. *JSON lines*: one object a decision, ``board`` (seen by the side that
rolls), ``dice``, ``class`` (any name by which results are grouped) and ``plays``, a list of
``[board after the play, still seen by the side that moved; its equity for that side; ...]``.
*Compact* (``.npz``): arrays, without the boards after the plays, which the rules give; it can say
how the decisions were made, as those do that ``held_out`` makes.
"""

import io
import json
import math
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.player import Player
from ..game.plays import Plays
from ..game.variants import STANDARD, Variant
from ..nets.checkpoint import write_whole

#: The decisions that travel with the project: backgammon, cubeless money.
YARDSTICK = Path(__file__).parents[1] / "data" / "yardstick.npz"


class DecisionsError(ValueError):
    """A file of decisions that cannot be used; the message says why."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """n decisions, m legal plays in all."""

    variant: Variant
    """The game."""
    boards: np.ndarray
    """``(n, width)`` int8, seen by the side that plays."""
    rolls: np.ndarray
    """``(n, 2)`` int8."""
    classes: np.ndarray
    """``(n,)`` str, the name of the class of each position."""
    plays: Plays
    """The legal plays as the variant gives them, m rows."""
    equities: np.ndarray
    """``(m,)`` float32, the referee's equity of every play in points, for the side that plays."""
    made: dict[str, str | float] = field(default_factory=dict)
    """How they were made, by name: network, look-ahead, seed and so on; empty if nobody says."""

    def __len__(self) -> int:
        return len(self.boards)

    def losses(self, chosen: np.ndarray) -> np.ndarray:
        """What plays give away.

        Args:
            chosen: ``(n,)`` rows of ``plays``, one a decision.

        Returns:
            ``(n,)`` float32 >= 0, millipoints.
        """
        best = np.maximum.reduceat(self.equities, self.plays.firsts(len(self)))
        return 1000 * (best - self.equities[chosen])


@dataclass(frozen=True)
class Rate:
    """An error rate over some decisions."""

    decisions: int
    """How many."""
    error_rate: float
    """Mean loss, millipoints a decision."""
    standard_error: float
    """Of that mean."""

    @classmethod
    def of(cls, losses: np.ndarray) -> "Rate":
        """From ``(n,)`` losses in millipoints, n > 0."""
        error = losses.std(dtype=np.float64) / np.sqrt(len(losses))
        return cls(len(losses), float(losses.mean(dtype=np.float64)), float(error))

    def __str__(self) -> str:
        return f"{self.error_rate:.2f} ± {self.standard_error:.2f}"


@dataclass(frozen=True)
class ErrorRates:
    """How a player did, in all and by class."""

    player: str
    """Its name."""
    overall: Rate
    """Over all decisions."""
    by_class: dict[str, Rate]
    """Over those of each class, by its name."""

    def to_dict(self) -> dict[str, object]:
        """The same as plain data."""
        by_class = {name: vars(rate) for name, rate in self.by_class.items()}
        return {"player": self.player, **vars(self.overall), "by_class": by_class}

    def __str__(self) -> str:
        classes = ", ".join(f"{name} {rate}" for name, rate in self.by_class.items())
        return f"{self.player}: {self.overall} millipoints a decision ({classes})"


def error_rate(player: Player, decisions: Decisions) -> ErrorRates:
    """Let a player decide and count what it gives away.

    Args:
        player: it chooses among all legal plays.
        decisions: of the same game.

    Returns:
        ``ErrorRates`` in millipoints a decision; classes in alphabetical order.

    Raises:
        DecisionsError: the player plays another game.

    >>> from bgnet.engine.baselines import pipcount
    >>> print(error_rate(pipcount(), read(YARDSTICK)).overall)
    321.41 ± 6.69
    """
    if player.variant is not decisions.variant:
        raise DecisionsError(
            f"{player.name} plays {player.variant.name}, the decisions are of "
            f"{decisions.variant.name}: take a player of that game"
        )
    losses = decisions.losses(player.choose(decisions.boards, decisions.rolls, decisions.plays))
    by_class = {
        str(name): Rate.of(losses[decisions.classes == name])
        for name in np.unique(decisions.classes)
    }
    return ErrorRates(player.name, Rate.of(losses), by_class)


def read(path: Path, variant: Variant = STANDARD) -> Decisions:
    """Read a file of decisions in either format.

    Args:
        path: a compact file if its name ends in ``.npz``, else JSON lines.
        variant: the game that it is about.

    Returns:
        ``Decisions`` in the order of the file.

    Raises:
        DecisionsError: the file cannot be read, is not of that format, or its plays are not
            exactly the legal ones.

    >>> len(read(YARDSTICK))
    3000
    """
    try:
        return _read_compact(path, variant) if path.suffix == ".npz" else _read_lines(path, variant)
    except OSError as error:
        raise DecisionsError(f"cannot read {path}: {error.strerror or error}") from error


def write_compact(path: Path, decisions: Decisions) -> None:
    """Write decisions to a compact file, whole or not at all.

    Arrays: ``boards``, ``rolls``, ``classes``; ``plays``, (n,) int16, the number of legal plays
    of each decision; ``equities``, (m,) float32, the plays of one decision ascending by the board
    that the opponent then sees, compared column by column; ``made``, JSON in one string, optional.

    Raises:
        OSError: the file cannot be written; an older one is untouched.
    """
    order = _sorted_rows(decisions.plays.owner, decisions.plays.boards)
    content = io.BytesIO()
    np.savez_compressed(
        content,
        boards=decisions.boards,
        rolls=decisions.rolls,
        classes=decisions.classes,
        plays=np.bincount(decisions.plays.owner).astype(np.int16),
        equities=decisions.equities[order],
        made=np.array(json.dumps(decisions.made)),
    )
    write_whole(path, content.getvalue())


def _sorted_rows(owner: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(m,) order that sorts rows by owner, then column by column."""
    return np.lexsort((*rows.T[::-1], owner))


def _read_compact(path: Path, variant: Variant) -> Decisions:
    """The compact format. Nothing in it can run code: pickled arrays are refused."""
    try:
        with np.load(path, allow_pickle=False) as file:
            boards, rolls, classes, counts, equities = (
                file[name] for name in ("boards", "rolls", "classes", "plays", "equities")
            )
            made = _made(str(file["made"])) if "made" in file else {}
    except (ValueError, KeyError, EOFError, RecursionError, zlib.error, zipfile.BadZipFile) as why:
        raise DecisionsError(f"{path} is no compact file of decisions") from why
    if made.get("variant", variant.name) != variant.name:
        raise DecisionsError(f"{path} holds decisions of {made['variant']}, not of {variant.name}")
    if boards.shape[1:] != (variant.width,) or rolls.shape != (len(boards), 2) or not len(boards):
        raise DecisionsError(f"{path} holds no decisions of {variant.name}")
    if not _are_dice(rolls):
        raise DecisionsError(f"{path} holds dice that are not from 1 to 6")
    plays = variant.legal_plays(boards, rolls)
    if not np.array_equal(np.bincount(plays.owner), counts) or len(equities) != counts.sum():
        raise DecisionsError(f"{path} does not hold exactly the legal plays of {variant.name}")
    if equities.dtype.kind != "f" or not np.isfinite(equities).all():
        raise DecisionsError(f"{path} holds equities that are not finite numbers")
    ours = np.empty(len(equities), np.float32)
    ours[_sorted_rows(plays.owner, plays.boards)] = equities
    return Decisions(variant, boards, rolls, classes, plays, ours, made)


def _made(text: str) -> dict[str, str | float]:
    """How decisions were made, from JSON: nothing but words and numbers, by name."""
    made = json.loads(text)
    if not isinstance(made, dict):
        raise ValueError("it is no JSON object")
    for value in made.values():
        finite = isinstance(value, int | float) and math.isfinite(value)
        if not isinstance(value, str) and not finite:
            raise ValueError(f"{value!r} is neither a word nor a number")
    return made


def _read_lines(path: Path, variant: Variant) -> Decisions:
    """The JSON lines format; the referee's plays are matched with the legal ones."""
    records = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        try:
            records.append(_record(json.loads(line), variant))
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise DecisionsError(f"{path}, line {number} is no decision: {reason}") from error
    if not records:
        raise DecisionsError(f"{path} holds no decisions")
    boards, rolls, classes, afters, values = zip(*records, strict=True)
    decisions = np.stack(boards), np.stack(rolls), np.array(classes)
    plays = variant.legal_plays(decisions[0], decisions[1])
    owner = np.repeat(np.arange(len(records)), [len(value) for value in values])
    rows, equities = variant.flip(np.concatenate(afters)), np.concatenate(values)
    ours, theirs = _sorted_rows(plays.owner, plays.boards), _sorted_rows(owner, rows)
    wrong = _first_difference(plays.owner[ours], plays.boards[ours], owner[theirs], rows[theirs])
    if wrong is not None:
        raise DecisionsError(f"{path}, line {wrong + 1}: its plays are not exactly the legal ones")
    matched = np.empty(len(equities), np.float32)
    matched[ours] = equities[theirs]
    return Decisions(variant, *decisions, plays, matched)


#: A line of a file: board, roll, class, boards after the plays, their equities.
Record = tuple[np.ndarray, np.ndarray, str, np.ndarray, np.ndarray]


def _record(fields: Any, variant: Variant) -> Record:
    """A parsed line as arrays."""
    board, roll = np.array(fields["board"], np.int8), np.array(fields["dice"], np.int8)
    afters = np.array([play[0] for play in fields["plays"]], np.int8)
    equities = np.array([play[1] for play in fields["plays"]], np.float32)
    if board.shape != (variant.width,) or afters.shape != (len(equities), variant.width):
        raise ValueError(f"a board of {variant.name} has {variant.width} numbers")
    if roll.shape != (2,) or not _are_dice(roll):
        raise ValueError("dice are two numbers from 1 to 6")
    if not np.isfinite(equities).all():
        raise ValueError("an equity is not a finite number")
    return board, roll, str(fields["class"]), afters, equities


def _are_dice(rolls: np.ndarray) -> bool:
    return bool(((rolls >= 1) & (rolls <= 6)).all())


def _first_difference(owner: np.ndarray, rows: np.ndarray, other: np.ndarray,
                      other_rows: np.ndarray) -> int | None:
    """The first decision whose sorted rows differ, or None."""
    n = min(len(owner), len(other))
    differ = (owner[:n] != other[:n]) | (rows[:n] != other_rows[:n]).any(axis=1)
    if differ.any():
        first = int(differ.argmax())
        return int(min(owner[first], other[first]))
    longer = owner if len(owner) > n else other
    return int(longer[n]) if len(longer) > n else None
