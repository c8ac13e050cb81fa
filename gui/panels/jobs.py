"""The Jobs panel: current and past jobs of the engine, with progress and a way to cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.engine.messages import Classify, Judge, Label
from coterie.gui.panels.status import MARK_SIZE, colour_of
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.forms.rows import keep_place
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling.icons import icon, pixmap
from coterie.projects.formatting import time_in_words

if TYPE_CHECKING:
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.session import Session

MOST_ROWS = 40
_TICK_MILLISECONDS = 250
_GOING = ("running", "paused")
_MARKS = {
    "running": "running",
    "paused": "waiting",
    "finished": "fresh",
    "failed": "failed",
    "cancelled": "missing",
}


class JobsPanel(QWidget):
    """One row a job, newest first."""

    cancel_asked = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: dict[int, JobRow] = {}
        self._empty = QLabel("No jobs yet. Run a step and its progress appears here.")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inside = QWidget()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(8, 6, 8, 6)
        self._list.setSpacing(2)
        self._list.addWidget(self._empty, 1)
        self._list.addStretch(0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        area.setAccessibleName("Jobs")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self._tick = QTimer(self, interval=_TICK_MILLISECONDS)
        self._tick.timeout.connect(self._on_tick)
        listen(self, session.job_changed, self._on_job_changed)
        listen(self, session.project.opened, self._on_opened)
        self._news: dict[int, EngineJob] = {}
        for job in session.jobs:
            self._show(job)

    def _on_job_changed(self, job: EngineJob) -> None:
        # A new row is laid out and styled, which takes as long as the start of the job itself.
        self._news[job.number] = job
        soon(self._catch_up, job.number)

    def _catch_up(self, number: int) -> None:
        job = self._news.pop(number, None)
        if job is not None:
            self._show(job)

    def _show(self, job: EngineJob) -> None:
        row = self.rows.get(job.number)
        if row is None:
            row = self.rows[job.number] = JobRow(job, self._title(job))
            row.cancel.clicked.connect(lambda: self.cancel_asked.emit(job.number))
            self._list.insertWidget(0, row)
            self._empty.hide()
            self._drop_oldest()
        row.show_job(job)
        if job.state in _GOING and not self._tick.isActive():
            self._tick.start()

    def _on_opened(self) -> None:
        """Clear the list: the jobs that ended were another project's."""
        for number in tuple(self._news):
            self._catch_up(number)
        for number in [n for n, row in self.rows.items() if row.job.state not in _GOING]:
            self._drop(number)
        self._empty.setVisible(not self.rows)

    def _title(self, job: EngineJob) -> str:
        catalogue = self._session.catalogue
        if job.component in catalogue:
            return catalogue.get(job.component).title
        words = {
            Classify.use: "Classify every pixel of the scene",
            Label.use: "Label the rows of another table",
            Judge.use: "Compared with known classes",
        }
        return words.get(job.component, job.component)

    def _drop_oldest(self) -> None:
        while len(self.rows) > MOST_ROWS:
            self._drop(min(self.rows))

    def _drop(self, number: int) -> None:
        row = self.rows.pop(number)
        self._list.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _on_tick(self) -> None:
        going = [row for row in self.rows.values() if row.job.state in _GOING]
        for row in going:
            row.show_times()
        if not going:
            self._tick.stop()


class JobRow(QWidget):
    """Mark, step, method and message, bar, times, cancel."""

    def __init__(self, job: EngineJob, title: str) -> None:
        super().__init__()
        self.job = job
        self._mark = QLabel()
        # Jobs of a sweep differ in how their names end.
        self._name = ElidedLabel(job.title, mode=Qt.TextElideMode.ElideMiddle)
        self._name.setProperty("role", "heading")
        self._name.setFixedWidth(130)
        self._name.setToolTip(f"{job.title}: {title}")
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.bar.setMinimumWidth(80)
        self.bar.setAccessibleName(f"Progress of {job.title}")
        self.message = ElidedLabel(title)
        self.message.setProperty("role", "muted")
        self.times = QLabel()
        self.times.setProperty("role", "muted")
        self.times.setMinimumWidth(130)
        self.times.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cancel = QToolButton()
        self.cancel.setIcon(icon("close"))
        self.cancel.setAutoRaise(True)
        self.cancel.setProperty("role", "small")
        self.cancel.setToolTip("Cancel this job")
        self.cancel.setAccessibleName(f"Cancel {job.title}")
        keep_place(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 1)
        row.setSpacing(10)
        row.addWidget(self._mark)
        row.addWidget(self._name)
        row.addWidget(self.message, 3)
        row.addWidget(self.bar, 2)
        row.addWidget(self.times)
        row.addWidget(self.cancel)
        self._title = title

    def show_job(self, job: EngineJob) -> None:
        """Show the newest state of the job."""
        self.job = job
        going = job.state in _GOING
        self.bar.setValue(1000 if job.state == "finished" else round(job.done * 1000))
        self.bar.setVisible(going)  # of what has ended, the mark says how
        ended = {"failed": "failed", "cancelled": "cancelled", "paused": "paused"}
        said = ended.get(job.state) or (job.message if going else "")
        if job.state == "failed" and job.message:
            said = job.message
        if job.cached and job.state == "finished":
            said = "from cache, not recomputed"
        self.message.setText(f"{self._title} · {said}" if said else self._title)
        self.message.setToolTip(self.message.text())
        self.cancel.setVisible(going)
        self._paint()
        self.show_times()

    def show_times(self) -> None:
        """Show how long it has taken, and how long it may still take."""
        if self.job.state not in _GOING:
            self.times.setText(time_in_words(self.job.seconds))
            return
        remaining = self.job.remaining()
        left = f" · {time_in_words(remaining)} left" if remaining is not None else ""
        self.times.setText(f"{time_in_words(self.job.elapsed())}{left}")

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        mark = _MARKS[self.job.state]
        self._mark.setPixmap(pixmap(mark, MARK_SIZE, colour_of(mark), self.devicePixelRatioF()))
