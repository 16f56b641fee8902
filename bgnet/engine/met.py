"""Match equity tables: the chance of winning a match from every score.

The project works its own table out, from the end of the match backwards: what a game between
equals is worth at a score follows from what the scores after it are worth. The idea is N. Zadeh's
(*On Doubling in Tournament Backgammon*, Management Science 23, 1977); the cube is the partly live
one of ``janowski``. Nothing is rolled out: three shares of won and lost games, the efficiency of
the cube and the luck of the first rolls after the Crawford game are all that it takes.

Users may bring tables of their own in the XML format of GNU Backgammon (``read_met``).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from xml.parsers import expat

import numpy as np

from .janowski import Step, live_worth, window

#: Scores up to so many points away; as many as the usual published tables have.
LENGTH = 25
#: The longest match that a table is worked out for.
LONGEST = 64
_LARGEST_FILE = 1 << 20


class MetError(ValueError):
    """A match equity table that cannot be had; the message says why."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Chances of winning a match between equals."""

    name: str
    """How people call it."""
    before: np.ndarray
    """``(N + 1, N + 1)`` float64, [points away, points the opponent is away], up to and with the
    Crawford game. Row 0 is won, column 0 is lost."""
    after: np.ndarray
    """``(N + 1,)`` float64, of the side so many points away against a side one point away, once
    the Crawford game has been played."""

    @property
    def length(self) -> int:
        """The points away that it goes up to, N."""
        return len(self.after) - 1

    def chance(self, away: np.ndarray | int, opponent_away: np.ndarray | int,
               post_crawford: bool = False) -> np.ndarray:
        """The chance of winning the match before a game.

        Args:
            away: points still needed, whole numbers of any shape; 0 or less is a match won.
            opponent_away: points that the opponent needs, likewise.
            post_crawford: whether the Crawford game has been played; one side is then one point
                away, or the match is over.

        Returns:
            float64 of the common shape.

        >>> table = match_equities()
        >>> [round(float(table.chance(i, j)), 2) for i, j in ((7, 7), (2, 4), (4, 0), (-1, 2))]
        [0.5, 0.67, 0.0, 1.0]
        """
        mine, his = np.maximum(away, 0), np.maximum(opponent_away, 0)
        if not post_crawford:
            return self.before[mine, his]
        going_on = np.where(mine == 1, 1 - self.after[his], self.after[mine])
        return np.where(mine == 0, 1.0, np.where(his == 0, 0.0, going_on))

    def covers(self, away: int) -> None:
        """Refuse a score that lies outside.

        Raises:
            MetError: the side is farther away than the table goes.
        """
        if away > self.length:
            raise MetError(
                f"the match equity table {self.name} goes to {self.length} points away, "
                f"not to {away}"
            )


@lru_cache(maxsize=8)
def match_equities(
    length: int = LENGTH,
    gammons: float = 0.285,
    backgammons: float = 0.014,
    efficiency: float = 0.77,
    spread: float = 0.033,
) -> MatchEquityTable:
    """Work out a match equity table.

    Every game starts level and is won by either side as often as by the other if it is played to
    the end; the score changes what the cube is worth, and with it everything else. After the
    Crawford game the trailer doubles at once. The leader may pass when it has gone badly by
    then, if one point costs him less than the chance is worth: the *free drop*. How far chances
    have moved by then is taken to be normally distributed.

    With the parameters as they are, the table is within 0.006 of Kazaross-XG2 (N. Kazaross, 2011)
    everywhere between 2 and 11 points away.

    Args:
        length: how many points away it goes.
        gammons: the share of gammons and backgammons among won games.
        backgammons: that of backgammons alone.
        efficiency: of the cube, as in ``janowski``.
        spread: standard deviation of the chance of winning when the trailer can first double.

    Raises:
        MetError: a length or parameter that makes no sense.

    >>> round(float(match_equities().chance(1, 2)), 3)   # the Crawford game, 2 away
    0.679
    """
    if not 1 <= length <= LONGEST:
        raise MetError(f"a match equity table goes to 1 to {LONGEST} points, not to {length}")
    if not 0 <= backgammons <= gammons <= 1 or not 0 <= efficiency <= 1 or not 0 < spread < 1:
        raise MetError(
            "shares of gammons, the efficiency of the cube and the spread lie between 0 and 1, "
            "and backgammons are part of the gammons"
        )
    shares = (1 - gammons, gammons - backgammons, backgammons)
    after = _after_crawford(length, shares, spread)
    before = np.full((length + 1, length + 1), 0.5)
    before[0], before[:, 0] = 1, 0
    for away in range(2, length + 1):  # the Crawford game, in which the cube is not used
        won = sum(share * after[max(away - p, 0)] for p, share in enumerate(shares, 1))
        before[away, 1] = won / 2
        before[1, away] = 1 - won / 2
    for total in range(4, 2 * length + 1):
        mine = np.arange(max(2, total - length), min(length, total - 2) + 1)
        his = total - mine
        before[mine, his] = _level_game(before, mine, his, shares, efficiency)
    return MatchEquityTable("bgnet", before, after)


def _after_crawford(length: int, shares: tuple[float, ...], spread: float) -> np.ndarray:
    """The trailer's chances after the Crawford game; see ``MatchEquityTable.after``."""
    after = np.full(length + 1, 0.5)
    after[0] = 1
    for away in range(2, length + 1):
        # Every game counts double. Worth to the trailer of being taken: won times his chance.
        won = sum(share * after[max(away - 2 * p, 0)] for p, share in enumerate(shares, 1))
        after[away] = _mean_of_smaller(won / 2, spread * won, after[away - 1])
    return after


def _mean_of_smaller(mean: float, deviation: float, other: float) -> float:
    """Mean of the smaller of a normally distributed number and a fixed one."""
    at = (other - mean) / deviation
    below = (1 + math.erf(at / math.sqrt(2))) / 2
    density = math.exp(-at * at / 2) / math.sqrt(2 * math.pi)
    return mean * below - deviation * density + other * (1 - below)


def _level_game(before: np.ndarray, mine: np.ndarray, his: np.ndarray,
                shares: tuple[float, ...], efficiency: float) -> np.ndarray:
    """What a game between equals is worth, for scores at which the cube is in play.

    Args:
        before: chances of winning the match, known for all smaller sums of points away.
        mine, his: ``(n,)`` points away.
        shares: of single games, gammons and backgammons among won games.
        efficiency: of the cube.

    Returns:
        ``(n,)`` chances of winning the match.
    """

    def scored(points: int) -> np.ndarray:
        after = np.maximum(mine - max(points, 0), 0), np.maximum(his - max(-points, 0), 0)
        return before[after]

    steps: list[Step] = []
    for cube in (1 << turned for turned in count()):
        win, lose = (
            sum(share * scored(sign * p * cube) for p, share in enumerate(shares, 1))
            for sign in (1, -1)
        )
        steps.append(Step(win, lose, scored(cube), scored(-cube), cube < mine, cube < his))
        if cube >= max(mine.max(), his.max()):
            break
    first = steps[0]
    live = live_worth(np.full(len(mine), 0.5), first.win, first.lose, window(steps))
    return efficiency * live + (1 - efficiency) * (first.win + first.lose) / 2


def read_met(path: Path) -> MatchEquityTable:
    """Read a table in the XML format of GNU Backgammon.

    The file must list its equities, and both players must be equals. Its document type is not
    looked up, and entities of its own are refused: a file can make the program neither fetch
    anything nor unfold into more than it is.

    Raises:
        MetError: the file cannot be read, is of another kind, or its figures are impossible.
    """
    tables = _Tables()
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise MetError(f"{path} is too large for a match equity table")
        tables.parse(path.read_bytes())
    except OSError as error:
        raise MetError(f"cannot read {path}: {error.strerror or error}") from error
    except expat.ExpatError as error:
        raise MetError(f"{path} is no XML file: {error}") from error
    except MetError as error:
        raise MetError(f"{path} cannot be used: {error}") from error
    try:
        return _table(tables)
    except MetError as error:
        raise MetError(f"{path} cannot be used: {error}") from error


class _Tables:
    """What an XML file says, gathered while it is parsed."""

    def __init__(self) -> None:
        self.name = ""
        self.before: list[list[float]] = []
        self.after: list[list[float]] = []
        self._inside: list[str] = []
        self._text = ""

    def parse(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.Parse(data, True)

    def _entity(self, name: str, *_: object) -> None:
        raise MetError(f"it declares an entity ({name}), which no match equity table needs")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._text = ""
        self._inside.append(element)
        if element.endswith("-crawford-table"):
            kind = attributes.get("type", "explicit")
            if kind != "explicit":
                raise MetError(f"it is of the kind {kind!r}, and only equities listed are read")
            if attributes.get("player", "both") != "both":
                raise MetError("its players are of different strength")
        elif element == "row":
            self._rows().append([])

    def _rows(self) -> list[list[float]]:
        """The table that a row belongs to."""
        return self.after if "post-crawford-table" in self._inside else self.before

    def _characters(self, text: str) -> None:
        self._text += text

    def _end(self, element: str) -> None:
        self._inside.pop()
        text = self._text.strip()
        self._text = ""
        if element == "name" and self._inside == ["met", "info"]:
            self.name = text
        elif element == "me":
            rows = self._rows()
            if not rows or self._inside[-1:] != ["row"]:
                raise MetError("an equity (me) stands outside a row")
            try:
                rows[-1].append(float(text))
            except ValueError as error:
                raise MetError(f"an equity is a number, not {text[:20]!r}") from error


#: How far a chance and the other side's may be from adding up to 1 (tables of two decimals).
_ROUNDING = 0.011


def _table(tables: _Tables) -> MatchEquityTable:
    """A checked table of what a file says."""
    n = len(tables.before)
    if n == 0 or any(len(row) != n for row in tables.before):
        raise MetError("its pre-Crawford table is not a square of equities")
    # After the Crawford game of a match to n nobody is n away, so n - 1 equities are enough.
    if len(tables.after) != 1 or len(tables.after[0]) < max(n - 1, 1):
        raise MetError(f"its post-Crawford table is not one row of {n} equities")
    before, after = np.full((n + 1, n + 1), 0.5), np.full(n + 1, 0.5)
    before[0], before[:, 0], after[0] = 1, 0, 1
    before[1:, 1:] = tables.before
    last = tables.after[0]
    after[1:n], after[n] = last[: n - 1], last[min(n, len(last)) - 1]
    if not ((before[1:, 1:] > 0) & (before[1:, 1:] < 1)).all() or not (
        (after[1:] > 0) & (after[1:] < 1)
    ).all():  # NaN fails too
        raise MetError("an equity does not lie between 0 and 1")
    if np.abs(before + before.T - 1)[1:, 1:].max() > _ROUNDING:
        raise MetError("the chances of the two sides do not add up to 1")
    if (np.diff(before, axis=0) > 0).any() or (np.diff(after) > 0).any():
        raise MetError("a side that needs more points has a better chance")
    return MatchEquityTable(tables.name or "of the user", before, after)
