"""The thin server of line protocols: limits, silence, and an orderly end."""

import io
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bgnet.frontends import server
from bgnet.frontends.server import (
    LONGEST_LINE,
    LineServer,
    read_lines,
    serve_lines,
    serve_until_stopped,
)


class Echo:
    """Says back what it hears."""

    def __init__(self) -> None:
        self.closed = False
        self.heard = 0

    def receive(self, line: str) -> list[str]:
        self.heard += 1
        self.closed = line == "bye"
        return [f"{self.heard} {line}"]


@contextmanager
def serving(**options: float) -> Iterator[LineServer]:
    listening = LineServer(("127.0.0.1", 0), Echo, **options)
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield listening
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def connect(listening: LineServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", listening.port), timeout=5)


def test_lines_in_pieces_with_nuls_are_lines() -> None:
    with serving() as listening, connect(listening) as peer, peer.makefile("rb") as replies:
        for piece in (b"ro", b"ll\n\0", b"take\r\n\0dou", b"ble\n"):
            peer.sendall(piece)
        assert [replies.readline() for _ in range(3)] == [b"1 roll\n", b"2 take\n", b"3 double\n"]


def test_every_connection_has_a_session_of_its_own() -> None:
    with serving() as listening, connect(listening) as a, connect(listening) as b:
        for peer in (a, b):
            peer.sendall(b"x\n")
            assert peer.recv(100) == b"1 x\n"


def test_a_line_too_long_is_cut_and_the_next_one_heard() -> None:
    with serving() as listening, connect(listening) as peer, peer.makefile("rb") as replies:
        peer.sendall(b"y" * 100_000 + b"\nnext\n")
        assert len(replies.readline()) == len("1 \n") + LONGEST_LINE + 1
        assert replies.readline() == b"2 next\n"


def test_bytes_that_are_no_text_do_no_harm() -> None:
    with serving() as listening, connect(listening) as peer, peer.makefile("rb") as replies:
        peer.sendall(b"\xff\xfe\x80\nnext\n")
        assert replies.readline().startswith(b"1 ")
        assert replies.readline() == b"2 next\n"


def test_a_goodbye_closes_the_connection_but_not_the_server() -> None:
    with serving() as listening:
        for _ in range(2):
            with connect(listening) as peer:
                peer.sendall(b"bye\n")
                assert peer.recv(100) == b"1 bye\n"
                assert peer.recv(100) == b""


def test_silent_peers_are_let_go() -> None:
    with serving(idle_seconds=0.05) as listening, connect(listening) as peer:
        assert peer.recv(100) == b""


def test_a_crowd_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 1)
    with serving() as listening, connect(listening) as first:
        first.sendall(b"x\n")
        assert first.recv(100) == b"1 x\n"
        with connect(listening) as second:
            assert second.recv(100) == b""


def test_the_end_ends_conversations() -> None:
    with serving() as listening:
        peer = connect(listening)
        peer.sendall(b"x\n")
        assert peer.recv(100) == b"1 x\n"
    with peer:
        assert peer.recv(100) == b""


def test_stops_on_sigterm() -> None:
    before = signal.getsignal(signal.SIGTERM)
    listening = LineServer(("127.0.0.1", 0), Echo)
    killer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM))
    killer.start()
    start = time.monotonic()
    serve_until_stopped(listening)
    assert time.monotonic() - start < 5
    assert signal.getsignal(signal.SIGTERM) == before
    with pytest.raises(OSError, match="refused"):
        connect(listening)


def test_the_same_session_on_streams() -> None:
    out = io.StringIO()
    serve_lines(Echo(), io.StringIO("a\nbye\nunheard\n"), out)
    assert out.getvalue() == "1 a\n2 bye\n"


@pytest.mark.parametrize("length", [8, 9, 10, 11, 12, 13, 30])
def test_lines_about_as_long_as_allowed(length: int) -> None:
    lines = list(read_lines(io.StringIO("\0" + "z" * length + "\r\nb\n\nlast"), longest=10))
    assert lines == ["z" * min(length, 11), "b", "", "last"]
