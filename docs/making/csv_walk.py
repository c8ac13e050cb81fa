"""Counts the modules that a CSV file passes, from the drop on the window to a reopened project.

Run by hand, with a screen or QT_QPA_PLATFORM=offscreen; docs/architecture.md has the outcome. A
module counts when one of its functions was called. The walk is taken twice: with the engine as a
process, which shows the window's side of the channel, and with the engine in a thread, which shows
the engine's side. Each module stands at the hop where it was first called.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from PySide6.QtCore import QElapsedTimer, QMimeData, QPoint, QSettings, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication

from coterie.core.engine.options import EngineOptions
from coterie.gui.app.application import make_application
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.projects.jobs.scheduler import EngineKind
from coterie.projects.session import Session

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(f"{ROOT / package}/" for package in ("core", "plugins", "projects", "gui"))
PATIENCE = 300_000  # milliseconds
# Called whatever happens to whatever file: widgets, docks, the other views; and the mathematics.
BESIDE = ("gui/toolkit/", "gui/panels/", "plugins/", "core/numerics/")

Hops = dict[str, set[str]]


class Trace:
    """Notes, for the present hop, each of our modules of which a function is called."""

    def __init__(self) -> None:
        self.hops: Hops = {}
        self._present: set[str] = set()

    def begin(self, hop: str) -> None:
        """What is called from now on belongs to `hop`."""
        self._present = self.hops.setdefault(hop, set())

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Take a call into account; a module's own lines, run by its import, are none."""
        if event == "call" and frame.f_code.co_name != "<module>":
            file = frame.f_code.co_filename
            if file.startswith(PACKAGES):
                self._present.add(file)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Note calls of this thread and of those that it starts."""
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def walk(engine: EngineKind, folder: Path) -> Hops:
    """Take a file all the way, and return the modules called at each hop."""
    trace = Trace()
    table, project = folder / "points.csv", folder / f"{engine}.coterie.h5"
    points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([0, 9], 30)[:, None]
    np.savetxt(table, points, delimiter=",", header="x,y", comments="", fmt="%.4f")
    window = _window(engine, folder)
    with trace.running():
        trace.begin("dropped on the window")
        _drop(window, table)
        dialog = window.findChild(ImportDialog)
        assert isinstance(dialog, ImportDialog)
        trace.begin("import preview")
        _wait(dialog.ok.isEnabled)
        trace.begin("default recipe, and read by the engine")
        dialog.accept()
        session = window.session
        assert session is not None
        _wait(lambda: bool(session.recipe.steps) and not session.busy)
        trace.begin("run, with frames")
        window.commands.run_all()
        _wait(lambda: not session.busy)
        trace.begin("Convergence view")
        window.tabs.bring_forward("Convergence")
        view = window.tabs.current_view()
        assert view is not None
        _wait(lambda: view.built)
        trace.begin("saved to HDF5")
        window.documents.save_to(project)
        _wait(lambda: session.project.path == project and not session.project.modified)
    window.documents.close_session()
    window.close()
    window = _window(engine, folder)
    with trace.running():
        trace.begin("opened again")
        window.documents.open(project)
        _wait(lambda: window.session is not None and bool(window.session.recipe.steps))
        reopened = window.session
        assert reopened is not None
        _wait(lambda: not reopened.busy)
        reopened.fetch(reopened.recipe.steps[-1].name)
    window.documents.close_session()
    window.close()
    return trace.hops


def _window(engine: EngineKind, folder: Path) -> MainWindow:
    def new_session() -> Session:
        options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
        return Session(engine=engine, options=options, root=folder)

    window = MainWindow(new_session, QSize(1280, 800))
    window.show()
    return window


def _drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPoint(50, 50), Qt.DropAction.CopyAction, data, left, plain))


def _wait(done: Callable[[], bool]) -> None:
    clock = QElapsedTimer()
    clock.start()
    while not done():
        if clock.elapsed() > PATIENCE:
            raise TimeoutError("The walk did not go on within five minutes.")
        QApplication.processEvents()
    QApplication.processEvents()


def report(walks: list[Hops]) -> Iterator[str]:
    """Yield the modules by the hop at which each was first called, and their numbers."""
    seen: set[str] = set()
    counted = 0
    for hop in walks[0]:
        names = {str(Path(file).relative_to(ROOT)) for hops in walks for file in hops[hop]} - seen
        seen |= names
        own = sorted(name for name in names if not name.startswith(BESIDE) and _is_on_the_way(name))
        counted += len(own)
        yield f"{hop}: {len(own)} modules, and {len(names) - len(own)} beside the way"
        yield from (f"    {name}" for name in own)
    yield f"{counted} modules on the way, {len(seen)} in all."


def _is_on_the_way(name: str) -> bool:
    return not name.startswith("gui/views/") or name.startswith(
        ("gui/views/convergence/", "gui/views/shown_items/run_monitor", "gui/views/base_view")
    )


def main() -> int:
    """Take both walks and print the report."""
    _ = QApplication.instance() or make_application("light")
    QSettings().clear()
    walks = []
    engines: tuple[EngineKind, ...] = ("process", "inprocess")
    for engine in engines:
        with tempfile.TemporaryDirectory() as folder:
            walks.append(walk(engine, Path(folder)))
    print("\n".join(report(walks)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
