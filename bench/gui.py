"""The budgets of the window, each measured in a real window and compared with its limit.

    stalls      50 ms   no turn of the event loop is longer, while a run of 10,000 items shows its
                        frames, with each view in front once; then with each brought forward and
                        the window made larger and smaller, while a run goes on
    opening      1 s    from the order to open a project of 1 GB to its filled tree on the screen
    selection  100 ms   from selecting 5,000 of 50,000 items to the last view that shows them
    frames      33 ms   a live picture of 10,000 items, in the views that show them
    many        50 ms   no turn is longer while each view is looked at for the first time with
                        100,000 items and a million (COTERIE_BENCH_ITEMS), nor while points are
                        zoomed, brushed and coloured, and the table is sorted and filtered; and the
                        first picture of the points within a second

Beside what the clock says stands the work of the window's own thread: what is more of the former
is other programs'. Each budget is measured in a process of its own, with settings and files in a
folder that is removed after. Say which to measure, or none for all. Without a screen Qt paints to
memory. To make the project takes minutes: COTERIE_BENCH_PROJECT names one to open instead.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtWidgets import QApplication
from tools.many_items import look_at_all, prepared_sessions
from tools.measuring import report, seconds_of
from tools.window_recipes import LARGE, LARGE_STEP, MANY, STREAMING
from tools.windows import (
    Probe,
    Redrawing,
    Spent,
    close_window,
    head,
    hold,
    open_window,
    rest,
    until,
)

from coterie.core.io.confined.starting import SPARE
from coterie.gui.app.application import NEEDED_FIRST, NEEDED_LATER, Readiness
from coterie.gui.app.main_window import MainWindow
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.convergence.view import ConvergenceView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.projects.recipe.toml import parse_recipe
from coterie.projects.session import Session

STALL, OPENING, SELECTION, FRAME = 50.0, 1000.0, 100.0, 33.0  # ms
FIRST_PICTURE = 1000.0  # ms
GIGABYTE = 1 << 30
FOLDER, PROJECT, ITEMS = (f"COTERIE_BENCH_{name}" for name in ("FOLDER", "PROJECT", "ITEMS"))


def stalls() -> None:
    """Run with each view in front, then let the window rest."""
    app, window, session = open_window()
    tabs = window.tabs
    session.project.load_recipe(parse_recipe(STREAMING))
    session.run("plane", "similarity")
    until(app, lambda: not session.busy)
    until(app, lambda: all(view.built or not view.worth_preparing() for view in tabs.views))
    for seed, view in enumerate(tabs.views, start=1):
        tabs.bring_forward(view.title)
        rest(app, 1.0)
        frames = _count(session)
        probe = Probe()
        session.edits.replace(session.recipe.changed("groups", seed=seed), "another seed")
        session.run()
        until(app, lambda: not session.busy)
        rest(app, 0.5)
        probe.report(f"{view.title} in front, {len(frames)} frames", STALL)
    _meanwhile(app, window, session)
    probe = Probe()
    rest(app, 2.0)
    probe.report("Nothing running", STALL)
    close_window(app, window)


def _meanwhile(app: QApplication, window: MainWindow, session: Session) -> None:
    """Look at one view after the other, and change the size of the window, during a slow run."""
    tabs = window.tabs
    session.scheduler.set_speed(20.0)
    session.edits.replace(session.recipe.changed("groups", seed=1000), "another seed")
    session.run("groups")
    rest(app, 1.0)
    for view in tabs.views:
        probe = Probe()
        tabs.bring_forward(view.title)
        rest(app, 0.5)
        probe.report(f"{view.title} brought forward during a run", STALL)
    tabs.bring_forward(ConvergenceView.title)
    rest(app, 0.5)
    size, probe = window.size(), Probe()
    for step in (*range(10), *reversed(range(10))):
        window.resize(size.width() + 20 * step, size.height() + 10 * step)
        rest(app, 0.05)
    probe.report("Convergence, the window resized during a run", STALL)
    session.scheduler.set_speed(0.0)
    session.cancel()
    until(app, lambda: not session.busy)


def opening() -> None:
    """Make a project of 1 GB, and open it with nothing of it in the system's memory."""
    path = Path(os.environ.get(PROJECT) or _large_project(Path(os.environ[FOLDER])))
    print(f"A project of {path.stat().st_size / GIGABYTE:.2f} GB")
    hold("Order to open to filled tree", [_open_once(path) for _ in range(3)], OPENING)


def _open_once(path: Path) -> Spent:
    app, window, session = open_window()
    workbench = window.workbench
    assert workbench is not None
    _forget_contents(path)
    Readiness.begin()  # as the window does while it rests
    until(app, lambda: SPARE.ready)
    began, worked = time.perf_counter(), time.thread_time()
    window.documents.open(path)
    until(app, lambda: session.project.path == path and workbench.tree.lists(session.recipe.names))
    workbench.tree.repaint()
    taken = Spent(1e3 * (time.perf_counter() - began), 1e3 * (time.thread_time() - worked))
    probe = Probe()
    until(app, lambda: not session.busy)
    rest(app, 1.0)
    probe.report("While the arrays that are looked at come", STALL)
    close_window(app, window)
    Readiness.end()
    return taken


def selection() -> None:
    """Open all views in windows of their own, and select again and again."""
    app, window, session = open_window()
    window.resize(1600, 1000)
    session.project.load_recipe(parse_recipe(MANY))
    session.run()
    until(app, lambda: not session.busy)
    for failure in map(session.failure, session.recipe.names):
        if failure is not None:
            raise RuntimeError(failure.message)
    tabs = window.tabs
    for view in tabs.views[1:]:
        tabs.tear_off(tabs.indexOf(view))
    rest(app, 3.0)
    shown = [view.title for view in tabs.views if not view.empty]
    print(f"Open: {', '.join(shown)}, the Inspector and the Selection panel")
    redrawing = Redrawing(app)
    rng = np.random.default_rng(0)
    taken = []
    for _ in range(7):
        items = np.sort(rng.choice(50_000, 5_000, replace=False))
        taken.append(redrawing.after(lambda items=items: session.selection.update(items)))
        rest(app, 0.2)
    hold("Selecting 5,000 of 50,000, all views", taken, SELECTION)
    close_window(app, window)


def many() -> None:
    """Look at each view once, with results of very many items; the engine has nothing to do."""
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    theme.apply(app)
    for name in (*NEEDED_FIRST, *NEEDED_LATER):  # as the window does in the background
        importlib.import_module(name)
    make = prepared_sessions(Path(os.environ[FOLDER]))
    for n in map(int, os.environ.get(ITEMS, "100000,1000000").split(",")):
        print(f"  {n:,} items")
        look_at_all(app, make(n), FIRST_PICTURE)


def _prepared() -> Any:
    sys.path.append(str(Path(__file__).parent.parent))
    return importlib.import_module("tests.gui.prepared")


def frames() -> None:
    """Draw frames as fast as they can be drawn."""
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    theme.apply(app)
    prepared = _prepared()
    data = prepared.blobs(10_000, 6)
    folder = Path(os.environ[FOLDER])
    session = prepared.PreparedSession(folder, prepared.solved(data), prepared.RECIPE)
    peer = _library_scatter(data)
    for kind in (EmbeddingView, ConvergenceView):
        view: Any = _shown(kind(session))
        session.set_job("running")
        taken = []
        for frame, _ in prepared.run_of(data.truth, per_set=20):
            session.framed.emit("groups", frame)
            began, worked = time.perf_counter(), time.thread_time()
            view.synchronize()
            view.canvas.viewport().repaint()
            wall, work = time.perf_counter() - began, time.thread_time() - worked
            taken.append(Spent(1e3 * wall, 1e3 * work))
        hold(f"{view.title}, a picture of 10,000 items", taken, FRAME)
        if kind is EmbeddingView:
            report("  the same", [one.wall for one in taken], "the library's scatter", peer, "ms")
        session.set_job("finished")
        view.close()


def _count(session: Session) -> list[int]:
    """Return a list that grows by one with each frame."""
    seen: list[int] = []

    def on_frame(_step: str, _frame: object) -> None:
        seen.append(len(seen))

    session.framed.connect(on_frame)
    return seen


def _large_project(folder: Path) -> Path:
    """Compute dense graphs, whose numbers hardly pack, and save them: more than a gigabyte."""
    path = folder / "large.coterie.h5"
    steps = (LARGE_STEP.format(number=number) for number in range(1, 4))
    session = Session()
    session.start()
    try:
        while not session.catalogue.methods:
            session.wait(0.1)
        session.project.load_recipe(parse_recipe(LARGE + "".join(steps)))
        session.run()
        session.wait()
        session.project.keep = "all"
        session.project.save(path)
        session.wait()
    finally:
        session.close()
    if path.stat().st_size < GIGABYTE:
        raise RuntimeError(f"The project is too small: {path.stat().st_size} bytes.")
    return path


def _forget_contents(path: Path) -> None:
    """Have the system read the file from disk again, where it can be made to."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _shown(view: Any) -> Any:
    view.resize(1000, 700)
    view.show()
    for _ in range(5):
        QApplication.processEvents()
    return view


def _library_scatter(data: Any) -> float:
    """Milliseconds for a picture by the library's own items, when one point in ten moved group."""
    widget = pyqtgraph.PlotWidget()
    items = [pyqtgraph.ScatterPlotItem(size=5, pen=None) for _ in range(6)]
    for item in items:
        widget.addItem(item)
    _shown(widget)
    rng = np.random.default_rng(0)
    x, y = data.features[:, :2].T

    def draw() -> None:
        groups = np.where(rng.random(len(x)) < 0.1, rng.integers(0, 6, len(x)), data.truth)
        for group, item in enumerate(items):
            members = groups == group
            item.setData(x[members], y[members], brush=pyqtgraph.intColor(group))
        widget.viewport().repaint()

    taken = sorted(seconds_of(draw, 10))
    widget.close()
    return 1e3 * taken[len(taken) // 2]


SAID = {
    "stalls": "No turn of the event loop over 50 ms: the longest turn of each",
    "opening": "The tree of a project of 1 GB within a second",
    "selection": "A selection in all views within 100 ms",
    "frames": "Live pictures of 10,000 items at 30 a second",
    "many": "Views of very many items: the longest turn when each is looked at",
}
BUDGETS: dict[str, Callable[[], None]] = {
    "stalls": stalls,
    "opening": opening,
    "selection": selection,
    "frames": frames,
    "many": many,
}


def main() -> None:
    """Measure the budgets that are named, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("budget", nargs="*", choices=[*BUDGETS, []], help="which; default: all")
    wanted = parser.parse_args().budget or list(BUDGETS)
    if FOLDER in os.environ:
        head(SAID[wanted[0]])
        BUDGETS[wanted[0]]()
        return
    for budget in wanted:
        with tempfile.TemporaryDirectory(prefix="coterie-bench-") as folder:
            places = {f"XDG_{name}_HOME": folder for name in ("CONFIG", "CACHE", "DATA", "STATE")}
            screen = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}
            surroundings = {**screen, **os.environ, **places, FOLDER: folder}
            print(flush=True)
            subprocess.run([sys.executable, __file__, budget], check=True, env=surroundings)


if __name__ == "__main__":
    main()
