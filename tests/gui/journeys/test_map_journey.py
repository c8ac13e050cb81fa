"""A scene from opening to a judged map, in a real window with a real engine."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from rasterio.transform import Affine

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.cross_validation.dialog import CrossValidationDialog
from coterie.gui.views.map.accuracy.dialog import AccuracyDialog
from coterie.gui.views.map.view import MapView
from coterie.projects.session import Session

PATIENCE = 60_000


def write(path: Path, values: np.ndarray, nodata: int) -> None:
    bands, height, width = values.shape
    with rasterio.open(
        path, "w", driver="GTiff", count=bands, height=height, width=width, dtype=values.dtype,
        nodata=nodata, crs="EPSG:32633", transform=Affine(10, 0, 5e5, 0, -10, 5e6),
    ) as target:  # fmt: skip
        target.write(values)


@pytest.mark.slow
def test_a_scene_is_sampled_labelled_and_judged(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    truth = np.zeros((1, 60, 80), dtype=np.uint8)
    truth[:, 20:40, 30:70] = 1
    values = rng.normal(200.0 + 600.0 * truth, 20, (3, 60, 80)).astype(np.uint16)
    values[:, :5, :5] = 0
    write(tmp_path / "scene.tif", values, 0)
    write(tmp_path / "mask.tif", truth, 255)
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    params = {"mask": "mask.tif", "mask_classes": "0 = land, 1 = cloud"}
    session.project.load_recipe(
        Recipe(
            title="scene",
            sources=(Source("data", str(tmp_path / "scene.tif"), "reader/raster", params),),
            steps=(
                Step("some", "transform/sample", ("data",), {"size": 150}),
                Step("groups", "clusterer/kmeans", ("some",), {"k": 2}),
            ),
        )
    )
    window.commands.run_all()
    settle(window)
    window.tabs.bring_forward("Map")
    view = window.tabs.current_view()
    assert isinstance(view, MapView)
    qtbot.waitUntil(lambda: view.state.n == 150 and view.state.prepared is not None)
    target = tmp_path / "map.tif"
    view.whole.label("", target)
    qtbot.waitUntil(lambda: view.run.phase == "done", timeout=PATIENCE)
    qtbot.waitUntil(lambda: view.state.verdict is not None, timeout=PATIENCE)
    assert view.state.verdict is not None
    assert view.state.verdict.accuracy.overall > 0.99
    assert view.state.verdict.accuracy.counts.sum() == 60 * 80 - 25
    with rasterio.open(target) as made:
        assert made.nodata == 255
        assert made.crs.to_epsg() == 32633
        groups = view.state.classes
        assert groups is not None
        named = groups.listed(dark=False)[0].colour
        assert "#" + bytes(made.colormap(1)[0][:3]).hex() == named
    assert view.state.truth_names() == ("land", "cloud")
    view.whole.ask_accuracy()
    qtbot.waitUntil(lambda: bool(view.findChildren(AccuracyDialog)), timeout=PATIENCE)
    accuracy = view.findChildren(AccuracyDialog)[0]
    box = accuracy.matching.known["land"]
    box.setCurrentIndex(box.findText("cloud"))
    box.activated.emit(box.currentIndex())
    assert view.state.truth_names() == ("cloud",)
    QTest.keyClick(accuracy, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert view.state.truth_names() == ("land", "cloud")
    assert box.currentText() == "land"
    QTest.keyClick(accuracy, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.edits.can_undo  # what was done before the dialog is left to the window
    accuracy.close()
    assert session.view["map_file"]["path"] == str(target)
    assert "classifier/nearest" in [step.use for step in session.recipe.steps]
    view.whole.ask_cross_validation()
    dialog = view.findChildren(CrossValidationDialog)[0]
    assert not dialog.state.why_not
    dialog.times.setValue(2)
    dialog.sizes.setText("40")
    dialog.sizes.textEdited.emit("40")
    dialog.run.click()
    qtbot.waitUntil(
        lambda: dialog.state.table is not None and not dialog.state.running, timeout=PATIENCE
    )
    table = dialog.state.table
    assert table is not None
    assert table.state == "finished"
    assert table.spread("overall", 0, 0).mean > 0.99
    dialog.close()
