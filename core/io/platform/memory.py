"""How much memory the machine has, has left, and processes use."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from coterie.core.io.platform.processes import children

_UNKNOWN = 4 << 30
_UNLIMITED = 1 << 62


def physical_memory() -> int | None:
    """Return the bytes of memory in this machine; None where that cannot be known."""
    if sys.platform == "win32":
        return _windows_memory("ullTotalPhys")
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return None


def available_memory() -> int:
    """Return the bytes of memory that are free for use now; 4 GiB where that cannot be known."""
    return min(_free_memory(), _free_in_container())


def memory_in_use() -> int:
    """Return the resident bytes of this process and its children; 0 where that is unknown."""
    return sum(map(_resident, {os.getpid(), *children()}))


def give_back_memory() -> None:
    """Give what was freed back to the system, where the C library keeps it unless it is asked."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, musl has not
    if trim is not None:
        trim(0)


def _free_memory() -> int:
    if sys.platform == "win32":
        return _windows_memory("ullAvailPhys") or _UNKNOWN
    try:  # Linux
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return physical_memory() or _UNKNOWN  # macOS says only how much there is


def _free_in_container() -> int:
    """Return what the limit of a container leaves; very much where there is no such limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit = int((folder / "memory.max").read_text(encoding="ascii"))
        return max(0, limit - int((folder / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or "max"
        return _UNLIMITED


def _resident(pid: int) -> int:
    if sys.platform == "win32":
        return 0
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if sys.platform == "win32":

    class _MemoryStatus(ctypes.Structure):
        _fields_ = (
            ("dwLength", ctypes.c_ulong),
            ("dwMemoryLoad", ctypes.c_ulong),
            ("ullTotalPhys", ctypes.c_ulonglong),
            ("ullAvailPhys", ctypes.c_ulonglong),
            ("ullTotalPageFile", ctypes.c_ulonglong),
            ("ullAvailPageFile", ctypes.c_ulonglong),
            ("ullTotalVirtual", ctypes.c_ulonglong),
            ("ullAvailVirtual", ctypes.c_ulonglong),
            ("ullAvailExtendedVirtual", ctypes.c_ulonglong),
        )

    def _windows_memory(field: str) -> int | None:
        status = _MemoryStatus(dwLength=ctypes.sizeof(_MemoryStatus))
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return None
        return int(getattr(status, field))
