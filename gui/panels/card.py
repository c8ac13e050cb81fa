"""A card of the Analysis panel: what cards of sources and of steps share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.panels.rename_field import NameLine
from coterie.gui.panels.status import StatusChip
from coterie.gui.panels.step_problems import problem_of, standing_problem
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.problems import Problem, ProblemBanner
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.projects.session import Session


class Card(QFrame):
    """Title, status and a body that folds away. What sources and steps share."""

    run_asked = Signal(str)
    removal_asked = Signal(str)
    chosen = Signal(str)
    menu_asked = Signal(str, QPoint)
    remedy_asked = Signal(str, str)  # step, method
    dragged = Signal(str, int)  # step, height in the list
    dropped = Signal(str, int)
    drag_ended = Signal()
    failed_edit = Signal(object)  # Problem
    help_asked = Signal(str)
    movable = False

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.name = session, name
        self.setProperty("role", "card")
        self.setAccessibleName(f"Step {name}")
        self._built = False
        self.fold = QToolButton()
        self.fold.setProperty("role", "fold")
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setIcon(icon("fold"))
        self.fold.setAccessibleName(f"Settings of {name}")
        self.fold.setToolTip("Show or hide the settings")
        self.fold.toggled.connect(self._on_folded)
        self.title = ElidedLabel()
        self.title.setProperty("role", "heading")
        self.chip = StatusChip()
        self.remark = ElidedLabel()
        self.remark.setProperty("role", "hint")
        self.naming = NameLine(f"New name of {name}")
        self.run = QToolButton()
        self.run.setIcon(icon("run"))
        self.run.setAutoRaise(True)
        self.run.setProperty("role", "small")
        self.run.setToolTip("Run this step and what it needs")
        self.run.setAccessibleName(f"Run {name}")
        self.run.clicked.connect(self._on_run)
        self.more = QToolButton()
        self.more.setIcon(icon("more"))
        self.more.setAutoRaise(True)
        self.more.setProperty("role", "small")
        self.more.setToolTip("More actions for this step")
        self.more.setAccessibleName(f"More actions for {name}")
        self.more.clicked.connect(self._on_more)
        self.more.setVisible(self.movable)
        self._pressed: QPoint | None = None
        self._dragging = False
        self.banner = ProblemBanner(closable=False)
        self.banner.remedy_asked.connect(self.remedy_asked)
        self.lost = False  # whether its file is gone
        self.body = QWidget()
        self.body.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(1)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.title, 1)
        top.addWidget(self.chip)
        words.addLayout(top)
        words.addWidget(self.remark)
        words.addWidget(self.naming)
        header = QHBoxLayout()
        header.setSpacing(4)
        header.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignTop)
        header.addLayout(words, 1)
        header.addWidget(self.run, 0, Qt.AlignmentFlag.AlignTop)
        header.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(6, 8, 6, 8)
        self._layout.setSpacing(8)
        self._layout.addLayout(header)
        self._layout.addWidget(self.banner)
        self._layout.addWidget(self.body)

    def add_below_banner(self, widget: QWidget) -> None:
        """Put a widget where it is seen even when the settings are folded away."""
        self._layout.insertWidget(2, widget)

    @property
    def opened(self) -> bool:
        """Whether the settings are seen."""
        return self.fold.isChecked()

    def open(self, opened: bool = True) -> None:
        """Show or hide the settings."""
        self.fold.setChecked(opened)

    def set_chosen(self, chosen: bool) -> None:
        """Mark the card as the one that the views show."""
        if bool(self.property("chosen")) != chosen:
            self.setProperty("chosen", chosen)
            self.style().unpolish(self)
            self.style().polish(self)

    def synchronize(self) -> None:
        """Show the recipe and the status as they are now."""
        status = self.session.status(self.name)
        failure = self.session.failure(self.name)
        self.chip.show_status(status, failure.message if failure else "")
        self.banner.show_problem(
            problem_of(self.session, failure)
            if failure
            else standing_problem(self.session, self.name, lost=self.lost)
        )
        is_on = str(status) not in ("off", "blocked")
        self.run.setToolTip(
            "Run again and watch" if str(status) == "fresh" else "Run this step and what it needs"
        )
        self.run.setEnabled(is_on and str(status) not in ("running", "waiting", "broken"))
        self.title.setEnabled(is_on)
        title, remark = self.words()
        self.title.setText(title)
        self.title.setToolTip(title)
        self.remark.setText(remark)
        self.remark.setToolTip(remark)
        if self._built:
            self.synchronize_body()

    # What sources and steps differ in

    def words(self) -> tuple[str, str]:
        """Return the title and the line under it."""
        raise NotImplementedError

    def build_body(self, layout: QVBoxLayout) -> None:
        """Make the settings, when they are first seen."""

    def synchronize_body(self) -> None:
        """Show the settings as the recipe has them."""

    def flush(self) -> None:
        """Take what is half typed, as before a run."""

    # Inside

    def edit(self, changes: dict[str, Any], what: str) -> None:
        """Change fields of this step in the recipe, as one undo step."""
        try:
            self.session.edits.replace(self.session.recipe.changed(self.name, **changes), what)
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))
            self.synchronize()

    def _on_folded(self, opened: bool) -> None:
        self.fold.setIcon(icon("unfold" if opened else "fold"))
        if opened and not self._built:
            self._built = True
            layout = QVBoxLayout(self.body)
            layout.setContentsMargins(10, 2, 2, 2)
            layout.setSpacing(10)
            self.build_body(layout)
            self.synchronize_body()
        self.body.setVisible(opened)

    def _on_run(self) -> None:
        self.flush()
        self.run_asked.emit(self.name)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the card chooses it."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.name)
            if self._in_header(event.position().y()):
                self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pulling the header up or down moves the step in the recipe."""
        here = event.position().toPoint()
        if self._pressed is not None and not self._dragging:
            far = (here - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            self._dragging = far and self.movable
            self._show_dragged()
        if self._dragging:
            self.dragged.emit(self.name, self.mapToParent(here).y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Letting go puts the step where it is."""
        dragging, self._pressed = self._dragging, None
        self.end_drag()
        if dragging:
            self.dropped.emit(self.name, self.mapToParent(event.position().toPoint()).y())

    def end_drag(self) -> None:
        """Leave the card where it is."""
        if self._dragging:
            self._dragging = False
            self._show_dragged()
            self.drag_ended.emit()

    def _show_dragged(self) -> None:
        self.setProperty("dragged", self._dragging)
        self.style().unpolish(self)
        self.style().polish(self)
        self.setCursor(
            Qt.CursorShape.ClosedHandCursor if self._dragging else Qt.CursorShape.ArrowCursor
        )

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the step, also by the key for menus."""
        if self.movable:
            self.menu_asked.emit(self.name, event.globalPos())

    def _on_more(self) -> None:
        below = QPoint(0, self.more.height())
        self.menu_asked.emit(self.name, self.more.mapToGlobal(below))

    def _in_header(self, y: float) -> bool:
        return y < self.remark.geometry().bottom() + 8

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click on the header opens and closes it."""
        if self._in_header(event.position().y()):
            self.fold.toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the step, when the focus is on its header."""
        if event.key() == Qt.Key.Key_Escape and self._dragging:
            self.end_drag()
        elif event.key() == Qt.Key.Key_Delete and self.fold.hasFocus():
            self.removal_asked.emit(self.name)
        else:
            super().keyPressEvent(event)
