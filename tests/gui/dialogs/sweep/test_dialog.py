"""The window of a sweep on a real session."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.dialogs.sweep.dialog import SweepDialog
from coterie.gui.dialogs.sweep.state import AxisChoice
from coterie.projects.session import Session

Show = Callable[[QWidget], QWidget]

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("near", "kernel/gaussian", ("data",), {"sigma": 0.8}),
        Step("groups", "clusterer/njw", ("near",), {"k": 3}),
    ),
)


@pytest.fixture
def session(iris: Session) -> Session:
    return iris


@pytest.fixture
def dialog(session: Session, shown: Show) -> SweepDialog:
    session.project.load_recipe(RECIPE)
    dialog = SweepDialog(session, "groups")
    shown(dialog)
    dialog.state.set_axis(0, AxisChoice("k", "evenly", 2, 4, 3))
    dialog.first.synchronize()
    return dialog


def test_a_sweep_is_run_read_and_adopted_by_mouse_and_key(
    session: Session, dialog: SweepDialog, qtbot: QtBot
) -> None:
    QTest.mouseClick(dialog.run, Qt.MouseButton.LeftButton)
    assert dialog.stop.isVisible()
    session.wait(60)
    assert dialog.run.isVisible()
    assert not dialog.bar.isVisible()
    assert dialog.heat.rowCount() == 3
    cells = [dialog.heat.item(row, 0) for row in range(3)]
    texts = [cell.text() for cell in cells if cell is not None]
    assert sum(text.startswith("★") for text in texts) == 1
    assert dialog.curve is not None
    assert dialog.curve.isVisible()
    assert len(dialog.curve.points.data) == 3
    dialog.heat.cellClicked.emit(0, 0)
    assert session.recipe.step("groups").params["k"] == 2
    assert "Use Undo to revert" in dialog.headline.text()
    dialog.heat.setCurrentCell(2, 0)
    QTest.keyClick(dialog.heat, Qt.Key.Key_Return)
    assert session.recipe.step("groups").params["k"] == 4
    session.edits.undo()
    session.edits.undo()
    assert session.recipe == RECIPE


def test_what_is_wrong_with_a_range_is_said(dialog: SweepDialog, qtbot: QtBot) -> None:
    dialog.first.high.set_value(-1)
    dialog.first.low.set_value(-5)
    dialog.first._on_edited()
    dialog.run.click()
    assert dialog.banner.isVisible()
    assert "k" in dialog.banner.text()


def test_a_second_parameter_and_a_list_are_chosen(dialog: SweepDialog) -> None:
    at = dialog.second._names.index(next(name for name in dialog.state.fields if name != "k"))
    dialog.second.parameter.activated.emit(at)
    assert dialog.state.axes[1].parameter
    assert dialog.second.way.isVisible()
    dialog.second.parameter.activated.emit(0)
    assert not dialog.second.way.isVisible()
    dialog.first.way.activated.emit(2)
    dialog.first.list.setText("2, 5")
    dialog.first.list.editingFinished.emit()
    assert dialog.state.plan().axes[0].values == (2, 5)


def test_closing_ends_the_sweep(session: Session, dialog: SweepDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.run.click()
    state = dialog.state
    session.sweeps.changed.connect(state.take)  # the dialog is gone when the news come
    dialog.reject()
    session.wait(60)
    assert not session.busy
    assert state.table is not None
    assert state.table.state == "cancelled"
