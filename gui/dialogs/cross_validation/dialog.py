"""Cross-validating a classifier: the settings on the left, the accuracies on the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.dialogs.cross_validation.state import RepeatState, Written
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.forms.editors import Choice
from coterie.gui.toolkit.problems import Problem, ProblemBanner

if TYPE_CHECKING:
    from coterie.gui.dialogs.cross_validation.plot import RepeatPlot
    from coterie.projects.jobs.cross_validate_results import RepeatTable
    from coterie.projects.session import Session

_MEANS, _EACH = "Means (*.csv)", "Every run (*.csv)"
_SIDE = 290
_AWAITED = (
    "The accuracy by number of training pixels appears here,\nwith its spread over the "
    "subsets and the interval of the mean."
)


class RepeatDialog(QDialog):
    """Does not block the window; the engine works. Closing it ends the work."""

    def __init__(
        self,
        session: Session,
        written: Written | None = None,
        parent: QWidget | None = None,
        *,
        meant: str = "",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("repeat")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Cross-validation")
        self.resize(1040, 680)
        self.state = RepeatState(session, written, meant)
        self.banner = ProblemBanner()
        self.times, self.at_most = QSpinBox(), QSpinBox()
        self.sizes, self.tops = QLineEdit(self.state.sizes), QLineEdit(self.state.tops)
        self.run, self.stop = QPushButton("Run"), QPushButton("Stop")
        self.measure = Choice()
        self.headline = QLabel(wordWrap=True)
        self.bar = QProgressBar()
        self.awaited = QLabel(_AWAITED, wordWrap=True)
        self.table = QTableWidget()
        self.plot: RepeatPlot | None = None
        self.save_curve, self.save_table = QPushButton("Save figure…"), QPushButton("Save table…")
        self._make()
        self._lay_out()
        listen(self, session.repeats.changed, self._on_table)
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
        self.run.setProperty("role", "primary")
        self.run.setDefault(True)
        self.run.clicked.connect(self._on_run)
        self.stop.setToolTip("Stop; finished runs are kept")
        self.stop.clicked.connect(self.state.stop)
        self.measure.setAccessibleName("Measure to plot")
        self.measure.setMinimumWidth(260)
        self.measure.activated.connect(self._on_measure)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName("Progress of the cross-validation")
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
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(12)
        for title, editor, about in (
            ("Runs", self.times, "Number of random subsets; each run uses different seeds"),
            ("Pixels in the subset", self.sizes, "One or more numbers, such as 100, 200, 400"),
            (
                "Train on the top-ranked of each group",
                self.tops,
                '"all" or numbers, such as all, 30, 60'
                if self.state.can_rank
                else "The classifier has no ranking as its third input, so it trains on all pixels",
            ),
            ("Test on", self.at_most, "Random pixels outside the subset; fewer are faster"),
        ):
            left.addWidget(_titled(title, editor, about))
        note = QLabel(
            "Each group gets the known class of most of its pixels in the subset. "
            "Accuracy is measured on pixels outside the subset.",
            wordWrap=True,
        )
        note.setProperty("role", "muted")
        left.addWidget(note)
        left.addStretch(1)
        left.addWidget(self.run)
        left.addWidget(self.stop)
        side = QWidget()
        side.setLayout(left)
        side.setFixedWidth(_SIDE)
        self._right = QVBoxLayout()
        self._right.setSpacing(8)
        self._right.addWidget(self.headline)
        self._right.addWidget(self.bar)
        self._right.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignLeft)
        self._right.addWidget(self.awaited, 1)
        self._right.addWidget(self.table, 2)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.save_curve)
        bottom.addWidget(self.save_table)
        self._right.addLayout(bottom)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(side)
        row.addLayout(self._right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.addWidget(self.banner)
        layout.addLayout(row, 1)

    def synchronize(self) -> None:
        """Show the state as it is now."""
        state, table = self.state, self.state.table
        self.headline.setText(state.headline)
        self.run.setVisible(not state.running)
        self.run.setEnabled(not state.why_not)
        self.stop.setVisible(state.running)
        for editor in (self.times, self.sizes, self.at_most):
            editor.setEnabled(not state.running and not state.why_not)
        self.tops.setEnabled(state.can_rank and not state.running)
        self.bar.setVisible(state.running)
        if table is not None:
            self.bar.setRange(0, table.plan.count)
            self.bar.setValue(table.done)
        found = table is not None and bool(table.found)
        for widget in (self.measure, self.table):
            widget.setVisible(found)
        self.awaited.setVisible(not found)
        for button in (self.save_curve, self.save_table):
            button.setVisible(found and not state.running)
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
            from coterie.gui.dialogs.cross_validation.plot import RepeatPlot

            self.plot = RepeatPlot(self.state)
            self._right.insertWidget(self._right.indexOf(self.table), self.plot, 3)
        if self.plot is not None:
            self.plot.setVisible(found)
            self.plot.synchronize()

    def _on_edited(self) -> None:
        state = self.state
        state.times, state.at_most = self.times.value(), self.at_most.value()
        state.sizes, state.tops = self.sizes.text(), self.tops.text()
        if state.table is None:
            self.headline.setText(state.headline)

    def _on_run(self) -> None:
        self.banner.show_problem(None)
        try:
            self.state.start()
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error))

    def _on_table(self, table: RepeatTable) -> None:
        self.state.take(table)
        self.synchronize()

    def _on_measure(self, at: int) -> None:
        self.state.measure = list(self.state.measures)[at]
        self.synchronize()

    def _on_save_curve(self) -> None:
        kinds = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
        asked = ask_target(self, "Save figure", "accuracy-curve.png", kinds)
        if asked is not None:
            self._write(asked[0], self.state.write_curve)

    def _on_save_table(self) -> None:
        asked = ask_target(self, "Save table", "accuracy-means.csv", f"{_MEANS};;{_EACH}")
        if asked is not None:
            path, kind = asked
            self._write(path, lambda path: self.state.write_table(path, each=kind == _EACH))

    def _write(self, path: Path, write: Callable[[Path], None]) -> None:
        try:
            write(path)
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error, f"write '{path.name}'"))
        else:
            self.headline.setText(f"Wrote {path.name}.")

    def done(self, result: int) -> None:
        """Closing ends the repetitions: nobody would see the rest."""
        self.state.stop()
        super().done(result)


def _titled(title: str, editor: QWidget, about: str) -> QWidget:
    """An editor under its title, as wide as there is room, with a line on what to write."""
    whole = QWidget()
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    hint = QLabel(about, wordWrap=True)
    hint.setProperty("role", "hint")
    editor.setAccessibleName(title)
    editor.setToolTip(about)
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    layout.addWidget(heading)
    layout.addWidget(editor)
    layout.addWidget(hint)
    return whole
