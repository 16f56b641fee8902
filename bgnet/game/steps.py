"""One man, one die: the single steps that a play consists of, for one board.

``legal_plays`` says which positions a roll may reach. This module says *how*: it serves the text
of plays and the judging of what a person typed, one position at a time, and is written to be
read. It knows what a step must obey, not which numbers must be played.

A board is a tuple of 26 numbers here, seen by the side that moves **throughout the play** (it is
not turned round). A step goes from a point (25 = the bar) to a lower one, or to 0: borne off.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, Protocol

from .board import BAR, HOME, OPPONENT_BAR, SLOTS

Board = tuple[int, ...]
OFF = 0
#: The columns of a row that count men.
MEN = slice(0, SLOTS)
#: Where a man can be played from, in the order in which a doublet can always be played.
SOURCES = tuple(range(BAR, OFF, -1))


class Law(StrEnum):
    """The laws that a play can break, in Foster's order (*Backgammon, or Tric-Trac*)."""

    POINTS = "wrong number of points"
    """Foster 9, 10: a man moves exactly as many points as a die shows."""
    NO_MAN = "no man there"
    """A man must stand where a move begins."""
    HELD = "point held by the adversary"
    """IBA 12: two adverse men or more hold a point."""
    BAR = "a man on the bar"
    """Foster 13: men on the bar enter before anything else moves."""
    ENTER = "the first throw enters men"
    """Russian backgammon: a number of the first throw that can enter a man must."""
    HOME = "bearing off before all are home"
    """Foster 13: no man is borne off before all are home."""
    HIGHEST = "bearing off past a higher man"
    """A number bears a man off a lower point only if no man stands on its own or above."""
    BOTH = "both numbers must be played"
    """Foster 12: both numbers are played if they can be; of a doublet as many as can be."""
    LARGER = "the larger number must be played"
    """Foster 12: if either number can be played but not both, the larger."""


class Step(NamedTuple):
    """A man moves one die."""

    source: int
    target: int
    hit: bool


class Steps(Protocol):
    """What this module and its twins for other games offer."""

    MEN: slice
    SOURCES: tuple[int, ...]

    def fault(self, board: Board, source: int, die: int, /) -> Law | None:
        """The law that moving a man from this point by this die breaks, or None."""

    def step(self, board: Board, source: int, die: int, /) -> tuple[Board, Step]:
        """Move a man from this point by this die; the step must break no law."""


def fault(board: Board, source: int, die: int) -> Law | None:
    """The law that moving a man from this point by this die breaks, or None.

    >>> fault((0,) * 24 + (2, 1), 24, 3)
    <Law.BAR: 'a man on the bar'>
    """
    if board[source] < 1:
        return Law.NO_MAN
    if board[BAR] and source != BAR:
        return Law.BAR
    target = source - die
    if target > OFF:
        return Law.HELD if board[target] < -1 else None
    if any(count > 0 for count in board[HOME + 1 :]):
        return Law.HOME
    if target < OFF and any(count > 0 for count in board[source + 1 : HOME + 1]):
        return Law.HIGHEST
    return None


def step(board: Board, source: int, die: int) -> tuple[Board, Step]:
    """Move a man from this point by this die; the step must break no law.

    Men waiting to enter, which come behind the bar (Russian backgammon), land as from the bar.

    >>> after, played = step((0,) * 20 + (-1,) + (0,) * 4 + (1,), 25, 5)
    >>> played, after[20], after[0]
    (Step(source=25, target=20, hit=True), 1, -1)
    """
    men = list(board)
    men[source] -= 1
    target = max(min(source, BAR) - die, OFF)
    hit = target > OFF and men[target] < 0
    if hit:
        men[target] = 0
        men[OPPONENT_BAR] -= 1
    if target > OFF:
        men[target] += 1
    return tuple(men), Step(source, target, hit)


def sequences(
    game: Steps, board: Board, roll: tuple[int, int]
) -> Iterator[tuple[Board, tuple[Step, ...]]]:
    """Every way to play dice of a roll, die after die, until the next cannot be played.

    Args:
        game: the steps of the game, such as this module.
        board: seen by the side that moves.
        roll: two dice.

    Yields:
        The board after, not turned round, and the steps; a dance is no step at all. Every legal
        position is among them, with the longest way to it, and so are some that are not legal
        because more dice could have been played. Of a doublet the steps come from falling
        points: whatever can be played can be played in this order.

    >>> from bgnet.game import steps
    >>> board = (0,) * 24 + (1, 0)
    >>> [[(s.source, s.target) for s in way] for _, way in sequences(steps, board, (2, 1))]
    [[(24, 22), (22, 21)], [(24, 23), (23, 21)]]
    """
    if roll[0] == roll[1]:
        yield from _play(game, board, roll * 2, game.SOURCES, ())
    else:
        yield from _play(game, board, roll, game.SOURCES, ())
        yield from _play(game, board, roll[::-1], game.SOURCES, ())


def _play(
    game: Steps,
    board: Board,
    dice: tuple[int, ...],
    sources: tuple[int, ...],
    played: tuple[Step, ...],
) -> Iterator[tuple[Board, tuple[Step, ...]]]:
    """Play these dice in this order, the first from one of these sources."""
    stuck = True
    for i, source in enumerate(sources if dice else ()):
        if board[source] > 0 and game.fault(board, source, dice[0]) is None:
            stuck = False
            after, one = game.step(board, source, dice[0])
            then = sources[i:] if dice[0] == dice[-1] else game.SOURCES
            yield from _play(game, after, dice[1:], then, (*played, one))
    if stuck:
        yield board, played
