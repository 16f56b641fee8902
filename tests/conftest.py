"""Tests import their slow twins by name, and share a small network."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from peers import REQUIRED
from tiny_network import tiny_network

from bgnet.engine.engine import Engine
from bgnet.frontends.decisions import Decider


def pytest_configure(config: pytest.Config) -> None:
    """Let the examples of a module that cannot be imported without its peer be skipped, as its
    tests are."""
    config.option.doctest_ignore_import_errors = not REQUIRED


@pytest.fixture(scope="session")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a small random network."""
    return str(tiny_network(tmp_path_factory.mktemp("nets")))


@pytest.fixture(scope="module")
def engine(net: str) -> Engine:
    return Engine.load(net)


@pytest.fixture(scope="module")
def decider(engine: Engine) -> Decider:
    return Decider(engine)
