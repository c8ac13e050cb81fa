"""What a file is known by without reading it."""

from __future__ import annotations

import os
from pathlib import Path


def mark_of(path: Path) -> tuple[int, ...] | None:
    """Return what a file is known by without reading it; None when it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_same(one: Path, other: Path) -> bool:
    """Whether two paths name one file, wherever links lead."""
    return os.path.realpath(one) == os.path.realpath(other)
