"""The Spectrum view."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pytestqt.qtbot import QtBot

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Embedding
from coterie.gui.views.base_view import View
from coterie.gui.views.spectrum.view import SpectrumView
from tests.refusals import refuses


def test_the_gap_is_marked_and_named(session: Any, shown: Callable[[View], View]) -> None:
    view = shown(SpectrumView(session))
    assert isinstance(view, SpectrumView)
    labels = [item.label.format for _, item in view._items if hasattr(item, "label")]
    assert labels == ["eigengap: k = 3"]
    assert view.headline.text().startswith("The largest gap suggests 3 groups. Shown: ")


def test_another_spectrum_can_be_chosen(session: Any, shown: Callable[[View], View]) -> None:
    coordinates = session.results.artefact("plane").coordinates
    session.put("plane", Embedding(coordinates=coordinates, spectrum=np.array([5.0, 2.0])))
    view = shown(SpectrumView(session))
    assert isinstance(view, SpectrumView)
    view.step.setCurrentText("plane")
    view.step.activated.emit(view.step.currentIndex())
    assert view.state.shown is not None
    assert view.state.shown.step == "plane"
    # The share of the sum has a scale of its own.
    axis = view._plots[0].getAxis("right")
    assert axis.isVisible()
    assert axis._tickLevels[0][-1] == (5.0, "100%")
    view.step.setCurrentText("groups")
    view.step.activated.emit(view.step.currentIndex())
    assert not axis.isVisible()


def test_the_walk_along_similarities_is_worked_out_aside(
    session: Any, shown: Callable[[View], View], qtbot: QtBot, tmp_path: Path
) -> None:
    places = np.arange(300.0)
    session.put("near", Affinity(values=np.exp(-np.abs(places[:, None] - places))))
    view = shown(SpectrumView(session))
    assert isinstance(view, SpectrumView)
    view.step.setCurrentText("near (walk)")
    view.step.activated.emit(view.step.currentIndex())
    qtbot.waitUntil(lambda: "of the random walk" in view.headline.text())
    assert view.step.currentText() == "near (walk)"
    assert len(view._items) > 2
    view.step.setCurrentText("near (kernel)")
    view.step.activated.emit(view.step.currentIndex())
    with refuses("not-computed", DataError):
        view.export_table(tmp_path / "kernel.csv")
    assert not (tmp_path / "kernel.csv").exists()
    qtbot.waitUntil(lambda: view.state.shown is not None)
    view.export_table(tmp_path / "kernel.csv")
    rows = (tmp_path / "kernel.csv").read_text().splitlines()
    assert len(rows) == 21


def test_why_there_is_none_is_said_and_another_can_be_chosen(
    session: Any, shown: Callable[[View], View], qtbot: QtBot, tmp_path: Path
) -> None:
    view = shown(SpectrumView(session))  # its similarities are partly negative
    assert isinstance(view, SpectrumView)
    view.step.setCurrentText("near (walk)")
    view.step.activated.emit(view.step.currentIndex())
    qtbot.waitUntil(lambda: "negative" in view.headline.text())
    with refuses("not-computed", DataError):
        view.export_picture(tmp_path / "nothing.png")
    assert view.step.isVisible()
    view.step.setCurrentText("groups")
    view.step.activated.emit(view.step.currentIndex())
    assert view.headline.text().startswith("The largest gap")
