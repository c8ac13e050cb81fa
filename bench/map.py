"""The map on a large scene: its first pixels, its overviews, and what a pan step costs.

Limits: the first pixels of a new scene within a second and a coarse picture of all of it within
six; the first view within a second where there are overviews; 50 ms for a pan step on the window's
thread, whatever the threads beside it do, by the clock and by the processor time of that thread
alone; and memory that does not grow with the way that was panned.
The scene is made up: 13 bands, tiled and compressed, `--side` pixels along each side (10,980 is
that of a Sentinel-2 tile). Needs a display, real or virtual.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication
from raster import make_scene
from tools.measuring import prepared_session, report

from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.overviews import overviews_folder
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.view import MapView
from coterie.projects.sources.raster_processes import keep_apart

FIRST_PIXELS, FIRST_PICTURE, FIRST_VIEW, STEP = 1.0, 6.0, 1.0, 50.0  # s, s, s, ms
STEPS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--keep", type=Path, help="folder in which the scene is kept")
    parser.add_argument("--first", action="store_true", help="the first picture alone")
    asked = parser.parse_args()
    folder = asked.keep or Path(tempfile.mkdtemp())
    (folder / "work").mkdir(parents=True, exist_ok=True)
    path = folder / f"scene-{asked.side}.tif"
    if not path.exists():
        make_scene(path, asked.side)
    app = QApplication(sys.argv)
    theme.apply(app)
    session = prepared_session(folder / "work")
    recipe = Recipe(sources=(Source("data", str(path)),))
    session.project.load_recipe(recipe)
    session.put("data", raster_dataset(scene_of(path)))
    keep_apart()  # as in the program: another process reads the scene

    def new_view() -> Any:
        view = MapView(session)
        view.resize(1200, 800)
        return view

    _first_look(new_view(), asked.side, "whole" if asked.first else "overviews")
    if asked.first:
        return
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


def _first_look(view: Any, side: int, until: str) -> None:
    """Show a scene without overviews; time its first pixels, all of it coarsely, and overviews."""
    shutil.rmtree(overviews_folder(), ignore_errors=True)
    began = time.perf_counter()
    when: dict[str, float] = {}
    view.show()
    while until not in when:
        QApplication.processEvents()
        time.sleep(0.005)
        prepared, past = view.state.prepared, time.perf_counter() - began
        sketch = prepared.sketch if prepared is not None else None
        drawn = view.map.tiles and len(view.map.tiles["scene"].store)
        if drawn and "pixels" not in when and (sketch is None or sketch.done):
            when["pixels"] = past
        if sketch is not None and sketch.done == 1 and "whole" not in when:
            when["whole"] = past
        if prepared is not None and sketch is None:
            when.setdefault("whole", past)
            when["overviews"] = past
    print(f"A new scene of {side} × {side} × 13:")
    report("  first pixels", [when["pixels"]], "limit", FIRST_PIXELS)
    report("  a coarse picture of all of it", [when["whole"]], "limit", FIRST_PICTURE)
    if "overviews" in when:
        print(f"  overviews {when['overviews']:.1f} s")
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


if __name__ == "__main__":
    main()
