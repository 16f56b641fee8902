"""A thin server for protocols of lines: sockets, limits and an orderly end, and no protocol.

What is said is the business of a ``Session``, one for each connection. The same sessions can be
served on standard input and output.
"""

import signal
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Protocol, TextIO

#: The longest line that is handed to a session; of a longer one only the beginning is, one
#: character too many, which tells the session that there was more.
LONGEST_LINE = 4096
#: Seconds after which a silent peer is let go. People think long.
IDLE_SECONDS = 3600.0
#: Connections at a time.
MOST_CONNECTIONS = 64


class Session(Protocol):
    """One conversation in some protocol, without a socket.

    A session belongs to one connection and is asked by one thread at a time.
    """

    closed: bool
    """Set by a session when the other side has said goodbye."""

    def receive(self, line: str) -> list[str]:
        """What to reply to a line, each reply a line without its end. It never raises: whatever
        comes in, the conversation goes on."""


class LineServer(socketserver.ThreadingTCPServer):
    """Listens, and gives every connection a session and a thread of its own."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        new_session: Callable[[], Session],
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """
        Args:
            address: host and port; port 0 takes a free one, which ``port`` then tells.
            new_session: called for every connection, in its thread.
            idle_seconds: a peer silent for longer is let go.

        Raises:
            OSError: the address is taken or not ours.
        """
        self.new_session = new_session
        self.idle_seconds = idle_seconds
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._open: set[socket.socket] = set()
        super().__init__(address, _Connection)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for one more; if not, the connection is closed at once."""
        return self._places.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection, which is known while it is open."""
        self._open.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.discard(request)
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A peer that has gone away is nobody's error; anything else is shown."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Stop listening, and end the conversations."""
        super().server_close()
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it has just ended


class _Connection(socketserver.StreamRequestHandler):
    server: LineServer
    disable_nagle_algorithm = True

    def handle(self) -> None:
        session = self.server.new_session()
        self.request.settimeout(self.server.idle_seconds)
        text = self.request.makefile(encoding="utf-8", errors="replace", newline="\n")
        for line in read_lines(text):
            replies = session.receive(line)
            self.wfile.write("".join(f"{reply}\n" for reply in replies).encode())
            if session.closed:
                break


def read_lines(stream: TextIO, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Lines without their ends and without the NULs that some programs send after them.

    Args:
        stream: where they come from, until its end.
        longest: a longer line is cut to one character more than this.

    >>> import io
    >>> list(read_lines(io.StringIO("roll\\r\\n\\0take\\n"), longest=3))
    ['roll', 'take']
    >>> list(read_lines(io.StringIO("much too long\\nnext\\n"), longest=4))
    ['much ', 'next']
    """
    while line := stream.readline(longest + 2):
        rest = line
        while not rest.endswith("\n") and (rest := stream.readline(longest)):
            continue
        line = line.strip("\0\r\n")
        if line or rest:
            yield line[: longest + 1]


def serve_lines(session: Session, stream: TextIO, out: TextIO) -> None:
    """Hold one conversation on two streams, until one side ends it."""
    for line in read_lines(stream):
        for reply in session.receive(line):
            print(reply, file=out, flush=True)
        if session.closed:
            break


def serve_until_stopped(server: LineServer) -> None:
    """Serve until SIGTERM or Ctrl-C comes; then close everything in good order."""
    stop = threading.Event()
    thread = threading.Thread(target=server.serve_forever, name="server", daemon=True)
    with stopping_on_sigterm(lambda: stop.set()):
        thread.start()
        try:
            stop.wait()
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class stopping_on_sigterm:  # in small letters, being read as a phrase: with stopping_on_sigterm()
    """A context in which SIGTERM calls a function instead of killing the process."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGTERM, self._handle)

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGTERM, self._before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._stop()
