"""What a window does with very many items: looks at views, zooms, brushes, sorts and filters."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Embedding, Ranking
from coterie.gui.views.all_views import VIEWS
from coterie.gui.views.data.view import DataView
from coterie.gui.views.embedding.view import EmbeddingView
from tools.measuring import resident_megabytes
from tools.windows import Probe, Spent, hold, rest, until

STALL = 50.0  # ms
SHOWN = 1_000_000  # items; of more, views with a number for each item and group are left out


def results_of(n: int) -> dict[Any, Any]:
    """Return n items around eight centres, their groups, places and ranks; no names."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, n)
    features = rng.normal(0, 8, (8, 4))[labels]
    for start in range(0, n, 1 << 20):
        part = features[start : start + (1 << 20)]
        part += rng.normal(size=part.shape)
    data = Dataset(title="many", features=features, columns=("width", "height", "age", "weight"))
    membership = None
    if n <= SHOWN:
        membership = np.eye(8)[labels] * rng.random(n)[:, None]
    return {
        "data": data,
        "near": Affinity(factor=features, nonnegative=False, dataset=data),
        "groups": Clustering(labels=labels, membership=membership, dataset=data),
        "plane": Embedding(coordinates=features[:, :2].copy(), dataset=data),
        "order": Ranking(scores=features[:, 0].copy(), dataset=data),
    }


def look_at_all(app: QApplication, session: Any, first_picture: float) -> None:
    """Look at each view once, then do with points and table what a person does."""
    first: Any = EmbeddingView(session)
    first.resize(1000, 700)
    began, worked = time.perf_counter(), time.thread_time()
    first.show()
    until(app, lambda: bool(first.built and first._points.is_image))
    taken = Spent(1e3 * (time.perf_counter() - began), 1e3 * (time.thread_time() - worked))
    hold("First picture of all points", [taken], first_picture)
    rest(app, 0.5)
    _gestures(app, session, first)
    first.close()
    for kind in VIEWS:
        view: Any = kind(session)
        view.resize(1000, 700)
        while not view.built and view.worth_preparing():  # made in the window's spare time
            view.prepare()
        _probe(app, f"{kind.title} looked at for the first time", view.show)
        if kind is DataView:
            _table(app, view)
        view.close()
    print(f"  The window's process: {resident_megabytes():.0f} MB of its own", flush=True)


def _gestures(app: QApplication, session: Any, view: Any) -> None:
    box = view.box
    _probe(app, "Points: zoom in by four", lambda: box.scaleBy((0.25, 0.25)))
    _probe(app, "Points: zoom in by sixteen more", lambda: box.scaleBy((0.06, 0.06)))
    _probe(app, "Points: move aside", lambda: box.translateBy(x=0.3 * _width(box)))
    _probe(app, "Points: fit", view.fit)
    column = view.state.columns[-1].key
    _probe(app, "Points: colour by a column", lambda: view._on_colour_chosen(column))
    (x0, x1), (y0, y1) = box.viewRange()
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    corners = np.array([(x0, y0), (x, y0), (x, y), (x0, y)])
    held = Qt.KeyboardModifier.NoModifier
    _probe(app, "Points: brush a quarter", lambda: view._on_brushed(corners, held))
    _probe(app, "Points: select none", session.selection.clear)


def _table(app: QApplication, view: Any) -> None:
    order = Qt.SortOrder.DescendingOrder
    _probe(app, "Data: sort by a column", lambda: view.table.sortByColumn(3, order))
    _probe(app, "Data: filter", lambda: view.filter.setText("group = 1"))
    _probe(app, "Data: distribution of a column", lambda: view._on_column_chosen(4))


def _probe(app: QApplication, what: str, action: Callable[[], object]) -> None:
    probe = Probe()
    action()
    rest(app, float(os.environ.get("COTERIE_BENCH_REST", "3")))
    probe.report(what, STALL)


def _width(box: Any) -> float:
    (x0, x1), _ = box.viewRange()
    return float(x1 - x0)


def prepared_sessions(folder: Path) -> Callable[[int], Any]:
    """Return what makes sessions with the results of so many items, as the tests make them."""
    sys.path.append(str(Path(__file__).parents[2]))
    from tests.gui import prepared

    def make(n: int) -> Any:
        root = folder / str(n)
        root.mkdir()
        return prepared.PreparedSession(root, results_of(n), prepared.RECIPE)

    return make
