"""The processors of the machine: which, how many, and who gets them first."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path


def available_cores() -> int:
    """Return the cores that this process may use."""
    if sys.platform != "linux":
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))


def processor_name() -> str:
    """Return the name of the processor, as people know it."""
    try:  # Linux
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def yield_to_others() -> None:
    """Let processes that a person watches have a processor before this one."""
    if sys.platform != "win32":
        os.nice(5)


def seconds_waited() -> float | None:
    """Return how long this process has waited for a processor; None where no system says so."""
    try:  # Linux
        return int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None
