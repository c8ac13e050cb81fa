"""A dialog that runs many trials: the settings on the left, the results on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.dialogs.trials.state import TrialsState
from coterie.gui.toolkit.problems import Problem, ProblemBanner


class TrialsDialog(QDialog):
    """Does not block the window; the engine works. Closing it stops the trials."""

    def __init__(self, title: str, state: TrialsState[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._trials = state
        self.banner = ProblemBanner()
        self.run, self.stop = QPushButton("Run"), QPushButton("Stop")
        self.run.setProperty("role", "primary")
        self.run.setDefault(True)
        self.run.clicked.connect(self._on_run)
        self.stop.setToolTip("Stop; finished runs are kept")
        self.stop.clicked.connect(state.stop)
        self.headline = QLabel(wordWrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setAccessibleName("Progress")

    def lay_out(self, settings: Sequence[QWidget], width: int) -> QVBoxLayout:
        """Lay the settings out on the left; what is on the right goes below the progress."""
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(12)
        for widget in settings:
            left.addWidget(widget)
        left.addStretch(1)
        left.addWidget(self.run)
        left.addWidget(self.stop)
        side = QWidget()
        side.setLayout(left)
        side.setFixedWidth(width)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.headline)
        right.addWidget(self.bar)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(side)
        row.addLayout(right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.addWidget(self.banner)
        layout.addLayout(row, 1)
        return right

    def synchronize(self) -> None:
        """Show the state as it is now."""
        state, table = self._trials, self._trials.table
        self.headline.setText(state.headline)
        self.run.setVisible(not state.running)
        self.run.setEnabled(not state.why_not)
        self.stop.setVisible(state.running)
        self.bar.setVisible(state.running)
        if table is not None:
            self.bar.setRange(0, table.plan.count)
            self.bar.setValue(table.done)

    def _on_run(self) -> None:
        self.banner.show_problem(None)
        try:
            self._trials.start()
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error))

    def _on_table(self, table: Any) -> None:
        self._trials.take(table)
        self.synchronize()

    def write(self, path: Path, write: Callable[[Path], None]) -> None:
        """Write a file, and say that it is written or why not."""
        try:
            write(path)
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error, f"write '{path.name}'"))
        else:
            self.headline.setText(f"Wrote {path.name}.")

    def done(self, result: int) -> None:
        """Stop when it is closed: nobody would see the rest."""
        self._trials.stop()
        super().done(result)


def titled(title: str, editor: QWidget, about: str, *, shown: bool = False) -> QWidget:
    """Return an editor under its title, with a tool tip on what to enter, or a line below it."""
    whole = QWidget()
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    editor.setAccessibleName(title)
    editor.setToolTip(about)
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4 if shown else 6)
    layout.addWidget(heading)
    layout.addWidget(editor)
    if shown:
        hint = QLabel(about, wordWrap=True)
        hint.setProperty("role", "hint")
        layout.addWidget(hint)
    return whole
