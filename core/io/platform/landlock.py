"""Landlock: which files a Linux process may touch, decided by itself and for good.

https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers of the calls, alike on all processors
_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE, _READ, _LIST, _REMOVE_FOLDER, _REMOVE = (1 << i for i in range(6))
_MAKE_FOLDER, _MAKE_FILE, _REFER, _TRUNCATE, _DEVICES = 1 << 7, 1 << 8, 1 << 13, 1 << 14, 1 << 15
_ALL_OF_1 = (1 << 13) - 1
READ_ONLY = _READ | _LIST
# No links, sockets, pipes or devices are made, and nothing is executed.
READ_WRITE = (
    READ_ONLY | _WRITE | _REMOVE | _REMOVE_FOLDER | _MAKE_FILE | _MAKE_FOLDER | _TRUNCATE | _REFER
)
_OF_FILES = _READ | _WRITE | _TRUNCATE | _EXECUTE | _DEVICES
_TCP = 0b11  # binding and connecting
_SCOPES = 0b11  # abstract sockets and signals of others


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # packed without it is deprecated in Python 3.14
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_version() -> int:
    """Return the version of Landlock in this kernel; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    found = _system().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    return max(0, int(found))


def keep_to(read: Iterable[Path], write: Iterable[Path]) -> int:
    """Let this thread, and those it will start, reach only these files and folders.

    Returns the version of Landlock that sees to it; 0 when nothing does. What is not there is left
    out.
    """
    version = landlock_version()
    if version == 0:
        return 0
    system = _system()
    handled = _handled(version)
    # Version 4 has the network, and 6 the scopes; a kernel refuses fields that it does not know.
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _Ruleset(handled, _TCP, _SCOPES)
    ruleset = system.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return 0
    try:
        for paths, access in ((read, READ_ONLY), (write, READ_WRITE)):
            for path in paths:
                _allow(system, ruleset, path, access & handled)
        forbid_new_privileges()
        return 0 if system.syscall(_RESTRICT, ruleset, 0) else version
    finally:
        os.close(ruleset)


def forbid_new_privileges() -> None:
    """Give up what set-user-id programs would give: a condition of every restriction."""
    _system().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def _handled(version: int) -> int:
    later = ((2, _REFER), (3, _TRUNCATE), (5, _DEVICES))
    return _ALL_OF_1 | sum(access for since, access in later if version >= since)


def _allow(system: ctypes.CDLL, ruleset: int, path: Path, access: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return
    try:
        access = access if path.is_dir() else access & _OF_FILES
        rule = _Beneath(access, handle)
        system.syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(handle)


def _system() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
