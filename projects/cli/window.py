"""Opens the window, which lies above this package and is therefore found by its name."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

WINDOW, PROBE = "coterie.gui.app.application", "coterie.gui.app.probe"
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def open_window(arguments: Sequence[str]) -> int:
    """Open the window and stay until it is closed; return the exit code."""
    if not has_screen():
        # Qt would end the whole process with a core dump.
        print(
            "There is no screen here to open a window on. "
            "'coterie --help' lists what can be done without one.",
            file=sys.stderr,
        )
        return 1
    try:
        window = import_module(WINDOW)
    except ImportError as error:
        print(
            f"The window cannot be opened: {error}. Install Coterie again, with all it needs.",
            file=sys.stderr,
        )
        return 1
    code: int = window.run(list(arguments))
    return code


def probe_window(arguments: Sequence[str]) -> int:
    """Let the window tell about itself, for `coterie doctor` and the self-test."""
    code: int = import_module(PROBE).main(list(arguments))
    return code


def has_screen() -> bool:
    """Return whether Qt would find somewhere to show a window."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in SCREENS)
