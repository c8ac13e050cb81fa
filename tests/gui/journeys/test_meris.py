"""A MERIS product in a real window: opened, looked at, labelled and written."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.map.view import MapView
from coterie.projects.session import Session
from tests.core.formats.products.making_envisat import write_meris

PATIENCE = 60_000


@pytest.mark.slow
def test_a_product_is_opened_shown_and_written_as_a_map(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    numbers = np.random.default_rng(0).normal(3000, 60, (15, 33, 49))
    numbers[:, 16:] *= 4
    path = write_meris(tmp_path / "meris.N1", numbers.astype(np.uint16)).path
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    window.documents.open_now(str(path), path)
    window.commands.run_all()
    settle(window)
    window.tabs.bring_forward("Map")
    view = window.tabs.current_view()
    assert isinstance(view, MapView)
    qtbot.waitUntil(lambda: view.state.prepared is not None, timeout=PATIENCE)
    assert "15 bands  ·  MERIS  ·  tie points" in view.state.note()
    assert view.state.where(0.5, 0.5).startswith("47.00000° N, 8.00000° E")
    target = tmp_path / "map.tif"
    view.whole.label("", target)
    qtbot.waitUntil(lambda: view.run.phase == "done", timeout=PATIENCE)
    with rasterio.open(target) as made:
        points, system = made.gcps
        assert system.to_epsg() == 4326
        assert len(points) == 12
        codes = made.read(1)
    assert not set(np.unique(codes[:16])) & set(np.unique(codes[16:]))
