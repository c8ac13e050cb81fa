"""The Map view: tiles drawn beside the window, brushing, regions, flicker, accuracy."""

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog
from pytestqt.qtbot import QtBot
from rasterio.errors import NotGeoreferencedWarning

from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.formats.maps.scale import scale_for
from coterie.core.formats.rasters.tiles import partial_files
from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.gui.views.base_view import View
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.map.accuracy.dialog import AccuracyDialog
from coterie.gui.views.map.accuracy.ground_truth import ReferenceClasses
from coterie.gui.views.map.accuracy.matching import NOT_COMPARED, OTHER
from coterie.gui.views.map.labelling.dialog import LabellingDialog
from coterie.gui.views.map.labelling.state import Made, why_outdated
from coterie.gui.views.map.spectra import readable
from coterie.gui.views.map.view import MapView
from coterie.gui.views.shown_items.split_dialog import SplitDialog
from coterie.projects.jobs.job import Status
from tests.gui import prepared

Shown = Callable[[View], Any]
NONE = Qt.KeyboardModifier.NoModifier
BOX = np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 2.0], [0.0, 2.0]])


@pytest.fixture
def pixels(new_session: Any) -> Any:
    data = replace(prepared.blobs(), details={"height": 15, "width": 20})
    session = new_session(prepared.solved(data), prepared.RECIPE)
    session.project.modified = False
    return session


@pytest.fixture
def view(pixels: Any, shown: Shown, qtbot: QtBot) -> Any:
    view = shown(MapView(pixels))
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)
    return view


def drawn(view: MapView) -> bool:
    there = view.state.prepared is not None and not view.work.drawing
    return there and not view.map.wishes() and len(view.map.tiles["scene"].store) > 0


def colour_at(view: MapView, column: float, row: float) -> Any:
    """What is seen at the middle of a pixel of the scene."""
    place = view.map.box.mapViewToScene(pg_point(column + 0.5, row + 0.5))
    at = view.canvas.mapFromScene(place)
    return view.canvas.grab().toImage().pixelColor(at)


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry as a person does."""
    at = box.findText(text)
    assert at >= 0, [box.itemText(i) for i in range(box.count())]
    box.setCurrentIndex(at)
    box.activated.emit(at)


def layer_of(view: MapView, key: str) -> Any:
    layers = view.state.layers(np.zeros(view.state.n, dtype=bool), dark=False)
    return next(layer for layer in layers if layer.key == key)


def pg_point(x: float, y: float) -> Any:
    from PySide6.QtCore import QPointF

    return QPointF(x, y)


def test_groups_are_seen_over_the_scene_and_hidden_while_f_is_held(view: Any) -> None:
    view._on_layer("groups", {"opacity": 1.0})
    view.synchronize()
    group = view.state.item_classes()[7 * 20 + 10]
    wanted = view.state.classes.colours(dark=False)[group].tolist()
    seen = colour_at(view, 10, 7)
    assert [seen.red(), seen.green(), seen.blue()] == wanted
    QTest.keyPress(view.canvas, Qt.Key.Key_F)
    alone = colour_at(view, 10, 7)
    assert [alone.red(), alone.green(), alone.blue()] != wanted
    QTest.keyRelease(view.canvas, Qt.Key.Key_F)
    assert not view.map.hidden


def test_the_tab_is_there_for_a_picture_in_memory(view: Any) -> None:
    assert view.may_fill()


def test_brushing_on_the_map_selects_in_the_embedding_and_back(
    view: Any, pixels: Any, shown: Shown, qtbot: QtBot
) -> None:
    other = shown(EmbeddingView(pixels))
    view._on_brushed(BOX, NONE)
    inside = [0, 1, 2, 3, 4, 20, 21, 22, 23, 24]
    assert np.flatnonzero(other._selected()).tolist() == inside
    other.select(np.arange(300) < 3, Qt.KeyboardModifier.ShiftModifier)
    assert np.flatnonzero(view.selected()).tolist() == inside
    both = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
    view._on_brushed(np.array([[0, 0], [2, 0], [2, 1], [0, 1]]), both)
    assert np.flatnonzero(other._selected()).tolist() == [0, 1]
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)


def test_a_drag_with_the_rectangle_selects_what_it_covers(view: Any, pixels: Any) -> None:
    view.bar.tools["box"].trigger()
    area = view.canvas.viewport()

    def at(column: float, row: float) -> QPoint:
        found: QPoint = view.canvas.mapFromScene(view.map.box.mapViewToScene(pg_point(column, row)))
        return found

    start, end = at(2.1, 2.1), at(5.9, 4.9)
    QTest.mousePress(area, Qt.MouseButton.LeftButton, NONE, start)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(area, start + (end - start) * share, 10)
    QTest.mouseRelease(area, Qt.MouseButton.LeftButton, NONE, end)
    rows, columns = np.divmod(pixels.selection.items, 20)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (2, 4, 2, 5)


def test_a_polygon_is_clicked_corner_by_corner_and_closed_by_enter(view: Any, pixels: Any) -> None:
    view.bar.tools["polygon"].trigger()
    for corner in BOX:
        view.map.box._polygon.append(tuple(corner))
    view.map.box.trace((2.0, 2.0))
    QTest.keyClick(view.canvas, Qt.Key.Key_Return)
    assert pixels.selection.count == 10
    assert not view.map.box.drawing


def test_clicked_pixels_have_their_spectrum_and_values(view: Any, qtbot: QtBot) -> None:
    view._on_pressed((3.5, 2.5), NONE)
    view._on_pressed((4.5, 2.5), Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: len(view.pixels.measured) == 2)
    features = view.state.root.features
    np.testing.assert_allclose(view.pixels.measured[0].values, features[2 * 20 + 3])
    assert view.pixels.picks == [(2, 3), (2, 4)]
    view.pixels.pointer = (3.5, 2.5)
    view.work.read_at(view.state.ground, 2, 3)
    qtbot.waitUntil(lambda: "width" in view.page.where.text())
    assert view.page.note.isHidden()  # the values of the bands need its room
    QApplication.sendEvent(view.canvas, QEvent(QEvent.Type.Leave))
    assert not view.page.where.text()
    assert not view.page.note.isHidden()


def test_regions_are_kept_renamed_and_read_from_files(
    view: Any, pixels: Any, tmp_path: Path, qtbot: QtBot
) -> None:
    view._on_brushed(BOX, NONE)
    view.desk.keep_shape()
    assert pixels.project.modified
    assert pixels.view["regions"]["features"][0]["properties"]["name"] == "region 1"
    qtbot.waitUntil(lambda: view.regions.list.count() == 1)
    view.regions.list.item(0).setText("meadow")
    assert view.state.regions.listed[0].name == "meadow"
    path = tmp_path / "more.geojson"
    path.write_text(json.dumps(pixels.view["regions"]))
    view.desk.read(path)
    assert len(view.state.regions.listed) == 2
    path.write_text("nonsense")
    view.desk.read(path)
    assert "not GeoJSON" in view.page.problem
    # Regions of one name are one class, with one spectrum.
    qtbot.waitUntil(lambda: view.regions.list.count() == 2)
    view.regions.list.item(1).setText("forest")
    qtbot.waitUntil(lambda: [s.name for s in view.pixels.measured] == ["meadow", "forest"])


def test_merging_in_the_panel_makes_one_class(view: Any, pixels: Any, qtbot: QtBot) -> None:
    view.classes.table.item(0, 1).setText("cloud")
    qtbot.waitUntil(lambda: view.state.classes.name_of(0) == "cloud")
    view.classes.table.item(1, 1).setText("cloud")
    assert pixels.view["classes"]["groups"]["names"] == {"0": "cloud", "1": "cloud"}
    qtbot.waitUntil(lambda: view.map.layers[1].entries[0].name == "cloud")


def test_a_chosen_group_is_described_and_can_be_divided(view: Any, qtbot: QtBot) -> None:
    panel, desk = view.classes, view.grouping
    assert panel.table.item(0, 2).text().endswith("%")
    panel.table.selectRow(0)
    qtbot.waitUntil(lambda: "separability" in panel.about.text())
    qtbot.waitUntil(lambda: not panel.examples[0].isHidden())
    assert [spectrum.name for spectrum in desk.spectra] == [view.state.classes.groups[0]]
    assert desk.spectra[0].colour == view.state.classes.listed(dark=False)[0].colour
    members = view.state.shown.clustering.members(0)
    assert set(desk._examples) <= set(members.tolist())
    panel.table.selectRow(1)
    assert desk.spectra[0].name == view.state.classes.groups[1]
    assert panel.split.isEnabled()
    panel.split.click()
    (dialog,) = view.findChildren(SplitDialog)
    dialog.split_asked.emit("kmeans", 2)
    step = view.session.recipe.steps[-1]
    assert "clusterer/split-group" in [s.use for s in view.session.recipe.steps], step


def test_selected_pixels_are_moved_to_another_group(view: Any) -> None:
    view.classes.table.item(1, 1).setText("cloud")
    mask = np.zeros(view.state.n, dtype=bool)
    item = int(view.state.shown.clustering.members(0)[0])
    mask[item] = True
    view.select(mask, NONE)
    view.synchronize()
    assert view.classes.move_items.isEnabled()
    view.grouping.move_selected(1)
    (edit,) = [s for s in view.session.recipe.steps if s.use == "clusterer/edit-groups"]
    assert edit.params["moved"] == {"2": [item]}
    assert view.session.view["classes"][edit.name]["names"] == {"1": "cloud"}


def test_a_cell_of_the_error_matrix_selects_its_pixels(view: Any, qtbot: QtBot) -> None:
    view.bar.accuracy.click()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=10_000)
    dialog = view.findChildren(AccuracyDialog)[0]
    count = int(dialog.verdict.accuracy.counts[0, 0])
    dialog.cell_asked.emit(0, 0)
    qtbot.waitUntil(lambda: f"{count:,} sampled pixels" in dialog.said.text())
    assert view.selected().sum() == count
    dialog.cell_asked.emit(0, 1)
    qtbot.waitUntil(lambda: "No sampled pixel" in dialog.said.text())
    assert view.selected().sum() == count  # an empty cell leaves it as it is


def test_a_cell_is_selected_although_the_error_matrix_was_closed(view: Any, qtbot: QtBot) -> None:
    view.bar.accuracy.click()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=10_000)
    dialog = view.findChildren(AccuracyDialog)[0]
    count = int(dialog.verdict.accuracy.counts[0, 0])
    dialog.cell_asked.emit(0, 0)
    dialog.deleteLater()
    QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete.value)
    qtbot.waitUntil(lambda: view.selected().sum() == count)
    qtbot.waitUntil(lambda: not view.whole._selecting.busy)


def test_accuracy_opens_with_a_matching_that_can_be_changed(view: Any, qtbot: QtBot) -> None:
    view.bar.accuracy.click()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=10_000)
    dialog = view.findChildren(AccuracyDialog)[0]
    assert "100.00%" in dialog.numbers.text()
    choose(dialog.matching.made[0], view.state.truth_names()[1])
    assert view.state.verdict.into[0] == 1
    assert "100.00%" not in dialog.numbers.text()
    dialog.close()
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)


def test_known_classes_are_merged_and_left_out_in_the_dialog(
    view: Any, pixels: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.bar.accuracy.click()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=10_000)
    dialog = view.findChildren(AccuracyDialog)[0]
    first, second, *rest = view.state.known.given
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("cloud", True))
    choose(dialog.matching.known[first], OTHER)
    choose(dialog.matching.known[second], "cloud")
    assert view.state.truth_names() == ("cloud", *rest)
    assert dialog.table.columnCount() == 4 + 1 + len(rest)
    assert [dialog.matching.made[0].itemText(i) for i in range(1 + len(rest))] == ["cloud", *rest]
    assert "100.00%" in dialog.numbers.text()
    compared = int(dialog.verdict.counts.sum())
    choose(dialog.matching.known[second], NOT_COMPARED)
    assert int(dialog.verdict.counts.sum()) < compared
    assert pixels.view["known_classes"]["data"]["taken"] == {first: "cloud", second: ""}
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("", False))
    choose(dialog.matching.known[first], OTHER)  # thought better of
    assert dialog.matching.known[first].currentText() == "cloud"
    dialog.close()
    view.synchronize()
    assert [e.name for e in layer_of(view, "truth").entries] == ["cloud", *rest]
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)


@pytest.mark.parametrize("k", [2, 12])
def test_the_accuracy_of_few_classes_leaves_no_empty_field(k: int, qtbot: QtBot) -> None:
    names = tuple(f"class {i}" for i in range(k))
    counts = 100 * np.eye(k, dtype=np.int64)
    counted = MapComparison(names, names, counts, counts.sum(1), tuple(range(k)))
    dialog = AccuracyDialog(counted, ReferenceClasses(names), "A map")
    qtbot.addWidget(dialog)
    dialog.show()
    rows = dialog.table.verticalHeader().length()
    empty = dialog.table.viewport().height() - rows
    assert empty < dialog.table.rowHeight(0)
    assert dialog.height() <= 640


@pytest.mark.parametrize("of", [-1, 1])
def test_where_the_map_is_wrong_is_written_as_it_is_seen(
    view: Any, of: int, tmp_path: Path, qtbot: QtBot
) -> None:
    view.bar.accuracy.click()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=10_000)
    dialog = view.findChildren(AccuracyDialog)[0]
    choose(dialog.matching.made[0], view.state.truth_names()[1])  # so that something is wrong
    dialog.close()
    view._on_error_class(of)
    view.synchronize()
    assert not view.layers.save_errors.isVisibleTo(view.layers)  # errors are not looked at
    view._on_layer("errors", {"visible": True})
    view.synchronize()
    assert view.layers.save_errors.isVisibleTo(view.layers)
    with qtbot.waitSignal(view.work.errors_written, timeout=10_000):
        view.whole.save_errors(tmp_path / "errors.tif")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(tmp_path / "errors.tif") as source:
            codes, names = source.read(1), source.tags(1)
    counts = view.state.verdict.counts
    into = np.array(view.state.verdict.into)
    if of < 0:
        right = sum(int(counts[g, into[g]]) for g in range(len(counts)))
        assert [int((codes == c).sum()) for c in (0, 1)] == [right, int(counts.sum()) - right]
        assert names["class_1"] == "wrong"
    else:
        false = int(counts[into == of].sum()) - int(counts[into == of, of].sum())
        assert int((codes == 2).sum()) == false > 0
        assert names["class_2"].endswith(", false")
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)


def test_the_dialog_says_what_would_go_wrong(view: Any, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = LabellingDialog(view.session, view.state, tmp_path)
    qtbot.addWidget(dialog)
    dialog.file.setText(str(tmp_path / "gone" / "map"))
    assert not dialog.ok.isEnabled()
    assert "does not exist" in dialog.remark.text()
    dialog.file.setText(str(tmp_path / "map"))
    assert dialog.path.name == "map.tif"
    assert dialog.ok.isEnabled()


def test_a_change_of_bands_redraws_the_tiles(view: Any, qtbot: QtBot) -> None:
    view._on_layer("groups", {"visible": False})
    before = colour_at(view, 10, 7).name()
    view.bar.look_chosen.emit({"bands": (3, 2, 1), "gamma": 2.5})
    qtbot.waitUntil(lambda: colour_at(view, 10, 7).name() != before, timeout=10_000)


def test_a_scale_bar_is_round_and_short() -> None:
    for pixels in (0.01, 0.3, 1.0, 7.0, 250.0):
        length, text = scale_for(pixels, 30.0)
        assert 50 <= length <= 140
        assert text.endswith("m")
    assert scale_for(float("nan"), 0.0) == (0.0, "")


def test_a_map_that_was_begun_can_be_resumed_when_its_project_is_opened_again(
    view: Any, pixels: Any, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "map.tif"
    for file in partial_files(target):
        file.write_bytes(b"{}")
    assert view.strip.isHidden()
    learnt = Step("classes", "classifier/nearest", ("data", "groups"))
    pixels.edits.replace(pixels.recipe.with_step(learnt), "a test")
    pixels.edits.view = {"map_begun": {"step": "classes", "path": str(target)}}
    pixels.project.opened.emit()
    view.refresh()
    view.synchronize()
    assert view.strip.resume.isVisibleTo(view)
    view.strip.dismiss.click()
    assert "map_begun" not in pixels.view
    assert pixels.project.modified
    for odd in (3, {"step": "gone", "path": "x"}, {"step": "classes", "path": "nowhere.tif"}):
        pixels.edits.view = {"map_begun": odd}
        pixels.project.opened.emit()
        view.refresh()
        view.synchronize()
        assert not view.strip.resume.isVisibleTo(view)
    qtbot.waitUntil(lambda: drawn(view), timeout=10_000)


def test_a_scene_that_waits_for_its_classifier_is_not_labelled_in_another_project(
    view: Any, pixels: Any
) -> None:
    learnt = Step("classes", "classifier/nearest", ("data", "groups"))
    pixels.edits.replace(pixels.recipe.with_step(learnt), "a test")
    view.run.begin("classes", lambda: pytest.fail("it is another project's step"))
    assert view.run.phase == "learning"
    results = prepared.solved(pixels.results.artefact("data"))
    pixels.project.load_recipe(pixels.recipe)  # another project, with a step of the same name
    pixels.set_job("cancelled")
    pixels.publish(results)
    pixels.put("classes", Clustering(labels=np.zeros(300, dtype=np.int64)))
    assert pixels.status("classes") is Status.FRESH
    assert view.run.phase == "idle"


def test_names_of_bands_do_not_touch() -> None:
    names = ["B1", "B2", "B3", "B4", "B5", "B6_VCID_2", "B7"]
    assert [*readable(names, 3.5)] == [0, 2, 4, 6]
    assert [*readable(["a long name", "another name"], 1.0)] == [0]


def test_the_legend_stands_beside_the_map_and_in_its_pictures(
    view: Any, pixels: Any, tmp_path: Path
) -> None:
    panel = view.layers.legend
    names = [entry.name for entry in panel.legend._colouring.entries]
    assert names == [*view.state.class_names(), "unassigned"]
    assert panel.canvas.height() >= panel.legend.height_needed  # none is left out
    width = view.map.box.width()
    assert width > 0.95 * view.canvas.width()  # the scene has all of the canvas
    with view.map.legend_inside():
        assert view.map.box.width() < width - 60
        view.export_picture(tmp_path / "map.png")
    assert view.map.box.width() == width
    entry = panel.legend._colouring.entries[0]
    panel.legend.clicked.emit(entry, NONE)
    assert pixels.selection.count == entry.count
    view._on_layer("groups", {"visible": False})
    view.synchronize()
    assert view.map.colouring is None
    assert panel.isHidden()


def test_the_wheel_scrolls_over_the_legend(view: Any) -> None:
    view.page.side.setMaximumHeight(120)
    QApplication.processEvents()
    bar, over = view.layers.verticalScrollBar(), view.layers.legend.canvas.viewport()
    assert bar.maximum() > 0
    place = pg_point(20, 10)
    turned = QWheelEvent(
        place,
        over.mapToGlobal(place),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(over, turned)
    assert bar.value() > 0


def test_spectra_take_room_only_when_there_are_any(view: Any, qtbot: QtBot) -> None:
    view.resize(900, 700)
    QApplication.processEvents()
    hint = view.spectra.height()
    assert hint >= 2 * view.spectra.note.fontMetrics().lineSpacing()
    view._on_pressed((3.5, 2.5), NONE)
    qtbot.waitUntil(lambda: len(view.pixels.measured) == 1)
    QApplication.processEvents()
    assert view.spectra.height() > 2 * hint
    view.pixels.forget()
    view.select(np.zeros(view.state.n, dtype=bool), NONE)
    view.synchronize()
    QApplication.processEvents()
    assert view.spectra.height() == hint


def test_a_map_of_other_classes_is_told(view: Any, tmp_path: Path) -> None:
    listed = view.state.classes.listed(dark=False)
    names = (*(found.name for found in listed), "unclassified")
    colours = (*(found.colour for found in listed), "#808080")
    made = Made(tmp_path / "map.tif", names, colours)
    assert not why_outdated(made, view.state.classes)
    assert not why_outdated(None, view.state.classes)
    view.state.classes.rename(0, "woods")
    assert "'map.tif' was made with the previous classes" in why_outdated(made, view.state.classes)
