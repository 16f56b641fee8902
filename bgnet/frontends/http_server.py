"""Serving the HTTP interfaces, in one process or in several that share a port."""

import contextlib
import multiprocessing
import socket
import threading
from collections.abc import Callable
from multiprocessing.connection import wait

import uvicorn

from .decisions import Decider
from .http_api import create_app
from .server import stopping_on_sigterm

#: Bytes of a request's line and headers.
_LONGEST_HEAD = 1 << 14
#: Connections at a time, in each process.
_MOST_CONNECTIONS = 512
#: Seconds for requests to be finished once the server is told to stop.
_GRACE = 5
#: Seconds between two looks at the processes.
_LOOKS = 0.2


class ServerError(ValueError):
    """A server that could not go on; the message says why."""


def serve(load: Callable[[], Decider], listening: socket.socket, idle_seconds: float,
          processes: int = 1) -> None:
    """Serve until SIGTERM or Ctrl-C; requests being answered are finished first.

    Args:
        load: makes the player that answers. With more than one process it is called in each,
            and must be picklable, such as ``functools.partial(Decider.load, ...)``.
        listening: where requests come in.
        idle_seconds: a connection silent for longer is closed.
        processes: how many share the work. Each batches the requests that it gets.

    Raises:
        ServerError: a process has died.
    """
    if processes == 1:
        _serve(load, listening, idle_seconds)
        return
    spawn = multiprocessing.get_context("spawn")
    arguments = (load, listening, idle_seconds)
    workers = [spawn.Process(target=_worker, args=arguments) for _ in range(processes)]
    stop = threading.Event()
    with stopping_on_sigterm(stop.set):
        try:
            for worker in workers:
                worker.start()
            while not (stop.is_set() or wait([w.sentinel for w in workers], _LOOKS)):
                continue
        finally:
            for worker in workers:
                if worker.pid is not None:
                    worker.terminate()
                    worker.join()
    if not stop.is_set():
        raise ServerError("a process of the server has died")


def _serve(load: Callable[[], Decider], listening: socket.socket, idle_seconds: float) -> None:
    """Serve in this process."""
    config = uvicorn.Config(
        create_app(load()), log_level="warning", access_log=False, http="h11", lifespan="off",
        timeout_keep_alive=max(1, int(idle_seconds)), timeout_graceful_shutdown=_GRACE,
        limit_concurrency=_MOST_CONNECTIONS, h11_max_incomplete_event_size=_LONGEST_HEAD,
    )  # fmt: skip
    # Once it has closed everything, uvicorn raises the signal again, which has been heard by then.
    with stopping_on_sigterm(lambda: None):
        uvicorn.Server(config).run(sockets=[listening])


def _worker(load: Callable[[], Decider], listening: socket.socket, idle_seconds: float) -> None:
    """Serve in a process of its own; Ctrl-C reaches all of them, and is no error."""
    with contextlib.suppress(KeyboardInterrupt):
        _serve(load, listening, idle_seconds)
