"""How long the window holds its breath while the engine works.

A timer asks for a turn of the event loop every 2 ms; the longest wait for one is the longest
stall. Measured from the press of *Run all* to the end of a run of 2,000 items, with each view in
front once. The limit is 50 ms. The peer is the same window with nothing running. Beside the wait by
the clock stands the work of the window's own thread in that time: what is more of the former is
the machine's. Needs a display, real or virtual, and an otherwise idle machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module

from measuring import report
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from coterie.core.recipes import Recipe
from coterie.gui.application import NEEDED_LATER, make_application, session_maker
from coterie.gui.main_window import MainWindow
from coterie.projects.planning import sample_recipe

ITEMS = 2_000
INTERVAL = 2  # ms


class Probe:
    """Records the milliseconds between two turns of the event loop."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.work: list[float] = []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._on_turn)
        self._timer.start(INTERVAL)

    def take(self) -> list[float]:
        """Return the waits since the last call, longest last."""
        waits, self.waits = sorted(self.waits), []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        return waits

    def take_work(self) -> list[float]:
        """Return the work of the thread between two turns since the last call, most last."""
        work, self.work = sorted(self.work), []
        return work

    def _on_turn(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.waits.append(1e3 * (now - self._last))
        self.work.append(1e3 * (worked - self._worked))
        self._last, self._worked = now, worked


def until(app: QApplication, condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Turn the event loop until the condition holds."""
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:
        app.processEvents()
        time.sleep(0.0005)


def rest(app: QApplication, seconds: float) -> None:
    """Turn the event loop for so long."""
    end = time.perf_counter() + seconds
    until(app, lambda: time.perf_counter() > end)


def recipe() -> Recipe:
    """The recipe of the arcs, with more of them."""
    arcs = sample_recipe("arcs")
    return arcs.changed("data", params={**arcs.sources[0].params, "n": ITEMS})


def main() -> None:
    """Run the recipe with each view in front, then let the window rest for as long."""
    app = make_application("light")
    for name in NEEDED_LATER:  # as the window does in the background
        import_module(name)
    window = MainWindow(session_maker(), None)
    window.show()
    session = window.documents.ensure_session()
    until(app, lambda: bool(session.catalogue.methods))
    tabs = window.workbench.tabs
    for index in range(tabs.count()):
        session.load_recipe(recipe())
        tabs.setCurrentIndex(index)
        rest(app, 1.0)
        probe = Probe()
        session.edit(session.recipe.changed("groups", seed=index + 1), "another seed")
        session.run()
        until(app, lambda: not session.busy)
        work, waits = probe.take_work(), probe.take()
        report(f"most work in a turn, {tabs.tabText(index)} in front", work[-3:], "limit", 50, "ms")
        report(f"longest stall, {tabs.tabText(index)} in front", waits[-3:], "limit", 50, "ms")
    probe = Probe()
    rest(app, 2.0)
    report("longest stall, nothing running", probe.take()[-3:], "limit", 50, "ms")
    session.modified = False
    window.close()


if __name__ == "__main__":
    main()
