"""A million items in real views: pictures, brushing, sorting and filtering, none of them a copy."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Embedding
from coterie.gui.views.data.view import DataView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.summary.view import SummaryView
from tests.gui import prepared

N = 1_000_000
WAIT = 120_000  # ms


@pytest.fixture
def session(new_session: Any) -> Any:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, N)
    features = rng.normal(0, 10, (4, 3))[labels] + rng.normal(size=(N, 3))
    data = Dataset(title="many", features=features, columns=("width", "height", "age"))
    results = {
        "data": data,
        "groups": Clustering(labels=labels, dataset=data),
        "plane": Embedding(coordinates=features[:, :2].copy(), dataset=data),
    }
    return new_session(results, prepared.RECIPE)


@pytest.mark.slow
def test_a_million_items_are_seen_brushed_sorted_and_filtered(session: Any, qtbot: QtBot) -> None:
    labels = session.results.artefact("groups").labels
    x, y = session.results.artefact("plane").coordinates.T
    points, table, words = EmbeddingView(session), DataView(session), SummaryView(session)
    for view in (points, table, words):
        qtbot.addWidget(view)
        view.resize(900, 600)
        view.show()
    qtbot.waitUntil(lambda: points.built and points._points.is_image, timeout=WAIT)
    assert sum(entry.count for entry in points._colouring.entries) == N

    before = np.array(points._points._image.image)
    points.box.scaleBy((0.1, 0.1))
    qtbot.waitUntil(lambda: not np.array_equal(points._points._image.image, before), timeout=WAIT)
    points.fit()
    corners = np.array([(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)])
    points._on_brushed(corners, Qt.KeyboardModifier.NoModifier)
    inside = (x > -5) & (x < 5) & (y > -5) & (y < 5)
    qtbot.waitUntil(lambda: session.selection.count > 0, timeout=WAIT)
    assert session.selection.count == int(inside.sum())

    width = next(i for i, c in enumerate(table.state.columns) if c.title == "width")
    table.table.sortByColumn(width, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: table.state.ordering.work is None, timeout=WAIT)
    data = session.results.artefact("data")
    assert table.state.item(0) == int(np.argmax(data.features[:, 0]))
    table.filter.setText("group = 2")
    qtbot.waitUntil(lambda: table.state.rows < N, timeout=WAIT)
    assert table.state.rows == int((labels == 1).sum())
    qtbot.waitUntil(lambda: words.state.descriptions is not None, timeout=WAIT)
    assert words.state.sizes() == tuple(np.bincount(labels).tolist())
