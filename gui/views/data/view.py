"""The Data view: the items as a table, and the distribution of one column."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

from coterie.core.errors import in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.views.base_view import View
from coterie.gui.views.data.state import MOST_AT_ONCE, TableState
from coterie.gui.views.data.table_model import TableModel
from coterie.gui.views.data.table_view import TableView

if TYPE_CHECKING:
    from coterie.gui.views.data.histogram import HistogramPlot
    from coterie.projects.session import Session


class DataView(View):
    """Every item a row, linked with the selection of all views."""

    title = "Data"
    has_table = True

    table: TableView
    _histogram: HistogramPlot
    filter: QLineEdit
    _summary: QLabel
    _remark: QLabel
    _save: QPushButton

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = TableState(session)
        self._changed, self._spread_shown = True, False
        self._sorting, self._counting, self._writing = Aside(self), Aside(self), Aside(self)
        self.listen(session.selection.changed, self._on_selection_changed)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self._changed = self.state.update() or self._changed
        self._arrange()

    def emptiness(self) -> str:
        return "" if self.state.n else "Open a file or choose a sample to see its items here."

    def build(self) -> QWidget:
        from coterie.gui.views.data.histogram import HistogramPlot

        self._summary = ElidedLabel()
        self._summary.setProperty("role", "muted")
        self._save = QPushButton(icon("download"), "Save table…")
        self._save.setToolTip("Save the visible rows as CSV, in this order")
        self._save.setProperty("role", "quiet")
        self._save.clicked.connect(self._on_save)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 6, 8, 6)
        bar.setSpacing(12)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: a name, or age > 3 and group = 1")
        self.filter.setAccessibleName("Filter rows")
        self.filter.setToolTip(
            "Show only rows whose name contains this text or that meet a condition,\n"
            "such as width > 1.2 and not species = setosa"
        )
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(220)
        self.filter.textChanged.connect(self._on_filter)
        self._remark = QLabel(wordWrap=True)
        self._remark.setProperty("role", "warning")
        self._remark.setContentsMargins(12, 0, 12, 4)
        self._remark.hide()
        bar.addWidget(self._summary, 1)
        bar.addWidget(self.filter, 1)
        bar.addWidget(self._save)

        self.table = TableView(self.state, self.session.selection)
        model = self.table.model()
        assert isinstance(model, TableModel)
        model.sorting.connect(self._arrange)
        self.table.horizontalHeader().sectionClicked.connect(self._on_column_chosen)
        self._histogram = HistogramPlot()
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        split.addWidget(self.table)
        split.addWidget(self._histogram.widget)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        split.setSizes([450, 180])

        return stacked(bar, self._remark, split, grows=split)

    def restyle(self) -> None:
        model = self.table.model()
        assert isinstance(model, TableModel)
        model.restyle()
        self._histogram.restyle()

    def draw(self) -> None:
        if self._changed:
            self._changed, self._spread_shown = False, False
            self.table.rebuild()
        # Where no column can be counted, the table has the room.
        self._histogram.widget.setVisible(self.state.looked_at >= 0)
        self.table.viewport().update()
        self._summary.setText(self.state.summary(self.session.selection.count))

    def draw_rest(self) -> None:
        if not self._spread_shown:
            self._spread_shown = True
            self.state.look_again()
            if self.state.distribution.work is None:
                self._histogram.draw(self.state.distribution.value)
                return
            self._counting.work_out(self.state.distribution, self._on_counted, self._on_failed)

    def export_picture(self, path: Path) -> None:
        """Write the distribution of the chosen column."""
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if not self.empty:
            self._histogram.draw(self.state.histogram())
            plotting.write_picture(self._histogram.canvas, path)

    def export_table(self, path: Path) -> None:
        """Write the table as CSV, in the order it is shown."""
        self.synchronize()
        self.state.table_to_write()(path)

    def _on_column_chosen(self, column: int) -> None:
        self.state.look_at(column)
        self._spread_shown = False
        self.synchronize()

    def _on_filter(self, text: str) -> None:
        self.state.keep_only(text)
        if self.state.ordering.work is None:
            self._on_arranged()
        else:
            self._arrange()

    def _arrange(self) -> None:
        """Have the rows sorted and filtered, where that is not done."""
        self._sorting.work_out(self.state.ordering, self._on_arranged, self._on_failed)
        if self.built and self.state.ordering.work is not None:
            self._summary.setText("Sorting …" if not self.state.filter else "Looking for rows …")

    def _on_arranged(self) -> None:
        self._remark.setText(self.state.problem)
        self._remark.setVisible(bool(self.state.problem))
        model = self.table.model()
        assert isinstance(model, TableModel)
        model.renew()
        self._summary.setText(self.state.summary(self.session.selection.count))

    def _on_counted(self) -> None:
        self._histogram.draw(self.state.distribution.value)

    def _on_failed(self, error: BaseException) -> None:
        self._summary.setText(self.state.summary(self.session.selection.count))
        self.session.logged.emit(f"The table cannot be shown as asked: {in_words(error)}")

    def _on_selection_changed(self) -> None:
        if self.built and self.isVisible() and not self.table.hasFocus():
            items = self.session.selection.items
            if len(items) and self.state.n == len(self.session.selection.mask):
                self.table.show_item(int(items[0]))
        self.refresh()

    def _on_save(self) -> None:
        asked = ask_target(self, "Save table", "table.csv", "CSV (*.csv)")
        if asked is None:
            return
        if self.state.n <= MOST_AT_ONCE:
            self.export_table(asked[0])
            return
        self._save.setEnabled(False)
        # As it is now: another result may come while it is written.
        write = partial(self.state.table_to_write(), asked[0])
        self._writing.ask(write, self._on_written, self._on_not_written)

    def _on_written(self, _: None) -> None:
        self._save.setEnabled(True)
        self.session.logged.emit("The table is saved.")

    def _on_not_written(self, error: BaseException) -> None:
        self._save.setEnabled(True)
        self.session.logged.emit(f"The table was not saved: {in_words(error)}")
