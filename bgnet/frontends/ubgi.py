"""UBGI, the Universal Backgammon Interface, version 0.2, spoken on standard input and output.

A controller sets up a position, gives dice and says ``go``. It may also speak version 0.1
(``setoption``, ``go role chequer``, score and cube by ``newsession``, ``setscore``, ``setcube``,
``setturn``), or the first draft, in which a bare XGID or FIBS board line is answered by what the
player does. Whatever cannot be understood is answered by an ``error`` line, and changes nothing.

The plies of UBGI count the play itself: ``engine.ply`` 1 is the network alone, our 0-ply.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .. import __version__
from ..engine.engine import LEVELS, MOST_PLIES
from ..game.match import Offer
from ..game.referee import point_name
from ..game.steps import Step
from ..notation.fibs_board import Dialect, parse_fibs_board
from ..notation.gnubg_id import parse_position
from ..notation.plays import parse_roll
from ..notation.xgid import PREFIX
from ..position import Position
from .decisions import Decider
from .ubgi_table import Refused, Table, on_off, whole_number

_LONGEST_LINE = 1024
_LONGEST_LIMIT = 3_600_000  # milliseconds
_ROLES = ("chequer", "cube", "turn")
_ANSWERS = {"take": "take", "pass": "drop", "beaver": "beaver"}
#: Options of version 0.1 and the keys that they have become; those without one are granted.
_OPTIONS = {"Seed": "engine.seed", "Threads": None, "Deterministic": None}


class Session:
    """One controller. Asked by one thread at a time; many sessions may share a ``Decider``."""

    def __init__(self, decider: Decider) -> None:
        """
        Args:
            decider: who plays, until the controller changes its look-ahead or level.
        """
        self.closed = False
        self._decider = decider
        self._seed = 0
        self._table = Table()
        self._board: np.ndarray | None = None
        self._dice: tuple[int, int] | None = None
        self._commands: dict[str, Callable[[list[str]], list[str]]] = {
            "ubgi": self._hello, "isready": lambda words: ["readyok"], "quit": self._quit,
            "newgame": self._new_game, "position": self._set_position, "dice": self._set_dice,
            "go": self._go, "stop": lambda words: [],
            "set": self._set, "get": self._get, "keys": lambda words: self._keys(),
            "setoption": self._set_option, "newsession": self._table_command,
            "setscore": self._table_command, "setcube": self._table_command,
            "setturn": self._table_command,
        }  # fmt: skip

    def receive(self, line: str) -> list[str]:
        """The replies to a line; to some lines there is none.

        >>> import numpy as np
        >>> from bgnet.engine.engine import Engine
        >>> from bgnet.engine.evaluator import Evaluator
        >>> from bgnet.engine.search import Search
        >>> from bgnet.game.variants import STANDARD
        >>> blank = Evaluator(STANDARD, lambda rows: np.zeros((len(rows), 6), np.float32))
        >>> session = Session(Decider(Engine(Search(blank, ply=0))))
        >>> session.receive("position gnubgid t02oASACAAAAAA"), session.receive("dice 5 1")
        ([], [])
        >>> session.receive("go chequer")
        ['bestmove 2/1 1/off']
        >>> session.receive("go chequer")
        ['error bad_state missing dice']
        """
        words = line.split()
        if not words:
            return []
        if words[0].startswith((PREFIX, "board:")):
            return self._decide(line.strip())
        try:
            if len(line) > _LONGEST_LINE:
                raise Refused("bad_command", f"a line has {_LONGEST_LINE} characters at most")
            if not "".join(words).isprintable():
                raise Refused("bad_command", "a line is made of printable characters")
            if words[0] not in self._commands:
                raise Refused("bad_command", f"there is no command {words[0][:40]!r}")
            return self._commands[words[0]](words)
        except Refused as refused:
            return [f"error {refused.code} {refused}"]
        except ValueError as error:
            return [f"error bad_value {' '.join(str(error).split())}"]

    def _hello(self, words: list[str]) -> list[str]:
        name = f"id name bgnet {__version__} ({self._decider.engine.name})"
        return [name, "id author the bgnet authors", "proto 0.2", *self._keys(), "ubgiok"]

    def _quit(self, words: list[str]) -> list[str]:
        self.closed = True
        return []

    # -- the position ------------------------------------------------------------------------

    def _new_game(self, words: list[str]) -> list[str]:
        self._board = self._dice = None
        self._table.new_game()
        return []

    def _set_position(self, words: list[str]) -> list[str]:
        if len(words) != 3:
            raise Refused("bad_command", "expected: position gnubgid ID, or: position xgid XGID")
        if words[1] == "gnubgid":
            self._board = parse_position(words[2], self._decider.variant)
            self._table.forget_given()
            self._dice = None
        elif words[1] == "xgid":
            position = Position.parse(words[2], self._decider.variant)
            self._board = position.board
            self._table.give(position.match)
            self._dice = position.roll
        else:
            raise Refused("unsupported", f"position {words[1][:40]}: there are gnubgid and xgid")
        return []

    def _set_dice(self, words: list[str]) -> list[str]:
        self._dice = parse_roll(" ".join(words[1:]))
        return []

    def _table_command(self, words: list[str]) -> list[str]:
        self._table.command(words)
        return []

    # -- decisions ---------------------------------------------------------------------------

    def _go(self, words: list[str]) -> list[str]:
        """``go``, ``go chequer``, or with limits ``go role chequer movetime 500 depth 2``."""
        words = [word for word in words[1:] if word != "role"]
        role = words.pop(0) if words and words[0] in _ROLES else "chequer"
        decider = self._limited(words)
        if self._board is None:
            raise Refused("bad_state", "missing position")
        match = self._table.match(cube=role != "chequer")
        before = Position(self._board, match=match, variant=decider.variant)
        if before.result:
            raise Refused("bad_state", "the game is over")
        cube = ""
        if role != "chequer":
            if match.offer is not Offer.NONE:
                return [f"bestcube {_ANSWERS[decider.answers(before)]}"]
            cube = "double" if decider.doubles(before) else "nodouble"
        elif match.offer is not Offer.NONE:
            raise Refused("bad_state", f"the {match.offer} must be answered first: go cube")
        if role == "cube":
            return [f"bestcube {cube}"]
        if self._dice is None:
            raise Refused("bad_state", "missing dice")
        move = spell(decider.chequer_play(before.rolled(self._dice))) or "pass"
        self._dice = None
        return [f"bestmove {move}" if role == "chequer" else f"bestturn cube={cube} move={move}"]

    def _limited(self, words: list[str]) -> Decider:
        """The decider with the limits of a ``go``."""
        decider = self._decider
        if len(words) % 2:
            raise Refused("bad_command", "expected: go [chequer|cube|turn] [movetime MS] [depth N]")
        for name, value in zip(words[::2], words[1::2], strict=True):
            if name == "movetime":
                milliseconds = whole_number(name, value, 1, _LONGEST_LIMIT)
                decider = replace(decider, seconds=milliseconds / 1000)
            elif name == "depth":
                decider = looking(decider, whole_number(name, value, 1, MOST_PLIES + 1) - 1)
            else:
                raise Refused("unsupported", f"go {name[:40]}")
        return decider

    def _decide(self, text: str) -> list[str]:
        """The first draft: a position is answered by what the player does."""
        try:
            if len(text) > _LONGEST_LINE:
                raise ValueError("too long")
            variant = self._decider.variant
            if text.startswith(PREFIX):
                position = Position.parse(text, variant)
            else:
                read = parse_fibs_board(text, Dialect.FIBS, variant)
                roll = read.roll if read.match.offer is Offer.NONE else None
                position = Position(read.board, roll=roll, match=read.match, variant=variant)
            if position.match.offer is not Offer.NONE:
                return [_ANSWERS[self._decider.answers(position)]]
            if position.result:
                raise ValueError("the game is over")
            if position.roll:
                return [spell(self._decider.chequer_play(position))]
            return ["double" if self._decider.doubles(position) else "roll"]
        except ValueError:
            return ["sorry"]

    # -- settings ----------------------------------------------------------------------------

    def _values(self) -> dict[str, tuple[str, str]]:
        """Every key: its type and range, and its value."""
        seconds = self._decider.seconds
        level = next(n for n, noise in LEVELS.items() if noise == self._decider.engine.noise)
        variant = self._decider.variant.name
        return {
            "game.variant": (f"enum {variant}", variant),
            "game.cube": ("bool", str(self._table.cube).lower()),
            "game.jacoby": ("bool", str(self._table.jacoby).lower()),
            "engine.ply": (f"int 1..{MOST_PLIES + 1}", str(self._decider.engine.search.ply + 1)),
            "engine.level": (f"enum {'|'.join(LEVELS)}", level),
            "engine.movetime": (f"int 0..{_LONGEST_LIMIT}", str(round(1000 * (seconds or 0)))),
            "engine.seed": ("int *", str(self._seed)),
        }

    def _keys(self) -> list[str]:
        about = {
            "game.variant": "the game that the network plays",
            "game.cube": "whether plays are chosen with the cube in mind",
            "game.jacoby": "whether the Jacoby rule is in force for money",
            "engine.ply": "look-ahead, the play itself counted",
            "engine.level": "how well it plays",
            "engine.movetime": "! limit for a decision in milliseconds, 0 for none",
            "engine.seed": "! decides the errors of a level below expert",
        }
        values = self._values()
        return [f"key {key} {' '.join(values[key])} {text}" for key, text in about.items()]

    def _set(self, words: list[str]) -> list[str]:
        if len(words) != 3:
            raise Refused("bad_command", "expected: set KEY VALUE")
        key, value = words[1:]
        if key == "game.variant":
            if value != self._decider.variant.name:
                raise Refused("unsupported", f"this network plays {self._decider.variant.name}")
        elif key == "game.cube":
            self._table.cube = on_off(key, value)
        elif key == "game.jacoby":
            self._table.jacoby = on_off(key, value)
        elif key == "engine.ply":
            ply = whole_number(key, value, 1, MOST_PLIES + 1) - 1
            self._decider = looking(self._decider, ply)
        elif key == "engine.level":
            if value not in LEVELS:
                raise Refused("bad_value", f"{key} must be one of {', '.join(LEVELS)}")
            self._seeded(LEVELS[value])
        elif key == "engine.movetime":
            milliseconds = whole_number(key, value, 0, _LONGEST_LIMIT)
            self._decider = replace(self._decider, seconds=milliseconds / 1000 or None)
        elif key == "engine.seed":
            self._seed = whole_number(key, value, 0, 2**63 - 1)
            self._seeded(self._decider.engine.noise)
        else:
            raise Refused("unsupported", f"there is no key {key[:40]!r}; 'keys' lists them")
        return []

    def _seeded(self, noise: float) -> None:
        engine = replace(
            self._decider.engine, noise=noise, rng=np.random.default_rng(self._seed)
        )
        self._decider = replace(self._decider, engine=engine)

    def _get(self, words: list[str]) -> list[str]:
        if len(words) != 2:
            raise Refused("bad_command", "expected: get KEY")
        values = self._values()
        if words[1] not in values:
            raise Refused("unsupported", f"there is no key {words[1][:40]!r}; 'keys' lists them")
        return [f"value {words[1]} {values[words[1]][1]}"]

    def _set_option(self, words: list[str]) -> list[str]:
        """``setoption name NAME value VALUE`` of version 0.1."""
        if len(words) != 5 or words[1::2] != ["name", "value"]:
            raise Refused("bad_command", "expected: setoption name NAME value VALUE")
        name, value = words[2], words[4]
        if name == "EvalMode":
            if value not in ("cubeless", "cubeful"):
                raise Refused("bad_value", "EvalMode must be cubeless or cubeful")
            self._table.cube = value == "cubeful"
            return []
        key = _OPTIONS.get(name, name)
        return [] if key is None else self._set(["set", key, value])


def looking(decider: Decider, ply: int) -> Decider:
    """The same player with another look-ahead."""
    engine = replace(decider.engine, search=replace(decider.engine.search, ply=ply))
    return replace(decider, engine=engine)


def spell(steps: tuple[Step, ...]) -> str:
    """Steps with every die spelled out, in the protocol's words; nothing for a dance.

    >>> spell((Step(25, 20, True), Step(6, 0, False)))
    'bar/20 6/off'
    """
    return " ".join(f"{point_name(step.source)}/{point_name(step.target)}" for step in steps)
