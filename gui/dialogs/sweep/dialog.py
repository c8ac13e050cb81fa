"""The window of a sweep: what to vary on the left, the scores on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.dialogs.sweep.axis import AxisBox
from coterie.gui.dialogs.sweep.state import SweepState
from coterie.gui.dialogs.sweep.table import SweepHeat
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.forms.editors import Choice
from coterie.gui.toolkit.problems import Problem, ProblemBanner

if TYPE_CHECKING:
    from coterie.gui.dialogs.sweep.curve import SweepCurve
    from coterie.projects.jobs.sweep_plan import SweepTable
    from coterie.projects.session import Session


class SweepDialog(QDialog):
    """Does not block the window: a cell can be adopted, and the views used, while it runs."""

    adopted = Signal(str)

    def __init__(self, session: Session, step: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Sweep of {step}")
        self.resize(900, 520)
        self.state = SweepState(session, step)
        self.banner = ProblemBanner()
        self.first = AxisBox(self.state, 0, "Vary")
        self.second = AxisBox(self.state, 1, "And")
        self.score = Choice()
        self.score.addItems(list(self.state.scores.values()))
        self.score.setCurrentIndex(list(self.state.scores).index(self.state.score))
        self.score.activated.connect(self._on_score)
        self.target = Choice()
        self.target.addItems(list(self.state.targets))
        self.target.activated.connect(self._on_target)
        self.run = QPushButton("Run sweep")
        self.run.setProperty("role", "primary")
        self.run.setDefault(True)
        self.run.clicked.connect(self._on_run)
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("Stop; finished scores are kept")
        self.stop.clicked.connect(self.state.stop)
        self.save = QPushButton("Save table…")
        self.save.clicked.connect(self._on_save)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.headline = QLabel()
        self.headline.setWordWrap(True)
        self.heat = SweepHeat(self.state)
        self.heat.picked.connect(self.adopt)
        self.curve: SweepCurve | None = None
        self._axes = QLabel(wordWrap=True)
        self._axes.setProperty("role", "hint")
        self._lay_out()
        for box in (self.first, self.second):
            box.changed.connect(self._on_changed)
        listen(self, session.sweeps.changed, self._on_table)
        self.synchronize()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(12)
        left.addWidget(self.first)
        left.addWidget(self.second)
        left.addWidget(_titled("Score by", self.score, "The score to compare settings by"))
        several = _titled("Groups of", self.target, "The step whose groups are scored")
        several.setVisible(len(self.state.targets) > 1)
        left.addWidget(several)
        left.addStretch(1)
        left.addWidget(self.run)
        left.addWidget(self.stop)
        self._right = QVBoxLayout()
        self._right.setSpacing(8)
        self._right.addWidget(self.headline)
        self._right.addWidget(self.bar)
        self._right.addWidget(self._axes)
        self._right.addWidget(self.heat, 1)
        self._right.addWidget(self.save, 0, Qt.AlignmentFlag.AlignRight)
        side = QWidget()
        side.setLayout(left)
        side.setFixedWidth(320)
        left.setContentsMargins(0, 0, 0, 0)
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
        self.headline.setText(state.why_not or state.headline)
        self.run.setVisible(not state.running)
        self.run.setEnabled(not state.why_not)
        self.stop.setVisible(state.running)
        self.bar.setVisible(state.running)
        if table is not None:
            self.bar.setRange(0, table.plan.count)
            self.bar.setValue(table.done)
            names = table.plan.names
            starred = "\n* Some items are unassigned and were not scored." if table.loose else ""
            self._axes.setText(
                f"A row for each {names[0]}, a column for each {names[1]}. Click a cell "
                "to use its settings."
                if len(names) > 1
                else f"A row for each {names[0]}. Click one to use its settings."
            )
            self._axes.setText(self._axes.text() + starred)
        self._axes.setVisible(table is not None)
        self.heat.setVisible(table is not None)
        self.save.setVisible(table is not None and not state.running and table.done > 0)
        self.heat.synchronize()
        self._show_curve()

    def adopt(self, place: tuple[int, ...]) -> None:
        """Give the step the settings of a cell."""
        try:
            new = self.state.adopt(place)
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error))
            return
        words = self.state.in_words(place)
        undo = " Use Undo to revert." if new else ""
        self.headline.setText(f"'{self.state.step}' now has {words}.{undo}")
        self.adopted.emit(self.state.step)

    def _show_curve(self) -> None:
        """A line is drawn where one number is varied; what draws it is loaded then."""
        if self.state.curve is not None and self.curve is None:
            from coterie.gui.dialogs.sweep.curve import SweepCurve

            self.curve = SweepCurve(self.state)
            self.curve.picked.connect(self.adopt)
            self._right.insertWidget(self._right.indexOf(self.heat), self.curve, 2)
        if self.curve is not None:
            self.curve.setVisible(self.state.curve is not None)
            self.curve.synchronize()

    def _on_run(self) -> None:
        self.banner.show_problem(None)
        try:
            self.state.start()
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error))

    def _on_table(self, table: SweepTable) -> None:
        self.state.take(table)
        self.synchronize()

    def _on_changed(self) -> None:
        if self.state.table is None:
            self.synchronize()

    def _on_score(self, at: int) -> None:
        self.state.score = list(self.state.scores)[at]

    def _on_target(self, at: int) -> None:
        self.state.target = self.state.targets[at]

    def _on_save(self) -> None:
        asked = ask_target(self, "Save table", f"sweep-{self.state.step}.csv", "Table (*.csv)")
        if asked is None or self.state.table is None:
            return
        path, _ = asked
        try:
            self.state.table.write_csv(path)
        except OSError as error:
            self.banner.show_problem(Problem.of_error(error, f"write '{path.name}'"))
        else:
            self.headline.setText(f"Wrote {path.name}.")

    def done(self, result: int) -> None:
        """Closing ends the sweep: nobody would see the rest."""
        self.state.stop()
        super().done(result)


def _titled(title: str, editor: QWidget, about: str) -> QWidget:
    """An editor under its title, as wide as there is room."""
    whole = QWidget()
    whole.setToolTip(about)
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    editor.setAccessibleName(title)
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    layout.addWidget(heading)
    layout.addWidget(editor)
    return whole
