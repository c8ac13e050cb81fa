"""Finishing the map that is shown, from the window."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from pytestqt.qtbot import QtBot

from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_map_at
from coterie.gui.views.base_view import View
from coterie.gui.views.map.finishing.dialog import FinishDialog, target_of
from coterie.gui.views.map.labelling.state import Made
from coterie.gui.views.map.view import MapView
from tests.gui import prepared


def test_a_cleaner_copy_is_written_beside_the_map_and_shown(
    new_session: Any, shown: Callable[[View], Any], tmp_path: Path, qtbot: QtBot
) -> None:
    data = replace(prepared.blobs(), details={"height": 15, "width": 20})
    view = shown(MapView(new_session(prepared.solved(data), prepared.RECIPE)))
    codes = np.zeros((15, 20), dtype=np.uint8)
    codes[:, 10:], codes[7, 4] = 1, 1
    table = class_table(2, ("land", "cloud"))
    names, colours = table.names, table.colours
    place = (10.0, 0.0, 5.0, 0.0, -10.0, 5.0)
    grid = MapGrid(15, 20, names, colours, table.nodata, table.dtype, transform=place)
    path = tmp_path / "map.tif"
    write_map_at(path, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    assert view.layers.finish.isHidden()
    shades = tuple(f"#{bytes(colour).hex()}" for colour in colours)
    view.state.keep_map(Made(path, names, shades))
    view.refresh()
    view.synchronize()
    assert not view.layers.finish.isHidden()
    view.layers.finish.click()
    (dialog,) = view.findChildren(FinishDialog)
    dialog.majority.setCurrentIndex(0)
    dialog.smallest.setValue(5)
    for box in (dialog.polygons, dialog.statistics, dialog.page):
        box.setChecked(True)
    target = target_of(path)
    dialog.ok.click()
    qtbot.waitUntil(lambda: view.state.made.path == target or bool(view.page.problem))
    assert not view.page.problem
    assert view.run.phase == "finished"
    assert target.name in view.strip.message.toolTip()
    view.run.dismiss()
    assert view.state.made.path == target
    with rasterio.open(target) as made:
        assert made.read(1)[7, 4] == 0
    for ending in (".gpkg", ".pdf", ".classes.csv", ".qml"):
        assert target.with_suffix(ending).exists()
    with rasterio.open(path) as before:
        assert before.read(1)[7, 4] == 1
    assert view.state.made.names == names
    assert target.name == "map-finished.tif"
    assert target_of(path).name == target_of(target).name == "map-finished-2.tif"  # it is kept
