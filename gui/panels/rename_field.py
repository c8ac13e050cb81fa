"""A line edit that renames a step in place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class NameLine(QLineEdit):
    """Enter takes the name, Escape and looking elsewhere leave it as it was."""

    named = Signal(str)

    def __init__(self, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(about)
        self.setToolTip("Enter to rename, Escape to cancel")
        self.hide()
        self.returnPressed.connect(self._on_return)

    def ask(self, name: str) -> None:
        """Show the line with a name to be changed."""
        self.setText(name)
        self.show()
        self.selectAll()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Looking elsewhere gives up."""
        super().focusOutEvent(event)
        self.hide()

    def _on_return(self) -> None:
        text = self.text()
        self.hide()
        self.named.emit(text)
