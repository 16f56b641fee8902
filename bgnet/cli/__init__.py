"""``bgnet`` on the command line: a module a command, loaded when it is called.

Here everything that can go wrong comes to its end: bad input is one sentence on standard error
and status 2, Ctrl-C is status 130, a reader who has gone away is no error of ours. A traceback is
a bug.
"""

import importlib
import io
import os
import sys
from collections.abc import Sequence

from .. import __version__

#: The commands in the order of ``bgnet --help``, and what each is for.
COMMANDS = {
    "eval": "evaluate a position, its cube and its plays; rate yours",
    "rollout": "play positions and plays out many times and average",
    "play": "play a game or a match against bgnet in the terminal",
    "duel": "let two players play each other",
    "benchmark": "measure what a player gives away on decisions with known answers",
    "decisions": "make such decisions of your own, labelled by deep look-ahead",
    "report": "measure networks against the baselines: a table and a plot",
    "review": "go through a match: errors, ratings and luck of both players",
    "rules": "the rules of a game",
    "shots": "the chance of being hit, at a distance or in a position",
    "exact": "the solved games, and how far a network is from their truth",
    "serve": "plug bgnet into gnubg, HTTP clients and UBGI controllers",
    "perft": "count the positions that legal plays reach",
}
#: Exit statuses: bad input, a reader gone (128 + SIGPIPE), Ctrl-C (128 + SIGINT).
BAD_INPUT, READER_GONE, INTERRUPTED = 2, 141, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Args:
        argv: its words behind ``bgnet``; by default those of this process.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    for stream_name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream_name) is None:  # closed by whoever started us
            setattr(sys, stream_name, open(os.devnull, mode))  # noqa: SIM115  to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot write a sign shows a ?
            stream.reconfigure(errors="replace")
    name = words[0] if words else "--help"
    try:
        status = _run(name, words[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # What is still in the buffer must not be written at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        return _bad_input(name, f"{about}{error.strerror or error}")
    except ValueError as error:
        if type(error).__module__.partition(".")[0] != __package__.partition(".")[0]:
            raise  # not one of ours, so nobody's bad input
        return _bad_input(name, str(error))


def _run(name: str, words: list[str]) -> int:
    """Run a command, or answer one of the two options that go without."""
    if name in ("--help", "-h"):
        print(_help())
        return 0
    if name == "--version":
        print(f"bgnet {__version__}")
        return 0
    if name not in COMMANDS:
        known = ", ".join(COMMANDS)
        return _bad_input(name, f"no command is called {name!r}; there are {known}")
    return int(importlib.import_module(f".{name}", __name__).main(words))


def _help() -> str:
    """What ``bgnet --help`` prints."""
    width = max(map(len, COMMANDS))
    commands = (f"  {name:<{width}}  {purpose}" for name, purpose in COMMANDS.items())
    return "\n".join([
        "usage: bgnet COMMAND ...",
        "",
        "A backgammon bot that learned from nothing but its own games.",
        "",
        "commands:",
        *commands,
        "",
        "'bgnet COMMAND --help' explains a command and gives examples.",
        "'bgnet --version' prints the version.",
    ])  # fmt: skip


def _bad_input(name: str, sentence: str) -> int:
    """Say what is wrong."""
    command = f"bgnet {name}" if name in COMMANDS else "bgnet"
    print(f"{command}: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT
