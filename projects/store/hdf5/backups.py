"""Earlier versions of a project, kept beside it: `.bak` is the last, `.bak.2` the one before."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from coterie.core.io.platform import durable
from coterie.projects.store.hdf5.temporary import temporary_path

BACKUP = ".bak"
DAMAGED = ".damaged"
MOST = 50


def backup_path(target: Path, age: int = 1) -> Path:
    """Return the name of an earlier version; the newest has the age 1.

    >>> backup_path(Path("a.coterie.h5"), 3).name
    'a.coterie.h5.bak.3'
    """
    return target.with_name(f"{target.name}{BACKUP}" + (f".{age}" if age > 1 else ""))


def make_room(target: Path, count: int) -> None:
    """Move earlier versions to the names of older ones, to free `.bak`.

    The oldest of `count` goes. Where one is missing, those before it move up to it, so a version is
    lost only when all names are taken.
    """
    names = [backup_path(target, age) for age in range(1, min(count, MOST) + 1)]
    last = next((n for n, name in enumerate(names) if not name.exists()), len(names) - 1)
    for age in range(last, 0, -1):
        with contextlib.suppress(FileNotFoundError):
            names[age - 1].replace(names[age])


def keep(target: Path, backup: Path) -> None:
    """Give the present file a second name, the backup's; it stays whole under its own."""
    second = temporary_path(target)
    try:
        try:
            os.link(target, second)
        except OSError:  # a disk without hard links
            shutil.copy2(target, second)
            durable.sync_path(second)
        second.replace(backup)
    finally:
        # Renaming one name of a file to another name of the same file leaves both.
        second.unlink(missing_ok=True)
