"""Many clients at once against ``/move``: requests a second, and how long the slowest waited.

By hand, from the root of the repository, while ``bgnet serve http`` runs::

    python tests/http_load.py 8080 --clients 32 --seconds 10
"""

import argparse
import asyncio
import time
from dataclasses import dataclass

import numpy as np

from bgnet.game.dice import ROLLS
from bgnet.game.variants import STANDARD


@dataclass(frozen=True)
class Load:
    """What was measured."""

    per_second: float
    """Requests answered a second, all clients together."""
    median: float
    """Seconds from question to answer."""
    p99: float
    """Seconds in which 99 of 100 were answered."""
    failed: int
    """Answers that were none."""


def queries(number: int, seed: int = 1) -> list[str]:
    """``/move`` for positions of random games."""
    rng = np.random.default_rng(seed)
    board, found = STANDARD.start, []
    while len(found) < number:
        roll = rng.choice(ROLLS)
        pips = "&".join(f"p{slot}={men}" for slot, men in enumerate(board.tolist()) if men)
        found.append(f"/move?die1={roll[0]}&die2={roll[1]}&{pips}")
        boards = STANDARD.legal_plays(board[None], roll[None]).boards
        board = boards[rng.integers(len(boards))]
        if STANDARD.result(board[None])[0] >= 0:
            board = STANDARD.start
    return found


def measure(port: int, clients: int = 32, seconds: float = 10.0, host: str = "127.0.0.1") -> Load:
    """Let clients ask one question after another, each on a connection of its own."""
    asked = queries(512)
    waits: list[float] = []
    failed = 0

    async def client(number: int, until: float) -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection(host, port)
        at = number * 16
        while (start := time.monotonic()) < until:
            query = asked[at % len(asked)]
            at += 1
            writer.write(f"GET {query} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            waits.append(time.monotonic() - start)
            failed += not (head.startswith(b"HTTP/1.1 200") and body.startswith(b'{"moves":[{'))
        writer.close()

    async def all_clients() -> None:
        until = time.monotonic() + seconds
        await asyncio.gather(*(client(number, until) for number in range(clients)))

    asyncio.run(all_clients())
    median, p99 = np.quantile(waits, (0.5, 0.99)).tolist()
    return Load(len(waits) / seconds, median, p99, failed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    print(measure(args.port, args.clients, args.seconds))
