"""The real gnubg plays against the external player over its socket."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from real_gnubg import gnubg

from bgnet.frontends.decisions import Decider
from bgnet.frontends.external_player import Session
from bgnet.frontends.server import LineServer


class Recorded(Session):
    """A session whose conversation can be looked at."""

    said: list[tuple[str, str]]
    leaves_after: int | None = None
    """Replies after which the connection is lost."""

    def receive(self, line: str) -> list[str]:
        replies = super().receive(line)
        self.said += [(line, reply) for reply in replies]
        self.closed |= len(self.said) == self.leaves_after
        return replies


@contextmanager
def listening(
    decider: Decider, leaves_after: int | None = None, **rules: bool
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """An external player on a free port: the port, and everything that is said there."""
    said: list[tuple[str, str]] = []

    def session() -> Recorded:
        new = Recorded(decider, **rules)
        new.said, new.leaves_after = said, leaves_after
        return new

    server = LineServer(("127.0.0.1", 0), session)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.port, said
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def opponent(seat: int, port: int) -> list[str]:
    """gnubg's commands for a game against us in this seat, without look-ahead."""
    evaluations = ("chequerplay", "cubedecision")
    return [
        "set display off", "set rng mersenne", f"set seed {seat + 1}",
        f"set player {1 - seat} gnubg",
        *(f"set player {1 - seat} {kind} evaluation plies 0" for kind in evaluations),
        f"set player {seat} external 127.0.0.1:{port}",
    ]  # fmt: skip


def play_matches(
    decider: Decider, home: Path, matches: int, length: int, seat: int
) -> tuple[str, list[tuple[str, str]]]:
    """Whole matches of gnubg against us.

    Returns:
        What gnubg printed, and what was said on the socket.
    """
    with listening(decider) as (port, said):
        commands = [f"new match {length}"] * matches
        return gnubg(home, *opponent(seat, port), *commands), said
