"""A match gone through decision by decision: what was best, what was given away, who had luck.

Decisions that share score and cube go through the network together. Turns lost and resignations
are valued too, but count in no rating: they are no judgement of a position.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from ..game.match import Offer
from ..notation.record import GameRecord, Kind, MatchRecord
from .analysis import Analyst
from .cube import worth
from .cube_search import CubeSearch
from .ratings import Rating, rate
from .review_decision import Decision, Topic
from .review_topics import TOPICS, Case

_BLOCK = 32  # decisions looked into at once


@dataclass(frozen=True, eq=False)
class GameReview:
    """One game."""

    record: GameRecord
    decisions: tuple[Decision, ...]
    """In the order in which they were taken."""
    course: tuple[float, ...]
    """How player 0 stood after each play and at the end: his chance of winning the match; for
    money the points that he is ahead, what the game is worth included."""


@dataclass(frozen=True, eq=False)
class Review:
    """A match."""

    record: MatchRecord
    games: tuple[GameReview, ...]

    @property
    def decisions(self) -> Iterator[Decision]:
        """All decisions in their order."""
        return (decision for game in self.games for decision in game.decisions)

    @property
    def errors(self) -> list[Decision]:
        """Decisions that belong to a class of errors, the worst first."""
        found = [decision for decision in self.decisions if decision.error_class]
        return sorted(found, key=lambda decision: -decision.lost)

    def rating(self, player: int) -> Rating:
        """How a player did."""
        return rate(decision for decision in self.decisions if decision.player == player)


def review(record: MatchRecord, cubes: CubeSearch,
           progress: Callable[[int, int], object] = lambda done, of: None) -> Review:
    """Go through a match.

    Args:
        record: the match.
        cubes: an engine for its variant. Plays are looked into as deep as it looks; whatever
            depends on a roll to come, that is luck and the cube, at least 1 ply deep.
        progress: called with the number of decisions looked into so far, and of all.

    Raises:
        MetError: a match longer than the match equity table goes.
    """
    cases = list(_cases(record))
    groups: dict[Hashable, list[int]] = {}
    for i, (_, _, topic, moment, _) in enumerate(cases):
        action, match = moment.action, moment.match
        key = topic, match, action.player == match.seat, action.points
        groups.setdefault(key, []).append(i)
    done: dict[int, Decision] = {}
    analyst = Analyst(cubes)
    for places in groups.values():
        for start in range(0, len(places), _BLOCK):
            block = places[start : start + _BLOCK]
            look_into = TOPICS[cases[block[0]].topic]
            done.update(zip(block, look_into([cases[i] for i in block], analyst), strict=True))
            progress(len(done), len(cases))
    decisions = [done[i] for i in range(len(cases))]
    games = []
    for number, game in enumerate(record.games, start=1):
        own = tuple(decision for decision in decisions if decision.game == number)
        games.append(GameReview(game, own, tuple(_course(record, game, own, cubes))))
    return Review(record, tuple(games))


def _cases(record: MatchRecord) -> Iterator[Case]:
    """The decisions of a match."""
    for number, game in enumerate(record.games, start=1):
        turn, before = 0, None
        for moment in record.moments(game):
            kind, match = moment.action.kind, moment.match
            opening = before is None
            goes_on = before is not None and before.kind is Kind.PLAY and (
                before.player == moment.action.player
            )  # fmt: skip
            before = moment.action
            if kind in (Kind.PLAY, Kind.FORFEIT):
                turn += 1
                if match.may_double and not (opening or goes_on):
                    yield Case(number, turn, Topic.DOUBLE, moment, False)
                topic = Topic.PLAY if kind is Kind.PLAY else Topic.FORFEIT
                yield Case(number, turn, topic, moment, opening)
            elif kind is Kind.DOUBLE:
                yield Case(number, turn + 1, Topic.DOUBLE, moment, False)
            elif kind in (Kind.TAKE, Kind.DROP, Kind.BEAVER):
                yield Case(number, turn + 1, Topic.ANSWER, moment, False)
            elif kind is Kind.RESIGN and match.offer is Offer.NONE:
                yield Case(number, turn + 1, Topic.RESIGN, moment, False)


def _course(record: MatchRecord, game: GameRecord, decisions: Sequence[Decision],
            cubes: CubeSearch) -> Iterator[float]:
    """How player 0 stands after each play and at the end."""
    ahead = game.scores[0] - game.scores[1]
    for decision in decisions:
        if decision.topic in (Topic.PLAY, Topic.FORFEIT):
            chance, equity = decision.choice.chance, decision.choice.equity
            if chance is not None:
                yield chance if decision.player == 0 else 1 - chance
            else:
                points = decision.position.match.cube * equity
                yield ahead + (points if decision.player == 0 else -points)
    if game.winner is not None:
        points = game.points if game.winner == 0 else -game.points
        if record.length:
            start = record.scoresheet(game.scores, game.crawford).match
            yield (1 + float(worth(start, points, cubes.met))) / 2
        else:
            yield ahead + points
