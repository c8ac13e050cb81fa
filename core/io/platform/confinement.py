"""What a process that reads a stranger's file may do, as far as the system can see to it."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coterie.core.io.platform.landlock import keep_to, landlock_version
from coterie.core.io.platform.limits import limit_memory
from coterie.core.io.platform.processes import threads
from coterie.core.io.platform.system_calls import refuse_system_calls

MOST_FILES = 256
MOST_SECONDS = 4 * 3600  # of a processor

# What libraries look up about the machine; nobody's data.
_MACHINE = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale"),
    *("/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm", "/sys/devices/system"),
    *("/sys/fs/cgroup", "/dev/urandom", "/dev/null", "/dev/zero"),
)


@dataclass(frozen=True)
class Confinement:
    """What was taken from a process.

    Attributes
    ----------
    files : what keeps it to the named files; empty for nothing
    network : what keeps it off the network, from other programs and other processes
    memory : whether its memory is limited
    """

    files: str = ""
    network: str = ""
    memory: bool = False

    @property
    def in_words(self) -> str:
        """It in a sentence.

        >>> Confinement("Landlock 7", "seccomp", True).in_words
        'named files only (Landlock 7); no network or programs (seccomp); limited memory'
        >>> Confinement().in_words
        'a process of its own, without further limits'
        """
        parts = (
            f"named files only ({self.files})" if self.files else "",
            f"no network or programs ({self.network})" if self.network else "",
            "limited memory" if self.memory else "",
        )
        found = "; ".join(part for part in parts if part)
        return found or "a process of its own, without further limits"


def give_up_others() -> bool:
    """Give up the network, other programs and other processes, for good, and change no modes.

    Returns whether the system sees to it. To be called first: what parses files may be loaded
    then, but no file of a stranger may be touched before `keep_to_files`.
    """
    _limit()
    os.umask(0o077)  # it may change no modes afterwards
    return refuse_system_calls()


def keep_to_files(
    read: Iterable[Path], write: Iterable[Path], memory: int, code: Iterable[Path] = ()
) -> str:
    """Confine this process to files and memory, for good; to be called before it has threads.

    Returns what sees to the files; "" where nothing does.

    Parameters
    ----------
    read, write : files and folders that it may read, and folders that it may fill
    memory : bytes that it may use
    code : folders of program code that it may read, beside Python's own
    """
    if sys.platform == "linux" and (count := threads()) != 1:
        raise RuntimeError(f"{count} threads: Landlock would leave all but one as they are.")
    limit_memory(memory, for_good=True)
    landlock = keep_to((*read, *code, *_program(), *map(Path, _MACHINE)), write)
    return f"Landlock {landlock}" if landlock else ""


def can_keep_to_files() -> bool:
    """Whether this system can keep a process to named files."""
    return landlock_version() > 0


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, MOST_FILES),
        (resource.RLIMIT_CPU, MOST_SECONDS),
    ):
        _, hard = resource.getrlimit(what)
        ceiling = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (ceiling, ceiling))


def _program() -> Iterator[Path]:
    """Where Python and the packages are."""
    named = {*sys.path, *sysconfig.get_paths().values(), f"{sys.base_prefix}/lib"}
    named |= {f"{sys.prefix}/lib", getattr(sys, "_MEIPASS", "")}
    home = Path.home()
    for path in map(Path, sorted(filter(None, named))):
        # Whoever has Python look for modules among all their files keeps none of them from it.
        if path.is_absolute() and path not in (home, *home.parents):
            yield path
