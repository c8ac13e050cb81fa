"""The Compare view through its widgets."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from coterie.gui.views.compare.view import CompareView


@pytest.fixture
def view(session: Any, shown: Callable[[CompareView], CompareView]) -> CompareView:
    return shown(CompareView(session))


def test_a_click_on_a_cell_selects_the_items_in_both(view: CompareView, session: Any) -> None:
    cell = view.table.item(1, 1)
    assert cell is not None
    place = view.table.visualItemRect(cell).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    groups, truth = (
        session.results.artefact("groups").labels,
        session.results.artefact("data").truth,
    )
    assert session.selection.count > 0
    assert set(groups[session.selection.items]) == {1}
    assert set(truth[session.selection.items]) == {1}


def test_what_differs_is_selected(view: CompareView, session: Any) -> None:
    QTest.mouseClick(view.differing, Qt.MouseButton.LeftButton)
    assert session.selection.count == 0  # the make-believe groups are right where they are given


def test_numbers_are_shown_beside_the_table(view: CompareView) -> None:
    assert "NMI <b>1.0000</b>" in view._numbers.text()
    assert (view.table.rowCount(), view.table.columnCount()) == (3, 4)  # five are in no group


def test_a_click_on_a_band_selects_the_items_in_both(view: CompareView, session: Any) -> None:
    place = view.flows.centre_of(1, 1)
    flow = view.flows.flow_at(place)
    assert flow is not None
    assert f"{flow.count} items in " in view.flows.words_for(flow)
    QTest.mouseClick(view.flows, Qt.MouseButton.LeftButton, pos=place.toPoint())
    groups = session.results.artefact("groups").labels
    assert session.selection.count == flow.count
    assert set(groups[session.selection.items]) == {1}
