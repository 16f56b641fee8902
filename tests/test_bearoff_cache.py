"""The cache of bear-off tables: built once, rebuilt when anything is wrong, never in the way."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bgnet.engine import bearoff_cache


class Builder:
    """Builds a small table and counts how often."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self) -> dict[str, np.ndarray]:
        self.built += 1
        values = np.arange(12, dtype=np.float32)
        return {"a": values.reshape(3, 4).copy(), "b": values[:5].copy()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BGNET_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def test_a_table_is_built_once(folder: Path) -> None:
    build = Builder()
    first = bearoff_cache.cached("small", build)
    again = bearoff_cache.cached("small", build)
    assert build.built == 1
    assert [path.name for path in folder.iterdir()] == ["small.safetensors"]  # no .tmp left
    for name in ("a", "b"):
        assert (first[name] == again[name]).all() and first[name].shape == again[name].shape
        assert not again[name].flags.writeable


def damage_checksum(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def damage_version(data: bytes) -> bytes:
    assert b'"version":"1"' in data
    return data.replace(b'"version":"1"', b'"version":"0"')


def damage_shape(data: bytes) -> bytes:
    assert b"[3,4]" in data
    return data.replace(b"[3,4]", b"[4,3]")


@pytest.mark.parametrize("damage", [
    damage_checksum,
    damage_version,
    damage_shape,
    lambda data: data[:-4],
    lambda data: data[:40],
    lambda data: b"",
    lambda data: b"\xff" * 100,
    lambda data: struct.pack("<Q", 2) + b"{}",
    lambda data: struct.pack("<Q", 2) + b"17",
    lambda data: b"\x80\x04." + data,
], ids=["bit", "version", "shape", "cut", "header cut", "empty", "noise", "no entries", "number",
        "pickle"])
def test_a_bad_file_is_rebuilt_silently(
    folder: Path, damage: Callable[[bytes], bytes], recwarn: pytest.WarningsRecorder
) -> None:
    build = Builder()
    bearoff_cache.cached("small", build)
    path = folder / "small.safetensors"
    path.write_bytes(damage(path.read_bytes()))
    assert bearoff_cache.cached("small", build)["a"][2, 3] == 11
    bearoff_cache.cached("small", build)
    assert build.built == 2
    assert not recwarn.list


def test_an_unwritable_folder_means_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("BGNET_CACHE", str(file))
    build = Builder()
    assert bearoff_cache.cached("small", build)["b"].tolist() == [0, 1, 2, 3, 4]
    bearoff_cache.cached("small", build)
    assert build.built == 2
    assert file.read_text() == "not a folder"


def test_a_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", full)
    bearoff_cache.cached("small", Builder())
    assert list(folder.iterdir()) == []


def test_the_cache_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BGNET_CACHE", raising=False)
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    for platform, xdg, expected in [
        ("linux", "/x", "/x/bgnet"),
        ("linux", "", "/home/ann/.cache/bgnet"),
        ("linux", "relative", "/home/ann/.cache/bgnet"),
        ("darwin", "/x", "/home/ann/Library/Caches/bgnet"),
        ("win32", "/x", "/local/bgnet"),
    ]:
        monkeypatch.setattr("sys.platform", platform)
        monkeypatch.setenv("XDG_CACHE_HOME", xdg)
        assert bearoff_cache.cache_folder() == Path(expected)
    monkeypatch.setenv("BGNET_CACHE", "/mine")
    assert bearoff_cache.cache_folder() == Path("/mine")
