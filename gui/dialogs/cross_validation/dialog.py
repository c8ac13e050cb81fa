"""Cross-validating a classifier: the settings on the left, the accuracies on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from coterie.gui.dialogs.cross_validation.state import CrossValidationState, Written
from coterie.gui.dialogs.trials.dialog import TrialsDialog, titled
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.forms.editors import ChoiceBox

if TYPE_CHECKING:
    from coterie.gui.dialogs.cross_validation.plot import CrossValidationPlot
    from coterie.projects.session import Session

_MEANS, _EACH = "Means (*.csv)", "Every run (*.csv)"
_SIDE = 290
_AWAITED = (
    "The accuracy by number of training pixels appears here,\nwith its spread over the "
    "subsets and the interval of the mean."
)


class CrossValidationDialog(TrialsDialog):
    """Does not block the window; the engine works. Closing it ends the work."""

    def __init__(
        self,
        session: Session,
        written: Written | None = None,
        parent: QWidget | None = None,
        *,
        meant: str = "",
    ) -> None:
        self.state = CrossValidationState(session, written, meant)
        super().__init__("Cross-validation", self.state, parent)
        self.setObjectName("cross-validation")
        self.resize(1040, 680)
        self.times, self.at_most = QSpinBox(), QSpinBox()
        self.sizes, self.tops = QLineEdit(self.state.sizes), QLineEdit(self.state.tops)
        self.measure = ChoiceBox()
        self.awaited = QLabel(_AWAITED, wordWrap=True)
        self.table = QTableWidget()
        self.plot: CrossValidationPlot | None = None
        self.save_curve, self.save_table = QPushButton("Save figure…"), QPushButton("Save table…")
        self._make()
        self._lay_out()
        listen(self, session.cross_validations.changed, self._on_table)
        self.synchronize()

    def _make(self) -> None:
        self.times.setRange(1, 1000)
        self.times.setValue(self.state.times)
        self.at_most.setRange(0, 10_000_000)
        self.at_most.setSingleStep(10_000)
        self.at_most.setGroupSeparatorShown(True)
        self.at_most.setSpecialValueText("all known pixels")
        self.tops.setEnabled(self.state.can_rank)
        for box in (self.times, self.at_most):
            box.lineEdit().setTextMargins(5, 0, 0, 0)  # in line with the fields below
            box.valueChanged.connect(self._on_edited)
        for edit in (self.sizes, self.tops):
            edit.textEdited.connect(self._on_edited)
        self.measure.setAccessibleName("Measure to plot")
        self.measure.setMinimumWidth(260)
        self.measure.activated.connect(self._on_measure)
        self.awaited.setProperty("role", "muted")
        self.awaited.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table.setMinimumHeight(170)
        self.table.setAccessibleName("Means and standard deviations")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.save_curve.clicked.connect(self._on_save_curve)
        self.save_table.clicked.connect(self._on_save_table)

    def _lay_out(self) -> None:
        settings = [
            titled(title, editor, about, shown=True)
            for title, editor, about in (
                ("Runs", self.times, "Number of random subsets; each run uses different seeds"),
                ("Pixels in the subset", self.sizes, "One or more numbers, such as 100, 200, 400"),
                (
                    "Train on the top-ranked of each group",
                    self.tops,
                    '"all" or numbers, such as all, 30, 60'
                    if self.state.can_rank
                    else "The classifier has no ranking as its third input, so it trains on all "
                    "pixels",
                ),
                ("Test on", self.at_most, "Random pixels outside the subset; fewer are faster"),
            )
        ]
        note = QLabel(
            "Each group gets the known class of most of its pixels in the subset. "
            "Accuracy is measured on pixels outside the subset.",
            wordWrap=True,
        )
        note.setProperty("role", "muted")
        self._right = self.lay_out((*settings, note), _SIDE)
        self._right.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignLeft)
        self._right.addWidget(self.awaited, 1)
        self.verdict = QLabel(wordWrap=True)
        self.verdict.setAccessibleName("What the runs show")
        self._right.addWidget(self.verdict)
        self._right.addWidget(self.table, 2)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.save_curve)
        bottom.addWidget(self.save_table)
        self._right.addLayout(bottom)

    def synchronize(self) -> None:
        """Show the state as it is now."""
        super().synchronize()
        state, table = self.state, self.state.table
        for editor in (self.times, self.sizes, self.at_most):
            editor.setEnabled(not state.running and not state.why_not)
        self.tops.setEnabled(state.can_rank and not state.running)
        found = table is not None and bool(table.found)
        for widget in (self.measure, self.table):
            widget.setVisible(found)
        self.awaited.setVisible(not found)
        for button in (self.save_curve, self.save_table):
            button.setVisible(found and not state.running)
        self.verdict.setText("" if state.running else state.verdict)
        self.verdict.setVisible(bool(self.verdict.text()))
        self._show_measures()
        self._show_rows()
        self._show_plot(found)

    def _show_measures(self) -> None:
        words = list(self.state.measures.values())
        if [self.measure.itemText(i) for i in range(self.measure.count())] != words:
            self.measure.clear()
            self.measure.addItems(words)
        self.measure.setCurrentIndex(list(self.state.measures).index(self.state.measure))

    def _show_rows(self) -> None:
        rows, headers = list(self.state.rows()), self.state.headers()
        self.table.setRowCount(len(rows))
        self.table.setColumnCount(len(headers))
        self.table.setHorizontalHeaderLabels(headers)
        for row, (cells, matching) in enumerate(rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(matching)
                if column != 1:
                    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    item.setTextAlignment(right)
                self.table.setItem(row, column, item)

    def _show_plot(self, found: bool) -> None:
        """What draws is loaded when there is something to draw."""
        if found and self.plot is None:
            from coterie.gui.dialogs.cross_validation.plot import CrossValidationPlot

            self.plot = CrossValidationPlot(self.state)
            self._right.insertWidget(self._right.indexOf(self.verdict), self.plot, 3)
        if self.plot is not None:
            self.plot.setVisible(found)
            self.plot.synchronize()

    def _on_edited(self) -> None:
        state = self.state
        state.times, state.at_most = self.times.value(), self.at_most.value()
        state.sizes, state.tops = self.sizes.text(), self.tops.text()
        if state.table is None:
            self.headline.setText(state.headline)

    def _on_measure(self, at: int) -> None:
        self.state.measure = list(self.state.measures)[at]
        self.synchronize()

    def _on_save_curve(self) -> None:
        kinds = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
        asked = ask_target(self, "Save figure", "accuracy-curve.png", kinds)
        if asked is not None:
            self.write(asked[0], self.state.write_curve)

    def _on_save_table(self) -> None:
        asked = ask_target(self, "Save table", "accuracy-means.csv", f"{_MEANS};;{_EACH}")
        if asked is not None:
            path, kind = asked
            self.write(path, lambda path: self.state.write_table(path, each=kind == _EACH))
