"""What ``from bgnet import ...`` offers, and what it must not cost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_network import tiny_network

import bgnet


def run(code: str, *args: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(bgnet.__file__).parents[1])},
    )  # fmt: skip
    return done.stdout


def test_every_public_name_is_there() -> None:
    for name in bgnet.__all__:
        assert getattr(bgnet, name) is not None
        assert name in dir(bgnet)
    assert set(bgnet.__all__) == set(bgnet._HOMES)
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        bgnet.Chess  # noqa: B018


def test_import_star_works() -> None:
    assert "Engine" in run("from bgnet import *; print(dir())")


def test_importing_costs_nothing() -> None:
    assert run("import bgnet, sys; print('numpy' in sys.modules)").strip() == "False"


def test_public_errors_are_value_errors() -> None:
    errors = [getattr(bgnet, name) for name in bgnet.__all__ if name.endswith("Error")]
    assert errors and all(issubclass(error, ValueError) for error in errors)


def test_a_network_is_asked_without_torch(tmp_path: Path) -> None:
    code = (
        "import sys; from bgnet import Engine, Position; "
        "Engine.load(sys.argv[1]).best_play(Position(), '31'); "
        "print([m for m in ('torch', 'tqdm', 'matplotlib') if m in sys.modules])"
    )
    assert run(code, str(tiny_network(tmp_path))).strip() == "[]"
