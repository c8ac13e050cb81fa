"""What may be done with a file while it is open."""

from __future__ import annotations

import os
import sys

# Elsewhere a file that is open can be removed, renamed and replaced.
CLOSE_BEFORE_MOVING = sys.platform == "win32"

# A flag of `os.open`: refuse a link in place of the file, where the system can.
if sys.platform == "win32":
    NO_FOLLOW = 0
else:
    NO_FOLLOW = os.O_NOFOLLOW


def is_device(path: str) -> bool:
    """Whether a path names part of the system, not a file on a disk."""
    return path.startswith(("/dev/", "/proc/"))
