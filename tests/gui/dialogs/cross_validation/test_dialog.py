"""The window of repetitions on a real session."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from rasterio.transform import Affine

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.dialogs.cross_validation.dialog import CrossValidationDialog
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]
STEPS = (
    Step("pixels", "transform/sample", ("data",), {"size": 60}),
    Step("groups", "clusterer/kmeans", ("pixels",), {"k": 3}),
    Step("typical", "ranker/distance", ("pixels", "groups")),
    Step("classes", "classifier/nearest", ("pixels", "groups", "typical")),
)


@pytest.fixture
def session(iris: Session) -> Session:
    return iris


def write(path: Path, values: np.ndarray) -> None:
    bands, height, width = values.shape
    with rasterio.open(
        path, "w", driver="GTiff", count=bands, height=height, width=width, dtype=values.dtype,
        crs="EPSG:32633", transform=Affine(10, 0, 5e5, 0, -10, 5e6),
    ) as target:  # fmt: skip
        target.write(values)


@pytest.fixture
def scene(tmp_path: Path) -> Source:
    rng = np.random.default_rng(0)
    mask = np.zeros((1, 30, 40), dtype=np.uint8)
    mask[:, :, 20:] = 1
    values = rng.normal(300.0 + 300.0 * mask, 130, (2, 30, 40)).clip(1)
    write(tmp_path / "scene.tif", values.astype(np.uint16))
    write(tmp_path / "mask.tif", mask)
    params = {"mask": "mask.tif", "mask_classes": "0 = land, 1 = cloud"}
    return Source("data", str(tmp_path / "scene.tif"), "reader/raster", params)


@pytest.fixture
def dialog(session: Session, scene: Source, shown: Show) -> CrossValidationDialog:
    session.project.load_recipe(Recipe("", (scene,), STEPS))
    dialog = CrossValidationDialog(session)
    shown(dialog)
    return dialog


def fill(dialog: CrossValidationDialog, times: int, sizes: str, tops: str) -> None:
    dialog.times.setValue(times)
    for edit, text in ((dialog.sizes, sizes), (dialog.tops, tops)):
        edit.setText(text)
        edit.textEdited.emit(text)


def test_repetitions_are_run_read_and_saved(
    session: Session, dialog: CrossValidationDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dialog.sizes.text() == "15, 30, 60"
    assert "60 runs" in dialog.headline.text()
    assert dialog.awaited.isVisible()
    fill(dialog, 2, "20, 40", "all, 4")
    assert "8 runs" in dialog.headline.text()
    QTest.mouseClick(dialog.run, Qt.MouseButton.LeftButton)
    assert dialog.stop.isVisible()
    assert not dialog.sizes.isEnabled()
    session.wait(60)
    assert dialog.run.isVisible()
    assert not dialog.bar.isVisible()
    assert "8 of 8 runs" in dialog.headline.text()
    assert dialog.plot is not None
    assert dialog.plot.isVisible()
    assert not dialog.awaited.isVisible()
    assert dialog.table.rowCount() == 4
    words = [dialog.table.horizontalHeaderItem(i) for i in range(dialog.table.columnCount())]
    assert "cloud: IoU" in [word.text() for word in words if word is not None]
    cell = dialog.table.item(0, 0)
    assert cell is not None
    assert "3 groups" in cell.toolTip()
    at = list(dialog.state.measures).index("iou cloud")
    dialog.measure.setCurrentIndex(at)
    dialog.measure.activated.emit(at)
    assert dialog.state.measure == "iou cloud"
    lines, across = dialog.state.curves()
    assert [line.name for line in lines] == ["all pixels", "top 4 of each"]
    assert across == "pixels in the subset"
    for button, name, kind in (
        (dialog.save_curve, "curve.svg", ""),
        (dialog.save_curve, "curve.png", ""),
        (dialog.save_table, "means.csv", "Means (*.csv)"),
        (dialog.save_table, "each.csv", "Every run (*.csv)"),
    ):
        chosen = str(tmp_path / name), kind
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: chosen)
        button.click()
        assert (tmp_path / name).stat().st_size > 0
    assert len((tmp_path / "means.csv").read_text().splitlines()) == 5
    assert len((tmp_path / "each.csv").read_text().splitlines()) == 9


def test_over_one_size_the_best_ranked_lie_across(
    session: Session, dialog: CrossValidationDialog
) -> None:
    fill(dialog, 2, "40", "all, 3, 6")
    dialog.run.click()
    session.wait(60)
    lines, across = dialog.state.curves()
    assert across == "top-ranked pixels of each group"
    assert [line.across.tolist() for line in lines] == [[3, 6], [3, 6]]
    assert lines[1].mean[0] == lines[1].mean[1]  # all pixels: a level line


def test_what_is_typed_wrongly_is_said(dialog: CrossValidationDialog) -> None:
    fill(dialog, 2, "few", "all")
    dialog.run.click()
    assert dialog.banner.isVisible()
    assert "whole numbers" in dialog.banner.text()


def test_closing_ends_the_work(session: Session, scene: Source, qapp: QApplication) -> None:
    session.project.load_recipe(Recipe("", (scene,), STEPS))
    dialog = CrossValidationDialog(session)  # deletes itself when it is closed
    dialog.show()
    dialog.run.click()
    assert session.busy
    dialog.reject()
    session.wait(30)
    assert session.cross_validations.table is not None
    assert session.cross_validations.table.state == "cancelled"


def test_a_recipe_without_mask_or_ranking_says_so(
    session: Session, scene: Source, shown: Show
) -> None:
    session.project.load_recipe(Recipe("", (Source("data", scene.open, scene.reader),), STEPS))
    blind = CrossValidationDialog(session)
    shown(blind)
    assert not blind.run.isEnabled()
    assert "Give a mask" in blind.headline.text()
    plain = (*STEPS[:2], Step("classes", "classifier/nearest", ("pixels", "groups")))
    session.project.load_recipe(Recipe("", (scene,), plain))
    unranked = CrossValidationDialog(session)
    shown(unranked)
    assert unranked.run.isEnabled()
    assert not unranked.tops.isEnabled()
