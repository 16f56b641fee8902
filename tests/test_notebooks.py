"""Every notebook runs from top to bottom."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbclient (the dev extra) is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient (the dev extra) is not installed")
FOLDER = Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))  # the kernel is a process of its own
    notebook = nbformat.read(path, as_version=4)
    here = {"metadata": {"path": str(FOLDER)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=here).execute()
    assert any(cell.get("outputs") for cell in notebook.cells)
