"""GNU Backgammon, the program, asked about many positions at once: chances and the cube.

The program has a Python of its own; a small script that runs inside it reads questions from one
file and writes answers to another.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from ..engine.player import PlayerError
from ..game.board import flip
from ..game.match import MatchState, Owner
from ..nets.outcomes import from_cumulative

_SCRIPT = """
import json, os, gnubg
with open(os.environ["BGNET_QUESTIONS"]) as file:
    questions = json.load(file)
answers = []
for board, cube, owner, length, scores, crawford, jacoby, beavers, ply in questions:
    info = gnubg.cubeinfo(cube, owner, 1, length, tuple(scores), crawford)
    info.update(jacoby=jacoby, beavers=beavers)
    how = {"cubeful": 1, "plies": ply, "deterministic": 1, "prune": ply > 1, "noise": 0.0}
    board = tuple(map(tuple, board))
    chances = gnubg.evaluate(board, info, dict(how, cubeful=0))[:5]
    answers.append([chances, gnubg.cfevaluate(board, info, how)[1:4]])
with open(os.environ["BGNET_ANSWERS"], "w") as file:
    json.dump(answers, file)
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


def ask_gnubg(boards: np.ndarray, states: Sequence[MatchState], ply: int = 2) -> GnubgAnswers:
    """Let gnubg analyse the cube, by its own match equity table.

    Args:
        boards: ``(n, 26)`` int8, seen by the side on roll, before the throw.
        states: the match state of each.
        ply: gnubg's look-ahead.

    Raises:
        PlayerError: gnubg is not installed, or it did not answer.
    """
    gnubg = find_gnubg()
    if gnubg is None:
        raise PlayerError("gnubg is not installed (Debian: apt install gnubg)")
    sides = np.stack([np.maximum(flip(boards), 0), np.maximum(boards, 0)], axis=1)[:, :, 1:]
    questions = [
        [
            board, state.cube, _OWNERS[state.owner], state.length,
            (state.opponent_score, state.score), int(state.crawford), int(state.jacoby),
            int(state.beavers), ply,
        ]
        for board, state in zip(sides.tolist(), states, strict=True)
    ]  # fmt: skip
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in ("questions", "answers", "script.py")}
        paths["questions"].write_text(json.dumps(questions))
        paths["script.py"].write_text(_SCRIPT)
        environment = os.environ | {
            "BGNET_QUESTIONS": str(paths["questions"]),
            "BGNET_ANSWERS": str(paths["answers"]),
            "HOME": folder,  # its settings stay out of it
        }
        run = subprocess.run(
            [gnubg, "-t", "-q", "-r", "-p", paths["script.py"]],
            stdin=subprocess.DEVNULL, capture_output=True, env=environment, cwd=folder, text=True,
            check=False,
        )  # fmt: skip
        if not paths["answers"].exists():
            raise PlayerError(f"gnubg did not answer: {(run.stderr or run.stdout)[-200:].strip()}")
        answers = json.loads(paths["answers"].read_text())
    chances = np.array([chance for chance, _ in answers], np.float32).reshape(-1, 5)
    equities = np.array([equity for _, equity in answers]).reshape(-1, 3)
    return GnubgAnswers(from_cumulative(chances), equities)
