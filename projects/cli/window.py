"""Finds and opens the window, through an entry point: this package knows nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from coterie.core.io.platform.screen import has_screen

GROUP = "coterie.windows"  # `open` and `probe`, each taking arguments and returning an exit code
WINDOW_PROBE = "--probe-window"
NO_DESKTOP = (
    'The window is not installed. Install it with: pip install "coterie[desktop]". '
    "'coterie --help' lists the commands that work without it."
)

Entry = Callable[[Sequence[str]], int]


def open_window(arguments: Sequence[str]) -> int:
    """Open the window and stay until it is closed; return the exit code."""
    if not has_desktop():
        print(NO_DESKTOP, file=sys.stderr)
        return 1
    if not has_screen():
        # Qt would end the whole process with a core dump.
        print(
            "No display found. 'coterie --help' lists the commands that work without one.",
            file=sys.stderr,
        )
        return 1
    try:
        run = find_window("open")
    except ImportError as error:
        print(
            f"The window cannot be opened: {error}. Reinstall it with: "
            'pip install "coterie[desktop]".',
            file=sys.stderr,
        )
        return 1
    return run(list(arguments))


def has_desktop() -> bool:
    """Return whether the libraries of the window are installed; none of them is loaded."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("PySide6", "pyqtgraph"))


def probe_window(arguments: Sequence[str]) -> int:
    """Let the window report on itself, for `coterie doctor` and the self-test."""
    return find_window("probe")(list(arguments))


def find_window(name: str) -> Entry:
    """Load an entry point of Coterie's window; raises ImportError when there is none.

    Only Coterie's own distribution is looked at: no other can put a window in its place.
    """
    from importlib import metadata

    # `distribution` raises PackageNotFoundError, an ImportError too.
    entries = metadata.distribution("coterie").entry_points.select(group=GROUP, name=name)
    for entry in entries:
        found: Entry = entry.load()
        return found
    raise ImportError(f"this installation has no entry point '{name}' in the group '{GROUP}'")
