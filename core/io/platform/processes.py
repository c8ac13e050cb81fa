"""Processes: started in a group of their own, and ended with all they started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


def new_group(*handles: int) -> dict[str, Any]:
    """Return the options of `subprocess.Popen` for a group of its own that keeps `handles`."""
    if sys.platform == "win32":
        for handle in handles:
            os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": list(handles)})
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"startupinfo": startup, "creationflags": flags, "close_fds": True}
    return {"pass_fds": handles, "start_new_session": True}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the leader of a group and all it started; on Windows the leader alone."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_own_group() -> None:
    """End this process and, where it leads a group, all it started."""
    if sys.platform != "win32" and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def children() -> set[int]:
    """Return the processes that threads of this one started; none where that cannot be known."""
    found: set[int] = set()
    for listing in Path("/proc/self/task").glob("*/children"):  # Linux
        with contextlib.suppress(OSError, ValueError):  # the thread has just ended
            found |= {int(word) for word in listing.read_text(encoding="ascii").split()}
    return found


def threads() -> int:
    """Return how many threads this process has, of whichever library; Linux alone says so."""
    return sum(1 for _ in Path("/proc/self/task").iterdir())


def is_gone(pid: int) -> bool:
    """Whether no process has that number; where that cannot be asked without harm, none is gone."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # another person's, or no number of a process
        return False
    return False


def numbering() -> str:
    """Return what distinguishes the process numbers of a container from those of its computer."""
    with contextlib.suppress(OSError):  # Linux alone has them; the same on all computers by default
        return str(Path("/proc/self/ns/pid").readlink())
    return ""
