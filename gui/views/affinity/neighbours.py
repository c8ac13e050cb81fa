"""The items that are nearest to the selected one, as a list to walk along."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.affinity.state import AffinityState, in_short

_ROLE = Qt.ItemDataRole.UserRole


class NeighbourList(QWidget):
    """A click, or Enter, on an item says that it was chosen."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = QLabel(wordWrap=True)
        self.heading.setProperty("role", "muted")
        self.heading.setContentsMargins(8, 6, 8, 4)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.table = table = QTableWidget(0, 2)
        table.setAccessibleName("Nearest neighbours of the selected item")
        table.setHorizontalHeaderLabels(["Item", "Similarity"])
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setTabKeyNavigation(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().setDefaultSectionSize(24)
        header = table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setHighlightSections(False)
        table.cellClicked.connect(self._on_clicked)
        table.cellActivated.connect(self._on_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(table, 1)
        self._shown: tuple[object, ...] = ()

    def draw(self, state: AffinityState, selected: Array, dark: bool) -> None:
        """List what is nearest to the first selected item."""
        item = state.centre(selected)
        shown = (state.affinity, item, state.shown.clustering, dark)
        if shown == self._shown:
            return
        self._shown = shown
        self.table.setVisible(item is not None)
        if item is None:
            self.heading.setText("Select an item to see its nearest neighbours.")
            self.table.setRowCount(0)
            return
        found, similar = state.neighbours(item)
        sort = "Nearest to" if state.affinity is None or state.affinity.symmetric else "Arrows from"
        none = "" if len(found) else ": none, it has no edges"
        self.heading.setText(f"{sort} {state.item_name(item)}{none}")
        self.table.setRowCount(len(found))
        for row, (other, value) in enumerate(zip(found.tolist(), similar.tolist(), strict=True)):
            name = QTableWidgetItem(state.item_name(other))
            name.setData(_ROLE, other)
            said = [state.item_name(other)]  # whole, where the column has no room for it
            if state.shown.clustering is not None:
                group = int(state.shown.clustering.labels[other])
                name.setIcon(
                    chip(palette.group_colour(group, state.shown.group_colours, dark=dark))
                )
                said.append(state.code_name(group))
            name.setToolTip("\n".join(said))
            number = QTableWidgetItem(in_short(value))
            number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, 0, name)
            self.table.setItem(row, 1, number)
        self.table.clearSelection()
        self.table.scrollToTop()

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        self._shown = ()
        self.table.setPalette(theme.palette_of(theme.current()))

    def _on_clicked(self, row: int, _column: int) -> None:
        if (item := self.table.item(row, 0)) is not None:
            self.chosen.emit(int(item.data(_ROLE)))
