"""Optional peers: required in CI, a reasoned skip elsewhere."""

import importlib
import os
import shutil
from types import ModuleType

import pytest

REQUIRED = bool(os.environ.get("BGNET_PEERS_REQUIRED"))


def peer(module: str) -> ModuleType:
    """Another engine's Python module (the ``peers`` extra)."""
    if REQUIRED:
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{module} is not installed: make install-peers")


def gnubg_program() -> str:
    """The path of the real gnubg."""
    found = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
    if found is None:
        assert not REQUIRED, "gnubg is not installed"
        pytest.skip("the gnubg program is not installed (Debian: apt-get install gnubg)")
    return found
