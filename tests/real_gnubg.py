"""Run the real gnubg, where it is installed, on a list of its own commands."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from peers import REQUIRED

GNUBG = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
needs_gnubg = pytest.mark.skipif(GNUBG is None and not REQUIRED, reason="gnubg is not installed")


def gnubg(home: Path, *commands: str) -> str:
    """What gnubg prints; its settings and files go to the folder ``home``."""
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        cwd=home,
        env={"HOME": str(home), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        timeout=60,
        check=True,
    )
    return done.stdout
