"""Figures that are tables: rows that are selected with the items they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from coterie.core.model.arrays import Floats
from coterie.core.model.figures import Figure

_Index = QModelIndex
_ROLE = Qt.ItemDataRole


class _Model(QAbstractTableModel):
    def __init__(self, figure: Figure, parent: QWidget) -> None:
        super().__init__(parent)
        self._figure = figure
        self._wide = len(figure.columns) if figure.cells else figure.values.shape[1]

    def rowCount(self, parent: Any = None) -> int:
        return self._figure.marks

    def columnCount(self, parent: Any = None) -> int:
        return self._wide

    def data(self, index: Any, role: int = _ROLE.DisplayRole) -> Any:
        figure = self._figure
        if role == _ROLE.TextAlignmentRole and not figure.cells:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return None
        if figure.cells:
            return figure.cells[index.row() * self._wide + index.column()]
        value = float(figure.values[index.row(), index.column()])
        return f"{value:.4g}" if np.isfinite(value) else "–"

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> Any:
        if role != _ROLE.DisplayRole:
            return None
        across = orientation == Qt.Orientation.Horizontal
        names = self._figure.columns if across else self._figure.rows
        return names[section] if names else str(section + 1)


class FigureTable(QTableView):
    """Shows the rows, and says which a person chose."""

    rows_chosen = Signal(object)  # (m,) marks

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Table of the figure")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self._marking = False

    def show_figure(self, figure: Figure) -> None:
        """Show another figure."""
        self._marking = True
        self.setModel(_Model(figure, self))
        self._marking = False
        self.selectionModel().selectionChanged.connect(self._on_chosen)

    def mark(self, shares: Floats) -> None:
        """Select the rows whose items are selected."""
        model, selection = self.model(), self.selectionModel()
        self._marking = True
        flags = QItemSelectionModel.SelectionFlag
        selection.clearSelection()
        for row in np.flatnonzero(shares > 0).tolist()[:1000]:
            selection.select(model.index(row, 0), flags.Select | flags.Rows)
        self._marking = False

    def _on_chosen(self, *_: Any) -> None:
        if not self._marking:
            rows = [index.row() for index in self.selectionModel().selectedRows()]
            self.rows_chosen.emit(np.array(rows, dtype=np.int64))
