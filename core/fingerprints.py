"""The hash of what is read: all bytes of a file, or of a very large raster only some of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

_BLOCK = 1 << 20
# Rasters beyond this are not read whole to tell whether they are still the same.
LARGE = 256 << 20
SPREAD_BLOCKS = 32


def file_hash(path: Path, check: Callable[[], None], *, partly: bool = False) -> str:
    """Return the SHA-256 of a file, or of all files in a folder with their names.

    Parameters
    ----------
    check : called for every megabyte, to let a run be cancelled
    partly : what is larger than 256 MB goes in by its size, its time of change, its beginning and
        evenly spaced blocks of a megabyte, the last one included
    """
    digest = hashlib.sha256()
    whole = path.is_dir()
    files = sorted(p for p in path.rglob("*") if p.is_file()) if whole else [path]
    large = partly and sum(file.stat().st_size for file in files) > LARGE
    for file in files:
        if whole:
            digest.update(str(file.relative_to(path)).encode())
        with file.open("rb") as stream:
            if large:
                _add_some(digest, file, stream, check)
                continue
            while block := stream.read(_BLOCK):
                check()
                digest.update(block)
    return digest.hexdigest()


def _add_some(digest: Any, file: Path, stream: Any, check: Callable[[], None]) -> None:
    status = file.stat()
    digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
    last = max(0, status.st_size - _BLOCK)
    for i in range(SPREAD_BLOCKS):
        check()
        stream.seek(last * i // (SPREAD_BLOCKS - 1))
        digest.update(stream.read(_BLOCK))
        if last == 0:
            return
