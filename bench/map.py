"""The map on a large scene: its first view from overviews, and what a pan step costs the window.

Limits: the first view within a second of the overviews being there (their making is told apart);
50 ms for a pan step on the window's thread, whatever the threads beside it do, by the clock and by
the processor time of that thread alone; and memory that does not grow with the way that was panned.
The scene is made up: 13 bands, tiled and compressed, `--side` pixels along each side (10,980 is
that of a Sentinel-2 tile). Needs a display, real or virtual.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from measuring import report
from PySide6.QtWidgets import QApplication
from raster import make_scene

from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.view import MapView

FIRST_VIEW, STEP = 1.0, 50.0  # s, ms
STEPS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--keep", type=Path, help="folder in which the scene is kept")
    asked = parser.parse_args()
    folder = asked.keep or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"scene-{asked.side}.tif"
    if not path.exists():
        make_scene(path, asked.side)
    app = QApplication(sys.argv)
    theme.apply(app)
    doubles = _doubles()
    recipe = Recipe(sources=(Source("data", str(path)),))

    def new_view() -> Any:
        # A description of its own each time, as nothing may be left from the last view.
        session = doubles.FakeSession({"data": raster_dataset(scene_of(path))}, recipe)
        view = MapView(session)
        view.resize(1200, 800)
        return view

    began = time.perf_counter()
    first = _seen(new_view())
    print(f"Overviews of {asked.side} × {asked.side} × 13 and first view: "
          f"{time.perf_counter() - began:.1f} s")  # fmt: skip
    first.close()
    taken = []
    for _ in range(3):
        view = new_view()
        began = time.perf_counter()
        _seen(view)
        taken.append(time.perf_counter() - began)
    report("First view from overviews", taken, "limit", FIRST_VIEW)
    _zoom(view, 1 / (asked.side / 1500))
    _pan(view, "Pan step on the window's thread")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for _ in range(3):
        _pan(view, "  the same, further on")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Peak memory {before:.0f} MB before and {after:.0f} MB after three more ways across")
    view.close()


def _seen(view: Any) -> Any:
    """Show a view until all that is seen of the scene is drawn."""
    view.show()
    while view.state.prepared is None or view.work.drawing or view.map.wishes():
        QApplication.processEvents()
        time.sleep(0.001)
    view.canvas.viewport().repaint()
    return view


def _zoom(view: Any, factor: float) -> None:
    view.map.box.scaleBy((factor, factor))
    _seen(view)


def _pan(view: Any, what: str) -> None:
    """Pan across the scene; time what each turn of the event loop takes."""
    taken, worked = [], []
    box = view.map.box
    for step in range(STEPS):
        wide = box.viewRect().width()
        way = 0.08 * wide if (step // (STEPS // 2)) % 2 == 0 else -0.08 * wide
        began, began_working = time.perf_counter(), time.thread_time()
        box.translateBy(x=way, y=0.4 * way)
        view.canvas.viewport().repaint()
        QApplication.processEvents()
        taken.append(1e3 * (time.perf_counter() - began))
        worked.append(1e3 * (time.thread_time() - began_working))
        until = time.perf_counter() + 0.02
        while time.perf_counter() < until:  # tiles arrive, each batch in a turn of its own
            began, began_working = time.perf_counter(), time.thread_time()
            QApplication.processEvents()
            taken.append(1e3 * (time.perf_counter() - began))
            worked.append(1e3 * (time.thread_time() - began_working))
            time.sleep(0.002)
    longest = sorted(taken)[-STEPS:]
    report(f"{what}, the {STEPS} longest turns", longest, "limit", STEP, "ms")
    most = sorted(worked)[-STEPS:]
    report(f"  its own processor time, the {STEPS} with most", most, "limit", STEP, "ms")


def _doubles() -> ModuleType:
    place = Path(__file__).parent.parent / "tests" / "gui" / "doubles.py"
    spec = importlib.util.spec_from_file_location("doubles", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
