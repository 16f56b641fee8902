"""gnubg as a player of the arena, and what is done if it is none."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from real_gnubg import GNUBG, needs_gnubg

from bgnet.arena.duel import duel
from bgnet.cli import main
from bgnet.engine.baselines import player as baseline
from bgnet.engine.player import PlayerError
from bgnet.frontends.gnubg_client import GnubgServer
from bgnet.frontends.players import player
from bgnet.frontends.server import LineServer
from bgnet.game.dice import ROLLS
from bgnet.game.variants import RUSSIAN, STANDARD


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def gnubg_listening(home: Path) -> Iterator[int]:
    """A real gnubg as a server, at 0-ply and without the cube."""
    port = free_port()
    environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [str(GNUBG), "-t", "-q", "-r"], stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe,
        text=True, cwd=home, env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        evaluation = "set evaluation chequerplay evaluation"
        for command in (f"{evaluation} plies 0", f"{evaluation} cubeful off",
                        f"external 127.0.0.1:{port}"):  # fmt: skip
            process.stdin.write(command + "\n")
        process.stdin.flush()
        for _ in range(200):
            listening = Path("/proc/net/tcp").read_text()
            if f":{port:04X} 00000000:0000 0A" in listening:
                break
            time.sleep(0.05)
        yield port
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


@contextmanager
def answering(answer: Callable[[str], list[str]]) -> Iterator[int]:
    """Somebody who is no gnubg."""

    class Answers:
        closed = False

        def receive(self, line: str) -> list[str]:
            self.closed = line == "hang up"
            return answer(line)

    server = LineServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@needs_gnubg
@pytest.mark.peers
def test_the_real_gnubg_plays_in_the_arena(tmp_path: Path) -> None:
    with gnubg_listening(tmp_path) as port:
        gnubg = player(f"gnubg-external:{port}")
        assert isinstance(gnubg, GnubgServer) and gnubg.name == f"gnubg-external:{port}"
        with gnubg:
            result = duel(gnubg, baseline("random"), 6, seed=1)
        assert result.ppg > 0.5
        with GnubgServer("127.0.0.1", port) as again:  # it can be left and come back to
            assert again.ask("version").startswith("Interface")


@needs_gnubg
@pytest.mark.peers
def test_it_plays_what_the_same_networks_play_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("gnubg_nn")
    peer = baseline("gnubg")
    boards = STANDARD.starts(15)
    rolls = ROLLS[ROLLS[:, 0] != ROLLS[:, 1]]
    plays = STANDARD.legal_plays(boards, rolls)
    with gnubg_listening(tmp_path) as port, GnubgServer("127.0.0.1", port) as gnubg:
        chosen = gnubg.choose(boards, rolls, plays)
    assert (chosen == peer.choose(boards, rolls, plays)).mean() > 0.7


def test_nobody_there() -> None:
    with pytest.raises(PlayerError, match=r"no gnubg listens on .* external localhost"):
        player(f"gnubg-external:{free_port()}")


@pytest.mark.parametrize("name", ["gnubg-external:", "gnubg-external:x", "gnubg-external:70000"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(PlayerError, match="gnubg-external:PORT"):
        player(name)


def test_games_that_gnubg_does_not_play() -> None:
    with pytest.raises(PlayerError, match="does not play russian"):
        player("gnubg-external:1", RUSSIAN)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (["24/13"], "does not|cannot|24/13"), (["8-5 nonsense"], "answers"), ([""], "answers"),
        (["Error: badly formed board"], "badly formed"), (["x" * 10_000], "answers"),
    ],
)  # fmt: skip
def test_plays_that_are_none_are_not_played(answer: list[str], complaint: str) -> None:
    boards, rolls = STANDARD.starts(1), np.array([[3, 1]], np.int8)
    plays = STANDARD.legal_plays(boards, rolls)
    with (
        answering(lambda line: answer) as port,
        GnubgServer("127.0.0.1", port) as foreign,
        pytest.raises(PlayerError, match=complaint),
    ):
        foreign.choose(boards, rolls, plays)


def test_a_connection_that_ends() -> None:
    with (
        answering(lambda line: []) as port,
        GnubgServer("127.0.0.1", port) as foreign,
        pytest.raises(PlayerError, match="closed the connection"),
    ):
        foreign.ask("hang up")


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(lambda line: ["Error: no"]) as port:
        status = main(["duel", f"gnubg-external:{port}", "pubeval", "--games", "4"])
    assert status == 2 and "Error: no" in capsys.readouterr().err
