"""The command line's words: the parser of all commands, and the options that several share."""

import argparse
import re
import textwrap
from collections.abc import Sequence
from typing import Any, NoReturn

from ..engine.engine import LEVELS, MOST_PLIES
from ..game.scoring import SCORINGS
from ..game.variants import VARIANTS, Variant

#: Of a duel or rollout, and processes that share work: what nobody means by mistake.
MOST_GAMES, MOST_PROCESSES = 10**7, 256
_BARE_XGID = re.compile(r"[-A-Pa-p]{26}(:.*)?")


class UsageError(ValueError):
    """A command line that does not say what to do."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence, and which takes an XGID for what it is
    although it may begin with a dash."""

    def __init__(self, command: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"bgnet {command}",
            description=_filled(description),
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage: errors have one way out."""
        raise UsageError(f"{message}; '{self.prog} --help' explains")

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse the words behind the command.

        >>> parser = Parser("eval", "", "")
        >>> _ = parser.add_argument("position")
        >>> parser.parse(["-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"]).position[:6]
        'XGID=-'
        """
        return self.parse_args(
            [f"XGID={word}" if _BARE_XGID.fullmatch(word) else word for word in argv]
        )

    # -- options that several commands share -------------------------------------------------

    def add_variant(self) -> None:
        """``--variant``."""
        self.add_argument(
            "--variant", choices=VARIANTS, default="backgammon", metavar="GAME",
            help=f"{', '.join(VARIANTS)} (default: %(default)s)",
        )  # fmt: skip

    def add_game(self) -> None:
        """``--variant`` and ``--scoring``."""
        self.add_variant()
        self.add_argument(
            "--scoring", choices=SCORINGS, default="english",
            help="english (default): gammons and backgammons count; american: every game is one",
        )  # fmt: skip

    def add_network(self) -> None:
        """``--net`` and ``--ply``."""
        self.add_argument(
            "--net", default="default", metavar="NAME|PATH",
            help="a shipped network's name or a checkpoint (default: the variant's own)",
        )  # fmt: skip
        self.add_argument(
            "--ply", type=int, choices=range(MOST_PLIES + 1), default=0,
            help="how far to look ahead; 0 (default) is the network alone",
        )  # fmt: skip

    def add_level(self) -> None:
        """``--level``."""
        self.add_argument(
            "--level", choices=LEVELS, default="expert",
            help="how well it plays: weaker levels misjudge plays (default: expert)",
        )  # fmt: skip

    def add_games(self, games: int) -> None:
        """``--games`` and ``--seed``."""
        self.add_argument(
            "--games", type=at_least(1, MOST_GAMES), default=games, metavar="N",
            help="how many games a duel, in pairs with the same dice (default: %(default)s)",
        )  # fmt: skip
        self.add_seed(1)

    def add_seed(self, default: int | None, decides: str = "all dice") -> None:
        """``--seed``."""
        known = "different each time" if default is None else "%(default)s"
        self.add_argument(
            "--seed", type=at_least(0), default=default, metavar="S",
            help=f"decides {decides} (default: {known})",
        )  # fmt: skip

    def add_json(self) -> None:
        """``--json``."""
        self.add_argument("--json", action="store_true", help="answer for programs, unrounded")


class at_least:  # in small letters, being read as a word: type=at_least(1)
    """A type of argument: a whole number from a least one on, and up to a greatest one."""

    def __init__(self, least: int, most: int = 10**18) -> None:
        self.least, self.most = least, most

    def __call__(self, text: str) -> int:
        number = int(text[:100]) if re.fullmatch(r"-?[0-9]+", text) else self.least - 1
        if number < self.least:
            raise argparse.ArgumentTypeError(
                f"{text[:40]!r} is not a whole number from {self.least} on"
            )
        if number > self.most:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is more than {self.most:,}")
        return number


def _filled(text: str) -> str:
    """Paragraphs filled to lines of a terminal; those with indented lines are lists, and stay."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(p if "\n " in p else textwrap.fill(p, 79) for p in paragraphs)


def variant(args: Any) -> Variant:
    """The game that ``--variant`` names."""
    return VARIANTS[args.variant]
