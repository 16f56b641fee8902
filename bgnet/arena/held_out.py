"""Decisions of one's own, held out from training: what a new network has to do better at.

Positions come from games of a network against itself, each played with a level of noise of its
own, so that common, odd and bad ones all occur. The same network, looking ahead, says what every
legal play is worth. Two plies of look-ahead are far better than the network alone, whose error
rate on such a file therefore means something; that of a network which looks as far ahead as the
referee does not.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from .. import __version__
from ..engine.distinct import distinct
from ..engine.evaluator import Evaluator
from ..engine.filters import Filter
from ..engine.networks import evaluator_of, find
from ..engine.player import best_rows
from ..engine.search import Judgement, Search
from ..game.plays import Plays
from ..game.variants import STANDARD, Variant
from ..nets.checkpoint import load_checkpoint
from ..nets.outcomes import equity
from .decisions import Decisions, DecisionsError

#: At most so many decisions are taken from one game: its positions resemble each other.
PER_GAME = 3
#: Which plays the referee looks into deeper. More than in play: every play is worth 1 ply, so that
#: what the network alone thinks little of has a chance, and few good plays miss the last ply.
FILTERS = (Filter(1000, np.inf), Filter(8, 0.12), Filter(5, 0.08))
# Fixed, so that a seed means the same decisions everywhere.
_GAMES_AT_ONCE = 256
_LABELLED_AT_ONCE = 8


@dataclass(frozen=True)
class Recipe:
    """What decisions are made of; with a network it determines them."""

    decisions: int = 1000
    """How many, at least 1."""
    ply: int = 2
    """How far the referee looks ahead, at least 1."""
    noise: float = 0.1
    """The highest level of noise in points. A game's own level is drawn evenly from 0 up to it,
    and is the standard deviation of a normal error in the worth of every play."""
    seed: int = 1
    """Of dice, noise and the draw."""
    scoring: str = "english"
    """What the games are played for, a key of ``SCORINGS``."""

    def __post_init__(self) -> None:
        if self.decisions < 1 or self.ply < 1 or self.noise < 0:
            raise DecisionsError(
                "decisions are 1 or more, with look-ahead of 1 ply or more and noise of 0 or "
                f"more, not {self.decisions}, {self.ply} and {self.noise:g}"
            )


def make(net: str, recipe: Recipe, variant: Variant = STANDARD,
         progress: Callable[[int], object] | None = None) -> Decisions:
    """Draw decisions from a network's games and label them by its look-ahead.

    Args:
        net: who plays and judges, as ``engine.networks.find`` takes it.
        recipe: how many, how deep, how odd. The same one, network and machine give the same.
        variant: the game.
        progress: told the number of decisions that have just been labelled.

    Returns:
        ``Decisions``, the classes ``contact`` (men may still be hit) and ``race``. ``made`` holds
        the recipe, the network's name and fingerprint, and the version of bgnet.

    Raises:
        CheckpointError: no such network, or a broken file.
        DecisionsError: a network for another game, or a game without so many decisions.
    """
    checkpoint = load_checkpoint(find(net, variant))
    if checkpoint.variant != variant.name:
        raise DecisionsError(f"{net} plays {checkpoint.variant}, not {variant.name}")
    evaluator = evaluator_of(checkpoint, fast=True)
    boards, rolls = draw(evaluator, recipe)
    equities = label(evaluator, boards, rolls, recipe, progress)
    classes = np.where(variant.contact(boards), "contact", "race")
    made = {"network": net, "fingerprint": checkpoint.fingerprint, "variant": variant.name,
            **asdict(recipe), "bgnet": __version__}  # fmt: skip
    plays = variant.legal_plays(boards, rolls)
    return Decisions(variant, boards, rolls, classes, plays, equities, made)


def draw(evaluator: Evaluator, recipe: Recipe) -> tuple[np.ndarray, np.ndarray]:
    """Decisions from games of a network against itself, without look-ahead.

    Left out are throws that can be played in one way only and positions known for certain; of a
    game there are at most ``PER_GAME``, and no decision comes twice.

    Args:
        evaluator: who plays both sides.
        recipe: how many decisions (n), with what noise, from what seed.

    Returns:
        Boards ``(n, width)`` int8, seen by the side that plays, and rolls ``(n, 2)`` int8, the
        larger die first; in the order of the games.

    Raises:
        DecisionsError: no more decisions are to be found.
    """
    rng = np.random.default_rng(recipe.seed)
    games = min(recipe.decisions, _GAMES_AT_ONCE)
    found = np.empty((0, evaluator.variant.width + 2), np.int8)
    while len(found) < recipe.decisions:
        before = len(found)
        found = np.concatenate([found, _play(evaluator, recipe, games, rng)])
        found = found[np.sort(distinct(found)[0])]
        if len(found) == before:
            raise DecisionsError(
                f"games of {evaluator.variant.name} brought {before:,} different decisions and "
                f"then no more: ask for fewer than {recipe.decisions:,}"
            )
    chosen = found[np.sort(rng.choice(len(found), recipe.decisions, replace=False))]
    return chosen[:, :-2], chosen[:, -2:]


def _play(evaluator: Evaluator, recipe: Recipe, games: int, rng: np.random.Generator
          ) -> np.ndarray:
    """Play games in lockstep to where the rest is known, and draw decisions of each.

    Returns:
        ``(k, width + 2)`` int8, boards with their rolls, game by game.
    """
    variant = evaluator.variant
    levels = recipe.noise * rng.random(games, np.float32)
    rows, rolls = variant.starts(games), variant.opening_rolls(rng, games)
    game = np.arange(games)  # those that still go on
    asked, asked_in = [], []
    while len(game):
        plays = variant.legal_plays(rows, rolls)
        free = np.flatnonzero(np.bincount(plays.owner) > 1)
        asked.append(np.column_stack([rows[free], np.sort(rolls[free])[:, ::-1]]))
        asked_in.append(game[free])
        chances, known = evaluator.chances(plays.boards)
        error = levels[game[plays.owner]] * rng.standard_normal(len(plays.owner), np.float32)
        values = plays.sign() * equity(chances, recipe.scoring) + error
        best = best_rows(values, plays, len(game))
        goes_on = ~known[best]
        rows, game = plays.boards[best][goes_on], game[goes_on]
        rolls = variant.next_rolls(rng, rows)
    decisions, owner = np.concatenate(asked), np.concatenate(asked_in)
    order = np.lexsort((rng.random(len(owner)), owner))  # each game's own, by lot
    owner = owner[order]
    few = np.arange(len(order)) - np.searchsorted(owner, owner) < PER_GAME
    return decisions[order[few]]


def label(evaluator: Evaluator, boards: np.ndarray, rolls: np.ndarray, recipe: Recipe,
          progress: Callable[[int], object] | None = None) -> np.ndarray:
    """What every legal play is worth, by look-ahead.

    Args:
        evaluator: the referee.
        boards: ``(n, width)`` int8, seen by the side that plays.
        rolls: ``(n, 2)`` int8.
        recipe: how deep, and for what the games are played.
        progress: told the number of decisions that have just been labelled.

    Returns:
        ``(m,)`` float32 points, one for every row of ``legal_plays(boards, rolls)``, **for the
        side that plays**. A play that a filter left behind keeps the value of that ply, but is
        never worth more than one that was looked into deeper.
    """
    search = Search(evaluator, recipe.ply, recipe.scoring, filters=FILTERS)
    equities = [np.empty(0, np.float32)]
    for start in range(0, len(boards), _LABELLED_AT_ONCE):
        block = slice(start, start + _LABELLED_AT_ONCE)
        plays = evaluator.variant.legal_plays(boards[block], rolls[block])
        judgement = search.play_outcomes(boards[block], rolls[block], plays)
        equities.append(never_above_deeper(judgement, plays).astype(np.float32))
        if progress is not None:
            progress(len(boards[block]))
    return np.concatenate(equities)


def never_above_deeper(judgement: Judgement, plays: Plays) -> np.ndarray:
    """Values of plays in which depth ranks first.

    Args:
        judgement: of the rows of ``plays``.
        plays: the legal plays of some positions.

    Returns:
        ``(m,)`` floats: each play's own value, or the least value of a play of the same position
        that was looked into deeper, if that is less.

    >>> plays = Plays(np.zeros((4, 26), np.int8), np.array([0, 0, 0, 1]))
    >>> values, plies = np.array([0.5, 0.2, 0.3, 0.9]), np.array([1, 2, 2, 1], np.int8)
    >>> never_above_deeper(Judgement(np.zeros((4, 6)), values, plies), plays).tolist()
    [0.2, 0.2, 0.3, 0.9]
    """
    values = judgement.values.copy()
    least = np.full(plays.owner.max(initial=-1) + 1, np.inf)
    for ply in range(judgement.plies.max(initial=0), -1, -1):
        at = np.flatnonzero(judgement.plies == ply)
        values[at] = np.minimum(values[at], least[plays.owner[at]])
        np.minimum.at(least, plays.owner[at], values[at])
    return values
