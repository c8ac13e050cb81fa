"""Qt's model of the data table: it reads a row from the arrays only when the row is shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPixmap

from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.data.state import TableState
from coterie.gui.views.shown_items.columns import NUMBERS, ItemColumn

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_FOUND = ("group", "rank")  # columns that a method made
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableModel(QAbstractTableModel):
    """Rows are items in the state's order, columns are the state's, as of the last `renew`.

    Qt may ask for what it knows of after the state has other columns; it gets nothing then.
    """

    sorting = Signal()  # the rows are being sorted elsewhere

    def __init__(self, state: TableState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._columns: tuple[ItemColumn, ...] = state.columns
        self._rows = state.rows
        self._chips: dict[int, QPixmap] = {}
        self._muted, self._warning = QColor(), QColor()
        self.restyle()

    def renew(self) -> None:
        """Take the state's new columns and rows."""
        self.beginResetModel()
        self._columns, self._rows = self._state.columns, self._state.rows
        self._chips.clear()
        self.endResetModel()

    def renew_rows(self) -> None:
        """Take the state's rows, of the same columns, in another order or filtered."""
        if self._rows != self._state.rows:
            self.renew()
            return
        self.layoutAboutToBeChanged.emit()
        self.layoutChanged.emit()

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        self._chips.clear()
        self._muted = QColor(theme.current().muted)
        self._warning = QColor(theme.current().warning)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not self._current:
            return None
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        item = self._state.item(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.text(item)
        if role == Qt.ItemDataRole.EditRole:
            return "" if column.missing(item) else column.text(item)
        if column.kind == "item" and self._state.is_unknown(item):
            if role == Qt.ItemDataRole.ForegroundRole:
                return self._warning
            if role == Qt.ItemDataRole.ToolTipRole:
                return "All features of this item are missing."
        if role == Qt.ItemDataRole.ForegroundRole and column.missing(item):
            return self._muted
        if role == Qt.ItemDataRole.DecorationRole and column.kind == "group":
            return self._chip(int(column.values[item]))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(column, item)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self._current and self._state.can_correct(index.column()):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Hand a correction to the state, which makes it an edit that can be undone."""
        if not index.isValid() or not self._current or role != Qt.ItemDataRole.EditRole:
            return False
        self._state.correct(index.column(), self._state.item(index.row()), str(value))
        return True

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        if not self._current:
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            hint = "\nDouble-click a cell or press F2 to edit it."
            fixed = hint if self._state.can_correct(section) else ""
            typed = "\nRight-click to change its type or role." if column.kind not in _FOUND else ""
            return f"{column.tip}\nClick to sort by it and see its distribution.{fixed}{typed}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if self._current and column < len(self._columns):
            self._state.sort(column, descending=order == Qt.SortOrder.DescendingOrder)
            if self._state.ordering.work is None:
                self.renew_rows()
            else:
                self.sorting.emit()  # worked out aside

    @property
    def _current(self) -> bool:
        return self._columns is self._state.columns

    def _chip(self, group: int) -> QPixmap:
        if group not in self._chips:
            dark = theme.current().dark
            chosen = self._state.shown.group_colours
            self._chips[group] = chip(palette.group_colour(group, chosen, dark=dark))
        return self._chips[group]

    def _tip(self, column: ItemColumn, item: int) -> str | None:
        if column.missing(item):
            return "Unassigned" if column.kind == "group" else "No value"
        return column.exact(item) if column.kind in NUMBERS else None
