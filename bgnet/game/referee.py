"""The referee: is this play legal, and if not, which law does it break?

A person names moves of men ("8/5 6/5"), perhaps in another order than they can be played in, and
perhaps with several dice taken together ("24/13"). The referee finds out how the dice can make
those moves. Whether the position reached is a legal one, he asks the variant's move generator.

An illegal play is refused. Foster's laws know two other ends, which are options (``Laws``): men
thrown off too early go to the bar, and an error stands if the adversary lets it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .board import BAR
from .plays import Plays
from .russian_row import WAITING
from .steps import OFF, Board, Law, Steps, sequences
from .variants import STANDARD, Variant

Roll = tuple[int, int]


def point_name(point: int) -> str:
    """A point as players call it: its number, ``bar``, ``off``, or ``enter`` for men waiting.

    >>> point_name(25), point_name(8)
    ('bar', '8')
    """
    return {WAITING: "enter", BAR: "bar", OFF: "off"}.get(point, str(point))


class Move(NamedTuple):
    """A man is moved, by one die or by several."""

    source: int
    target: int

    def __str__(self) -> str:
        return f"{point_name(self.source)}/{point_name(self.target)}"


class IllegalPlayError(ValueError):
    """A play that breaks a law, or (``law`` is None) could mean several legal plays."""

    def __init__(self, law: Law | None, message: str):
        super().__init__(message)
        self.law = law


class Verdict(NamedTuple):
    """What a play leads to."""

    board: np.ndarray
    """``(width,)`` int8, seen by the side that decides next."""
    again: bool
    """Whether that is the side that played."""


@dataclass(frozen=True)
class Laws:
    """What becomes of an illegal play besides being refused."""

    penalty: bool = False
    """Men thrown off before all are home, or with one on the bar, go to the bar (Foster 13)."""
    errors_stand: bool = False
    """The men stay where they were put, whatever the dice say (Foster 9, IBA 17). Whether he
    lets them is the adversary's right: who asks with this has to ask him."""


class _Way(NamedTuple):
    """One way for the dice to make the moves."""

    after: Board
    dice: int
    passing_hits: int
    """Men hit on points that the moves only pass over."""


class _Fault(NamedTuple):
    """A law in the way of a step, after some dice had been played."""

    dice: int
    law: Law
    source: int
    die: int


def judge(
    board: np.ndarray,
    roll: Roll,
    moves: tuple[Move, ...],
    variant: Variant = STANDARD,
    laws: Laws = Laws(),
) -> Verdict:
    """The position that a play leads to, if it is legal or the laws let it stand.

    Args:
        board: ``(width,)`` int8, seen by the side that plays.
        roll: its two dice.
        moves: what it wants to move, in any order; nothing at all is a dance.
        variant: the game.
        laws: what becomes of a play that is not legal; by default it is refused.

    Returns:
        The position, and who decides there. Dice that are taken together hit no man on the way if
        they can go round him.

    Raises:
        IllegalPlayError: the play is not legal; the message names the rule.

    >>> from bgnet.game.board import START
    >>> judge(START, (6, 1), (Move(24, 17),))
    Traceback (most recent call last):
    bgnet.game.referee.IllegalPlayError: 23/17 is not possible: point 17 is held by the adversary
    """
    plays = variant.legal_plays(board[None], np.array([roll], np.int8))
    try:
        return _legal(board, roll, moves, variant, plays)
    except IllegalPlayError as error:
        after = None
        if laws.penalty and error.law in (Law.HOME, Law.BAR):
            after = _penalised(board, roll, moves, variant)
        if laws.errors_stand and after is None:
            after = _put(board, moves, variant)
        if after is None:
            raise
        return _left(after, plays, variant)


def _legal(
    board: np.ndarray, roll: Roll, moves: tuple[Move, ...], variant: Variant, plays: Plays
) -> Verdict:
    """The verdict on a legal play, or the error."""
    dice = _dice_of(roll)
    game = variant.rules.steps
    men: Board = tuple(board.tolist())
    if not _fits(moves, dice):
        raise IllegalPlayError(Law.POINTS, _wrong_points(moves, roll))
    faults: list[_Fault] = []
    ways = list(_ways(game, men, dice, moves, faults))
    if not ways:
        raise _stopped(men, faults)
    left = variant.seen_by_player(plays)[:, game.MEN].tolist()
    legal = {tuple(after): i for i, after in enumerate(left)}
    good = [way for way in ways if way.after[game.MEN] in legal]
    if not good:
        raise _compulsion(game, men, roll, max(way.dice for way in ways))
    fewest = min(way.passing_hits for way in good)
    afters = {way.after for way in good if way.passing_hits == fewest}
    if len(afters) > 1:
        text = " ".join(map(str, moves))
        raise IllegalPlayError(None, f"{text} can hit one man or another: name the points passed")
    row = legal[afters.pop()[game.MEN]]
    return Verdict(plays.boards[row], plays.again is not None and bool(plays.again[row]))


def _dice_of(roll: Roll) -> tuple[int, ...]:
    """The numbers that a roll may play."""
    return roll * 2 if roll[0] == roll[1] else roll


def _penalised(
    board: np.ndarray, roll: Roll, moves: tuple[Move, ...], variant: Variant
) -> Board | None:
    """The row, seen by the player, with the men that he throws off put on his bar instead.

    None if he throws off none, or if his other moves cannot be made with dice of the roll.
    """
    thrown = [move.source for move in moves if move.target == OFF]
    others = tuple(move for move in moves if move.target != OFF)
    ways = _ways(variant.rules.steps, tuple(board.tolist()), _dice_of(roll), others, [])
    way = next(ways, None)
    if not thrown or way is None:
        return None
    men = list(way.after)
    for source in thrown:
        if men[source] < 1:
            return None
        men[source] -= 1
        men[BAR] += 1
    return tuple(men)


def _put(board: np.ndarray, moves: tuple[Move, ...], variant: Variant) -> Board | None:
    """The row, seen by the player, with men put where he has put them.

    None if that cannot be: there is no man, he goes backwards, or the point is held.
    """
    men: Board = tuple(board.tolist())
    for source, target in moves:
        points = min(source, BAR) - target
        if men[source] < 1 or points < 1 or (target > OFF and men[target] < -1):
            return None
        men, _ = variant.rules.steps.step(men, source, points)
    return men


def _left(men: Board, plays: Plays, variant: Variant) -> Verdict:
    """The verdict on men left so; all else is as a legal play leaves it."""
    row = variant.seen_by_player(plays)[:1].copy()
    at = variant.rules.steps.MEN
    row[0, at] = men[at]
    again = plays.again is not None and bool(plays.again[0])
    return Verdict(row[0] if again else variant.flip(row)[0], again)


def _fits(moves: tuple[Move, ...], dice: tuple[int, ...]) -> bool:
    """Whether some of the dice add up to the moves, whatever stands on the board."""
    if not moves:
        return True
    (source, target), rest = moves[0], moves[1:]
    for i, die in enumerate(dice):
        others = dice[:i] + dice[i + 1 :]
        landing = _landing(source, die)
        if landing >= target:
            left = rest if landing == target else (Move(landing, target), *rest)
            if _fits(left, others):
                return True
    return False


def _landing(source: int, die: int) -> int:
    """Where a man lands; from the bar and from off the board he enters alike."""
    return max(min(source, BAR) - die, OFF)


def _ways(
    game: Steps,
    board: Board,
    dice: tuple[int, ...],
    moves: tuple[Move, ...],
    faults: list[_Fault],
) -> Iterator[_Way]:
    """Every way to make the moves in any order; what stops one is added to the faults."""
    stack = [(board, dice, moves, 0, 0)]
    while stack:
        board, dice, moves, used, hits = stack.pop()
        if not moves:
            yield _Way(board, used, hits)
        for move in dict.fromkeys(moves):
            others = list(moves)
            others.remove(move)
            for die in dict.fromkeys(dice):
                left = list(dice)
                left.remove(die)
                landing = _landing(move.source, die)
                if landing < move.target:
                    continue
                onward = [] if landing == move.target else [Move(landing, move.target)]
                if not _fits((*onward, *others), tuple(left)):
                    continue
                law = game.fault(board, move.source, die)
                if law:
                    faults.append(_Fault(used, law, move.source, die))
                    continue
                after, made = game.step(board, move.source, die)
                passing = hits + (made.hit and bool(onward))
                stack.append((after, tuple(left), (*onward, *others), used + 1, passing))


def _wrong_points(moves: tuple[Move, ...], roll: Roll) -> str:
    """What to say if the dice do not add up to the moves."""
    text = " ".join(map(str, moves))
    for move in moves:
        if move.source <= move.target:
            return f"{move} goes the wrong way: men move from high points to low ones"
    if len(moves) == 1 and moves[0].target != OFF:
        return f"{text} is {moves[0].source - moves[0].target} points, which {_dice(roll)} is not"
    return f"{text} cannot be made with {_dice(roll)}: a man moves exactly what a die shows"


def _dice(roll: Roll) -> str:
    return f"{max(roll)}-{min(roll)}"


#: Of faults after equally many dice, the one to tell.
_TELLING = (Law.BAR, Law.ENTER, Law.HELD, Law.HOME, Law.HIGHEST, Law.NO_MAN)


def _stopped(board: Board, faults: list[_Fault]) -> IllegalPlayError:
    """The error for moves that cannot be made: the law met after the most dice."""
    worst = max(faults, key=lambda fault: (fault.dice, -_TELLING.index(fault.law)))
    source, die = worst.source, worst.die
    landing = _landing(source, die)
    where = {BAR: "on the bar", WAITING: "waiting to enter"}.get(source, f"on point {source}")
    why = {
        Law.BAR: "a man on the bar must enter before another man moves",
        Law.ENTER: "a number of the first throw that can enter a man must",
        Law.HELD: f"point {landing} is held by the adversary",
        Law.HOME: "no man may be borne off before all are home",
        Law.HIGHEST: f"a {die} must be played from a higher point, where a man still stands",
        Law.NO_MAN: f"no man of yours is {where}",
    }
    return IllegalPlayError(worst.law, f"{Move(source, landing)} is not possible: {why[worst.law]}")


def _compulsion(game: Steps, board: Board, roll: Roll, used: int) -> IllegalPlayError:
    """The error for moves that can be made while the dice demand others."""
    most = max(len(steps) for _, steps in sequences(game, board, roll))
    if used < most and roll[0] == roll[1]:
        count = {1: "once", 2: "twice", 3: "three times", 4: "four times"}[most]
        return IllegalPlayError(Law.BOTH, f"the {roll[0]} of the doublet must be played {count}")
    if used < most and most == 1:
        return IllegalPlayError(Law.BOTH, f"one number of {_dice(roll)} can be played, so must be")
    if used < most:
        return IllegalPlayError(Law.BOTH, f"both numbers of {_dice(roll)} must be played")
    return IllegalPlayError(
        Law.LARGER,
        f"only one number of {_dice(roll)} can be played, and it must be the {max(roll)}",
    )
