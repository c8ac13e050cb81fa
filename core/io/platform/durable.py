"""Files and names that last through a power cut."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

_CANNOT = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF}


def sync(handle: int) -> None:
    """Wait until what was written to an open file is on the disk."""
    if sys.platform == "darwin":
        import fcntl

        try:  # fsync leaves it in the disk's own memory there
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        except OSError:  # not every disk can
            os.fsync(handle)
        return
    os.fsync(handle)


def sync_path(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until a file is on the disk."""
    handle = os.open(path, flags)
    try:
        sync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; Windows does so automatically.

    Some file systems cannot be asked to, such as shares and FUSE: nothing more can be done there.
    """
    if sys.platform == "win32":
        return
    try:
        sync_path(folder, os.O_RDONLY)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
