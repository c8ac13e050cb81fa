"""A pipe whose end is the end of a process, even while native code keeps the interpreter busy."""

from __future__ import annotations

import os
import signal
import sys

CAN_BE_HANDED_ON = sys.platform != "win32"  # to a new process


def end_with_lifeline(lifeline: int) -> None:
    """Have the system end this process group when the other end of a pipe is closed.

    The thread that receives notices that the window is gone, but not while native code keeps the
    interpreter to itself. SIGIO, unless somebody handles it, ends a process. On macOS and Windows
    that thread has to do.
    """
    if sys.platform != "linux":
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgid(0))
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    os.set_inheritable(lifeline, False)
