"""``python -m training PRESET|FILE.toml``: learn backgammon by self-play."""

import argparse
import ast
import difflib
import functools
import inspect
import re
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn, get_args, get_origin

import torch

from bgnet.engine.networks import find
from bgnet.game.variants import VARIANTS
from bgnet.nets.checkpoint import Checkpoint, load_checkpoint

from . import config as settings
from . import distributed, loop, runs
from .config import Config, ConfigError


def explanations() -> dict[str, str]:
    """What each setting means: the text under its field in ``config.py``."""
    body = ast.parse(inspect.getsource(Config)).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            assert isinstance(field.target, ast.Name) and isinstance(text.value, ast.Constant)
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found


class _Parser(argparse.ArgumentParser):
    """Bad input is one sentence, raised, not printed."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage; name the nearest option."""
        if unknown := re.match(r"unrecognized arguments: (--[\w-]+)", message):
            near = difflib.get_close_matches(unknown[1], self._option_string_actions, 1, 0.0)
            message = f"there is no option {unknown[1]}; did you mean {near[0]}?"
        raise ConfigError(message)


def presets() -> str:
    """Every preset with the comment that begins its file."""
    lines = []
    for path in sorted(settings.PRESETS.glob("*.toml")):
        comment = re.match(r"(?:#.*\n)+", path.read_text(encoding="utf-8"))
        text = " ".join(comment[0].replace("#", "").split()) if comment else ""
        lines.append(f"  {path.stem:12} {text}")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """The command line; its settings are those of ``Config``."""
    parser = _Parser(
        prog="python -m training", description="Learn backgammon by self-play.", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"presets:\n{presets()}\n\nA run lies in runs/NAME: its states, its network and its "
        "curves (tensorboard --logdir runs).\nIt may be killed at any time; --resume goes on.",
    )  # fmt: skip
    parser.add_argument("preset", nargs="?", help="a preset, or a TOML file of settings")
    parser.add_argument("--resume", metavar="RUN", type=Path, help="go on with this run folder")
    parser.add_argument("--init", metavar="NET", help="begin from the weights of a network: "
                        "path or name, or default, the variant's own")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", type=Path,
                        help="where to put the run (default: runs/PRESET-DATE)")  # fmt: skip
    parser.add_argument("--device", default="cpu", help="where torch computes (default: cpu)")
    group = parser.add_argument_group("settings, each overriding the preset")
    texts = explanations()
    for field in fields(Config):
        listed = get_origin(field.type) is tuple
        kind: Any = get_args(field.type)[0] if listed else field.type
        group.add_argument(
            f"--{field.name.replace('_', '-')}", dest=f"set_{field.name}",
            type=_boolean if kind is bool else kind, nargs="+" if listed else None,
            default=argparse.SUPPRESS, metavar=kind.__name__.upper(),
            help=f"{texts[field.name]} (default: {field.default})".replace("%", "%%"),
        )  # fmt: skip
    return parser


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"must be true or false, not {text!r}")
    return text.lower() == "true"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    dashed = [re.sub(r"^--\w+", lambda m: m[0].replace("_", "-"), word) for word in words]
    try:
        return _main(parser().parse_args(dashed))
    except KeyboardInterrupt:
        print("training: stopped at once; --resume goes on from the last state", file=sys.stderr)
        return 130
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        print(f"training: {about}{error.strerror or error}", file=sys.stderr)
        return 2
    except ValueError as error:
        if type(error).__module__.partition(".")[0] not in ("bgnet", "training"):
            raise  # not one of ours, so nobody's bad input
        print(f"training: {error}", file=sys.stderr)
        return 2


def _main(args: argparse.Namespace) -> int:
    """Find out what is wanted and do it."""
    changed = {k.removeprefix("set_"): v for k, v in vars(args).items() if k.startswith("set_")}
    ancestor = None
    if args.resume:
        if args.preset or args.init:
            raise ConfigError("a resumed run has its settings and network: no preset, no --init")
        folder, before = args.resume, runs.config_of(args.resume)
        config = settings.override(before, changed, "command line")
        settings.check_resumable(before, config)
    else:
        if not args.preset:
            raise ConfigError("name a preset or a TOML file, or a run to --resume")
        config = settings.override(settings.load(args.preset), changed, "command line")
        if distributed.under_torchrun() and not args.out:
            raise ConfigError("under torchrun name the folder that all processes share with --out")
        name = f"{Path(args.preset).stem}-{time.strftime('%Y%m%d-%H%M%S')}"
        folder = args.out or Path("runs") / name
        runs.check_new(folder)
        if args.init:
            ancestor = load_checkpoint(find(args.init, VARIANTS[config.variant]))
            settings.check_ancestor(ancestor.main.architecture, config.architecture)
    check_device(args.device, config)
    return _train(config, folder, args, ancestor)


def check_device(device: str, config: Config) -> None:
    """Refuse a device that torch does not have here, or that the method cannot use."""
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ConfigError(f"torch cannot compute on the device {device!r}: {reason}") from None
    if device != "cpu" and config.method == "online":
        raise ConfigError("online learning computes on the cpu")


def _train(
    config: Config, folder: Path, args: argparse.Namespace, ancestor: Checkpoint | None
) -> int:
    """Start the processes and say how it ended."""
    print(f"run: {folder}   (watch it: tensorboard --logdir {folder.parent})")
    job = functools.partial(loop.train, config, folder, bool(args.resume), ancestor, args.device)
    try:
        distributed.launch(job, config.processes)
    except loop.Interrupted as stop:
        print(f"training: {stop}; go on with --resume {folder}", file=sys.stderr)
        return 130
    except runs.NotFiniteError as error:
        print(f"training: {error}; try a lower --lr", file=sys.stderr)
        return 1
    except distributed.ProcessError as error:
        print(f"training: a process failed: {error}", file=sys.stderr)
        return 1
    print(f"network: {folder / 'net.safetensors'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
