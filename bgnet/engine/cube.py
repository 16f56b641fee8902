"""The doubling cube: what a game is worth with it, and what to do about it.

The *worth* of a game is what its stakes come to, the same with the other sign for the other side:
for money the points won, the cube included; in a match twice the chance of winning it, less one.
*Equities* shown to people are normalised, as usual, to the cube: +1 is winning a single game at
the cube as it stands, -1 is losing one.

Cubeful worth is Janowski's interpolation (``janowski``); it needs nothing but the chances of the
six outcomes and the match state, so that look-ahead can rank plays by it. Which game the points
belong to (English or American scoring, the Jacoby rule, a match score) changes the stakes and never
the network.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from ..game.match import MatchState, Offer, Owner
from .janowski import Step, Values, Window, live_worth, money_window, window
from .met import LENGTH, MatchEquityTable, match_equities

Amount = TypeVar("Amount", float, np.ndarray)

#: How live the cube is where nothing else is said (contact positions): 0 is dead, 1 fully live.
#: Janowski thought of 0.6 to 0.7; long games with contact are near the top of that.
EFFICIENCY = 0.68
#: A cube that can be turned so many times more might as well be turned for ever.
_ENDLESS = 6


def worth(state: MatchState, points: np.ndarray | int, met: MatchEquityTable | None = None
          ) -> np.ndarray:
    """What it is worth to the side on roll to win points.

    Args:
        state: before the game is decided.
        points: points won (lost: negative), the cube included, of any shape.
        met: the match equity table; None is the project's own.

    Returns:
        float64 of the same shape: the points for money, twice the chance of winning the match
        less one otherwise.

    Raises:
        MetError: the score lies outside the table.

    >>> worth(MatchState(length=5, score=3, opponent_score=4), np.array([-1, 2])).tolist()
    [-1.0, 1.0]
    """
    points = np.asarray(points)
    if state.money:
        return points.astype(np.float64)
    farthest = max(state.away, state.opponent_away)
    met = met or match_equities(max(LENGTH, farthest))
    met.covers(farthest)
    away = state.away - np.maximum(points, 0)
    opponent_away = state.opponent_away + np.minimum(points, 0)
    played = state.crawford or state.post_crawford
    return 2 * met.chance(away, opponent_away, post_crawford=played) - 1


class Scale(NamedTuple):
    """How worths and equities hang together in a match state: what a single game at the cube as
    it stands is worth.

    >>> Scale.of(MatchState(cube=2)).equity(-2.0)
    -1.0
    """

    won: float
    lost: float

    @classmethod
    def of(cls, state: MatchState, met: MatchEquityTable | None = None) -> "Scale":
        """The scale of a state; an offer on the table is not counted yet.

        Raises:
            MetError: the score lies outside the match equity table.
        """
        won, lost = worth(state, np.array([state.cube, -state.cube]), met).tolist()
        return cls(won, lost)

    def equity(self, worth: Amount) -> Amount:
        """The equity of a worth."""
        return (2 * worth - self.won - self.lost) / (self.won - self.lost)

    def worth(self, equity: float) -> float:
        """The worth of an equity."""
        return (equity * (self.won - self.lost) + self.won + self.lost) / 2


def has_endless_cube(state: MatchState) -> bool:
    """Whether the cube can be turned so often that its limit makes no difference (money only)."""
    return state.money and state.max_cube >= state.cube << _ENDLESS


class _Stakes(NamedTuple):
    """What the six outcomes and a pass are worth with the cube turned 0, 1, 2, ... times."""

    outcomes: np.ndarray
    """``(k, 6)`` float64, outcomes in the order of ``scoring.OUTCOMES``."""
    cash: np.ndarray
    """``(k,)``: I turn the cube, and he passes."""
    drop: np.ndarray
    """``(k,)``: he turns it, and I pass."""
    mine: list[bool]
    """Whether I could turn it then if it were mine."""
    his: list[bool]
    """Whether he could if it were his."""
    endless: bool
    """Money with a cube that is turned as often as one likes: only one turn is listed."""


@lru_cache(maxsize=1024)
def _stakes(state: MatchState, scoring: str, met: MatchEquityTable | None) -> _Stakes:
    """The stakes of a state without a pending offer, until nobody can turn the cube any more."""
    endless = has_endless_cube(state)
    payoffs, cubes = [state.payoffs(scoring)], [state.cube]
    mine: list[bool] = []
    his: list[bool] = []
    while True:
        mine.append(replace(state, cube=cubes[-1], owner=Owner.MINE).may_double)
        his.append(replace(state, cube=cubes[-1], owner=Owner.HIS).opponent_may_double)
        if not (mine[-1] or his[-1]) or (endless and len(cubes) == 2):
            break
        cubes.append(2 * cubes[-1])
        payoffs.append(replace(state, cube=cubes[-1], owner=Owner.MINE).payoffs(scoring))
    points, counts = np.stack(payoffs).astype(np.int64), np.array(cubes)
    return _Stakes(
        worth(state, points, met), worth(state, counts, met), worth(state, -counts, met),
        mine, his, endless,
    )  # fmt: skip


class _Sides(NamedTuple):
    """Games won and lost, apart."""

    chance: np.ndarray
    """``(n,)`` of winning."""
    win: np.ndarray
    """``(k, n)``: worth of a game won with the cube turned so many times."""
    lose: np.ndarray
    """``(k, n)``: worth of a game lost."""


def _sides(outcomes: np.ndarray, stakes: _Stakes) -> _Sides:
    """Means over the ways of winning and of losing; a side that cannot win has no gammons."""
    columns = np.ascontiguousarray(outcomes.T)  # six long columns are faster than rows of six
    chances, means = [], []
    for half in (slice(0, 3), slice(3, 6)):
        chances.append(columns[half].sum(axis=0))
        single = np.repeat(stakes.outcomes[:, half.start, None], len(outcomes), axis=1)
        total = stakes.outcomes[:, half] @ columns[half]
        means.append(np.divide(total, chances[-1], out=single, where=chances[-1] > 0))
    return _Sides(chances[0], *means)


def _window(state: MatchState, stakes: _Stakes, sides: _Sides) -> Window:
    """The window of a live cube as it stands, an end being 0 or 1 for a side without access."""
    mine, his = _access(state, stakes)
    win, lose = sides.win, sides.lose
    if stakes.endless:
        # The worth of a game is in proportion to the cube, once Jacoby has no say any more.
        open_ = money_window(win[1] / (2 * state.cube), lose[1] / (2 * state.cube))
        low = (open_.low, stakes.drop[0]) if his else (0.0, lose[0])
        high = (open_.high, stakes.cash[0]) if mine else (1.0, win[0])
        return Window(*low, *high)
    right_to_turn = [(mine, his), *zip(stakes.mine[1:], stakes.his[1:], strict=True)]
    return window([
        Step(win[k], lose[k], stakes.cash[k], stakes.drop[k], *right)
        for k, right in enumerate(right_to_turn)
    ])  # fmt: skip


def _access(state: MatchState, stakes: _Stakes) -> tuple[bool, bool]:
    """Whether I may turn the cube on my turn, and he on his, as it stands."""
    return (
        stakes.mine[0] and state.owner is not Owner.HIS,
        stakes.his[0] and state.owner is not Owner.MINE,
    )


def _nothing_to_lose(state: MatchState, mine: bool, his: bool) -> bool:
    """Whether the only side that may double loses the match anyway if it loses the game.

    It then doubles at once, and nothing is lost by doubling too early: the cube is fully live.
    """
    if state.money or mine == his:
        return False
    return (state.opponent_away if mine else state.away) <= state.cube


def cubeful(outcomes: np.ndarray, state: MatchState, efficiency: Values = EFFICIENCY,
            scoring: str = "english", met: MatchEquityTable | None = None) -> np.ndarray:
    """What games are worth to the side on roll, the right to double included.

    Whose turn it is plays no part: with the state of the side that has just played and outcomes
    as it sees them, plays can be ranked by it. So it can be the utility of a ``Search``.

    Args:
        outcomes: ``(n, 6)``, seen by the side that the state belongs to.
        state: the match state of all n; a double on the table is not looked at.
        efficiency: of the cube, one for all or ``(n,)``; see ``EFFICIENCY``.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        ``(n,)`` float64 worth: points for money, in a match twice the chance of winning it less
        one. Positions between the extremes of Janowski's interpolation.

    Raises:
        MetError: the score lies outside the table.

    >>> level = np.array([[0.5, 0, 0, 0.5, 0, 0]])
    >>> [float(cubeful(level, MatchState(owner=owner))[0].round(3)) + 0 for owner in Owner]
    [0.0, 0.17, -0.17]
    """
    state = _settled(state)
    stakes = _stakes(state, scoring, met)
    outcomes = outcomes.astype(np.float64)
    dead = outcomes @ stakes.outcomes[0]
    mine, his = _access(state, stakes)
    if not (mine or his):
        return dead
    if _nothing_to_lose(state, mine, his):
        efficiency = 1.0
    sides = _sides(outcomes, stakes)
    live = live_worth(sides.chance, sides.win[0], sides.lose[0], _window(state, stakes, sides))
    return efficiency * live + (1 - efficiency) * dead


def last_turn_worth(outcomes: np.ndarray, state: MatchState, held: bool,
                    scoring: str = "english", met: MatchEquityTable | None = None) -> np.ndarray:
    """What games are worth to the side on roll if its opponent's next roll ends them at the latest:
    nobody but the side on roll has any use for the cube, so that this is exact.

    Args:
        outcomes: ``(n, 6)``, exact, of the side on roll.
        state: its match state, no offer on the table.
        held: it does not double.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    Returns:
        ``(n,)`` float64 worth.

    >>> nineteen = np.array([[19, 0, 0, 17, 0, 0]]) / 36
    >>> [round(float(last_turn_worth(nineteen, MatchState(), held)[0] * 36)) for held in (1, 0)]
    [2, 4]
    """
    stakes = _stakes(state, scoring, met)
    dead = outcomes @ stakes.outcomes[0]
    if held or not state.may_double:
        return dead
    return np.maximum(dead, np.minimum(outcomes @ stakes.outcomes[1], stakes.cash[0]))


def _settled(state: MatchState) -> MatchState:
    """The state without the offer on the table."""
    return state if state.offer is Offer.NONE else replace(state, offer=Offer.NONE)


class DoublingPoints(NamedTuple):
    """Chances of winning at which decisions change, of the side on roll; NaN where it, or its
    opponent, could not double."""

    take_dead: float
    """From here on it takes a double, if the cube it then owns will never be turned again."""
    take_live: float
    """From here on it takes if the cube it then owns is fully live."""
    cash_dead: float
    """From here on its double is passed, if the opponent's cube would never be turned again."""
    cash_live: float
    """From here on its double is passed if the opponent's cube is fully live."""


def doubling_points(outcomes: np.ndarray, state: MatchState, scoring: str = "english",
                    met: MatchEquityTable | None = None) -> DoublingPoints:
    """Take points and cash points at a score, with the shares of gammons of a position.

    Args:
        outcomes: ``(6,)``, of which only the proportions among wins and among losses count.
        state: the cube as it is before the double, centred or owned by the side that doubles.
        scoring: a key of ``SCORINGS``.
        met: the match equity table; None is the project's own.

    >>> no_gammons = np.array([0.5, 0, 0, 0.5, 0, 0])
    >>> [round(point, 3) for point in doubling_points(no_gammons, MatchState())]
    [0.25, 0.2, 0.75, 0.8]
    """
    state = replace(_settled(state), owner=Owner.CENTRE)
    stakes = _stakes(state, scoring, met)
    points = [np.nan] * 4
    if len(stakes.outcomes) > 1:
        sides = _sides(outcomes[None].astype(np.float64), stakes)
        live = _window(state, stakes, sides)
        win, lose = float(sides.win[1, 0]), float(sides.lose[1, 0])
        if stakes.his[0]:
            points[:2] = (stakes.drop[0] - lose) / (win - lose), np.ravel(live.low)[0]
        if stakes.mine[0]:
            points[2:] = (stakes.cash[0] - lose) / (win - lose), np.ravel(live.high)[0]
    return DoublingPoints(*map(float, points))
