"""The house: imports go one way, rooms stay small, light commands stay light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Each may import those before it.
ROOMS = ["game", "notation", "position", "nets", "engine", "arena", "frontends", "cli"]
MODULES = sorted([*(ROOT / "bgnet").rglob("*.py"), *(ROOT / "training").rglob("*.py")])


def imported(path: Path) -> list[str]:
    """Full names of the modules that a file imports, wherever in it."""
    package = list(path.relative_to(ROOT).parent.parts)
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *(node.module or "").split(".")]).strip(".")
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    for name in imported(path):
        target = name.split(".")
        if parts[0] == "bgnet":
            assert target[0] != "training", f"{path} imports {name}"
            if len(parts) > 1 and parts[1] in ROOMS and len(target) > 1 and target[0] == "bgnet":
                known = target[1] in ROOMS
                assert not known or ROOMS.index(target[1]) <= ROOMS.index(parts[1]), name
        elif target[:1] == ["bgnet"] and len(target) > 1:
            assert target[1] not in ("frontends", "cli"), f"{path} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rooms_stay_small(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 350, "split it"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= 80, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("code", [
    "import bgnet", "from bgnet import Position, Engine, legal_plays",
    "import bgnet.cli; bgnet.cli.main(['perft', '--depth', '1'])",
])  # fmt: skip
def test_light_commands_do_not_load_torch(code: str) -> None:
    check = f"{code}\nimport sys\nassert 'torch' not in sys.modules, 'torch was loaded'"
    subprocess.run([sys.executable, "-c", check], cwd=ROOT, check=True, capture_output=True)
