"""Where the bear-off tables are kept: one safetensors file each in the user's cache folder.

A file carries a version and a checksum in its header. Whatever is wrong with it, older, cut
off, changed or unreadable, the answer is the same: it is built again (seconds). Files are
written under a temporary name and then renamed, so that a reader never sees half a table, and
are memory-mapped when read. Nothing in them can run code.
"""

import contextlib
import json
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import save

#: Goes up whenever a table's numbers or layout change: files of another version are rebuilt.
VERSION = 1
_FORMAT = "bgnet bear-off table"


def cache_folder() -> Path:
    """The folder for what can be worked out again.

    ``BGNET_CACHE`` if set; otherwise ``bgnet`` in the platform's place: ``LOCALAPPDATA`` on
    Windows, ``~/Library/Caches`` on macOS, ``XDG_CACHE_HOME`` (if absolute, as its specification
    asks) or ``~/.cache`` elsewhere.

    Raises:
        RuntimeError: if the user has no home folder.
    """
    if own := os.environ.get("BGNET_CACHE"):
        return Path(own)
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA")
        base = Path(place) if place else Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        place = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(place) if os.path.isabs(place) else Path.home() / ".cache"
    return base / "bgnet"


def cached(name: str, build: Callable[[], Mapping[str, np.ndarray]]) -> Mapping[str, np.ndarray]:
    """A table from the cache folder, built and left there if it is missing or not as it should be.

    Args:
        name: of the file, without folder and suffix.
        build: works out the arrays, float32 and C-contiguous, by name.

    Returns:
        The arrays by name: memory-mapped and read-only, or, just built, in memory. Where the
        folder cannot be written, every process builds its own.
    """
    try:
        path = cache_folder() / f"{name}.safetensors"
    except RuntimeError:  # no home folder
        return build()
    try:
        return _load(path)
    except Exception:  # absent or wrong in whatever way: the cure is the same
        arrays = build()
    with contextlib.suppress(OSError):
        _store(path, arrays)
    return arrays


def _checksum(arrays: Mapping[str, np.ndarray]) -> str:
    """CRC-32 over every array's name, type, shape and bytes, in the order of names."""
    crc = 0
    for name in sorted(arrays):
        array = arrays[name]
        crc = zlib.crc32(f"{name} {array.dtype.str} {array.shape}".encode(), crc)
        crc = zlib.crc32(array.data, crc)
    return f"{crc:08x}"


def _store(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"format": _FORMAT, "version": str(VERSION), "crc32": _checksum(arrays)}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(save(dict(arrays), metadata))
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def _load(path: Path) -> Mapping[str, np.ndarray]:
    """Memory-map the file's arrays.

    The header is read here because safetensors' own reader copies. Layout: 8 bytes little-endian
    length of the header, the header in JSON, the arrays' bytes; all arrays are float32.

    Raises:
        OSError: if the file cannot be read.
        ValueError, or whatever a damaged header leads to: if it is not as it was written.
    """
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > 10_000:
            raise ValueError("no header of ours is so long")
        header = json.loads(file.read(length))
    metadata = header.pop("__metadata__")
    if (metadata["format"], metadata["version"]) != (_FORMAT, str(VERSION)):
        raise ValueError("another format or version")
    begin = 8 + length
    arrays = {
        name: np.asarray(
            np.memmap(path, "<f4", "r", begin + entry["data_offsets"][0], tuple(entry["shape"]))
        )
        for name, entry in header.items()
    }
    if _checksum(arrays) != metadata["crc32"]:
        raise ValueError("the checksum is wrong")
    return arrays
