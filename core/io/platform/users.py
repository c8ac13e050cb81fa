"""Whose process this is, and whether a folder is that person's alone."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path


def user_id() -> str:
    """Return what distinguishes this user from others of the machine, fit for a file name."""
    if sys.platform == "win32":
        return getpass.getuser()
    return str(os.getuid())


def is_private(folder: Path) -> bool:
    """Whether a folder belongs to this user and nobody else may enter it.

    Temporary files are each user's own on Windows.
    """
    if sys.platform == "win32":
        return True
    status = folder.lstat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o077
