"""The Compare view: how two groupings of the same items overlap."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.compare.flows import Flows
from coterie.gui.views.compare.state import CompareState, Comparison
from coterie.gui.views.shown_items.displayed import giving, opened

if TYPE_CHECKING:
    from coterie.projects.session import Session


class CompareView(View):
    """A result against another one, or against the known classes."""

    title = "Compare"
    draws_types = ("clustering",)
    has_table = True

    rows: QComboBox
    columns: QComboBox
    table: QTableWidget
    flows: Flows
    differing: QPushButton
    _page: QWidget
    _numbers: QLabel
    _notes: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = CompareState(session)
        self._drawn: object = None

    def may_fill(self) -> bool:
        """Return whether there are, or will be, two groupings of the same items."""
        groupings = len(giving(self.session, self.draws_types))
        data = opened(self.session)
        classes = data is not None and data.truth is not None
        return groupings + classes > 1 and groupings > 0

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        if name in [grouping.key for grouping in self.state.groupings]:
            self.state.columns_key = name
        self.outdate()

    def compare(self, rows: str, columns: str) -> None:
        """Hold two groupings against each other, as soon as both are there."""
        self.state.await_pair(rows, columns)
        self.outdate()

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.rows_key, self.state.columns_key)

    def build(self) -> QWidget:
        self.rows = self._choice("Grouping shown as rows")
        self.columns = self._choice("Grouping shown as columns")
        self.differing = QPushButton("Select differences")
        self.differing.setToolTip("Select the items outside the best match between groups")
        self.differing.clicked.connect(self._on_differing)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        for label, box in (("Rows", self.rows), ("Columns", self.columns)):
            word = QLabel(label)
            word.setProperty("role", "muted")
            word.setBuddy(box)
            top.addWidget(word)
            top.addSpacing(4)
            top.addWidget(box)
            top.addSpacing(8)
        top.addStretch(1)
        top.addWidget(self.differing)
        tip = "Save the table as CSV, or as a picture"
        top.addWidget(self.save_button(self._on_save, tip, "Save the comparison"))
        self.table = QTableWidget()
        self.table.setAccessibleName("Items counted by both groupings")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.cellClicked.connect(self._on_cell)
        for head in (self.table.horizontalHeader(), self.table.verticalHeader()):
            head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            head.customContextMenuRequested.connect(partial(self._on_head, head))
        self.table.cellActivated.connect(self._on_cell)
        self.flows = Flows()
        self.flows.chosen.connect(self._on_cell)
        self._page = QWidget()
        both = QVBoxLayout(self._page)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        both.addWidget(self.table, 1)
        both.addWidget(self.flows, 1)
        self._numbers = QLabel(wordWrap=True)
        self._numbers.setTextFormat(Qt.TextFormat.RichText)
        self._numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._numbers.setContentsMargins(12, 8, 12, 2)
        self._notes = QLabel(wordWrap=True)
        self._notes.setProperty("role", "muted")
        self._notes.setContentsMargins(12, 0, 12, 8)
        return stacked(top, self._page, self._numbers, self._notes, grows=self._page)

    def restyle(self) -> None:
        self._drawn = None

    def draw(self) -> None:
        state = self.state
        for box, key in ((self.rows, state.rows_key), (self.columns, state.columns_key)):
            choices = [(grouping.key, grouping.title) for grouping in state.groupings]
            if [(box.itemData(i), box.itemText(i)) for i in range(box.count())] != choices:
                box.clear()
                for one, title in choices:
                    box.addItem(title, one)
            box.setCurrentIndex(box.findData(key))
        comparison = state.comparison
        if comparison is None or comparison is self._drawn:
            return
        self._drawn = comparison
        self._fill(comparison)
        said = "  ·  ".join(
            f"{escape(name)} <b>{escape(value)}</b>" for name, value in comparison.agreement
        )
        self._numbers.setText(said)
        self._notes.setText(" ".join(comparison.table.notes))
        self._notes.setVisible(bool(comparison.table.notes))

    def export_picture(self, path: Path) -> None:
        """Write the table as it is seen."""
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self.synchronize()
        if not self.empty:
            write_widget(self._page, path)

    def export_table(self, path: Path) -> None:
        """Write the counts as CSV."""
        self.synchronize()
        self.state.write_csv(path)

    def _choice(self, name: str) -> QComboBox:
        box = ElidedChoice()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.activated.connect(self._on_chosen)
        return box

    def _fill(self, comparison: Comparison) -> None:
        table, counts = self.table, comparison.whole_counts()
        colours = theme.current()
        table.clear()
        table.setRowCount(len(counts))
        table.setColumnCount(counts.shape[1])
        rows = comparison.row_heads(dark=colours.dark)
        columns = comparison.column_heads(dark=colours.dark)
        for row, (name, shade) in enumerate(rows):
            head = QTableWidgetItem(f"{name} ({int(counts[row].sum()):,})")
            head.setIcon(chip(shade))
            table.setVerticalHeaderItem(row, head)
        for column, (name, shade) in enumerate(columns):
            head = QTableWidgetItem(f"{name} ({int(counts[:, column].sum()):,})")
            head.setIcon(chip(shade))
            table.setHorizontalHeaderItem(column, head)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        for row, column in np.ndindex(*counts.shape):
            table.setItem(
                row,
                column,
                self._cell(comparison, counts, row, column, shares[row, column], colours.accent),
            )
        table.resizeColumnsToContents()
        for column in range(table.columnCount()):
            table.setColumnWidth(column, max(76, table.columnWidth(column)))
        self.flows.show_counts(counts, rows, columns)
        self._fit_table()

    def _fit_table(self) -> None:
        """Leave to the bands below what the table does not need."""
        table, beyond = self.table, 16_777_215
        rows = sum(table.rowHeight(row) for row in range(table.rowCount()))
        bar = table.horizontalScrollBar().sizeHint().height()
        needed = rows + table.horizontalHeader().sizeHint().height() + bar + 4
        table.setMaximumHeight(beyond if self.flows.isHidden() else needed)

    @staticmethod
    def _cell(
        comparison: Comparison, counts: Array, row: int, column: int, share: float, accent: str
    ) -> QTableWidgetItem:
        count = int(counts[row, column])
        cell = QTableWidgetItem(f"{count:,}" if count else "·")
        cell.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
        back = QColor(accent)
        back.setAlpha(round(170 * share))
        cell.setBackground(back)
        if column < len(comparison.partners) and comparison.partners[column] == row:
            font = cell.font()
            font.setBold(True)
            cell.setFont(font)
        rows, columns = comparison.name_of_row(row), comparison.name_of_column(column)
        cell.setToolTip(f"{count:,} items in {rows} and {columns}: {share:.1%} of {rows}")
        return cell

    def _on_chosen(self) -> None:
        self.state.choose(str(self.rows.currentData()), str(self.columns.currentData()))
        self.synchronize()

    def _on_cell(self, row: int, column: int) -> None:
        if (comparison := self.state.comparison) is not None:
            self._select(comparison.members(row, column), comparison)

    def _on_head(self, head: QHeaderView, place: QPoint) -> None:
        """Offer what can be done with the group of a heading."""
        state, at = self.state, head.logicalIndexAt(place)
        if state.comparison is None or at < 0:
            return
        across = head.orientation() == Qt.Orientation.Horizontal
        groups = state.comparison.of_columns if across else state.comparison.of_rows
        editing = state.editing(state.columns_key if across else state.rows_key)
        menu = self.group_menu(editing, groups[at]) if at < len(groups) else None
        if menu is not None:
            menu.popup(head.mapToGlobal(place))

    def _on_differing(self) -> None:
        if (comparison := self.state.comparison) is not None:
            self._select(comparison.disagreeing(), comparison)

    def _select(self, items: object, comparison: Comparison) -> None:
        self.claim_selection(len(comparison.rows.labels))
        self.session.selection.choose(items)

    def _on_save(self) -> None:
        kinds = "Table (*.csv);;PNG (*.png);;SVG (*.svg)"
        asked = ask_target(self, "Save comparison", "comparison.csv", kinds)
        if asked is None:
            return
        path, _ = asked
        if path.suffix.lower() in (".png", ".svg"):
            self.export_picture(path)
        else:
            self.export_table(path)
