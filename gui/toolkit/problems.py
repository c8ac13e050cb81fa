"""Errors as one sentence with what to do; the traceback is one click away."""

from __future__ import annotations

import errno
import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import FIND_FILE, CoterieError, UnknownComponentError, code_of
from coterie.core.wording import counted
from coterie.gui.toolkit.buttons import with_plain_buttons
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.icons import icon, pixmap

if TYPE_CHECKING:
    from coterie.projects.jobs.job import Failure

PLUGINS = "plugins"  # a remedy: to look at the plugins


@dataclass(frozen=True)
class Problem:
    """Something that went wrong, as a person hears of it.

    Attributes
    ----------
    message : one sentence, with what to do
    details : the traceback; empty when there is nothing behind the sentence
    origin : the plugin it came from; empty when it is ours
    step : the step it concerns; empty when none
    remedies : what would help, each as a method ("kind/id"), FIND_FILE or PLUGINS, and the words
        of its button
    code : the kind of error, as listed in docs/errors.md
    """

    message: str
    details: str = ""
    origin: str = ""
    step: str = ""
    remedies: tuple[tuple[str, str], ...] = ()
    code: str = ""

    @classmethod
    def of_failure(cls, failure: Failure, remedies: tuple[tuple[str, str], ...] = ()) -> Problem:
        """Return the problem of a failed step, for people."""
        origin = " · ".join(filter(None, (failure.component, failure.origin)))
        return cls(
            failure.message, failure.traceback, origin, failure.title, remedies, failure.code
        )

    @classmethod
    def of_error(cls, error: BaseException, doing: str = "") -> Problem:
        """Return the problem of an exception, for people.

        Parameters
        ----------
        doing : what was attempted, as in "open 'iris.csv'"
        """
        return replace(cls._of_error(error, doing), code=code_of(error))

    @classmethod
    def _of_error(cls, error: BaseException, doing: str) -> Problem:
        details = "".join(traceback.format_exception(error))
        start = f"Could not {doing}: " if doing else ""
        if isinstance(error, UnknownComponentError):
            return cls(str(error), details, remedies=((PLUGINS, "Plugins…"),))
        if isinstance(error, CoterieError):
            return cls(str(error), details)
        if isinstance(error, FileNotFoundError):
            the = "the" if start else "The"
            return cls(f"{start}{the} file '{error.filename}' no longer exists.", details)
        if isinstance(error, PermissionError):
            you, name = "you" if start else "You", f"'{error.filename}'" if error.filename else "it"
            return cls(f"{start}{you} do not have permission to read or write {name}.", details)
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            todo = "Free some space, or choose another folder. Your work is kept."
            start = start or "Something could not be written: "
            return cls(f"{start}the disk is full. {todo}", details)
        if isinstance(error, OSError) and error.strerror:
            said = _lower_first(error.strerror) if start else error.strerror
            return cls(f"{start}{said}.", details)
        text = str(error).strip().split("\n", 1)[0].rstrip(".") or type(error).__name__
        start = start or "Something unexpected happened: "
        return cls(f"{start}{_lower_first(text)}. Your work is kept; try again.", details)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


_TIPS = {
    FIND_FILE: "Locate the file",
    PLUGINS: "Show installed plugins and their problems",
}


class ProblemBanner(QFrame):
    """A sentence across a card or a window, with the details behind a button."""

    closed = Signal()
    remedy_asked = Signal(str, str)  # step, method as "kind/id"

    def __init__(self, parent: QWidget | None = None, *, closable: bool = True) -> None:
        super().__init__(parent)
        self.setProperty("role", "problem")
        self.problem: Problem | None = None
        self.remedies: list[QPushButton] = []
        self._remedy_row = QBoxLayout(
            QBoxLayout.Direction.LeftToRight if closable else QBoxLayout.Direction.TopToBottom
        )
        self._remedy_row.setSpacing(6)
        self._mark = QLabel()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.details = QToolButton()
        self.details.setText("Details")
        self.details.setToolTip("Show the full error")
        self.details.setProperty("role", "inline")
        self.details.clicked.connect(self._on_details)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close"))
        self.close_button.setToolTip("Dismiss")
        self.close_button.setAccessibleName("Dismiss this message")
        self.close_button.setProperty("role", "small")
        self.close_button.clicked.connect(self._on_close)
        self.close_button.setVisible(closable)
        top = Qt.AlignmentFlag.AlignTop
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 8, 8, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.addWidget(self._mark, 0, 0, top)
        grid.addWidget(self._text, 0, 1)
        grid.setColumnStretch(1, 1)
        if closable:
            grid.addWidget(self.details, 0, 2, top)
            grid.addWidget(self.close_button, 0, 3, top)
            grid.addLayout(self._remedy_row, 1, 1, Qt.AlignmentFlag.AlignLeft)
        else:  # in a card, where every bit of width counts
            grid.addLayout(self._remedy_row, 1, 1, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(self.details, 2, 1, Qt.AlignmentFlag.AlignLeft)
            self.close_button.setParent(self)
        self.hide()

    def show_problem(self, problem: Problem | None) -> None:
        """Show a problem, or nothing."""
        self.problem = problem
        self.setVisible(problem is not None)
        if problem is not None:
            self._text.setText(self._sentence(problem))
            self._text.setToolTip(problem.message)
            self.setAccessibleName(problem.message)
            self.details.setVisible(bool(problem.details))
            self._paint()
        self._offer(problem.remedies if problem is not None else ())

    def _offer(self, remedies: tuple[tuple[str, str], ...]) -> None:
        """Show a button for each thing that would help."""
        if [(b.property("use"), b.text()) for b in self.remedies] == list(remedies):
            return
        for button in self.remedies:
            self._remedy_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.remedies.clear()
        for use, words in remedies:
            button = QPushButton(words)
            button.setProperty("use", use)
            button.setProperty("role", "remedy")
            usual = f"Change the recipe to use {use}, and run again"
            button.setToolTip(_TIPS.get(use, usual))
            button.clicked.connect(lambda _=False, u=use: self._on_remedy(u))
            self._remedy_row.addWidget(button)
            self.remedies.append(button)

    def _on_remedy(self, use: str) -> None:
        if self.problem is not None:
            self.remedy_asked.emit(self.problem.step, use)

    def text(self) -> str:
        """Return the sentence shown."""
        return self._text.text()

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _sentence(self, problem: Problem) -> str:
        return problem.message

    def _paint(self) -> None:
        self._mark.setPixmap(pixmap("failed", 16, theme.current().danger, self.devicePixelRatioF()))

    def _on_details(self) -> None:
        if self.problem is not None:
            DetailsDialog(self.problem, self.window()).show()

    def _on_close(self) -> None:
        self.show_problem(None)
        self.closed.emit()


class MessageBar(ProblemBanner):
    """The one place at the top of the window for what went wrong: the newest, and how many more."""

    added = Signal(object)  # Problem

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self.setProperty("role", "message")

    def add(self, problem: Problem) -> None:
        """Show one more problem in place of the last."""
        if self.problem is not None and self.problem.message != problem.message:
            self._count += 1
        self.show_problem(problem)
        self.added.emit(problem)

    def show_problem(self, problem: Problem | None) -> None:
        """Show a problem, or nothing: then those before it are over too."""
        if problem is None:
            self._count = 0
        super().show_problem(problem)

    def withdraw(self, step: str) -> None:
        """Take back what was said about a step, as when it runs again."""
        if self.problem is not None and self.problem.step == step:
            self._on_close()

    def _sentence(self, problem: Problem) -> str:
        start = f"“{problem.step}” failed. " if problem.step else ""
        verb = "is" if self._count == 1 else "are"
        more = f" ({counted(self._count, 'earlier message')} {verb} in the log.)"
        return start + problem.message + (more if self._count else "")


class DetailsDialog(QDialog):
    """The traceback, with the plugin's name on it, ready to copy. Does not block the window."""

    def __init__(self, problem: Problem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Error details")
        self.resize(720, 420)
        heading = QLabel(problem.message)
        heading.setWordWrap(True)
        heading.setProperty("role", "heading")
        known = {"From": problem.origin, "Error code": problem.code}
        lines = [f"{what}: {text}" for what, text in known.items() if text]
        self.origin = QLabel("\n".join(lines))
        self.origin.setProperty("role", "muted")
        self.origin.setVisible(bool(lines))
        self.text = QPlainTextEdit(problem.details)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Traceback")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(
                "\n".join(filter(None, (problem.message, *lines, problem.details)))
            )
        )
        with_plain_buttons(buttons)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(self.origin)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
