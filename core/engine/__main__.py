"""The engine process: `python -m coterie.core.engine --channel HANDLE --workspace FOLDER …`."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from coterie.core.engine.channel import FAREWELL, Channel, inherited
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.sender import Sender
from coterie.core.engine.worker import Worker
from coterie.core.io.workspace import Workspace


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Serve one window until it goes away."""
    parser = argparse.ArgumentParser(prog="coterie.core.engine")
    parser.add_argument("--channel", type=int, required=True)
    parser.add_argument("--lifeline", type=int)
    parser.add_argument("--workspace", type=Path, required=True)
    parser.add_argument("--memory", type=int, required=True)
    parser.add_argument("--workers", type=int, required=True)
    parser.add_argument("--cluster", default="")
    parser.add_argument("--safe-mode", action="store_true")
    parser.add_argument("--plugins", type=Path, action="append", default=[])
    chosen = parser.parse_args(arguments)

    # A crash in native code leaves its Python lines on stderr, which goes to the Log.
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the window's to handle
    limit_memory(chosen.memory)
    if hasattr(os, "nice"):
        os.nice(5)  # the window, which a person watches, gets a processor first
    channel = inherited(chosen.channel)
    options = EngineOptions(
        safe_mode=chosen.safe_mode,
        plugin_folders=tuple(chosen.plugins),
        memory=chosen.memory,
        workers=chosen.workers,
        cluster=chosen.cluster,
    )
    sender = Sender(channel, broken=end_without_window)
    worker = Worker(Workspace(chosen.workspace), options, sender.put)
    threading.Thread(target=_receive_all, args=(channel, worker), daemon=True).start()
    try:
        worker.load()
        if chosen.lifeline is not None:
            # Not before: a plugin whose import ends so would be blamed for it.
            end_with_lifeline(chosen.lifeline)
        worker.work()
    except BaseException:
        traceback.print_exc()
    # At once: a plugin may have left threads behind that never end.
    os._exit(1)


def limit_memory(count: int) -> None:
    """Let allocations beyond `count` bytes fail with MemoryError instead of exhausting the machine.

    Mapped files do not count towards this limit, so the workspace may be larger.
    """
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (ceiling, hard))


def end_with_lifeline(lifeline: int) -> None:
    """Have the system end this process group when the other end of a pipe is closed.

    The thread that receives notices that the window is gone, but not while native code keeps the
    interpreter to itself. SIGIO, unless somebody handles it, ends a process.
    """
    if sys.platform != "linux":
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgid(0))
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    os.set_inheritable(lifeline, False)


def _receive_all(channel: Channel, worker: Worker) -> None:
    """Take messages until the window goes away; then end at once, workers included."""
    try:
        while True:
            worker.give(channel.receive())
    except (EOFError, OSError):
        worker.quarantine.stand_down()
    except BaseException:  # an engine that does not listen is useless: the window starts another
        traceback.print_exc()
    finally:
        end_without_window()


def end_without_window() -> None:
    """Say that the channel is closed, to a window that may yet hear it, and end."""
    with contextlib.suppress(OSError):
        os.write(1, f"{FAREWELL}\n".encode())
    end_group()


def end_group() -> None:
    """End this process and all it started."""
    if sys.platform != "win32" and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
