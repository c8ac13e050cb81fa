"""The Data view through its widgets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QComboBox,
    QLineEdit,
    QStyle,
    QStyleOptionViewItem,
)
from pytestqt.qtbot import QtBot

from coterie.core.model.dataset import Dataset
from coterie.gui.views.data.view import DataView
from coterie.gui.views.shown_items.columns import MISSING
from coterie.projects.jobs.job import Status
from tests.gui import prepared

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def view(session: Any, shown: Callable[[DataView], DataView]) -> DataView:
    return shown(DataView(session))


def click(view: DataView, row: int, held: Any = Qt.KeyboardModifier(0)) -> None:
    table = view.table
    place = QPoint(30, table.rowViewportPosition(row) + 4)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, held, place)


def press(view: DataView, key: Qt.Key, held: Any = Qt.KeyboardModifier(0)) -> None:
    QTest.keyClick(view.table, key, held)


def is_painted_selected(view: DataView, row: int) -> bool:
    option = QStyleOptionViewItem()
    view.table.itemDelegate().initStyleOption(option, view.table.model().index(row, 0))  # type: ignore[attr-defined]
    return bool(option.state & QStyle.StateFlag.State_Selected)


def test_every_item_is_a_row(view: DataView) -> None:
    model = view.table.model()
    assert (model.rowCount(), model.columnCount()) == (300, 8)
    assert model.index(4, 6).data() == MISSING
    assert "No value" in model.index(4, 6).data(Qt.ItemDataRole.ToolTipRole)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Group"
    tip = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "'groups'" in tip


def test_clicks_select_items_for_all_views(view: DataView, session: Any, qtbot: QtBot) -> None:
    click(view, 2)
    assert session.selection.items.tolist() == [2]
    click(view, 5, CONTROL)
    assert session.selection.items.tolist() == [2, 5]
    click(view, 5, CONTROL)
    assert session.selection.items.tolist() == [2]
    click(view, 2)
    click(view, 6, SHIFT)
    assert session.selection.items.tolist() == [2, 3, 4, 5, 6]


def test_a_click_does_what_was_chosen_for_all_views(view: DataView, session: Any) -> None:
    session.selection.mode = "add"
    click(view, 2)
    click(view, 5)
    assert session.selection.items.tolist() == [2, 5]
    session.selection.mode = "subtract"
    click(view, 2)
    assert session.selection.items.tolist() == [5]


def test_the_keyboard_selects_too(view: DataView, session: Any, qtbot: QtBot) -> None:
    click(view, 2)
    press(view, Qt.Key.Key_Down)
    assert session.selection.items.tolist() == [3]
    press(view, Qt.Key.Key_Down, SHIFT)
    assert session.selection.items.tolist() == [3, 4]
    press(view, Qt.Key.Key_A, CONTROL)
    assert session.selection.count == 300
    press(view, Qt.Key.Key_Space)
    assert session.selection.count == 299
    press(view, Qt.Key.Key_Escape)
    assert session.selection.count == 0


def test_the_selection_of_other_views_is_shown_and_scrolled_to(
    view: DataView, session: Any, qtbot: QtBot
) -> None:
    session.selection.update([250])
    assert is_painted_selected(view, 250)
    assert not is_painted_selected(view, 249)
    assert view.table.rowViewportPosition(250) < view.table.viewport().height()
    qtbot.waitUntil(lambda: "1 selected" in view._summary.text())


def test_the_colour_of_a_group_is_the_same_in_a_selected_row(view: DataView, session: Any) -> None:
    kinds = [column.kind for column in view.state.columns]
    session.selection.update([7])
    option = QStyleOptionViewItem()
    index = view.table.model().index(7, kinds.index("group"))
    view.table.itemDelegate().initStyleOption(option, index)  # type: ignore[attr-defined]
    plain, selected = (
        option.icon.pixmap(12, 12, mode).toImage().pixelColor(6, 6)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected)
    )
    assert plain.alpha() == 255
    assert selected == plain


def test_a_selection_follows_its_items_when_sorted(
    view: DataView, session: Any, qtbot: QtBot
) -> None:
    session.selection.update([7])
    view.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    row = view.state.row(7)
    assert row != 7
    assert is_painted_selected(view, row)
    view.table.scrollToTop()
    click(view, 0)
    widest = int(np.argmax(session.results.artefact("data").features[:, 0]))
    assert session.selection.items.tolist() == [widest]


def test_choosing_a_column_shows_its_distribution(view: DataView) -> None:
    view.table.horizontalHeader().sectionClicked.emit(6)
    assert view._histogram._plot.getAxis("bottom").labelText == "age  (1 without a value)"
    assert len(view._histogram._bars) == 4


def test_a_new_result_gives_a_new_column(
    fresh: Any, shown: Callable[[DataView], DataView], qtbot: QtBot
) -> None:
    view = shown(DataView(fresh))
    assert view.table.model().columnCount() == 6
    fresh.put("groups", prepared.solved(fresh.results.artefact("data"))["groups"])
    qtbot.waitUntil(lambda: view.table.model().columnCount() == 7)


def test_the_table_is_saved_as_csv(view: DataView, tmp_path: Path) -> None:
    view.export_table(tmp_path / "table.csv")
    assert len((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()) == 301


def test_a_hundred_thousand_rows_are_not_copied(
    new_session: Any, shown: Callable[[DataView], DataView]
) -> None:
    data = prepared.blobs(100_000)
    session = new_session({"data": data}, prepared.RECIPE)
    view = shown(DataView(session))
    assert view.table.model().rowCount() == 100_000
    data = session.results.artefact("data")
    for column in view.state.columns:
        if column.kind == "feature":
            assert np.shares_memory(column.values, data.features)


def test_a_filter_hides_rows_and_says_how_many_are_left(view: DataView, session: Any) -> None:
    QTest.keyClicks(view.filter, "red")
    reds = int((session.results.artefact("data").truth == 0).sum())
    assert view.table.model().rowCount() == reds
    assert f"{reds} of 300 items" in view._summary.text()
    press(view, Qt.Key.Key_A, CONTROL)
    assert session.selection.count == reds
    session.selection.update([299])  # hidden: nowhere to scroll to
    view.filter.setText("wdith > 3")
    assert "no column" in view._remark.text()
    assert view._remark.isVisible()
    view.filter.clear()
    assert not view._remark.isVisible()
    assert view.table.model().rowCount() == 300


def test_a_name_is_corrected_in_its_cell(view: DataView, session: Any, qtbot: QtBot) -> None:
    model = view.table.model()
    assert not model.flags(model.index(0, 4)) & Qt.ItemFlag.ItemIsEditable
    view.table.setCurrentIndex(model.index(2, 0))
    view.table.setFocus()
    press(view, Qt.Key.Key_F2)
    editor = view.table.viewport().findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.accessibleName() == "Item of item 3"
    editor.setText("Rosa")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(session.edits.can_undo))
    assert session.edits.can_undo == "rename “item 3”"
    assert session.status("corrected") is Status.RUNNING


def test_a_class_is_chosen_or_typed(view: DataView, session: Any) -> None:
    truth = next(at for at, c in enumerate(view.state.columns) if c.kind == "truth")
    view.table.edit(view.table.model().index(0, truth))
    editor = view.table.viewport().findChild(QComboBox)
    assert isinstance(editor, QComboBox)
    assert [editor.itemText(i) for i in range(editor.count())] == ["red", "green", "blue"]
    editor.setCurrentText("blue")
    view.table.commitData(editor)
    view.table.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)
    assert dict(session.recipe.step("corrected").params) == {"truth": {"1": "blue"}}


def test_columns_that_are_gone_can_still_be_asked_for(view: DataView) -> None:
    model = view.table.model()
    columns = model.columnCount()
    view.state.columns = ()  # as when other data was opened; Qt hears of it a little later
    assert model.columnCount() == columns
    assert model.headerData(1, Qt.Orientation.Horizontal) is None
    assert model.data(model.index(0, 1)) is None
    assert not model.flags(model.index(0, 1)) & Qt.ItemFlag.ItemIsEditable
    view.table.rebuild()
    assert model.columnCount() == 0


def test_without_a_column_to_count_the_table_has_all_the_room(new_session: Any, shown: Any) -> None:
    texts = Dataset(kind="texts", texts=("one text", "another"), items=("a", "b"))
    view = shown(DataView(new_session({"data": texts}, prepared.RECIPE)))
    assert view._histogram.widget.isHidden()
    assert view.table.isVisible()


def test_long_names_get_the_room_that_no_column_needs(new_session: Any, shown: Any) -> None:
    long = "a name that goes on and on, far beyond what a column is usually given in this table"
    few = Dataset(features=np.ones((3, 1)), columns=("w",), items=("a", "b", long))
    view = shown(DataView(new_session({"data": few}, prepared.RECIPE)))
    header = view.table.horizontalHeader()
    assert header.sectionSize(0) >= view.table.fontMetrics().horizontalAdvance(long)
    assert header.length() <= view.table.viewport().width()
