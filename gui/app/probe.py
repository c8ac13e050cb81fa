"""What `coterie doctor` and `coterie --self-test` ask a window, in a process of its own.

`coterie --probe-window screen` and `… sample` print one line of JSON. Qt may end its process when a
screen or a driver is not as it should be; whoever asks lives on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from PySide6 import __version__ as binding
from PySide6.QtCore import QDeadlineTimer, QEventLoop, qVersion
from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

SAMPLE = "three-gaussians"
PATIENCE_SECONDS = 90.0
# What glGetString is asked for: the numbers are OpenGL's own.
STRINGS = {"vendor": 0x1F00, "renderer": 0x1F01, "version": 0x1F02}


def main(arguments: Sequence[str]) -> int:
    """Print what was asked for."""
    asked = {"screen": about_screen, "sample": open_sample}
    print(json.dumps(asked[arguments[0]]()), flush=True)
    return 0


def about_screen() -> dict[str, Any]:
    """Return what Qt says of itself, its screens and OpenGL."""
    app = QGuiApplication.instance() or QGuiApplication(["coterie"])
    assert isinstance(app, QGuiApplication)
    screens = [
        f"{screen.size().width()} × {screen.size().height()} at {screen.devicePixelRatio():g}"
        for screen in app.screens()
    ]
    return {
        "Qt": qVersion(),
        "PySide6": binding,
        "platform": app.platformName(),
        "screens": screens,
        "OpenGL": about_opengl(),
    }


def about_opengl() -> str:
    """Return vendor, renderer and version of OpenGL, or why there is none."""
    context = QOpenGLContext()
    if not context.create():
        return "none"
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    if not context.makeCurrent(surface):
        return "present, but unusable without a window"
    functions = context.functions()
    said = [str(functions.glGetString(number) or "unknown") for number in STRINGS.values()]
    context.doneCurrent()
    return ", ".join(said)


def open_sample() -> dict[str, Any]:
    """Open the window, compute a sample in it through the engine, and close it again."""
    from coterie.gui.app.application import make_application, session_maker
    from coterie.gui.app.main_window import MainWindow

    began = time.perf_counter()
    app = make_application("light")

    def until(is_so: Callable[[], bool]) -> None:
        deadline = QDeadlineTimer(round(PATIENCE_SECONDS * 1000))
        while not is_so():
            if deadline.hasExpired():
                raise TimeoutError("The window did not finish in time.")
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(0.01)

    window = MainWindow(session_maker(safe_mode=True))
    window.show()
    until(window.isVisible)
    shown = time.perf_counter() - began
    session = window.documents.ensure_session()
    try:
        until(lambda: bool(session.catalogue.methods))
        window.documents.open_now(SAMPLE)
        until(lambda: not session.busy)
        window.commands.run_all()
        until(lambda: not session.busy)
        failures = [session.failure(name) for name in session.recipe.names]
        failed = [failure.message for failure in failures if failure is not None]
        return {
            "platform": app.platformName(),
            "shown after": round(shown, 3),
            "steps": len(session.recipe.names),
            "failures": failed,
            "picture": [window.grab().width(), window.grab().height()],
        }
    finally:
        window.documents.close_session()
        window.close()
