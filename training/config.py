"""What a training job is told: one flat list of settings, explained where they are defined.

A preset is a TOML file that holds only what differs from here. ``--any-field value`` on the
command line overrides both.
"""

import difflib
import tomllib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args, get_origin

from bgnet.engine import baselines
from bgnet.engine.bearoff import Bearoff
from bgnet.game.scoring import SCORINGS
from bgnet.game.variants import VARIANTS
from bgnet.nets.network import Architecture

from .starts import STARTS
from .widen import fits

PRESETS = Path(__file__).parent / "presets"
METHODS = ("segments", "online")


class ConfigError(ValueError):
    """A setting that does not exist or cannot be so."""


@dataclass(frozen=True)
class Config:
    """A training job."""

    variant: str = "backgammon"
    """The game to learn."""
    scoring: str = "english"
    """What games are played for: english (gammons count) or american (every game is a hit)."""
    encoder: str = "points"
    """What the network sees of a position."""
    hidden: tuple[int, ...] = (128,)
    """Units of each hidden layer."""
    plans: str = "none"
    """Game plans that have weights of their own. none: the same for all positions. behind: nine,
    by how many men each side has behind. phases: fifteen, by up to three men behind and with races
    apart; begins from a network of either."""
    activation: str = "relu"
    """What a hidden unit does with its sum: relu or sigmoid."""
    method: str = "segments"
    """segments: many games in lockstep, lambda-returns, batches. online: TD-Gammon's own way, one
    game at a time with eligibility traces."""
    bearoff: bool = True
    """End games where the exact bear-off table knows the rest."""

    seed: int = 1
    """Decides initial weights, dice and shuffles."""
    minutes: float = 0.0
    """Train for so long, duels not counted (0: no limit). The learning rate falls over the time
    or the games."""
    games: int = 0
    """Train for so many games, those of all processes counted (0: no limit)."""
    processes: int = 1
    """Processes that play and learn together, each from its own games; after every round of play
    and learning their weights are averaged."""
    threads: int = 1
    """Threads of each process."""

    lockstep: int = 256
    """Games that a process plays at once."""
    segment: int = 16
    """Turns of each game between two rounds of learning."""
    lam: float = 0.7
    """Lambda at the start: how far a target looks past the next position, 0 to 1 (the end)."""
    lam_end: float = 0.7
    """Lambda at the end, reached in a straight line."""
    look_ahead: int = 0
    """Where targets come from. 0: lambda-returns of the games played. 1 or more: the network's own
    look-ahead by so many plies over all rolls, which is slower and has no luck in it (polish);
    with lambda above 0, put right by what the look-ahead of later turns found."""
    scout: int = 0
    """Units of a small second network, which learns the same and then goes ahead: of the many
    plays to compare, the real one is asked about those that the scout finds promising (0: none)."""
    noise: float = 0.0
    """Play below one's best, to see more kinds of positions: each game has a level from 0 to so
    many points, the standard deviation of what is added to the worth of its plays. Needs targets
    by look-ahead, which take no notice of how a game goes on after a play that was not the best."""
    starts: str = "game"
    """Where games begin. game: where the rules say. scattered: half of them with every man thrown
    anywhere, since play with few men leaves most positions out. crashed: a quarter of them with one
    side waiting behind and its home given up, which good play seldom meets and is hard to judge.
    race: with the sides past each other, for a network that is asked about races alone."""
    replay: int = 0
    """Earlier segments that are kept, and learnt from again together with the new one."""
    passes: int = 2
    """Times that each position is learnt from."""
    batch: int = 256
    """Positions of a step, in each process."""
    lr: float = 2e-3
    """Learning rate at the start."""
    lr_end: float = 5e-5
    """Learning rate at the end, reached exponentially."""
    average: float = 0.999
    """Share that the averaged network, the one that is saved, keeps of itself at each step, less
    during the first steps. 0 saves the network itself. (Of segments; online saves what it has.)"""
    steady: bool = False
    """Let the averaged network play and look ahead, not the one that is learning, which wavers
    with every step and would be taught its own wavering. The average then has its full memory from
    the first step on, so begin with a network that knows the game (--init)."""

    save_minutes: float = 2.0
    """Minutes between two saved states."""
    duel_minutes: float = 5.0
    """Minutes between two measurements of strength (0: none before the end)."""
    duel_games: int = 1000
    """Games against each opponent in a measurement."""
    opponents: tuple[str, ...] = ("pubeval",)
    """Baselines to measure against."""

    def __post_init__(self) -> None:
        _one_of("variant", self.variant, VARIANTS)
        _one_of("scoring", self.scoring, SCORINGS)
        _one_of("method", self.method, METHODS)
        for name in self.opponents:
            baselines.player(name, VARIANTS[self.variant], self.scoring)  # an error here and now
        for name in ("processes", "threads", "lockstep", "segment", "passes", "batch",
                     "duel_games"):  # fmt: skip
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("minutes", "games", "save_minutes", "duel_minutes", "seed"):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"{name} cannot be negative, but is {getattr(self, name)}")
        for name in ("lam", "lam_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
        for name in ("look_ahead", "replay", "scout", "noise"):
            value = getattr(self, name)
            if not value >= 0 or (value and self.method == "online"):
                raise ConfigError(f"{name} must be 0 or more, and 0 with the online method")
        _one_of("starts", self.starts, STARTS)
        if self.starts != "game" and not VARIANTS[self.variant].homes_apart:
            raise ConfigError(f"starts must be game: in {self.variant} both sides share a home")
        if self.noise and not self.look_ahead:
            raise ConfigError("noise would spoil lambda-returns: it needs look_ahead of 1 or more")
        if not 0 <= self.average < 1:
            raise ConfigError(f"average must be from 0 to less than 1, not {self.average}")
        if not 0 < self.lr_end <= self.lr < float("inf"):
            raise ConfigError(f"need 0 < lr_end <= lr, but lr_end is {self.lr_end}, lr {self.lr}")
        if self.method == "online" and self.steady:
            raise ConfigError("online learning has no averaged network: set steady to false")
        if self.method == "online" and self.plans != "none":
            raise ConfigError("online learning knows one game plan: set plans to none")
        if self.method == "online" and (self.processes, self.lockstep) != (1, 1):
            raise ConfigError("online learning plays one game: set processes and lockstep to 1")
        self.architecture  # noqa: B018  an impossible network is an error here and now

    @property
    def architecture(self) -> Architecture:
        """The network that these settings describe."""
        return Architecture(self.encoder, self.hidden, self.activation, self.variant,
                            self.plans)  # fmt: skip

    @property
    def scout_architecture(self) -> Architecture | None:
        """The scout that these settings describe, if any."""
        if not self.scout:
            return None
        alone = self.architecture.encoding.sums_alone  # a scout has no time for more
        encoder = alone or self.encoder
        return Architecture(encoder, (self.scout,), self.activation, self.variant)

    def exact(self) -> Bearoff | None:
        """The tables that end games, if the job wants them and both sides have homes apart."""
        variant = VARIANTS[self.variant]
        return Bearoff(variant.men) if self.bearoff and variant.homes_apart else None

    def progress(self, games: int, minutes: float) -> float:
        """Share of the job that is done, 0 to 1: by games or by minutes, whichever is further."""
        by_games = games / self.games if self.games else 0.0
        by_minutes = minutes / self.minutes if self.minutes else 0.0
        return min(1.0, max(by_games, by_minutes))

    def learning_rate(self, progress: float) -> float:
        """The learning rate when this share of the job is done."""
        return self.lr * (self.lr_end / self.lr) ** progress

    def lam_at(self, progress: float) -> float:
        """Lambda when this share of the job is done."""
        return self.lam + (self.lam_end - self.lam) * progress

    def to_dict(self) -> dict[str, Any]:
        """All settings as plain data."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    def to_toml(self) -> str:
        """All settings as a TOML file that ``load`` reads back."""
        return "".join(f"{key} = {_toml(value)}\n" for key, value in self.to_dict().items())


def load(name: str) -> Config:
    """The settings of a preset or of a TOML file.

    Args:
        name: a preset's name, or a path that ends in .toml.

    Raises:
        ConfigError: no such preset or file, or a setting in it is wrong.

    >>> load("quick").minutes
    5.0
    """
    path = Path(name) if name.endswith(".toml") else PRESETS / f"{name}.toml"
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(sorted(p.stem for p in PRESETS.glob("*.toml")))
        raise ConfigError(f"there is no preset or file {name}; presets are {known}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as TOML: {error}") from None
    return override(Config(), settings, str(path))


def override(config: Config, settings: dict[str, Any], where: str) -> Config:
    """A config with some settings changed.

    Args:
        config: what to start from.
        settings: field name to value.
        where: what to name in an error: a file, the command line.

    Raises:
        ConfigError: a setting that does not exist, has the wrong type, or cannot be so.
    """
    kinds = {field.name: field.type for field in fields(Config)}
    checked = {}
    for key, value in settings.items():
        if key not in kinds:
            near = difflib.get_close_matches(key, kinds, 1, 0.0)[0]
            raise ConfigError(f"{where}: there is no setting {key!r}; did you mean {near!r}?")
        checked[key] = _typed(key, value, kinds[key], where)
    try:
        return replace(config, **checked)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


#: What a run is made of: it cannot change while the run goes on.
FIXED = ("variant", "scoring", "encoder", "hidden", "plans", "activation", "scout", "method",
         "lockstep", "processes", "seed")  # fmt: skip


def check_resumable(before: Config, after: Config) -> None:
    """Refuse to resume a run with other foundations than it has.

    Raises:
        ConfigError: naming the setting.
    """
    for name in FIXED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            raise ConfigError(f"{name} is {old!r} in this run and cannot become {new!r}: begin a "
                              "new run, with --init from this one's network")  # fmt: skip


def check_ancestor(ancestor: Architecture, wanted: Architecture) -> None:
    """Refuse to begin from a network of another make; another game of equal boards is welcome,
    and so is a narrower network, or one that sees less or knows no game plans.

    Raises:
        ConfigError: naming what does not fit.
    """
    if not fits(ancestor, wanted):
        raise ConfigError(f"the network to begin from ({ancestor}, {ancestor.activation}) cannot "
                          f"grow into that which is wanted ({wanted}, {wanted.activation}): layers "
                          "can only become wider, inputs and plans only be added")  # fmt: skip


def _typed(key: str, value: Any, kind: Any, where: str) -> Any:
    """The value if it is of the field's type; whole numbers do for floats, lists for tuples."""
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        values = value if isinstance(value, list | tuple) else [value]
        if all(type(v) is item for v in values):
            return tuple(values)
    elif type(value) is kind:
        return value
    elif kind is float and type(value) is int:
        return float(value)
    wanted = f"list of {get_args(kind)[0].__name__}" if get_origin(kind) else kind.__name__
    raise ConfigError(f"{where}: {key} must be a {wanted}, not {value!r}")


def _one_of(name: str, value: str, known: Any) -> None:
    if value not in known:
        raise ConfigError(f"no {name} is called {value!r}; there are {', '.join(known)}")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
