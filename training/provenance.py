"""What a network's header says of where it came from."""

import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .config import Config


def provenance(
    config: Config, counters: dict[str, float], steps: int, parent: str | None,
    strength: dict[str, float],
) -> dict[str, Any]:
    """Games, steps, settings, parent, strength, versions: plain data for a checkpoint's header."""
    return {
        **counters,
        "steps": steps,
        "config": config.to_dict(),
        "parent": parent,
        "strength": strength,
        "git_commit": _git_commit(),
        "versions": {name: version(name) for name in ("torch", "numpy")},
    }


def _git_commit() -> str | None:
    """The commit of the code, or None where it is not run from a repository of its own."""
    root = Path(__file__).parents[1]
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None
