"""The scores of a sweep as a table of colours: a heat map that keys and screen readers reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.styling import theme

if TYPE_CHECKING:
    from coterie.gui.dialogs.sweep.state import SweepState

_BEST = "★ "
_FRAME = 3  # pixels
_LOOSE = " *"  # some items are in no group


class SweepHeat(QTableWidget):
    """A cell for each combination. A click, or Enter, picks one."""

    picked = Signal(tuple)

    def __init__(self, state: SweepState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setAccessibleName("Scores")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setItemDelegate(_Framed(self))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setMinimumSectionSize(26)
        self.horizontalHeader().setMinimumSectionSize(52)
        self.cellClicked.connect(self._on_cell)

    def synchronize(self) -> None:
        """Show the table as it is now."""
        state, table = self._state, self._state.table
        if table is None:
            self.setRowCount(0)
            return
        columns, rows = state.headers()
        if (self.rowCount(), self.columnCount()) != (len(rows), len(columns)):
            self.setRowCount(len(rows))
            self.setColumnCount(len(columns))
        self.setHorizontalHeaderLabels(columns)
        self.setVerticalHeaderLabels(rows)
        shares, best, dark = state.shares(), table.best, theme.current().dark
        shades = palette.shades(256, signed=False, dark=dark)
        for row in range(len(rows)):
            for column in range(len(columns)):
                place = state.place(row, column)
                item = self.item(row, column)
                if item is None:
                    item = QTableWidgetItem()
                    self.setItem(row, column, item)
                score, share = float(table.scores[place]), float(shares[row, column])
                known = bool(np.isfinite(score))
                mark = _BEST if place == best else ""
                remark = table.remark(place)
                loose = _LOOSE if place in table.loose else ""
                item.setText(f"{mark}{score:.3g}{loose}" if known else "–" if remark else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                back = QColor(theme.current().base)
                if known:
                    # The ends of the scale would leave too little between cell and letters.
                    back = QColor(*(int(v) for v in shades[round(20 + 215 * share)]))
                item.setBackground(back)
                item.setForeground(_ink(back))
                font = item.font()
                font.setBold(place == best)
                item.setFont(font)
                said = ", ".join(filter(None, (f"{score:.6g}" if known else "", remark)))
                words = f"{state.in_words(place)}: {said}" if said else ""
                item.setToolTip(f"{words}\nClick to use these settings." if known else words)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter picks the cell that has the focus."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self._on_cell(self.currentRow(), self.currentColumn())
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.synchronize()

    def _on_cell(self, row: int, column: int) -> None:
        table, place = self._state.table, self._state.place(row, column)
        if table is not None and np.isfinite(table.scores[place]):
            self.picked.emit(place)


class _Framed(QStyledItemDelegate):
    """Draws a frame around the chosen cell: its colour is its score."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the cell."""
        plain = QStyleOptionViewItem(option)
        states = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus
        chosen = bool(plain.state & QStyle.StateFlag.State_Selected)
        plain.state &= ~states
        super().paint(painter, plain, index)
        if chosen:
            painter.setPen(QPen(QColor(theme.current().warning), _FRAME))
            inset = _FRAME // 2
            painter.drawRect(plain.rect.adjusted(inset, inset, -inset - 1, -inset - 1))


def _ink(back: QColor) -> QColor:
    """Black or white, whichever is better read."""
    bright = 0.299 * back.red() + 0.587 * back.green() + 0.114 * back.blue()
    return QColor("#000000" if bright > 140 else "#ffffff")
