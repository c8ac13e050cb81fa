"""The hash of what is read: all bytes of a file, or of a very large raster only some of them."""

from __future__ import annotations

import errno
import hashlib
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

_BLOCK = 1 << 20
# Larger rasters are not read whole to check whether they are still the same.
LARGE = 256 << 20
SPREAD_BLOCKS = 32


@dataclass(frozen=True)
class Fingerprint:
    """What a file, or all files of a folder, can be known again by.

    Attributes
    ----------
    sha256 : what keys are made of
    nbytes : size
    blocks : of a raster beyond 256 MB, its hash without the time of change, which a copy may
        not keep; empty for all others
    """

    sha256: str
    nbytes: int
    blocks: str = ""


def stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return names, sizes and times of change of a file, or of all files in a folder.

    What differs later was written to in between; nothing when there is no such file.
    """
    try:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        found = [(file.name, file.stat()) for file in files]
    except OSError:
        return ()
    return tuple((name, status.st_size, status.st_mtime_ns) for name, status in found)


def file_hash(path: Path, check: Callable[[], None], *, partly: bool = False) -> str:
    """Return the SHA-256 of a file, or of all files in a folder with their names.

    Parameters
    ----------
    check : called for every megabyte, to let a run be cancelled
    partly : what is larger than 256 MB goes in by its size, its time of change, its beginning and
        evenly spaced blocks of a megabyte, the last one included
    """
    return fingerprint(path, check, partly=partly).sha256


def fingerprint(path: Path, check: Callable[[], None], *, partly: bool = False) -> Fingerprint:
    """Return what a file or folder can be known again by; parameters as those of `file_hash`."""
    digest, blocks = hashlib.sha256(), hashlib.sha256()
    whole = path.is_dir()
    if not whole and not stat.S_ISREG(path.stat().st_mode):
        # Reading would wait, or go on, for ever.
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    files = sorted(p for p in path.rglob("*") if p.is_file()) if whole else [path]
    nbytes = sum(file.stat().st_size for file in files)
    large = partly and nbytes > LARGE
    for file in files:
        if whole:
            digest.update(str(file.relative_to(path)).encode())
            blocks.update(str(file.relative_to(path)).encode())
        with file.open("rb") as stream:
            if large:
                status = file.stat()
                digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
                blocks.update(f"{status.st_size}".encode())
                _add_some((digest, blocks), status.st_size, stream, check)
                continue
            while block := stream.read(_BLOCK):
                check()
                digest.update(block)
    return Fingerprint(digest.hexdigest(), nbytes, blocks.hexdigest() if large else "")


def _add_some(
    digests: tuple[Any, ...], nbytes: int, stream: BinaryIO, check: Callable[[], None]
) -> None:
    last = max(0, nbytes - _BLOCK)
    for i in range(SPREAD_BLOCKS):
        check()
        stream.seek(last * i // (SPREAD_BLOCKS - 1))
        block = stream.read(_BLOCK)
        for digest in digests:
            digest.update(block)
        if last == 0:
            return
