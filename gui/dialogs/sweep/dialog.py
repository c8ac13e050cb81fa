"""The window of a sweep: what to vary on the left, the scores on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from coterie.gui.dialogs.sweep.axis import AxisBox
from coterie.gui.dialogs.sweep.state import SweepState
from coterie.gui.dialogs.sweep.table import SweepHeat
from coterie.gui.dialogs.trials.dialog import TrialsDialog, titled
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.problems import Problem

if TYPE_CHECKING:
    from coterie.gui.dialogs.sweep.curve import SweepCurve
    from coterie.projects.session import Session


class SweepDialog(TrialsDialog):
    """Does not block the window: a cell can be adopted, and the views used, while it runs."""

    adopted = Signal(str)

    def __init__(self, session: Session, step: str, parent: QWidget | None = None) -> None:
        self.state = SweepState(session, step)
        super().__init__(f"Sweep of {step}", self.state, parent)
        self.resize(900, 520)
        self.first = AxisBox(self.state, 0, "Vary")
        self.second = AxisBox(self.state, 1, "And")
        self.score = ChoiceBox()
        self.score.addItems(list(self.state.scores.values()))
        self.score.setCurrentIndex(list(self.state.scores).index(self.state.score))
        self.score.activated.connect(self._on_score)
        self.target = ChoiceBox()
        self.target.addItems(list(self.state.targets))
        self.target.activated.connect(self._on_target)
        self.run.setText("Run sweep")
        self.save = QPushButton("Save table…")
        self.save.clicked.connect(self._on_save)
        self.save_figure = QPushButton("Save figure…")
        self.save_figure.clicked.connect(self._on_save_figure)
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
        score = titled("Score by", self.score, "The score to compare settings by")
        several = titled("Groups of", self.target, "The step whose groups are scored")
        several.setVisible(len(self.state.targets) > 1)
        self._right = self.lay_out((self.first, self.second, score, several), 320)
        self._right.addWidget(self._axes)
        self._right.addWidget(self.heat, 1)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.save_figure)
        bottom.addWidget(self.save)
        self._right.addLayout(bottom)

    def synchronize(self) -> None:
        """Show the state as it is now."""
        super().synchronize()
        state, table = self.state, self.state.table
        if table is not None:
            names = table.plan.names
            starred = "\n* Some items are unassigned and were not scored." if table.loose else ""
            self._axes.setText(
                f"A row for each {names[0]}, a column for each {names[1]}. Click a cell "
                f"to use its settings.{starred}"
                if len(names) > 1
                else f"A row for each {names[0]}. Click one to use its settings.{starred}"
            )
        self._axes.setVisible(table is not None)
        self.heat.setVisible(table is not None)
        for button in (self.save, self.save_figure):
            button.setVisible(table is not None and not state.running and table.done > 0)
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

    def _on_changed(self) -> None:
        if self.state.table is None:
            self.synchronize()

    def _on_score(self, at: int) -> None:
        self.state.score = list(self.state.scores)[at]

    def _on_target(self, at: int) -> None:
        self.state.target = self.state.targets[at]

    def _on_save(self) -> None:
        asked = ask_target(self, "Save table", f"sweep-{self.state.step}.csv", "Table (*.csv)")
        if asked is not None and self.state.table is not None:
            self.write(asked[0], self.state.table.write_csv)

    def _on_save_figure(self) -> None:
        kinds = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
        asked = ask_target(self, "Save figure", f"sweep-{self.state.step}.png", kinds)
        if asked is not None:
            self.write(asked[0], self.state.write_figure)
