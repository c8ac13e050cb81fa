"""Processes that are killed: at a chosen moment, or before a chosen operation on a file.

A forked process starts in milliseconds, with all modules loaded; so this may only be used by a
program that has no threads yet.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

# What Python tells an audit hook before it happens: everything that changes names or sizes.
OPERATIONS = (
    "open",
    "os.rename",
    "os.link",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
)


def load_all_modules() -> None:
    """Import what an engine would, so that forked processes have it at once."""
    for name in (
        "coterie.core.engine.inprocess",
        "coterie.projects.store.hdf5.saving",
        "scipy.linalg",
    ):
        importlib.import_module(name)
    plugins = importlib.import_module("coterie.plugins")
    for module in pkgutil.walk_packages(plugins.__path__, "coterie.plugins."):
        importlib.import_module(module.name)


def forked(action: Callable[[int], None], kill_after: float | None = None) -> tuple[int, bytes]:
    """Run `action(pipe)` in a process of its own; return how it ended and what it wrote to `pipe`.

    The code is 0, 1 for an exception (then its traceback is the text), or minus a signal.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)  # with all it starts
        os.close(reading)
        code = 1
        try:
            action(writing)
            code = 0
        except BaseException:
            os.write(writing, traceback.format_exc().encode())
        finally:
            os._exit(code)
    os.close(writing)
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # by both, as it may have to be killed before it came to it
    said = _read_until(reading, None if kill_after is None else time.monotonic() + kill_after, pid)
    _, status = os.waitpid(pid, 0)
    os.close(reading)
    return os.waitstatus_to_exitcode(status), said


def _read_until(pipe: int, deadline: float | None, pid: int) -> bytes:
    """Read until the other end closes; kill it at the deadline."""
    said = b""
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([pipe], [], [], left)
        if not ready:
            os.killpg(pid, signal.SIGKILL)
            deadline = None
            continue
        block = os.read(pipe, 1 << 16)
        if not block:
            return said
        said += block


def die_before(number: int, folder: Path) -> list[str]:
    """Kill this process before its operation `number` on something in `folder`, from now on.

    Returns the list to which the operations are added as they happen.
    """
    done: list[str] = []
    inside = str(folder)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event not in OPERATIONS or not _concerns(arguments, inside):
            return
        if len(done) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        done.append(event)

    sys.addaudithook(hook)
    return done


def _concerns(arguments: tuple[object, ...], inside: str) -> bool:
    if isinstance(arguments[0], int):  # an open file is truncated
        return True
    if len(arguments) > 2 and arguments[1] in ("r", "rb"):
        return False  # reading changes nothing
    return any(os.fsdecode(a).startswith(inside) for a in arguments if isinstance(a, str | bytes))
