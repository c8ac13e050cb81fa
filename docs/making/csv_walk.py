"""Counts the modules that the data of a CSV file pass, from the window to a reopened project.

Run by hand, with a screen or QT_QPA_PLATFORM=offscreen; docs/architecture.md has the outcome. The
data pass a module when one of its functions takes or returns them: text of the file, an array,
list or table with an entry for each item, or a value (a dataclass, tuple or dict) that holds one.
Objects that merely keep a reference, such as the session, do not count. Listed apart are modules
that the data pass only because of what this recipe computes and this window shows: methods, the
mathematics, panels, widgets and other views, and what nobody but these hands the data to.

The walk is taken twice: with the engine as a process, which shows the window's side of the channel,
and with the engine in a thread, which shows the engine's side. Each module is listed at the hop
where the data first pass it.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
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
# Passed only because of what this recipe computes and this window shows.
BESIDE = (
    "gui/toolkit/", "gui/panels/", "plugins/", "core/numerics/",
    "core/engine/inprocess.py",  # where an engine process is, this is not
    "projects/report/",  # the Summary has groups described, on a thread of its own
)  # fmt: skip
HANDING_ON = ("gui/toolkit/", "plugins/readers/", "core/engine/inprocess.py")  # to all others
ITEMS = 61  # of no other use in the program, so an extent of 61 means the items
MARK = "7.6543"  # a cell of the file
DEEPEST = 4
MOST_LOOKS = 300  # at the calls of one function


@dataclass
class Passed:
    """The function of a module that the data passed first, and whether that was on the way."""

    function: str = ""
    on_the_way: bool = False


Hops = dict[str, dict[str, Passed]]  # by hop: the modules that are called


def carries_data(value: Any, depth: int = DEEPEST) -> bool:
    """Whether a value holds the data, or something with an entry for each item."""
    if isinstance(value, (str, bytes, bytearray)):
        return (MARK in value) if isinstance(value, str) else MARK.encode() in value
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return ITEMS in shape
    if depth == 0 or value is None or isinstance(value, type):
        return False
    if isinstance(value, Mapping):
        return any(carries_data(one, depth - 1) for one in list(value.values())[:50])
    if isinstance(value, (list, tuple)):
        return len(value) == ITEMS or any(carries_data(one, depth - 1) for one in value[:50])
    if dataclasses.is_dataclass(value):
        parts = (getattr(value, field.name, None) for field in dataclasses.fields(value))
        return any(carries_data(part, depth - 1) for part in parts)
    return False


class Trace:
    """Notes, for the present hop, the modules that are called and those that the data pass."""

    def __init__(self) -> None:
        self.hops: Hops = {}
        self._present: dict[str, Passed] = {}
        self._looks: Counter[CodeType] = Counter()

    def begin(self, hop: str) -> None:
        """What is called from now on belongs to `hop`."""
        self._present = self.hops.setdefault(hop, {})
        self._looks.clear()

    def note(self, frame: FrameType, event: str, value: Any) -> None:
        """Take a call, or its return, into account; a module's own lines, at import, are none."""
        code = frame.f_code
        if event not in ("call", "return") or code.co_name == "<module>":
            return
        file = code.co_filename
        if not file.startswith(PACKAGES):
            return
        found = self._present.setdefault(file, Passed())
        if found.on_the_way:
            return
        self._looks[code] += 1
        if self._looks[code] > MOST_LOOKS:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        taken = [frame.f_locals.get(name) for name in names] if event == "call" else [value]
        try:
            if any(carries_data(one) for one in taken):
                found.on_the_way = not _is_for_others(frame)
                if found.on_the_way or not found.function:
                    found.function = code.co_qualname
        except Exception:  # a half-made object: it is looked at again when it is passed on
            return

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
    points = np.random.default_rng(0).normal(size=(ITEMS, 2)) + 9 * (np.arange(ITEMS)[:, None] % 2)
    points[0, 0] = float(MARK)
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
    """Yield the modules by the hop at which the data first pass them, and their numbers."""
    seen: set[str] = set()
    told: set[str] = set()  # listed apart
    counted = 0
    for hop in walks[0]:
        passed = {
            str(Path(file).relative_to(ROOT)): found
            for hops in walks
            for file, found in sorted(hops[hop].items(), key=lambda one: one[1].on_the_way)
            if found.function
        }
        own = sorted(name for name in passed.keys() - seen if passed[name].on_the_way)
        beside = sorted(passed.keys() - seen - set(own) - told)
        seen |= set(own)
        told |= set(beside)
        counted += len(own)
        yield f"{hop}: {len(own)} modules, and {len(beside)} methods, widgets and other views"
        yield from (f"    {name}: {passed[name].function}" for name in own)
        yield from (f"        ({name})" for name in beside)
    called = {file for hops in walks for hop in hops.values() for file in hop}
    yield f"{counted} modules on the way of the data; {len(called)} modules are called in all."


def _is_for_others(frame: FrameType | None) -> bool:
    """Whether a function is called by or for a method, a panel, or a view other than Convergence.

    Readers, and what hands everything on, do not count as such.
    """
    at = frame
    while at is not None:
        file = at.f_code.co_filename
        if file.startswith(PACKAGES) and _is_beside(file, first=at is frame):
            return True
        at = at.f_back
    return False


@cache
def _is_beside(file: str, *, first: bool) -> bool:
    name = str(Path(file).relative_to(ROOT))
    return not _is_on_the_way(name) and (first or not name.startswith(HANDING_ON))


def _is_on_the_way(name: str) -> bool:
    if name.startswith(BESIDE):
        return False
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
