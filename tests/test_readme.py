"""What the README shows is run."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bgnet.engine.networks import shipped
from bgnet.nets import encoding

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (bgnet .*)$", TEXT, re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 4 and "backgammon" in shipped()


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str) -> None:
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout and not done.stderr, done.stderr


def test_python() -> None:
    try:
        failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    finally:
        encoding.ENCODERS.pop("blots", None)
    assert tried >= 8 and not failed


def test_every_command_and_preset_that_is_named_exists() -> None:
    from bgnet.cli import COMMANDS as known
    from training.config import PRESETS

    assert set(re.findall(r"(?m)^(?:\$ )?bgnet ([a-z]+)\b", TEXT)) <= set(known)
    named = set(re.findall(r"python -m training ([a-z_]+)", TEXT))
    assert named <= {path.stem for path in PRESETS.glob("*.toml")}
