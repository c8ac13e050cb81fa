"""The controls of a run: pause, single step, speed, cancel; and the scrubber after it ended."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QVBoxLayout, QWidget

from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.views.convergence.state import SPEEDS, ConvergenceState


class RunBar(QWidget):
    """Shows how a run stands and says what the person wants; the view acts on it."""

    held = Signal()
    resumed = Signal()
    stepped = Signal()
    cancelled = Signal()
    speed_chosen = Signal(float)
    scrubbed = Signal(int)
    again_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hold = _button("pause", "Pause", "Pause or resume the run (Ctrl+Space)")
        self.hold.setShortcut(QKeySequence("Ctrl+Space"))
        self.hold.clicked.connect(self._on_hold)
        self.step = _button("step", "Step", "Run one iteration, then pause (Ctrl+.)")
        self.step.setShortcut(QKeySequence("Ctrl+."))
        self.step.clicked.connect(self.stepped)
        self.cancel = _button("cancel", "Cancel", "Stop the run; earlier results are kept")
        self.cancel.clicked.connect(self.cancelled)
        self.again = _button(
            "run", "Run again and watch", "Run this step once more, in slow motion"
        )
        self.again.clicked.connect(self.again_asked)
        self.again.hide()  # stands in the place of the others, when a run is over
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setAccessibleName("Speed")
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.setValue(len(SPEEDS) - 1)
        self.speed.setPageStep(1)
        self.speed.setFixedWidth(110)
        self.speed.setToolTip("Iterations per second; at the right end, full speed")
        self.speed.valueChanged.connect(self._on_speed)
        self._speed_text = QLabel()
        self._speed_text.setFixedWidth(self.fontMetrics().horizontalAdvance("100 per second") + 8)
        self.scrubber = QSlider(Qt.Orientation.Horizontal)
        self.scrubber.setAccessibleName("Position in the run")
        self.scrubber.setToolTip("Replay the recorded run")
        self.scrubber.valueChanged.connect(self.scrubbed)
        self._paused = False

        look_back = QLabel("&Look back")
        look_back.setBuddy(self.scrubber)
        pace = QLabel("S&peed")
        pace.setBuddy(self.speed)
        for label in (look_back, pace, self._speed_text):
            label.setProperty("role", "muted")
        timeline, controls = QHBoxLayout(), QHBoxLayout()
        timeline.addWidget(look_back)
        timeline.addWidget(self.scrubber, 1)
        for widget in (self.again, self.hold, self.step, self.cancel):
            controls.addWidget(widget)
        controls.addStretch(1)
        for part in (pace, self.speed, self._speed_text):
            controls.addWidget(part)
        # The moment has the whole width, as a film has it: it is what a person drags.
        rows = QVBoxLayout(self)
        rows.setContentsMargins(12, 4, 12, 6)
        rows.setSpacing(4)
        rows.addLayout(timeline)
        rows.addLayout(controls)
        self._on_speed(self.speed.value())

    def show_state(self, state: ConvergenceState) -> None:
        """Show what can be done now."""
        job = state.job
        for widget in (self.hold, self.step, self.cancel):
            widget.setEnabled(job is not None)
            widget.setVisible(not state.can_watch)
        self.again.setVisible(state.can_watch)
        paused = job is not None and job.state == "paused"
        if paused != self._paused:
            self._paused = paused
            self.hold.setText("Resume" if paused else "Pause")
            self.hold.setIcon(icon("run" if paused else "pause"))
        blocked = self.speed.blockSignals(True)
        self.speed.setValue(SPEEDS.index(state.speed))
        self.speed.blockSignals(blocked)
        self._speed_text.setText(_speed_text(state.speed))
        moments = len(state.live.moments)
        self.scrubber.setEnabled(moments > 1 and (paused or not state.live.going_on))
        blocked = self.scrubber.blockSignals(True)
        self.scrubber.setRange(0, max(moments - 1, 0))
        position = state.live.position
        self.scrubber.setValue(moments - 1 if position is None else position)
        self.scrubber.blockSignals(blocked)

    def _on_hold(self) -> None:
        (self.resumed if self._paused else self.held).emit()

    def _on_speed(self, place: int) -> None:
        self._speed_text.setText(_speed_text(SPEEDS[place]))
        self.speed_chosen.emit(SPEEDS[place])


def _speed_text(speed: float) -> str:
    return f"{speed:.0f} per second" if speed else "full speed"


def _button(drawing: str, title: str, tip: str) -> QPushButton:
    button = QPushButton(icon(drawing), title)
    button.setToolTip(tip)
    return button
