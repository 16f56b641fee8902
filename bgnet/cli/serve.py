"""``bgnet serve``: plug bgnet into other programs."""

import argparse
import contextlib
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..frontends import external_player, ubgi
from ..frontends.decisions import Decider
from ..frontends.server import (
    IDLE_SECONDS,
    LineServer,
    serve_lines,
    serve_until_stopped,
    stopping_on_sigterm,
)
from ..notation.fibs_board import Dialect
from .arguments import MOST_PROCESSES, Parser, UsageError, at_least

_PORTS = {"external": 4500, "http": 8080}
_DESCRIPTION = """\
Plug bgnet into other programs.

  external   gnubg's external player: in gnubg, say
             set player 1 external localhost:4500
  http       JSON over HTTP, wildbg's /move and /eval included; /docs explains
             it (needs the web extra: pip install "bgnet[web]")
  ubgi       UBGI 0.2 on standard input and output, for its tournament managers

Servers listen on this machine only, unless --host says otherwise, and end on
SIGTERM and Ctrl-C."""
_EXAMPLES = """\
  bgnet serve external --ply 1
  bgnet serve http --port 8080 --level club
  bgnet serve ubgi --net runs/mine/net.safetensors --seconds 2"""


class ServeError(ValueError):
    """A server that cannot be started; the message says why."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``bgnet serve``; see ``bgnet.cli.main``."""
    args = _parser().parse(sys.argv[2:] if argv is None else argv)
    if args.protocol == "ubgi" and (args.host or args.port is not None):
        raise UsageError("ubgi is spoken on standard input and output: it has no host and no port")
    if args.protocol != "http" and args.processes != 1:
        raise UsageError("only http is served by several processes")
    load = partial(
        Decider.load, args.net, args.variant, args.ply, args.scoring, args.level, args.seed,
        args.seconds,
    )  # fmt: skip
    {"external": _external, "http": _http, "ubgi": _ubgi}[args.protocol](load, args)
    return 0


def _parser() -> Parser:
    parser = Parser("serve", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("protocol", choices=("external", "http", "ubgi"), metavar="PROTOCOL",
                        help="external, http or ubgi")  # fmt: skip
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1)")
    ports = ", ".join(f"{name} {port}" for name, port in _PORTS.items())
    options: list[tuple[str, dict[str, Any], str]] = [
        ("--port", {"type": at_least(0), "metavar": "N"},
         f"port to listen on; 0 takes a free one (default: {ports})"),
        ("--seconds", {"type": _seconds, "metavar": "S"},
         "limit for a decision: plies that would take longer are left out"),
        ("--idle", {"type": _seconds, "metavar": "S", "default": IDLE_SECONDS},
         "let go of who is silent for so long (default: %(default)g seconds)"),
        ("--processes", {"type": at_least(1, MOST_PROCESSES), "metavar": "N", "default": 1},
         "http: processes that share the work (default: 1)"),
        ("--dialect", {"choices": list(Dialect), "default": Dialect.GNUBG},
         "external: what board lines mean (default: gnubg)"),
        ("--jacoby", {"action": "store_true"},
         "external: money games are played with the Jacoby rule"),
        ("--beavers", {"action": "store_true"}, "external: beavers are played for money"),
        ("--no-resign", {"action": "store_true"}, "external: play lost races to the end"),
    ]  # fmt: skip
    for name, how, text in options:
        parser.add_argument(name, help=text, **how)
    parser.add_level()
    parser.add_seed(None, "the errors of a weaker level")
    parser.add_game()
    parser.add_network()
    return parser


def _seconds(text: str) -> float:
    """A type of argument: a time in seconds."""
    with contextlib.suppress(ValueError):
        if 0 < float(text) < 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of seconds above 0")


def _address(args: argparse.Namespace) -> tuple[str, int]:
    port = _PORTS[args.protocol] if args.port is None else args.port
    if port > 65535:
        raise UsageError(f"a port is 0 to 65535, not {port}")
    return args.host or "127.0.0.1", port


def _external(load: Callable[[], Decider], args: argparse.Namespace) -> None:
    decider = load()
    host, port = _address(args)
    server = LineServer(
        (host, port),
        lambda: external_player.Session(
            decider, args.dialect, jacoby=args.jacoby, beavers=args.beavers,
            resigns=not args.no_resign,
        ),
        args.idle,
    )  # fmt: skip
    print(f"{decider.engine.name} listens on {host}:{server.port}; in gnubg, say", file=sys.stderr)
    print(f"set player 1 external {host}:{server.port}", file=sys.stderr, flush=True)
    serve_until_stopped(server)


def _http(load: Callable[[], Decider], args: argparse.Namespace) -> None:
    try:
        from ..frontends import http_server
    except ImportError as error:
        raise ServeError(
            f'http needs the package {error.name}: pip install "bgnet[web]"'
        ) from error
    host, port = _address(args)
    decider = load()
    with socket.create_server((host, port)) as listening:
        where = f"http://{host}:{listening.getsockname()[1]}"
        print(f"{decider.engine.name} on {where}/docs", file=sys.stderr, flush=True)
        # Other processes load the network for themselves.
        again = load if args.processes > 1 else lambda: decider
        http_server.serve(again, listening, args.idle, args.processes)


def _ubgi(load: Callable[[], Decider], args: argparse.Namespace) -> None:
    session = ubgi.Session(load())
    with stopping_on_sigterm(lambda: sys.exit(0)):
        serve_lines(session, sys.stdin, sys.stdout)
