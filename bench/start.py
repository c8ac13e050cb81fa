"""How long a person waits: for `coterie --version`, and for a window that can be used.

Limits: 0.3 s and 1.5 s. The peers, for scale, are an empty Python and an empty Qt window, each
started in the same run. Needs a display, real or virtual.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.measuring import report, seconds_of

COTERIE = str(Path(sys.executable).with_name("coterie"))
PROGRAM = (sys.executable, "-m", "coterie.gui")
EMPTY_WINDOW = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
QTimer.singleShot(0, app.quit)
app.exec()
"""


def usable_after(arguments: list[str], program: Sequence[str] = PROGRAM) -> float:
    """Start the window and return the seconds until it says that it can be used."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [*program, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COTERIE_TRACE": "start"},
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if re.match("usable", line):
                return time.perf_counter() - began
        raise RuntimeError("The window ended before it could be used.")
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


def main() -> None:
    """Measure, warm: each once before it counts."""

    def version() -> None:
        subprocess.run([COTERIE, "--version"], check=True, capture_output=True)

    version()
    report("coterie --version", seconds_of(version), "limit", 0.3)
    empty = seconds_of(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    report("empty Python", empty, "limit", 0.3)

    usable_after([])
    report("window usable, start page", [usable_after([]) for _ in range(5)], "limit", 1.5)
    spirals = [usable_after(["--sample", "spirals"]) for _ in range(5)]
    report("window usable, on a sample", spirals, "limit", 1.5)
    bare = seconds_of(lambda: subprocess.run([sys.executable, "-c", EMPTY_WINDOW], check=True))
    report("empty Qt window", bare, "limit", 1.5)


if __name__ == "__main__":
    main()
