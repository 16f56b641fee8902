"""GNU Backgammon, the program, asked about positions: chances and the cube.

The program has a Python of its own. A small script that runs inside it answers questions, one
line of JSON each, for as long as it is wanted.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from ..engine.player import PlayerError
from ..game.board import flip
from ..game.match import MatchState, Owner
from ..nets.outcomes import from_cumulative

_MARK = "bgnet-answers "
_SCRIPT = f"""
import json, sys, gnubg
for line in sys.stdin:
    answers = []
    for board, cube, owner, length, scores, crawford, jacoby, beavers, ply in json.loads(line):
        info = gnubg.cubeinfo(cube, owner, 1, length, tuple(scores), crawford)
        info.update(jacoby=jacoby, beavers=beavers)
        how = dict(cubeful=1, plies=ply, deterministic=1, prune=ply > 1, noise=0.0)
        board = tuple(map(tuple, board))
        chances = gnubg.evaluate(board, info, dict(how, cubeful=0))[:5]
        answers.append([chances, gnubg.cfevaluate(board, info, how)[1:4]])
    sys.stdout.write("{_MARK}" + json.dumps(answers) + chr(10))
    sys.stdout.flush()
"""
_OWNERS = {Owner.CENTRE: -1, Owner.MINE: 1, Owner.HIS: 0}
_PLACES = (Path("/usr/games/gnubg"), Path("/usr/local/bin/gnubg"))


class GnubgAnswers(NamedTuple):
    """What gnubg says of n positions, for the side on roll."""

    outcomes: np.ndarray
    """``(n, 6)`` float32, cubeless."""
    equities: np.ndarray
    """``(n, 3)`` float64, normalised to the cube: no double; double, take; double, pass."""


def find_gnubg() -> Path | None:
    """The program gnubg, if it is installed."""
    found = shutil.which("gnubg")
    return Path(found) if found else next((p for p in _PLACES if p.exists()), None)


class GnubgAnalyst:
    """A running gnubg. It is a context manager, which ends the program.

    Gnubg waits a hundredth of a second for itself twice in every position.
    """

    def __init__(self) -> None:
        """
        Raises:
            PlayerError: gnubg is not installed.
        """
        program = find_gnubg()
        if program is None:
            raise PlayerError("gnubg is not installed (Debian: apt install gnubg)")
        self._folder = TemporaryDirectory()
        script = Path(self._folder.name, "answer.py")
        script.write_text(_SCRIPT)
        self._process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-p", script],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            cwd=self._folder.name, env=os.environ | {"HOME": self._folder.name},  # own settings
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def ask(self, boards: np.ndarray, states: Sequence[MatchState], ply: int = 2) -> GnubgAnswers:
        """Analyse the cube, by gnubg's own match equity table.

        Args:
            boards: ``(n, 26)`` int8, seen by the side on roll, before the throw.
            states: the match state of each.
            ply: gnubg's look-ahead.

        Raises:
            PlayerError: gnubg has gone.
        """
        sides = np.stack([np.maximum(flip(boards), 0), np.maximum(boards, 0)], axis=1)[:, :, 1:]
        questions = [
            [
                board, state.cube, _OWNERS[state.owner], state.length,
                (state.opponent_score, state.score), int(state.crawford), int(state.jacoby),
                int(state.beavers), ply,
            ]
            for board, state in zip(sides.tolist(), states, strict=True)
        ]  # fmt: skip
        answers = self._answers(json.dumps(questions))
        chances = np.array([chance for chance, _ in answers], np.float32).reshape(-1, 5)
        equities = np.array([equity for _, equity in answers]).reshape(-1, 3)
        return GnubgAnswers(from_cumulative(chances), equities)

    def _answers(self, questions: str) -> list[tuple[list[float], list[float]]]:
        """Put a line of questions and wait for the line that answers it."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None  # both are pipes
        try:
            stdin.write(questions + "\n")
            stdin.flush()
        except BrokenPipeError:
            pass  # what it has said last is all there is
        for line in stdout:  # greetings come first
            if line.startswith(_MARK):
                answers: list[tuple[list[float], list[float]]] = json.loads(line[len(_MARK) :])
                return answers
        raise PlayerError("gnubg ended without an answer")
