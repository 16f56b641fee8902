"""What a network's header says of where it came from."""

import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .config import Config


def provenance(config: Config, counters: dict[str, float], steps: int, parent: str | None
               ) -> dict[str, Any]:
    """Games, steps, settings, parent, versions: plain data for a checkpoint's header."""
    return {
        **counters,
        "steps": steps,
        "config": config.to_dict(),
        "parent": parent,
        "git_commit": _git_commit(),
        "versions": {name: version(name) for name in ("torch", "numpy")},
    }


def _git_commit() -> str | None:
    """The commit of the code, or None outside a repository."""
    here = Path(__file__).parent
    try:
        done = subprocess.run(["git", "-C", here, "rev-parse", "HEAD"], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None
