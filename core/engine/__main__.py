"""The engine process: `python -m coterie.core.engine --channel HANDLE --workspace FOLDER …`."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import signal
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from coterie.core.engine.channel import FAREWELL, Channel, inherited
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.sender import Sender
from coterie.core.engine.worker import Worker
from coterie.core.io.platform.lifeline import end_with_lifeline
from coterie.core.io.platform.limits import limit_memory
from coterie.core.io.platform.locales import use_neutral_case
from coterie.core.io.platform.processes import end_own_group
from coterie.core.io.platform.processors import yield_to_others
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
    use_neutral_case()
    limit_memory(chosen.memory)
    yield_to_others()  # the window, which a person watches, gets a processor first
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
    end_own_group()


if __name__ == "__main__":
    main()
