"""The Selection panel on a real session."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.panels.selections import SelectionPanel
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]


@pytest.fixture
def panel(ran: Session, shown: Show) -> SelectionPanel:
    panel = SelectionPanel(ran)
    shown(panel)
    return panel


def typed(qtbot: QtBot, panel: SelectionPanel, query: str) -> None:
    panel.query.clear()
    QTest.keyClicks(panel.query, query)
    QTest.keyClick(panel.query, Qt.Key.Key_Return)


def test_a_query_is_typed_and_a_wrong_one_explained(
    ran: Session, panel: SelectionPanel, qtbot: QtBot
) -> None:
    column = ran.results.artefact("data").columns[0]
    typed(qtbot, panel, f"`{column}` > 7")
    assert ran.selection.count == int((ran.results.artefact("data").features[:, 0] > 7).sum()) > 0
    qtbot.waitUntil(lambda: f"{ran.selection.count} of 150" in panel.headline.text())
    typed(qtbot, panel, "nothing > 7")
    assert panel.problem.isVisible()
    assert "no column 'nothing'" in panel.problem.text()
    panel.set_mode(1)
    typed(qtbot, panel, f"`{column}` <= 7")
    assert ran.selection.count == 150
    assert not panel.problem.isVisible()


def test_places_of_the_ranking_are_selected(ran: Session, panel: SelectionPanel) -> None:
    panel.last.set_value(12)
    panel.ranks.click()
    labels = ran.results.artefact("groups").labels
    found = labels[ran.selection.items]
    # The recipe ranks each group on its own: what is typical of each of the three.
    assert np.bincount(found).tolist() == [12] * 3


def test_a_selection_is_named_taken_up_renamed_and_forgotten_by_keys(
    ran: Session, panel: SelectionPanel, qtbot: QtBot
) -> None:
    panel.ask_name()
    assert "Nothing is selected" in panel.problem.text()
    ran.selection.update([1, 2])
    panel.ask_name()
    assert panel.naming.text() == "selection 1"
    QTest.keyClicks(panel.naming, "two")
    QTest.keyClick(panel.naming, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.names.count() == 1)
    ran.selection.clear()
    panel.names.setCurrentRow(0)
    QTest.keyClick(panel.names, Qt.Key.Key_Return)
    assert ran.selection.items.tolist() == [1, 2]
    item = panel.names.item(0)
    assert item is not None
    item.setText("pair")
    assert ran.edits.named.names == ("pair",)
    qtbot.waitUntil(lambda: panel.names.item(0).data(Qt.ItemDataRole.UserRole) == "pair")
    panel.names.setCurrentRow(0)
    QTest.keyClick(panel.names, Qt.Key.Key_Delete)
    assert list(ran.edits.named.names) == []
    ran.edits.undo()
    assert list(ran.edits.named.names) == ["pair"]


def test_a_selection_is_made_a_step(ran: Session, panel: SelectionPanel, qtbot: QtBot) -> None:
    ran.selection.update([0, 1, 2])
    with qtbot.waitSignals([panel.step_made, panel.run_asked]):
        panel.make("data")
    assert ran.recipe.step("part").params == {"items": [0, 1, 2]}
    panel.make("labels")
    assert "two or more" in panel.problem.text()
    ran.selection.update([7])
    assert not panel.problem.isVisible()  # that was about another selection
