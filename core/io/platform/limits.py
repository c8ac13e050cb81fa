"""What a process may use of the machine."""

from __future__ import annotations

import sys

LIMITS_MEMORY = sys.platform == "linux"
"""Whether this system sees to `limit_memory`."""


def limit_memory(count: int, *, for_good: bool = False) -> None:
    """Let allocations beyond `count` bytes fail with MemoryError instead of exhausting the machine.

    Mapped files do not count towards this limit, so the workspace may be larger. macOS accepts
    such a limit and ignores it, and Windows knows none: nothing is limited there. What is limited
    `for_good` cannot be raised again by the process itself.
    """
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling if for_good else hard))
