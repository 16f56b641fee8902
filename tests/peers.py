"""Optional peers: required in CI, a reasoned skip elsewhere."""

import importlib
import os
from types import ModuleType

import pytest

REQUIRED = bool(os.environ.get("BGNET_PEERS_REQUIRED"))


def peer(module: str) -> ModuleType:
    """Another engine's Python module (the ``peers`` extra)."""
    if REQUIRED:
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{module} is not installed: make install-peers")
