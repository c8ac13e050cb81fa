"""What all views share."""

import gc
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from coterie.core.model.dataset import Dataset
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.all_views import VIEWS
from coterie.gui.views.base_view import View
from coterie.gui.views.data.view import DataView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.map.view import MapView
from tests.gui import prepared
from tests.refusals import refuses

EACH = pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.title)


@pytest.fixture
def session(request: pytest.FixtureRequest, new_session: Any) -> Any:
    """Everything computed on 300 items; for the Map they are the pixels of a picture."""
    data = prepared.blobs()
    called = getattr(request.node, "callspec", None)
    if called is not None and called.params.get("kind") is MapView:
        data = as_picture(data)
    return new_session(prepared.solved(data), prepared.RECIPE)


def as_picture(data: Dataset) -> Dataset:
    """The same items as pixels of a picture."""
    return replace(data, details={"height": 15, "width": 20})


@EACH
def test_an_empty_view_says_what_to_do(
    kind: type[View], new_session: Any, shown: Callable[[View], View]
) -> None:
    view = shown(kind(new_session()))
    assert view.empty
    assert not view.built
    assert view._empty.text().startswith("Open a file")


@EACH
def test_content_takes_the_place_of_the_sentence(
    kind: type[View], new_session: Any, shown: Callable[[View], View], qtbot: QtBot
) -> None:
    session = new_session()
    view = shown(kind(session))
    data = prepared.blobs()
    session.project.load_recipe(prepared.RECIPE)
    session.publish(prepared.solved(as_picture(data) if kind is MapView else data))
    qtbot.waitUntil(lambda: not view.empty)


def test_the_map_says_that_a_table_is_no_picture(
    session: Any, shown: Callable[[View], View]
) -> None:
    view = shown(MapView(session))
    assert view.empty
    assert view._empty.text().startswith("These items are not pixels")


@EACH
def test_a_hidden_view_builds_nothing(kind: type[View], session: Any, qtbot: QtBot) -> None:
    view = kind(session)
    qtbot.addWidget(view)
    session.step_changed.emit("groups")
    qtbot.wait(60)
    assert not view.built


@EACH
def test_a_view_made_in_part_is_whole_when_it_is_seen(
    kind: type[View], session: Any, shown: Callable[[View], View], qtbot: QtBot
) -> None:
    view = kind(session)
    qtbot.addWidget(view)
    view.prepare()
    session.step_changed.emit("groups")
    session.selection.changed.emit()
    qtbot.wait(60)
    shown(view)
    assert view.built
    assert not view.empty


@EACH
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_pictures_are_written(
    kind: type[View], ending: str, session: Any, shown: Callable[[View], View], tmp_path: Path
) -> None:
    path = tmp_path / f"picture.{ending}"
    shown(kind(session)).export_picture(path)
    start = path.read_bytes()[:200]
    assert b"PNG" in start if ending == "png" else b"<svg" in start


@EACH
def test_another_ending_is_refused_in_words(
    kind: type[View], session: Any, shown: Callable[[View], View], tmp_path: Path
) -> None:
    view = shown(kind(session))
    with refuses("wrong-extension"):
        view.export_picture(tmp_path / "picture.gif")


@pytest.mark.slow
@EACH
def test_a_change_of_scheme_reaches_the_plots(
    kind: type[View], session: Any, shown: Callable[[View], View], qapp: QApplication
) -> None:
    view = shown(kind(session))
    canvas = view._histogram.canvas if isinstance(view, DataView) else getattr(view, "canvas", None)
    if canvas is None:
        pytest.skip("draws no plot")
    assert canvas.backgroundBrush().color().name() == theme.LIGHT.base
    theme.apply(qapp, "dark")
    assert canvas.backgroundBrush().color().name() == theme.DARK.base
    theme.apply(qapp, "light")


@EACH
def test_a_deleted_view_no_longer_listens(
    kind: type[View], session: Any, shown: Callable[[View], View], qtbot: QtBot
) -> None:
    views = [shown(kind(session))]
    views[0].deleteLater()
    qtbot.waitUntil(lambda: not isValid(views[0]))
    session.selection.update([1])
    session.step_changed.emit("groups")
    session.set_job("running")
    views.clear()
    gc.collect()  # its Python half may be in a cycle; the one who closes widgets must not find it


@EACH
def test_everything_a_person_uses_is_reachable_and_named(
    kind: type[View], session: Any, shown: Callable[[View], View]
) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QScrollBar

    view = shown(kind(session))
    used: list[QWidget] = [
        widget
        for found in (QAbstractButton, QAbstractSlider, QComboBox)
        for widget in view.findChildren(found)
        if not isinstance(widget, QScrollBar) and widget.isVisible()
    ]
    used = [w for w in used if not (isinstance(w, QAbstractButton) and "corner" in repr(w).lower())]
    for widget in used:
        name = widget.accessibleName() or getattr(widget, "text", str)()
        if widget.metaObject().className() == "QTableCornerButton":
            continue
        assert name, widget
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, name


def test_importing_the_views_does_not_import_the_plots() -> None:
    code = "import sys, coterie.gui.views; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_news_are_drawn_once_however_many_there_are(
    session: Any, shown: Callable[[View], View], qtbot: QtBot
) -> None:
    view = shown(EmbeddingView(session))
    qtbot.wait(60)
    drawn = []
    view.draw = lambda: drawn.append(1)  # type: ignore[method-assign]
    for _ in range(100):
        session.step_changed.emit("groups")
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.wait(80)
    assert len(drawn) == 1
