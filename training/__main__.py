"""``python -m training PRESET|FILE.toml``: learn backgammon by self-play."""

import argparse
import ast
import functools
import inspect
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin

from bgnet.nets.checkpoint import load_checkpoint

from . import config as settings
from . import runs
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


def parser() -> argparse.ArgumentParser:
    """The command line; its settings are those of ``Config``."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description="Learn backgammon by self-play.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="A run lies in runs/NAME: TensorBoard's events (tensorboard --logdir runs), its\n"
        "states and its network. It may be killed at any time; --resume goes on.",
    )  # fmt: skip
    presets = ", ".join(sorted(p.stem for p in settings.PRESETS.glob("*.toml")))
    parser.add_argument("preset", nargs="?", help=f"a preset ({presets}) or a TOML file")
    parser.add_argument("--resume", metavar="RUN", type=Path, help="go on with this run folder")
    parser.add_argument("--init", metavar="NET", help="begin from the weights of a checkpoint")
    parser.add_argument("--run", metavar="FOLDER", type=Path,
                        help="where to put the run (default: runs/PRESET-DATE)")  # fmt: skip
    parser.add_argument("--device", default="cpu", help="where torch computes (default: cpu)")
    group = parser.add_argument_group("settings, each overriding the preset")
    texts = explanations()
    for field in fields(Config):
        listed = get_origin(field.type) is tuple
        kind: Any = get_args(field.type)[0] if listed else field.type
        group.add_argument(
            f"--{field.name.replace('_', '-')}", f"--{field.name}", dest=f"set_{field.name}",
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
    args = parser().parse_args(arguments)
    changed = {k.removeprefix("set_"): v for k, v in vars(args).items() if k.startswith("set_")}
    try:
        if args.resume:
            config = settings.override(runs.config_of(args.resume), changed, "command line")
            folder = args.resume
            runs.write_config(folder, config)
        else:
            if not args.preset:
                raise ConfigError("name a preset or a TOML file, or a run to --resume")
            config = settings.override(settings.load(args.preset), changed, "command line")
            name = f"{Path(args.preset).stem}-{time.strftime('%Y%m%d-%H%M%S')}"
            folder = args.run or Path("runs") / name
            if args.init:
                load_checkpoint(args.init)
            runs.create(folder, config)
        return _train(config, folder, args)
    except (ValueError, OSError) as error:
        print(f"training: {error}", file=sys.stderr)
        return 2


def _train(config: Config, folder: Path, args: argparse.Namespace) -> int:
    """Start the processes and say how it ended."""
    from . import distributed, loop

    print(f"run: {folder}   (watch it: tensorboard --logdir {folder.parent})")
    job = functools.partial(loop.train, config, folder, bool(args.resume), args.init, args.device)
    try:
        distributed.launch(job, config.processes)
    except loop.Interrupted as stop:
        print(f"training: {stop}; go on with --resume {folder}", file=sys.stderr)
        return 130
    except runs.NotFiniteError as error:
        print(f"training: {error}; try a lower --lr", file=sys.stderr)
        return 1
    print(f"network: {folder / 'net.safetensors'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
