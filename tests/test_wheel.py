"""The wheel carries all it needs: unpacked into an empty folder, it evaluates from anywhere."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_wheel_evaluates_from_another_folder(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir",
             str(tmp_path), str(ROOT)]  # fmt: skip
    subprocess.run(build, check=True, capture_output=True, text=True)
    (wheel,) = tmp_path.glob("bgnet-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        assert not [name for name in archive.namelist() if name.startswith("tests/")]
    code = "import sys, bgnet.cli; print(bgnet.__file__); sys.exit(bgnet.cli.main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", "--json", "--dice", "31"], cwd=tmp_path,
        env={"PYTHONPATH": str(site), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    where, answer = done.stdout.splitlines()[0], done.stdout.partition("\n")[2]
    assert where.startswith(str(site))
    assert json.loads(answer)["best"] == "8/5 6/5"
    for data in ("bgnet/data/yardstick.npz", "training/presets/quick.toml"):
        assert (site / data).is_file()
