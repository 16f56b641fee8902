"""Lines that are nearly right: never a traceback, never silence, never a harmed session."""

import random
from collections.abc import Callable

import pytest
from test_frontends_external_player import ASKED

from bgnet.frontends import external_player, ubgi
from bgnet.frontends.decisions import Decider
from bgnet.notation.fibs_board import Dialect

BOARDS = [line for line, _ in ASKED.values()]
UBGI = [
    "position gnubgid 4HPwATDgc/ABMA",
    "position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "dice 6 1", "go chequer", "go cube", "go turn", "go role chequer movetime 500 depth 1",
    "set engine.ply 1", "set engine.level club", "get engine.ply", "newgame", "ubgi", "isready",
    "newsession type match length 5 jacoby off crawford on", "setscore 1 4", "setturn p0",
    "setcube value 2 owner p1", "setoption name Seed value 3",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", BOARDS[0],
]  # fmt: skip
ALPHABET = "0123456789-:/ \t=abBD\0\u00e9\u0663\u2028"


def mutated(line: str, rng: random.Random) -> str:
    """A line with a few characters or fields changed, left out, doubled or put in."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(line) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            line = line[:at] + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + rng.choice(ALPHABET) + line[at:]
        elif kind == 2:
            line = line[:at] + rng.choice(ALPHABET) + line[at + 1 :]
        else:
            separator = ":" if ":" in line else " "
            fields = line.split(separator)
            fields[rng.randrange(len(fields))] = rng.choice(
                ["", "0", "1", "-1", "15", "-15", "64", "9999", "-0", "1e9", "9" * 30]
            )
            line = separator.join(fields[:: 1 if kind == 3 else rng.choice([1, -1])])
    return line


def check_external(decider: Decider, times: int, dialect: Dialect) -> None:
    rng = random.Random(f"external {dialect}")
    session = external_player.Session(decider, dialect)
    for _ in range(times):
        line = mutated(rng.choice(BOARDS), rng)
        replies = session.receive(line)
        assert session.closed or len(replies) == 1, line
        assert all(reply.isprintable() and len(reply) < 255 for reply in replies), line


def check_ubgi(decider: Decider, times: int) -> None:
    rng = random.Random("ubgi")
    session = ubgi.Session(decider)
    for _ in range(times):
        line = rng.choice(UBGI)
        line = mutated(line, rng) if rng.random() < 0.7 else line
        if line.startswith(("set engine.ply", "go role")) or "depth" in line:
            continue  # deep looks take their time
        replies = session.receive(line)
        assert all(reply.isprintable() for reply in replies), (line, replies)
        if session.closed:
            session = ubgi.Session(decider)


CHECKS: list[Callable[[Decider, int], None]] = [
    lambda decider, times: check_external(decider, times, Dialect.GNUBG),
    lambda decider, times: check_external(decider, times, Dialect.FIBS),
    check_ubgi,
]


@pytest.mark.parametrize("check", CHECKS)
def test_mutated_lines_do_no_harm(decider: Decider, check: Callable[..., None]) -> None:
    check(decider, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
def test_very_many_mutated_lines_do_no_harm(decider: Decider, check: Callable[..., None]) -> None:
    check(decider, 100_000)
