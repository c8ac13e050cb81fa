"""What one picture of a live view costs, and how soon all views follow a selection.

Limits: 33 ms for a picture of 10,000 items (30 a second), 100 ms for selecting 5,000 of 50,000.
The peer of the scatter is the plotting library's own, one item per group, given the same points.
Needs a display, real or virtual.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyqtgraph
from measuring import report, seconds_of
from PySide6.QtWidgets import QApplication

from coterie.gui.styling import theme
from coterie.gui.views import ConvergenceView, DataView, EmbeddingView

FRAME, SELECTION = 33.0, 100.0  # ms


def main() -> None:
    app = QApplication(sys.argv)
    theme.apply(app)
    doubles = _doubles()
    data = doubles.blobs(10_000, 6)
    session = doubles.FakeSession(doubles.solved(data), doubles.RECIPE)
    peer = _library_scatter(data)
    for kind in (EmbeddingView, ConvergenceView):
        view: Any = _shown(kind(session))
        session.set_job("running", number=id(view))
        taken = []
        for frame, _ in doubles.run_of(data.truth, per_set=20):
            session.framed.emit("groups", frame)
            began = time.perf_counter()
            view.synchronize()
            view.canvas.viewport().repaint()
            taken.append(1e3 * (time.perf_counter() - began))
        report(f"{view.title}, a picture of 10,000 items", taken, "limit", FRAME, "ms")
        if kind is EmbeddingView:
            report("  the same", taken, "the library's scatter", peer, "ms")
        view.close()

    data = doubles.blobs(50_000, 6)
    session = doubles.FakeSession(doubles.solved(data), doubles.RECIPE)
    views: list[Any] = [_shown(kind(session)) for kind in (DataView, EmbeddingView)]
    rng = np.random.default_rng(0)

    def select() -> None:
        session.selection.update(rng.choice(50_000, 5_000, replace=False))
        for view in views:
            view.synchronize()
            view.repaint()
            (view.table if isinstance(view, DataView) else view.canvas).viewport().repaint()

    taken = [1e3 * seconds for seconds in seconds_of(select)]
    report("Selecting 5,000 of 50,000 in two views", taken, "limit", SELECTION, "ms")
    for view in views:
        view.close()


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


def _doubles() -> ModuleType:
    path = Path(__file__).parent.parent / "tests" / "gui" / "doubles.py"
    spec = importlib.util.spec_from_file_location("doubles", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
