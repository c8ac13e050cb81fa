"""The table widget: rows show and change the selection that all views share.

Qt's own selection model keeps a list of ranges and compares all with all at each change, which
takes seconds when a brush picks 50,000 scattered rows. So rows are painted as selected from the
shared mask, and clicks and keys change that mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QMouseEvent, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from coterie.gui.views.data.column_menu import column_menu
from coterie.gui.views.data.state import TableState
from coterie.gui.views.data.table_model import Index, TableModel

if TYPE_CHECKING:
    from coterie.projects.selection import Mode, Selection

_MOVES = {
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End,
}  # fmt: skip
# To measure the cells of thousands of columns takes seconds.
_COLUMNS_MEASURED, _ROWS_MEASURED = 40, 20
_NARROWEST, _WIDEST, _WIDEST_TEXT = 64, 260, 480  # pixels
_ARROW, _CHIP, _AROUND = 34, 20, 24  # pixels for the sign of sorting, for a colour, on both sides
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


class TableView(QTableView):
    """The items as rows. Click, Shift and Ctrl select as in any list; so do the arrow keys."""

    def __init__(
        self, state: TableState, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names may begin alike
        self._state = state
        self._selection = selection
        self._anchor = 0
        self.setModel(TableModel(state, self))
        self.setItemDelegate(_SelectedRows(state, selection, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
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
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_head_menu)
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
        model.renew()
        self._size_columns()

    def _size_columns(self) -> None:
        """Give each column its room: the first by their cells, those far to the right by titles."""
        header, columns = self.horizontalHeader(), self._state.columns
        metrics, widths, wanted = self.fontMetrics(), list[int](), list[int]()
        first = [self._state.item(row) for row in range(min(self._state.rows, _ROWS_MEASURED))]
        usual = _NARROWEST
        for section, column in enumerate(columns):
            width = max(metrics.horizontalAdvance(column.title) + _ARROW, usual)
            if section < _COLUMNS_MEASURED:
                texts = (metrics.horizontalAdvance(column.text(item)) for item in first)
                chip = _CHIP if column.kind == "group" else 0
                width = max(width, max(texts, default=0) + chip + _AROUND)
            elif section == _COLUMNS_MEASURED:
                usual = int(np.median(widths))
            wanted.append(width)
            widths.append(min(width, _WIDEST_TEXT if column.kind == "text" else _WIDEST))
        self._share_rest(widths, wanted)
        header.setDefaultSectionSize(usual)
        for section, width in enumerate(widths):
            if header.sectionSize(section) != width:
                header.resizeSection(section, width)

    def _share_rest(self, widths: list[int], wanted: list[int]) -> None:
        """Give room that no column needs to names and texts that would be cut off."""
        rest = self.viewport().width() - sum(widths)
        for section, column in enumerate(self._state.columns):
            if column.kind in ("item", "text") and rest > 0:
                more = min(rest, wanted[section] - widths[section])
                widths[section] += more
                rest -= more

    def show_item(self, item: int) -> None:
        """Bring the row of an item into sight, if it has one."""
        row = self._state.row(item)
        if row < 0:
            return
        index = self.model().index(row, 0)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def menu_for(self, column: int) -> QMenu | None:
        """Return the menu of a column's head, which changes its type and role."""
        return column_menu(self._state, column, self)

    def _on_head_menu(self, place: QPoint) -> None:
        column = self.horizontalHeader().logicalIndexAt(place)
        menu = self.menu_for(column) if column >= 0 else None
        if menu is not None:
            menu.popup(self.horizontalHeader().viewport().mapToGlobal(place))

    # Changing the selection

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._select(row, event.modifiers(), self._usual)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if event.buttons() == Qt.MouseButton.LeftButton and row >= 0:
            self._select(row, event.modifiers() | _SHIFT, self._usual)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.set_size(self._state.n)
            self._selection.update(self._state.order)
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

    @property
    def _usual(self) -> Mode:
        """What a click does; a row that is dragged over cannot be kept and left out at once."""
        mode = self._selection.mode
        return "replace" if mode == "intersect" else mode

    def _select(self, row: int, held: Qt.KeyboardModifier, mode: Mode = "replace") -> None:
        self._selection.set_size(self._state.n)
        if held & _SHIFT:
            first, last = sorted((min(self._anchor, self._state.rows - 1), row))
            items = self._state.ordering.value.between(first, last)
            self._selection.update(items, "add" if held & _CONTROL else mode)
            return
        self._anchor = row
        item = self._state.item(row)
        if held & _CONTROL:
            mode = "subtract" if self._selection.mask[item] else "add"
        self._selection.update(np.array([item]), mode)


class _SelectedRows(QStyledItemDelegate):
    """Paints a row as selected when its item is in the shared selection."""

    def __init__(self, state: TableState, selection: Selection, parent: QTableView) -> None:
        super().__init__(parent)
        self._state = state
        self._selection = selection

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        mask = self._selection.mask
        item = self._state.item(index.row())
        if item < len(mask) and mask[item]:
            option.state |= QStyle.StateFlag.State_Selected
            if isinstance(swatch := index.data(Qt.ItemDataRole.DecorationRole), QPixmap):
                # Qt tints what is selected, and the colour of a group is to be read.
                icon = QIcon(swatch)
                icon.addPixmap(swatch, QIcon.Mode.Selected)
                option.icon = icon

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line for a name; for a class, the classes there are, and room for another."""
        column = self._state.columns[index.column()]
        name = self._state.columns[0].text(self._state.item(index.row()))
        if column.kind != "truth":
            editor = super().createEditor(parent, option, index)
        else:
            editor = QComboBox(parent)
            editor.setEditable(True)
            editor.addItems(list(column.names))
        editor.setAccessibleName(f"{column.title} of {name}")
        return editor
