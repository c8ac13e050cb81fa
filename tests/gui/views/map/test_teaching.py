"""Teaching a scene in the Map view: shapes as classes, the recipe that learns, uncertain places."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from rasterio.transform import Affine

from coterie.core.formats.maps.uncertainty import UNKNOWN, uncertainty_path
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.base_view import View
from coterie.gui.views.map.labelling.state import Made
from coterie.gui.views.map.spectra import PixelSpectrum, of_classes
from coterie.gui.views.map.teaching.state import Teaching, classes_of, free_target
from coterie.gui.views.map.view import MapView
from coterie.projects.recipe.teaching import TEACHERS
from coterie.projects.session import Session
from tests.gui import prepared

NONE = Qt.KeyboardModifier.NoModifier


def box(left: float, top: float, side: float = 3.0) -> np.ndarray:
    right, bottom = left + side, top + side
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


@pytest.fixture
def view(new_session: Any, shown: Callable[[View], Any]) -> Any:
    data = replace(prepared.blobs(), details={"height": 15, "width": 20})
    view = shown(MapView(new_session(prepared.solved(data), prepared.RECIPE)))
    view.page.side.setCurrentWidget(view.teach)
    return view


def test_shapes_are_regions_of_the_class_that_is_drawn(view: Any) -> None:
    before = view.selected().copy()
    view.teach.name.setEditText("cloud")
    view._on_brushed(box(1, 1), NONE)
    view._on_brushed(box(8, 1), NONE)
    assert [region.name for region in view.state.regions.listed] == ["cloud", "cloud"]
    assert (view.selected() == before).all()
    assert not view.teach.classify.isEnabled()
    view.teach.name.setEditText("land")
    view._on_brushed(box(1, 8), NONE)
    view.synchronize()
    assert view.teach.classify.isEnabled()
    found = classes_of(view.state.regions, dark=False)
    assert [(c.name, c.regions) for c in found] == [("cloud", 2), ("land", 1)]
    assert view.session.edits.can_undo == "draw land"


def test_without_a_class_or_on_another_tab_shapes_select(view: Any) -> None:
    view.teach.name.setEditText("")
    view._on_brushed(box(1, 1), NONE)
    view.teach.name.setEditText("cloud")
    view.page.side.setCurrentWidget(view.layers)
    view._on_brushed(box(1, 1), NONE)
    assert not view.state.regions.listed
    assert view.selected().any()


def test_a_painted_stroke_is_a_region_as_wide_as_the_brush(view: Any) -> None:
    from PySide6.QtCore import QPoint, QPointF

    view.teach.name.setEditText("cloud")
    view.bar.tools["brush"].trigger()
    start = view.map.box.mapViewToScene(QPointF(4, 7))
    end = view.map.box.mapViewToScene(QPointF(15, 7))
    area = view.canvas.viewport()
    at, to = (view.canvas.mapFromScene(p) for p in (start, end))
    QTest.mousePress(area, Qt.MouseButton.LeftButton, NONE, at)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(area, at + QPoint(*(int(share * v) for v in ((to - at).toTuple()))))
    QTest.mouseRelease(area, Qt.MouseButton.LeftButton, NONE, to)
    (region,) = view.state.regions.listed
    corners = region.in_pixels(view.state.ground)
    wide = 12 * float(view.map.box.viewPixelSize()[1])
    assert np.ptp(corners[:, 1]) == pytest.approx(wide, rel=0.3)
    assert np.ptp(corners[:, 0]) > 8


def test_choices_are_kept_in_the_project(view: Any) -> None:
    view.teach.teacher.activated.emit(5)
    assert Teaching.kept_in(view.session.view).teacher.title == "Graph transduction"
    assert not view.teach.held_out.isEnabled()
    view.teach.teacher.activated.emit(1)
    view.teach.held_out.setValue(40)
    assert Teaching.kept_in(view.session.view) == Teaching(TEACHERS[1], 0.4)
    assert Teaching.kept_in({"teaching": {"teacher": 7, "held_out": "x"}}) == Teaching()


def test_it_leads_to_uncertain_places_and_labels_them(
    view: Any, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "map.tif"
    doubts = np.zeros((15, 20), dtype=np.uint8)
    doubts[9:14, 13:18] = 90
    profile = {"driver": "GTiff", "height": 15, "width": 20, "count": 1, "dtype": "uint8"}
    place = Affine(10, 0, 5, 0, -10, 5)
    for path, values in ((target, doubts), (uncertainty_path(target), doubts)):
        with rasterio.open(path, "w", nodata=UNKNOWN, transform=place, **profile) as out:
            out.write(values, 1)
    view.state.keep_map(Made(target, ("a", "unclassified"), ("#ff0000", "#808080")))
    view.refresh()
    view.synchronize()
    assert view.teach.next.isEnabled()
    keys = [layer.key for layer in view.state.layers(view.selected(), dark=False)]
    assert "uncertainty" in keys
    view.teach.next.click()
    qtbot.waitUntil(lambda: view.teacher.place is not None)
    assert view.teacher.place == (11, 15)
    view.teach.name.setEditText("cloud")
    view.teach.label.click()
    (region,) = view.state.regions.listed
    assert region.in_pixels(view.state.ground).min(axis=0).tolist() == [14, 10]
    assert view.teacher.place != (11, 15)
    view.session.project.opened.emit()  # another scene has other places
    assert view.teacher.place is None


def test_spectra_of_a_class_are_pooled_over_its_regions() -> None:
    rng = np.random.default_rng(0)
    parts = [rng.normal(i, 1 + i, (n, 4)) for i, n in enumerate((5, 12))]
    spectra = [PixelSpectrum("a", p.mean(axis=0), p.std(axis=0), len(p)) for p in parts]
    (found,) = of_classes(spectra)
    both = np.vstack(parts)
    assert found.values == pytest.approx(both.mean(axis=0))
    assert found.spread == pytest.approx(both.std(axis=0))
    assert found.count == 17


def test_a_map_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    assert free_target(tmp_path, "Scene", None).name == "scene-taught.tif"
    (tmp_path / "scene-taught.tif").touch()
    assert free_target(tmp_path, "Scene", None).name == "scene-taught-2.tif"
    own = tmp_path / "scene-taught.tif"
    assert free_target(tmp_path, "Scene", own) == own


@pytest.mark.slow
def test_a_scene_is_taught_in_a_window(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    truth = np.zeros((1, 60, 80), dtype=np.uint8)
    truth[:, 20:40, 30:70] = 1
    values = rng.normal(200.0 + truth * [[[600]], [[300]], [[0]]], 20).astype(np.uint16)
    with rasterio.open(
        tmp_path / "scene.tif", "w", driver="GTiff", count=3, height=60, width=80, dtype="uint16",
        nodata=0, crs="EPSG:32633", transform=Affine(10, 0, 5e5, 0, -10, 5e6),
    ) as out:  # fmt: skip
        out.write(values)
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods))
    source = Source("data", str(tmp_path / "scene.tif"), "reader/raster")
    session.project.load_recipe(Recipe(title="scene", sources=(source,)))
    window.commands.run_all()
    settle(window)
    window.tabs.bring_forward("Map")
    view = window.tabs.current_view()
    assert isinstance(view, MapView)
    qtbot.waitUntil(lambda: view.state.prepared is not None)
    view.page.side.setCurrentWidget(view.teach)
    for name, places in {"cloud": ((35, 25), (60, 30)), "land": ((5, 5), (70, 50))}.items():
        view.teach.name.setEditText(name)
        for place in places:
            view.teacher.takes(box(*place, 6.0))
    for number, teacher in enumerate(TEACHERS):
        view.teach.teacher.activated.emit(number)
        view.synchronize()
        view.teach.classify.click()
        qtbot.waitUntil(lambda: view.run.phase in ("done", "failed"))
        assert view.run.phase == "done", view.run.message
        settle(window)
        assert view.state.made is not None
        assert view.state.made.names == ("cloud", "land", "unclassified")
        with rasterio.open(view.state.made.path) as made:
            right = (made.read(1) == 1 - truth[0]).mean()
        assert right > 0.98, teacher.title
        said = view.teacher._said()
        assert said.startswith("Labels spread") != teacher.holds_out
        assert uncertainty_path(view.state.made.path).exists() == (number in (0, 1, 3, 4))
