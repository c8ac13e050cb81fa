"""The Embedding view through its widgets."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.views.embedding.crowd import Crowd
from coterie.gui.views.embedding.scatter_bar import ScatterBar
from coterie.gui.views.embedding.view import EmbeddingView
from tests.gui import prepared

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(
    session: Any, shown: Callable[[EmbeddingView], EmbeddingView], qtbot: QtBot
) -> EmbeddingView:
    view = shown(EmbeddingView(session))
    qtbot.wait(60)  # the axes find their widths when they are first painted
    return view


def place_of(view: EmbeddingView, x: float, y: float) -> QPoint:
    scene = view.box.mapViewToScene(QPointF(x, y))
    found: QPoint = view.canvas.mapFromScene(scene)
    return found


def drag(qtbot: QtBot, view: EmbeddingView, *corners: tuple[float, float]) -> None:
    """Draw with the left button through these points, in data units."""
    viewport = view.canvas.viewport()
    places = [place_of(view, *corner) for corner in corners]
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=places[0])
    for before, after in pairwise(places):
        for share in np.linspace(0.1, 1, 10):
            between = before + (after - before) * float(share)
            QTest.mouseMove(viewport, between)
            qtbot.wait(12)  # the scene ignores moves that follow each other too closely
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=places[-1])


def around(session: Any, item: int, reach: float) -> Array:
    points = session.results.artefact("plane").coordinates
    return np.asarray(np.abs(points - points[item]).max(axis=1) <= reach)


def test_all_points_are_drawn_with_their_axes_named(view: EmbeddingView) -> None:
    assert len(view._points._dots) == 300
    assert view.plot.getAxis("bottom").labelText == "PC 1"
    x0, y0, x1, y1 = view.state.extent
    (left, right), (bottom, top) = view.box.viewRange()
    assert left < x0 < x1 < right
    assert bottom < y0 < y1 < top


def test_a_click_selects_the_point_under_it(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    x, y = session.results.artefact("plane").coordinates[17]
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, x, y))
    qtbot.waitUntil(lambda: session.selection.count == 1)
    chosen = session.results.artefact("plane").coordinates[session.selection.items[0]]
    assert np.abs(chosen - (x, y)).max() < 0.1


def test_a_box_drawn_with_the_mouse_selects(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    x, y = session.results.artefact("plane").coordinates[17]
    drag(qtbot, view, (x - 0.7, y - 0.7), (x + 0.7, y + 0.7))
    expected = around(session, 17, 0.7)
    differing = session.selection.mask != expected
    assert session.selection.count > 3
    assert differing.sum() <= 2  # a pixel more or less


def test_a_lasso_drawn_with_the_mouse_selects(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    view.bar.tools["lasso"].trigger()
    x, y = session.results.artefact("plane").coordinates[17]
    drag(qtbot, view, *[(x + a, y + b) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))])
    # The scene takes at most a hundred moves a second, so corners may be cut a little.
    mask = session.selection.mask
    assert mask[around(session, 17, 0.8)].all()
    assert not mask[~around(session, 17, 1.1)].any()


def test_panning_selects_nothing(view: EmbeddingView, session: Any, qtbot: QtBot) -> None:
    view.bar.tools["pan"].trigger()
    before = view.box.viewRange()
    drag(qtbot, view, (0, 0), (1, 1))
    assert session.selection.count == 0
    assert view.box.viewRange() != before


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (NONE, [2, 3]),
        (SHIFT, [1, 2, 3]),
        (CONTROL, [1, 2, 3]),
        (SHIFT | CONTROL, [1]),
        (Qt.KeyboardModifier.AltModifier, [1]),
    ],
)
def test_held_keys_say_what_a_selection_does(
    view: EmbeddingView, session: Any, held: Qt.KeyboardModifier, expected: list[int]
) -> None:
    session.selection.update([1, 2])
    mask = np.isin(np.arange(300), [2, 3])
    view.select(mask, held)
    assert session.selection.items.tolist() == expected


def test_without_keys_a_selection_does_what_was_chosen_for_all_views(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    first, second = np.zeros((2, 300), dtype=bool)
    first[:10] = second[5:20] = True
    view.select(first, NONE)
    session.selection.mode = "intersect"
    view.select(second, NONE)
    assert session.selection.items.tolist() == list(range(5, 10))
    view.select(second, SHIFT)
    assert session.selection.items.tolist() == list(range(5, 20))
    qtbot.waitUntil(lambda: "keep the overlap" in view._note.text())
    session.selection.mode = "replace"
    qtbot.waitUntil(lambda: "keeps" not in view._note.text())


def test_what_is_not_selected_is_dimmed(view: EmbeddingView, session: Any) -> None:
    session.selection.update([1, 2])
    view.synchronize()
    looks = view._points._dots._looks
    drawn = np.array([looks[i].outline != "" for i in view._points._dots._which])
    assert drawn.sum() == 2
    assert drawn[-2:].all()  # on top of all others


def test_a_click_in_the_legend_selects_a_group(view: EmbeddingView, session: Any) -> None:
    entry = view.legend.entry_at(QPointF(5, view.legend._top + 1.5 * view.legend._row_height))
    assert entry is not None
    view.legend.clicked.emit(entry, NONE)
    labels = session.results.artefact("groups").labels
    assert np.array_equal(session.selection.mask, labels == 1)


def test_the_menu_selects_groups_by_keyboard(view: EmbeddingView, session: Any) -> None:
    view.bar.menu.aboutToShow.emit()
    actions = {action.text(): action for action in view.bar.menu.actions()}
    actions["All"].trigger()
    assert session.selection.count == 300
    count = view._colouring.entries[0].count
    actions[f"group 1  ({count:,})"].trigger()
    assert session.selection.count == count


def test_other_axes_are_fitted_and_named(view: EmbeddingView) -> None:
    view.bar.across.setCurrentIndex(view.bar.across.findText("weight"))
    view.bar.across.activated.emit(view.bar.across.currentIndex())
    assert view.plot.getAxis("bottom").labelText == "weight"
    (left, right), _ = view.box.viewRange()
    x0, _, x1, _ = view.state.extent
    assert left < x0 < x1 < right


def test_colours_change_while_a_run_goes_on(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    session.set_job("running")
    frame, _ = prepared.run_of(session.results.artefact("data").truth)[60]
    session.framed.emit("groups", frame)
    qtbot.waitUntil(lambda: view._colouring.title == "Group, live")
    assert "colours follow the run" in view._note.text()
    session.set_job("finished")
    qtbot.waitUntil(lambda: view._colouring.title == "Group")


def test_a_stale_result_is_marked(view: EmbeddingView, session: Any, qtbot: QtBot) -> None:
    assert not view._banner.isVisible()
    session.make_stale("groups")
    session.step_changed.emit("groups")
    qtbot.waitUntil(view._banner.isVisible)
    assert "Run again" in view._stale.text()


def test_very_many_points_become_an_image(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView], qtbot: QtBot
) -> None:
    data = prepared.blobs(60_000)
    session = new_session(prepared.solved(data), prepared.RECIPE)
    view = shown(EmbeddingView(session))
    assert not view._points.is_image  # sorted on a thread
    qtbot.waitUntil(lambda: view._points.is_image)
    assert len(view._points._dots) == 0
    session.selection.update(np.arange(100))
    qtbot.waitUntil(lambda: len(view._points._dots) == 100)


def settled(view: EmbeddingView, qtbot: QtBot) -> None:
    """Wait until the bar, which a third axis makes higher, has left the plot its size."""
    qtbot.waitUntil(lambda: view.bar.height() >= view.bar.sizeHint().height())
    qtbot.wait(60)
    view.synchronize()


def test_many_points_in_three_dimensions_are_one_picture_but_shapes_when_written(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView], tmp_path: Path, qtbot: QtBot
) -> None:
    session = new_session(prepared.solved(prepared.blobs(3000)), prepared.RECIPE)
    view = shown(EmbeddingView(session))
    view.bar.solid.trigger()
    settled(view, qtbot)
    assert view._points.is_image
    assert len(view._points._dots) == 0
    before = np.array(view._points._image.image)
    view.box.scaleBy((0.5, 0.5))  # nearer: the picture is made anew, not enlarged
    qtbot.waitUntil(lambda: not np.array_equal(view._points._image.image, before))
    assert view._points._image.image.shape == before.shape
    view.export_picture(tmp_path / "cloud.svg")
    assert (tmp_path / "cloud.svg").read_text().count("<ellipse") + (
        tmp_path / "cloud.svg"
    ).read_text().count("<circle") > 2000
    assert view._points.is_image
    view.bar.solid.trigger()
    view.synchronize()
    assert len(view._points._dots) == 3000


def test_an_item_without_a_place_is_left_out_and_counted(view: EmbeddingView) -> None:
    view._on_axis_chosen("x", "feature:age")
    assert len(view._points._dots) == 299
    assert "1 not drawn" in view._note.text()


def test_identical_points_are_still_shown(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView]
) -> None:
    data = Dataset(features=np.ones((5, 2)))
    session = new_session({"data": data}, Recipe(sources=(Source("data"),)))
    view = shown(EmbeddingView(session))
    assert len(view._points._dots) == 5


def test_sizes_follow_the_ranking_when_asked(view: EmbeddingView) -> None:
    before = {look.size for look in view._points._dots._looks}
    view.bar.sized.click()
    assert view.state.sized
    assert len({look.size for look in view._points._dots._looks}) == 5 > len(before)
    view.session.selection.update([3])
    view.synchronize()
    assert len(view._points._dots) == 300


def test_three_axes_are_turned_by_dragging(view: EmbeddingView, session: Any, qtbot: QtBot) -> None:
    view.bar.solid.trigger()
    qtbot.wait(60)  # without axes the plot has more room
    assert view.state.is_solid
    assert view.triad.isVisible()
    assert not view.plot.getAxis("bottom").isVisible()
    assert view.triad.names == ("PC 1", "PC 2", "width")
    assert len(view._points._dots) == 300
    before, range_before = view.state.side.rotation, view.box.viewRange()
    drag(qtbot, view, (-0.5, 0), (0.5, 0.3))
    assert not np.allclose(view.state.side.rotation, before)
    assert view.box.viewRange() == range_before
    assert session.selection.count == 0
    view.bar.fit.trigger()
    assert np.allclose(view.state.side.rotation, before)


def test_the_arrow_keys_turn_as_well(view: EmbeddingView) -> None:
    view.bar.solid.trigger()
    x, _ = view.state.points
    QTest.keyClick(view.canvas, Qt.Key.Key_Left)
    assert not np.allclose(view.state.points[0], x)


def test_what_is_seen_in_three_dimensions_is_selected(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    view.bar.solid.trigger()
    view.bar.tools["box"].trigger()
    settled(view, qtbot)
    drag(qtbot, view, (-0.4, -0.4), (0.4, 0.4))
    x, y = view.state.points
    inside = (np.abs(x) < 0.4) & (np.abs(y) < 0.4)
    assert session.selection.count > 3
    assert (session.selection.mask != inside).sum() <= 3


def test_near_points_are_larger_and_drawn_over_far_ones(view: EmbeddingView) -> None:
    view.bar.solid.trigger()
    scales = np.asarray(view._points._dots._scales)
    assert (np.diff(scales) >= 0).all()
    assert scales[0] < 1 < scales[-1]


def test_what_is_selected_is_seen_clearly_however_far(view: EmbeddingView, session: Any) -> None:
    view.bar.solid.trigger()
    session.selection.update(np.arange(0, 300, 10))
    view.synchronize()
    opacities = np.asarray(view._points._dots._opacities)
    assert (opacities[-30:] == 1).all()  # drawn last, on top
    assert opacities[:-30].min() < 0.6


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_turned_cloud_is_written_too(view: EmbeddingView, ending: str, tmp_path: Path) -> None:
    view.bar.solid.trigger()
    view.export_picture(tmp_path / f"cloud.{ending}")
    assert (tmp_path / f"cloud.{ending}").stat().st_size > 5000


def test_two_columns_cannot_be_turned(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView]
) -> None:
    data = Dataset(features=np.arange(10.0).reshape(5, 2))
    session = new_session({"data": data}, Recipe(sources=(Source("data"),)))
    view = shown(EmbeddingView(session))
    assert not view.bar.solid.isEnabled()


def test_the_pointer_shows_a_card_with_the_picture(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView], qtbot: QtBot
) -> None:
    data = replace(prepared.blobs(), thumbnails=np.full((300, 8, 8), 120, dtype=np.uint8))
    session = new_session(prepared.solved(data), prepared.RECIPE)
    view = shown(EmbeddingView(session))
    qtbot.wait(60)
    x, y = session.results.artefact("plane").coordinates[17]
    view._on_pointer(view.box.mapViewToScene(QPointF(x, y)))
    assert view.card.isVisible()
    assert view.card.name.text() == data.items[view.card.item]
    assert view.card.picture.pixmap().width() == 96
    assert view.canvas.rect().contains(view.card.geometry())
    view._on_pointer(QPointF(-5, -5))
    assert not view.card.isVisible()


def test_a_line_shows_where_the_method_cut_an_axis(view: EmbeddingView, session: Any) -> None:
    across, along = view._cuts._lines
    assert not across.isVisible()
    session.put("plane", replace(session.results.artefact("plane"), details={"cut": 0.25}))
    view.outdate()
    view.synchronize()
    assert across.isVisible()
    assert across.value() == 0.25
    assert not along.isVisible()
    view.state.solid = True
    view.state.choose_axes(z=view.state.axes[0].key)
    view.synchronize()
    assert not across.isVisible()


def test_the_legend_scrolls_and_is_searched(view: EmbeddingView, qtbot: QtBot) -> None:
    from coterie.gui.views.shown_items.colouring import by_class

    names = tuple(f"kind {number}" for number in range(60))
    view.legend.show_colouring(by_class("Kind", np.arange(60), names, dark=False))
    first = view.legend.entry_at(QPointF(5, view.legend._top + 2))
    assert first is not None
    assert first.name == "kind 0"
    view.legend._scroll_to(10)
    scrolled = view.legend.entry_at(QPointF(5, view.legend._top + 2))
    assert scrolled is not None
    assert scrolled.name == "kind 10"
    view.legend.search("KIND 5")
    assert [entry.name for entry in view.legend.entries] == ["kind 5", *names[50:60]]


def test_a_group_is_hidden_and_shown_from_the_legend(view: EmbeddingView) -> None:
    view.hide_classes({1})
    view.synchronize()
    assert len(view._points._dots) == int((view._colouring.codes != 1).sum())
    view.hide_classes(())
    view.synchronize()
    assert len(view._points._dots) == 300


def test_fit_shows_far_outliers_the_second_time(
    new_session: Any, shown: Callable[[EmbeddingView], EmbeddingView]
) -> None:
    X = np.random.default_rng(0).normal(size=(300, 2))
    X[0] = 1e5
    recipe = Recipe(title="far", sources=(Source(open="far"),))
    session = new_session({"data": Dataset(features=X, columns=("a", "b"))}, recipe)
    view = shown(EmbeddingView(session))
    assert view.box.viewRange()[0][1] < 100
    assert "1 far outside" in view._note.text()
    view._on_fit()
    view.synchronize()
    assert view.box.viewRange()[0][1] >= 1e5


def test_the_bar_takes_three_rows_before_it_is_too_wide_for_a_small_window(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    bar = ScatterBar(around)
    bar.resize(2400, 60)  # wide enough for one row in any style
    around.show()
    one = bar.sizeHint().height()
    assert bar.minimumSizeHint().width() < 420
    bar.resize(420, 120)
    bar.arrange()
    qtbot.waitUntil(lambda: bar.sizeHint().height() > 2 * one)


def test_what_was_drawn_around_other_items_selects_nothing(
    view: EmbeddingView, session: Any, qtbot: QtBot
) -> None:
    before = session.selection.mask
    view.select(np.ones(view.state.n + 1, dtype=bool), NONE)
    assert session.selection.mask is before

    crowd = Crowd(*view.state.points)
    corners = np.array([[-1e9, -1e9], [1e9, -1e9], [1e9, 1e9], [-1e9, 1e9]])
    taken: list[Array] = []
    view._dense.brush(crowd, corners, taken.append)
    view.state.shown = replace(view.state.shown, dataset=None)
    qtbot.waitUntil(lambda: not view._dense._brushing.busy)
    assert not taken
