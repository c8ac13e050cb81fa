"""How an engine is to be started."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from coterie.core.io.folders import cache_folder, plugin_folders, state_folder


@dataclass(frozen=True)
class EngineOptions:
    """What an engine may load and use.

    Attributes
    ----------
    safe_mode : load the built-in methods only
    plugin_folders : where drop-in plugins are
    memory : bytes that methods may use
    workers : cores that methods may use
    cluster : address of a Dask scheduler whose workers do what can be divided; empty for none
    """

    safe_mode: bool = False
    plugin_folders: tuple[Path, ...] = field(default_factory=plugin_folders)
    memory: int = field(default_factory=lambda: available_memory() * 4 // 5)
    workers: int = field(default_factory=lambda: available_cores())
    cluster: str = ""

    @property
    def quarantine_folder(self) -> Path:
        """Where it is remembered which plugins ended an engine."""
        return state_folder() / "quarantine"

    @property
    def catalogue_file(self) -> Path:
        """Where the catalogue is kept between starts."""
        return cache_folder() / ("catalogue-safe.json" if self.safe_mode else "catalogue.json")

    @property
    def built_ins_file(self) -> Path:
        """Where it is kept between starts what is known of the built-in methods."""
        return cache_folder() / "built-ins.json"


def available_cores() -> int:
    """Return the cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes of memory that are free for use now; 4 GiB where that cannot be known."""
    return min(_free_memory(), _free_in_container())


def _free_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 4 << 30


def _free_in_container() -> int:
    """Return what the limit of a container leaves; very much where there is no such limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit = int((folder / "memory.max").read_text(encoding="ascii"))
        return max(0, limit - int((folder / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or "max"
        return 1 << 62
