"""The single steps of Russian backgammon, one man and one die: the twin of ``steps``.

A row is a tuple of 31 numbers here (``russian_row``), seen by the side that moves throughout the
play. A step goes from a point, from 25 (the bar) or from 26 (the men waiting) to a point, or to
0: borne off. A step that breaks no law is made as in ``steps``.

>>> from bgnet.game.russian_row import place
>>> after, made = step(tuple(place({26: 15}, {19: 1}).tolist()), 26, 6)
>>> made, after[0], after[19], after[26]
(Step(source=26, target=19, hit=True), -1, 1, 14)
"""

from .board import HOME
from .russian_row import BAR, FIRST, OPPONENT_WAITING, WAITING
from .steps import OFF, Board, Law
from .steps import step as step

MEN = slice(0, OPPONENT_WAITING + 1)
SOURCES = (BAR, WAITING, *range(24, 0, -1))


def fault(row: Board, source: int, die: int) -> Law | None:
    """The law that moving a man from here by this die breaks, or None.

    >>> from bgnet.game.russian_row import place
    >>> row = tuple(place({24: 1, 26: 14}, {19: 2, 26: 13}, first=True).tolist())
    >>> fault(row, 26, 6), fault(row, 24, 3)
    (<Law.HELD: 'point held by the adversary'>, <Law.ENTER: 'the first throw enters men'>)
    """
    if row[source] < 1:
        return Law.NO_MAN
    if row[BAR] and source != BAR:
        return Law.BAR
    if row[FIRST] and source != WAITING and row[WAITING] and row[BAR - die] >= -1:
        return Law.ENTER
    target = min(source, BAR) - die
    if target > OFF:
        return Law.HELD if row[target] < -1 else None
    if row[WAITING] or any(count > 0 for count in row[HOME + 1 : BAR]):
        return Law.HOME
    if target < OFF and any(count > 0 for count in row[source + 1 : HOME + 1]):
        return Law.HIGHEST
    return None
