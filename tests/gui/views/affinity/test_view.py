"""The Affinity view through its widgets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.core.api.frame import Frame
from coterie.core.api.partial_affinity import Glimpse
from coterie.core.model.affinity import Affinity
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.affinity.matrix_image import MatrixImage
from coterie.gui.views.affinity.view import AffinityView
from coterie.projects.jobs.step_previews import StepPreview


def similar(data: Any, width: float = 1.0) -> Affinity:
    X = np.nan_to_num(data.features)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return Affinity(values=np.exp(-squares / (2 * width**2)), dataset=data, title="near")


@pytest.fixture
def view(session: Any, shown: Callable[[AffinityView], AffinityView], qtbot: QtBot) -> AffinityView:
    session.put("near", similar(session.results.artefact("data")))
    view = shown(AffinityView(session))
    qtbot.waitUntil(lambda: view.state.picture is not None)
    qtbot.wait(60)  # the axes find their widths when they are first painted
    return view


def picture_of(view: AffinityView) -> MatrixImage:
    assert view.state.picture is not None
    return view.state.picture


def place_of(view: AffinityView, row: int, column: int) -> Any:
    scene = view.matrix.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    return view.matrix.canvas.mapFromScene(scene)


def test_the_matrix_is_drawn_whole_with_its_groups_named(view: AffinityView) -> None:
    (left, right), (top, bottom) = view.matrix.box.viewRange()
    assert left < 0 < 300 < right
    assert top < 0 < 300 < bottom
    names = [name for _, name in view.matrix.plot.getAxis("left")._tickLevels[0]]
    assert names == ["group 1", "group 2", "group 3", "unassigned"]
    assert view.matrix._image.image.shape == (300, 300)
    assert len(view.matrix._borders.xData) == 2 * 2 * (3 + 2)


def test_a_click_selects_the_item_of_the_row_and_lists_its_neighbours(
    view: AffinityView, session: Any, qtbot: QtBot
) -> None:
    picture = picture_of(view)
    viewport = view.matrix.canvas.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place_of(view, 120, 30))
    qtbot.waitUntil(lambda: session.selection.count == 1)
    row = int(picture.rows_of(session.selection.mask)[0])
    assert abs(row - 120) <= 1
    view.synchronize()
    table = view.neighbours.table
    first = table.item(0, 0)
    assert first is not None
    item = int(session.selection.items[0])
    values = session.results.artefact("near").values[item].copy()
    values[item] = -1
    assert first.text() == f"item {int(values.argmax()) + 1}"
    assert first.toolTip().splitlines()[0] == first.text()  # whole, where the column cuts it off
    table.cellClicked.emit(0, 0)
    assert session.selection.items.tolist() == [int(values.argmax())]


def test_the_arrow_keys_walk_along_the_picture(
    view: AffinityView, session: Any, qtbot: QtBot
) -> None:
    picture = picture_of(view)
    view.walk(1)
    assert session.selection.items.tolist() == [int(picture.order[0])]
    view.walk(1)
    assert session.selection.items.tolist() == [int(picture.order[1])]
    session.selection.mode = "add"  # which clicks follow: keys lead from row to row
    view.walk(1)
    assert session.selection.items.tolist() == [int(picture.order[2])]
    view.walk(-5)
    assert session.selection.items.tolist() == [int(picture.order[0])]


def test_an_order_is_chosen_and_drawn(view: AffinityView, qtbot: QtBot) -> None:
    at = view.bar.order.findText("By similarity")
    view.bar.order.setCurrentIndex(at)
    view.bar.order.activated.emit(at)
    qtbot.waitUntil(lambda: picture_of(view).wish.order == "likeness")
    view.synchronize()
    assert len(view.matrix._borders.xData) == 2 * 2 * 2  # the frame alone
    view.bar.scale.setCurrentIndex(1)
    view.bar.scale.activated.emit(1)
    qtbot.waitUntil(lambda: picture_of(view).wish.scale == "log")


def test_a_preview_is_marked_and_gone_after_the_run(
    view: AffinityView, session: Any, qtbot: QtBot
) -> None:
    few = np.arange(0, 300, 3)
    values = session.results.artefact("near").values[np.ix_(few, few)] ** 0.25
    session.questions.step_previewed.emit("near", StepPreview({"sigma": 2.0}, values, few))
    qtbot.waitUntil(lambda: view.state.is_preview)
    view.synchronize()
    assert view._banner.isVisible()
    assert "100 of 300 items" in view._stale.text()
    assert view.matrix._badge.isVisible()
    session.edits.replace(session.recipe.changed("near", params={"sigma": 2.0}), "a test")
    session.put("near", similar(session.results.artefact("data"), 2.0))
    qtbot.waitUntil(lambda: view.state.picture is not None and not view.state.is_preview)
    view.synchronize()
    assert not view._banner.isVisible()
    assert not view.matrix._badge.isVisible()


def test_from_a_preview_one_can_go_back_to_the_result(
    view: AffinityView, session: Any, qtbot: QtBot
) -> None:
    answer = StepPreview({"sigma": 2.0}, np.eye(100), np.arange(100))
    session.questions.step_previewed.emit("near", answer)
    qtbot.waitUntil(lambda: view.state.is_preview)
    view.synchronize()
    view._back.click()
    qtbot.waitUntil(lambda: view.state.picture is not None and not view.state.is_preview)


def test_many_previews_end_with_the_newest(view: AffinityView, session: Any, qtbot: QtBot) -> None:
    for width in range(1, 30):
        values = np.full((100, 100), width / 30)
        answer = StepPreview({"sigma": width}, values, np.arange(100))
        session.questions.step_previewed.emit("near", answer)
    qtbot.waitUntil(lambda: view.state.is_preview and picture_of(view).high == 29 / 30)


def test_what_cannot_be_drawn_is_said(view: AffinityView, qtbot: QtBot, monkeypatch: Any) -> None:
    def fail(_wish: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("coterie.gui.views.affinity.view.work_out", fail)
    view._on_order_chosen("given")
    qtbot.waitUntil(lambda: view.empty)
    assert "cannot be drawn" in view._empty.text()
    monkeypatch.undo()
    view._on_order_chosen("likeness")
    qtbot.waitUntil(lambda: not view.empty)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_are_written_in_both_looks(
    view: AffinityView, qapp: QApplication, tmp_path: Path, scheme: Any, qtbot: QtBot
) -> None:
    theme.apply(qapp, scheme)
    for ending in ("png", "svg"):
        path = tmp_path / f"matrix.{ending}"
        view.export_picture(path)
        assert path.stat().st_size > 5000


def test_the_matrix_is_seen_to_sharpen_while_it_is_learned(
    fresh: Any, shown: Callable[[AffinityView], AffinityView], qtbot: QtBot
) -> None:
    fresh.make_stale("near")
    view = shown(AffinityView(fresh))
    assert view.empty
    items, truth = np.arange(0, 300, 3), fresh.results.artefact("data").truth
    together = truth[items][:, None] == truth[items][None]

    def show(sharpness: float) -> None:
        values = np.where(together, sharpness, 1 - sharpness)
        fresh.framed.emit("near", Frame(1, glimpse=Glimpse(values, items, 300)))
        qtbot.waitUntil(lambda: view.state.picture is not None)
        qtbot.waitUntil(lambda: bool(picture_of(view).values.max() == sharpness))

    show(0.6)
    show(0.9)
    qtbot.waitUntil(lambda: view.matrix._badge.isVisible())
    assert view.matrix._image.image.shape == (100, 100)
    assert not view._banner.isHidden()
    fresh.edits.undo()
    fresh.put("near", similar(fresh.results.artefact("data")))
    qtbot.waitUntil(lambda: view.matrix._image.image.shape == (300, 300))
    assert view._banner.isHidden()
    assert not view.matrix._badge.isVisible()


def test_the_matrix_is_whole_however_narrow_the_view(view: AffinityView, qtbot: QtBot) -> None:
    for size in ((260, 1400), (1400, 260)):
        view.matrix.canvas.setParent(None)
        qtbot.addWidget(view.matrix.canvas)
        view.matrix.canvas.resize(*size)
        view.matrix.canvas.show()
        qtbot.waitUntil(lambda: _is_whole(view))


def _is_whole(view: AffinityView) -> bool:
    (left, right), (top, bottom) = view.matrix.box.viewRange()
    return bool(left < 0 < 300 <= right and top < 0 < 300 <= bottom)
