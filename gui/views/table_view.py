"""The table widget: rows show and change the selection that all views share.

Qt's own selection model keeps a list of ranges and compares all with all at each change, which
takes seconds when a brush picks 50,000 scattered rows. So rows are painted as selected from the
shared mask, and clicks and keys change that mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from coterie.gui.states.table import TableState
from coterie.gui.views.table_model import TableModel

if TYPE_CHECKING:
    from coterie.projects.selection import Mode, Selection

_MOVES = {
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End,
}  # fmt: skip
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


class TableView(QTableView):
    """The items as rows. Click, Shift and Ctrl select as in any list; so do the arrow keys."""

    def __init__(
        self, state: TableState, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._selection = selection
        self._anchor = 0
        self.setModel(TableModel(state, self))
        self.setItemDelegate(_SelectedRows(state, selection, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSortingEnabled(True)
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setHighlightSections(False)
        # Rows that decide a column's width: few, as each cell measured is a call into Python.
        header.setResizeContentsPrecision(40)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + 10)
        rows.setHighlightSections(False)
        rows.setVisible(False)
        self.setAccessibleName("Data table")

    def rebuild(self) -> None:
        """Take the state's new columns and rows."""
        model = self.model()
        assert isinstance(model, TableModel)
        model.beginResetModel()
        model.endResetModel()
        self.resizeColumnsToContents()
        for section in range(len(self._state.columns)):
            width = min(max(self.columnWidth(section) + 12, 64), 260)
            self.setColumnWidth(section, width)

    def show_item(self, item: int) -> None:
        """Bring the row of an item into sight."""
        index = self.model().index(self._state.row(item), 0)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    # Changing the selection

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._select(row, event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if event.buttons() == Qt.MouseButton.LeftButton and row >= 0:
            self._select(row, event.modifiers() | _SHIFT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.set_size(self._state.n)
            self._selection.update(np.ones(self._state.n, dtype=bool))
        elif event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._select(self.currentIndex().row(), event.modifiers() | _CONTROL)
        elif event.key() == Qt.Key.Key_Escape and self._selection.count:
            self._selection.clear()
        else:
            super().keyPressEvent(event)
            if event.key() in _MOVES and self.currentIndex().isValid():
                held = event.modifiers()
                if not held & _CONTROL or held & _SHIFT:
                    self._select(self.currentIndex().row(), held & _SHIFT)

    def _select(self, row: int, held: Qt.KeyboardModifier) -> None:
        self._selection.set_size(self._state.n)
        if held & _SHIFT:
            first, last = sorted((min(self._anchor, self._state.n - 1), row))
            items = self._state.order[first : last + 1]
            self._selection.update(items, "add" if held & _CONTROL else "replace")
            return
        self._anchor = row
        item = self._state.item(row)
        mode: Mode = "replace"
        if held & _CONTROL:
            mode = "subtract" if self._selection.mask[item] else "add"
        self._selection.update(np.array([item]), mode)


class _SelectedRows(QStyledItemDelegate):
    """Paints a row as selected when its item is in the shared selection."""

    def __init__(self, state: TableState, selection: Selection, parent: QTableView) -> None:
        super().__init__(parent)
        self._state = state
        self._selection = selection

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        mask = self._selection.mask
        item = self._state.item(index.row())
        if item < len(mask) and mask[item]:
            option.state |= QStyle.StateFlag.State_Selected
