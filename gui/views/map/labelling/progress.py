"""The strip under a map while a scene is labelled: progress, cancel, resume, and the outcome."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.views.map.labelling.run import LabellingRun

_WORDS = {
    "learning": "Training the classifier",
    "labelling": "Classifying the scene",
    "stopped": "Stopped",
    "done": "Scene classified",
    "finished": "Map finished",
    "failed": "The scene could not be classified",
}


class LabellingStrip(QFrame):
    """Seen from the request to the person's leave."""

    cancel_asked = Signal()
    resume_asked = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.title = QLabel()
        self.title.setProperty("role", "heading")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.bar.setMinimumWidth(80)
        self.bar.setAccessibleName("Progress of classifying the scene")
        self.message = ElidedLabel()
        self.message.setProperty("role", "muted")
        self.cancel = self._button("Cancel", self.cancel_asked)
        self.resume = self._button("Resume", self.resume_asked)
        self.dismiss = self._button("Dismiss", self.dismissed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 8, 5)
        row.setSpacing(10)
        row.addWidget(self.title)
        row.addWidget(self.bar, 1)
        row.addWidget(self.message, 2)
        for button in (self.cancel, self.resume, self.dismiss):
            row.addWidget(button)
        self.hide()

    def show_run(self, run: LabellingRun) -> None:
        """Show how far it is."""
        self.setVisible(run.phase != "idle")
        if run.phase == "idle":
            return
        self.title.setText(_WORDS[run.phase])
        self.bar.setVisible(run.going_on or (run.phase == "stopped" and run.done > 0))
        self.bar.setValue(round(1000 * run.done))
        judged = [note for note in run.notes if note.startswith("Overall")]
        self.message.setText("  ".join([run.message, *judged]))
        self.message.setToolTip("\n".join(run.notes))
        self.cancel.setVisible(run.going_on)
        self.resume.setVisible(run.phase in ("stopped", "failed"))
        self.dismiss.setVisible(not run.going_on)

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(signal)
        return button
