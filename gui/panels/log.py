"""The Log panel: what plugins print, and messages of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from coterie.gui.toolkit.connect import listen

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_LINES = 5000
_FLUSH_MILLISECONDS = 100


class LogPanel(QWidget):
    """Lines of text, newest last. A plugin that prints much does not slow the window."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending: list[str] = []
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MOST_LINES)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Log")
        self.text.setPlaceholderText("Output of methods and messages from the engine appear here.")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        self._soon = QTimer(self, singleShot=True, interval=_FLUSH_MILLISECONDS)
        self._soon.timeout.connect(self._flush)
        listen(self, session.logged, self.add)

    def add(self, line: str) -> None:
        """Show one more line, soon."""
        self._pending.append(line.rstrip("\n"))
        del self._pending[:-MOST_LINES]
        if not self._soon.isActive():
            self._soon.start()

    def _flush(self) -> None:
        if self._pending:
            self.text.appendPlainText("\n".join(self._pending))
            self._pending.clear()
