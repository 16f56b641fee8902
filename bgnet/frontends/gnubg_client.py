"""A running gnubg as a player of the arena: ``gnubg-external:4600``.

Started as ``external localhost:4600``, gnubg answers board lines with its plays, at whatever
strength it has been told: in gnubg, say before ::

    set evaluation chequerplay evaluation plies 2
    set evaluation chequerplay evaluation cubeful off
    external localhost:4600

(the second line because duels are played without a cube). It serves one client at a time: a second
``GnubgServer`` on the same port is refused until the first is closed. It answers one question at a
time: those of several threads are asked one after another.
"""

import contextlib
import re
import socket
import threading
import time
from itertools import pairwise
from typing import Self

import numpy as np

from ..engine.player import PlayerError
from ..game.match import MatchState
from ..game.plays import Plays
from ..game.referee import IllegalPlayError
from ..game.variants import STANDARD, Variant
from ..notation.errors import NotationError
from ..notation.fibs_board import Dialect, FibsBoard, format_fibs_board
from ..notation.plays import parse_play

PREFIX = "gnubg-external:"
_NAME = re.compile(rf"{PREFIX}(?:(?P<host>[^:]+):)?(?P<port>\d{{1,5}})")
#: Seconds to wait for an answer: gnubg at 4-ply takes its time.
_PATIENCE = 600.0
_LONGEST_ANSWER = 4096
#: Seconds in which a gnubg that has just been left listens again.
_RETURNS = 1.0


class GnubgServer:
    """A connection to gnubg; a ``Player``."""

    def __init__(self, host: str, port: int, variant: Variant = STANDARD,
                 scoring: str = "english") -> None:
        """
        Args:
            host: where gnubg runs.
            port: where it listens.
            variant: a game with the standard rules; gnubg must have been told it too.
            scoring: ``english`` plays for money, ``american`` for winning a match to one point.

        Raises:
            PlayerError: nobody listens there, or gnubg does not play that game.
        """
        if variant.rules is not STANDARD.rules:
            raise PlayerError(f"gnubg does not play {variant.name}")
        self.name = f"{PREFIX}{port}" if host == "127.0.0.1" else f"{PREFIX}{host}:{port}"
        self.variant = variant
        self._match = MatchState(length=int(scoring == "american"))
        self._lock = threading.Lock()
        self._socket = _connect(host, port)
        self._answers = self._socket.makefile(encoding="ascii", errors="replace", newline="\n")

    @classmethod
    def named(cls, name: str, variant: Variant = STANDARD, scoring: str = "english") -> Self:
        """The player of a name such as ``gnubg-external:4600``, the host in front if it is
        another one: ``gnubg-external:10.0.0.7:4600``.

        Raises:
            PlayerError: no such name, nobody listens there, or gnubg does not play that game.
        """
        parts = _NAME.fullmatch(name)
        if parts is None or not 0 < int(parts["port"]) < 1 << 16:
            raise PlayerError(f"a gnubg that listens is called {PREFIX}PORT, not {name[:60]!r}")
        return cls(parts["host"] or "127.0.0.1", int(parts["port"]), variant, scoring)

    def choose(self, boards: np.ndarray, rolls: np.ndarray, plays: Plays) -> np.ndarray:
        """The plays that gnubg makes; see ``Player``. It is not asked where there is no choice.

        Raises:
            PlayerError: gnubg has gone away, or answers what is no legal play.
        """
        firsts = [*plays.firsts(len(boards)).tolist(), len(plays.boards)]
        chosen = np.array(firsts[:-1], np.int64)
        for i, (first, end) in enumerate(pairwise(firsts)):
            if end - first > 1:
                high, low = sorted(rolls[i].tolist(), reverse=True)
                after = self._play(boards[i], (high, low))
                same = (plays.boards[first:end] == after).all(axis=1)
                chosen[i] += int(np.flatnonzero(same)[0])
        return chosen

    def _play(self, board: np.ndarray, roll: tuple[int, int]) -> np.ndarray:
        """The position after gnubg's play, seen by the side that rolls next."""
        asked = FibsBoard("bgnet", "opponent", True, board, self._match, roll)
        line = format_fibs_board(asked, Dialect.GNUBG, self.variant)
        answer = self.ask(line)
        try:
            return parse_play(answer, board, roll, self.variant).board
        except (NotationError, IllegalPlayError) as error:
            raise PlayerError(f"{self.name} answers {answer[:80]!r} to {line}: {error}") from None

    def ask(self, line: str) -> str:
        """gnubg's answer to one line.

        Raises:
            PlayerError: gnubg has gone away, or complains.
        """
        with self._lock:
            try:
                self._socket.sendall(f"{line}\n".encode())
                answer = self._answers.readline(_LONGEST_ANSWER)
            except OSError as error:
                raise PlayerError(f"{self.name} does not answer: {error}") from None
        if not answer:
            raise PlayerError(f"{self.name} has closed the connection")
        if answer.startswith("Error"):
            raise PlayerError(f"{self.name} answers {answer.strip()!r} to {line}")
        return answer.strip()

    def close(self) -> None:
        """Let gnubg serve somebody else."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._answers.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _connect(host: str, port: int) -> socket.socket:
    """A connection to who listens there, or will in a moment."""
    deadline = time.monotonic() + _RETURNS
    while True:
        try:
            return socket.create_connection((host, port), _PATIENCE)
        except OSError as error:
            if isinstance(error, ConnectionRefusedError) and time.monotonic() < deadline:
                time.sleep(0.02)
                continue
            raise PlayerError(
                f"no gnubg listens on {host}:{port} ({error.strerror or error}); "
                f"start one and say: external localhost:{port}"
            ) from None
