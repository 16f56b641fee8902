"""Cube decisions with known answers: how much equity a player of the cube gives away.

The positions come from gnubg's own games, for money and at all sorts of scores; gnubg's look-ahead
is the referee. Each line of a file is one of them: its XGID, and the referee's equities of
holding the cube, of a double that is taken, and of one that is passed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from ..engine.cube_decision import CubeDecision, classify
from ..engine.gnubg_peer import Gnubg
from ..game import dice
from ..game.match import MatchState
from ..game.scoring import ONGOING
from ..game.variants import STANDARD
from ..notation.xgid import format_xgid, parse_xgid
from .decisions import DecisionsError, Rate
from .gnubg_analyst import GnubgAnalyst

#: The decisions that travel with the project.
CUBE_YARDSTICK = Path(__file__).parents[1] / "data" / "cube_decisions.jsonl"
#: A decision is close if the alternatives differ by less than this, normalised to the cube.
CLOSE = 0.08
#: Where not even a thought is needed, nothing is measured: positions are drawn in which holding the
#: cube and doubling differ by less than this at first sight.
WORTH_A_THOUGHT = 0.25
_POSITIONS_A_GAME = 2  # at most so many are drawn from a game, on average
_LONGEST = 11  # points of a match


class CubePlayer(Protocol):
    """Whatever decides about the cube, such as a ``CubeSearch``."""

    def action(self, row: np.ndarray, state: MatchState) -> CubeDecision:
        """What to do in a position ``(26,)`` before the throw."""


@dataclass(frozen=True, eq=False)
class CubeDecisions:
    """n positions before the throw in which the side on roll may double."""

    boards: np.ndarray
    """``(n, 26)`` int8, seen by the side on roll."""
    states: list[MatchState]
    """The match state of each, of the side on roll."""
    equities: np.ndarray
    """``(n, 3)`` float64, the referee's, normalised to the cube: no double; double, take;
    double, pass."""

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class CubeErrorRates:
    """What a player gives away with the cube, in thousandths of the cube a decision."""

    overall: Rate
    """All decisions: whether to double, and how to answer the referee's doubles."""
    close: Rate | None
    """Those in which the alternatives are within ``CLOSE`` of each other."""
    clear: Rate | None
    """The others."""
    double: Rate
    """Whether to double."""
    answer: Rate | None
    """How to answer."""
    money: Rate | None
    """All decisions for money."""
    match: Rate | None
    """All decisions at scores."""

    def to_dict(self) -> dict[str, object]:
        """The same as plain data."""
        return {name: rate and vars(rate) for name, rate in vars(self).items()}

    def __str__(self) -> str:
        return ", ".join(f"{name} {rate}" for name, rate in vars(self).items() if rate)


def cube_error_rates(player: CubePlayer, decisions: CubeDecisions) -> CubeErrorRates:
    """Let a player decide and count what it gives away by the referee's equities.

    A double that is wrong costs what the referee's best answer makes of it. Answers count where
    the referee would double.
    """
    made = [
        player.action(board, state)
        for board, state in zip(decisions.boards, decisions.states, strict=True)
    ]
    held, taken, passed = decisions.equities.T
    doubled = np.minimum(taken, passed)
    loss_of_double = _losses(doubled - held, np.array([d.double for d in made]))
    loss_of_answer = _losses(passed - taken, np.array([d.answer != "pass" for d in made]))
    asked = doubled >= held  # only then is there an answer to give
    losses = np.concatenate([loss_of_double, loss_of_answer[asked]])
    gap = np.abs(np.concatenate([doubled - held, (passed - taken)[asked]]))
    money = np.array([state.money for state in decisions.states])
    money = np.concatenate([money, money[asked]])
    return CubeErrorRates(
        overall=Rate.of(losses),
        close=_rate(losses[gap < CLOSE]),
        clear=_rate(losses[gap >= CLOSE]),
        double=Rate.of(loss_of_double),
        answer=_rate(loss_of_answer[asked]),
        money=_rate(losses[money]),
        match=_rate(losses[~money]),
    )


def _losses(gain: np.ndarray, done: np.ndarray) -> np.ndarray:
    """Thousandths lost where a thing is done that loses, or left undone that gains."""
    return 1000 * np.where(done, np.maximum(-gain, 0), np.maximum(gain, 0))


def _rate(losses: np.ndarray) -> Rate | None:
    return Rate.of(losses) if len(losses) else None


def draw_cube_decisions(n: int, seed: int, ply: int = 2) -> CubeDecisions:
    """Draw positions from games of gnubg against itself, and let it judge them.

    Gnubg moves and doubles as it sees fit without look-ahead. A third of the games is for money,
    the others are at scores of matches of 2 to 11 points, drawn by lot. Every position that is
    ``WORTH_A_THOUGHT`` is as likely to be drawn as any other.

    Args:
        n: how many.
        seed: of dice, scores and the draw.
        ply: the referee's look-ahead.

    Raises:
        PlayerError: gnubg or gnubg-nn is not installed.
    """
    rng = np.random.default_rng(seed)
    boards: list[np.ndarray] = []
    states: list[MatchState] = []
    games = n // _POSITIONS_A_GAME + 1
    with GnubgAnalyst() as analyst:
        while len(states) < n:
            for board, state in _play(games, rng, analyst):
                boards.append(board)
                states.append(state)
        chosen = np.sort(rng.choice(len(states), n, replace=False))
        rows, kept = np.stack(boards)[chosen], [states[i] for i in chosen]
        return CubeDecisions(rows, kept, analyst.ask(rows, kept, ply).equities)


def _play(games: int, rng: np.random.Generator, analyst: GnubgAnalyst
          ) -> list[tuple[np.ndarray, MatchState]]:
    """Play games in lockstep to the end: all positions in which a double is worth a thought."""
    gnubg = Gnubg()
    found: list[tuple[np.ndarray, MatchState]] = []
    boards, states = STANDARD.starts(games), [_any_state(rng) for _ in range(games)]
    rolls = dice.opening_roll(rng, games)
    while len(boards):
        plays = STANDARD.legal_plays(boards, rolls)
        boards = plays.boards[gnubg.choose(boards, rolls, plays)]
        states = [state.flip() for state in states]
        going_on = STANDARD.result(boards) == ONGOING
        asked = [i for i in np.flatnonzero(going_on) if states[i].may_double]
        answers = analyst.ask(boards[asked], [states[i] for i in asked], ply=0)
        for i, equities in zip(asked, answers.equities, strict=True):
            if abs(equities[0] - min(equities[1:])) < WORTH_A_THOUGHT:
                found.append((boards[i], states[i]))
            action = classify(*equities)
            if action == "double, take":
                states[i] = states[i].double().take()
            going_on[i] = action != "double, pass"
        boards, states = boards[going_on], [states[i] for i in np.flatnonzero(going_on)]
        rolls = dice.roll(rng, len(boards))
    return found


def _any_state(rng: np.random.Generator) -> MatchState:
    """A money game, or a score by lot at which the cube is in use."""
    if rng.random() < 1 / 3:
        return MatchState()
    length = int(rng.integers(2, _LONGEST + 1))
    score, opponent_score = (int(points) for points in rng.integers(0, length, 2))
    return MatchState(length=length, score=score, opponent_score=opponent_score)


def write(path: Path, decisions: CubeDecisions) -> None:
    """Write decisions, one a line."""
    positions = zip(decisions.boards, decisions.states, decisions.equities, strict=True)
    lines = [
        json.dumps({"xgid": format_xgid(board, state), "equities": equities.round(4).tolist()})
        for board, state, equities in positions
    ]
    path.write_text("\n".join(lines) + "\n")


def read(path: Path = CUBE_YARDSTICK) -> CubeDecisions:
    """Read decisions.

    Raises:
        DecisionsError: the file cannot be read, or a line is no decision.
    """
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        raise DecisionsError(f"cannot read {path}: {error.strerror or error}") from error
    parsed = []
    for number, line in enumerate(lines, 1):
        try:
            parsed.append(_parse(json.loads(line)))
        except (ValueError, TypeError, LookupError) as error:
            raise DecisionsError(f"{path}, line {number} is no cube decision: {error}") from error
    if not parsed:
        raise DecisionsError(f"{path} holds no decisions")
    boards, states, equities = zip(*parsed, strict=True)
    return CubeDecisions(np.stack(boards), list(states), np.array(equities))


def _parse(fields: dict[str, object]) -> tuple[np.ndarray, MatchState, Sequence[float]]:
    """A line as board, state and equities."""
    position = parse_xgid(str(fields["xgid"]))
    equities = np.array(fields["equities"], np.float64)
    if not position.match.may_double:
        raise ValueError("the side on roll may not double")
    if equities.shape != (3,) or not np.isfinite(equities).all():
        raise ValueError("it has no three equities")
    return position.board, position.match, equities.tolist()
