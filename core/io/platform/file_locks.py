"""Locks on open files, which the system ends with the process that has them."""

from __future__ import annotations

import errno
import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Some network disks know no locks. A lock is a courtesy between windows, so we go on without.
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
_HELD = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
# Windows locks bytes against reading as well. This one is behind the holder's text.
_WINDOWS_BYTE = 1 << 30


def try_lock(handle: int, *, without: bool) -> bool:
    """Lock an open file for as long as it is open; return whether nobody else holds it.

    On a disk that knows no locks the answer is `without`. Other errors of the disk are raised: they
    do not mean that somebody holds it.
    """
    try:
        if sys.platform == "win32":
            os.lseek(handle, _WINDOWS_BYTE, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return without
        if error.errno in _HELD:
            return False
        raise
    return True
