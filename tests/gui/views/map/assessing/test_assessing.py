"""Checking the map that is shown by eye."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.formats.maps.assessment import Place
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_map_at
from coterie.gui.views.base_view import View
from coterie.gui.views.map.assessing.dialog import AssessDialog
from coterie.gui.views.map.assessing.state import KEPT, Assessment, Plan
from coterie.gui.views.map.bands import BandSettings
from coterie.gui.views.map.base_layer import ground_of, prepare
from coterie.gui.views.map.labelling.state import Made
from coterie.gui.views.map.surroundings import pixmap_of, surroundings_of
from coterie.gui.views.map.view import MapView
from tests.gui import prepared

NAMES = ("land", "cloud")


@pytest.fixture
def view(new_session: Any, shown: Callable[[View], Any], tmp_path: Path) -> Any:
    data = replace(prepared.blobs(), details={"height": 15, "width": 20})
    solved = prepared.solved(data)
    solved["data"] = replace(data, truth=None)  # nobody knows its classes
    view = shown(MapView(new_session(solved, prepared.RECIPE)))
    codes = np.zeros((15, 20), dtype=np.uint8)
    codes[:, 15:] = 1
    table = class_table(2, NAMES)
    grid = MapGrid(15, 20, table.names, table.colours, table.nodata, table.dtype)
    path = tmp_path / "map.tif"
    write_map_at(path, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    shades = tuple(f"#{bytes(colour).hex()}" for colour in table.colours)
    view.state.keep_map(Made(path, table.names, shades))
    view.refresh()
    view.synchronize()
    return view


def test_places_are_drawn_answered_and_kept(view: Any, qtbot: QtBot) -> None:
    desk = view.whole.assessing
    assert view.bar.accuracy.isEnabled()  # though no class of a pixel is known
    view.bar.accuracy.click()
    dialog = desk._dialog
    qtbot.waitUntil(lambda: dialog.of.count() == 3)
    dialog.of.setCurrentIndex(2)
    dialog.error.setValue(10)
    assert "places" in dialog.needed.text()
    planning = dialog.minimumSizeHint().height()
    dialog.begin.click()
    qtbot.waitUntil(lambda: desk.assessment is not None)
    assert dialog.minimumSizeHint().height() > planning  # the plan is not as tall as the places
    total = len(desk.assessment.places)
    assert {place.code for place in desk.assessment.places} == {0, 1}
    qtbot.waitUntil(lambda: not dialog.near.pixmap().isNull())
    first = dialog.at
    dialog._answer("cloud")
    assert desk.assessment.places[first].answer == "cloud"
    assert dialog.at == first + 1
    dialog.back.click()
    assert dialog.at == first
    assert f"Place 1 of {total}" in dialog.progress.text()
    dialog.again.click()
    assert "replace the present ones with their 1 answer." in dialog.needed.text()
    dialog.keep.click()
    assert dialog.pages.currentIndex() == 1
    dialog.close()
    again = Assessment.kept_in(view.session.view, view.state.made)
    assert again is not None
    kept = view.session.view[KEPT][str(view.state.made.path)]
    assert again.as_json() == desk.assessment.as_json() == kept


def test_asking_again_brings_the_open_dialog_to_the_front(view: Any, qtbot: QtBot) -> None:
    desk = view.whole.assessing
    view.bar.accuracy.click()
    dialog = desk._dialog
    view.bar.accuracy.click()
    assert view.findChildren(AssessDialog) == [dialog]
    dialog.close()
    qtbot.waitUntil(lambda: desk._dialog is None)
    view.bar.accuracy.click()
    assert desk._dialog is not None


def test_no_places_are_drawn_before_the_pixels_are_counted(
    shown: Callable[[QWidget], Any],
) -> None:
    dialog = shown(AssessDialog("Check map.tif by eye"))
    dialog.error.setValue(10)
    assert not dialog.begin.isEnabled()
    dialog.say("The map cannot be read.")
    assert not dialog.begin.isEnabled()
    dialog.show_map(NAMES, np.array([80, 20]))
    assert dialog.begin.isEnabled()


def test_answers_give_accuracy_and_areas() -> None:
    places = (*(Place(0, at, 0) for at in range(4)), Place(0, 9, 1))
    found = Assessment("m.tif", NAMES, (80, 20), places)
    assert found.accuracy is None
    for at, answer in enumerate(("land", "land", "cloud", "land", "cloud")):
        found = found.with_answer(at, answer)
    assert found.next_open() == -1
    assert found.accuracy is not None
    assert found.accuracy.areas[1] == pytest.approx(0.8 / 4 + 0.2)
    assert found.with_answer(0, " thin  cloud ").classes == (*NAMES, "thin cloud")
    assert found.with_answer(2, "").next_open(3) == 2


@pytest.mark.parametrize(
    "kept",
    [None, {}, [], {"m.tif": {}}, {"m.tif": {"names": ["land", "cloud"],
     "pixels": [1, 2], "places": [[0, 0, 5, ""]]}}],
)  # fmt: skip
def test_what_a_project_keeps_wrongly_is_passed_over(kept: Any) -> None:
    assert Assessment.kept_in({KEPT: kept}, made("m.tif")) is None


def test_each_map_keeps_its_own_answers() -> None:
    first = Assessment("a.tif", NAMES, (80, 20), (Place(0, 3, 0, "land"),))
    second = Assessment("b.tif", NAMES, (50, 50), (Place(2, 1, 1, "cloud"),))
    # As it was kept while a project could have one alone.
    view: dict[str, Any] = {"assessment": {"path": "a.tif", **first.as_json()}}
    view[KEPT] = second.beside_others(view)
    for kept in (first, second):
        found = Assessment.kept_in(view, made(kept.path))
        assert found is not None
        assert found.as_json() == kept.as_json()
    assert Assessment.kept_in(view, made("c.tif")) is None


def made(path: str) -> Made:
    """A finished map."""
    return Made(Path(path), (*NAMES, "unclassified"), ("#000000",) * 3)


def test_a_plan_never_wants_more_than_there_is() -> None:
    assert Plan(error=0.01).places(np.array([50, 3])).tolist() == [50, 3]


@pytest.mark.parametrize("place", [(0, 0), (7, 9), (14, 19)])
def test_the_place_is_marked_where_it_is(place: tuple[int, int], qapp: Any) -> None:
    values = np.zeros((15 * 20, 3))
    values[place[0] * 20 + place[1]] = 1.0
    data = replace(prepared.blobs(), features=values, columns=("a", "b", "c"), truth=None,
                   items=(), table=(), details={"height": 15, "width": 20})  # fmt: skip
    ground = ground_of(data)
    assert ground is not None
    ready = prepare(ground, None, lambda *_: None)  # type: ignore[arg-type]
    look = BandSettings((0, 1, 2), low=0.0, high=100.0)
    (found,) = surroundings_of(ground, ready, look, [(*place, 4)])
    high, wide = found.picture.shape[:2]
    left, top, side = found.mark
    row, column = round(top * high), round(left * wide)
    assert found.picture[row, column, 0] == 255
    assert found.picture[..., 0].sum() == 255
    assert side == pytest.approx(1 / wide)
    assert pixmap_of(found, 90, 2.0).width() == 180
