"""A field for the address of a Dask scheduler, with a button to test it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from coterie.core.engine.dask.connect import EXAMPLE, ask_in_subprocess, parse_address
from coterie.core.errors import ParameterError, in_words
from coterie.gui.toolkit.background import Aside

INSTEAD = "leave the address empty"


class ClusterField(QWidget):
    """An address, a button that tries it, and below what answered; empty for no cluster."""

    changed = Signal()

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._aside = Aside(self)
        self.address = QLineEdit(address)
        self.address.setPlaceholderText(f"none, or a scheduler such as {EXAMPLE}")
        self.address.setAccessibleName("Address of a Dask scheduler")
        self.address.setToolTip(
            "Its workers classify scene tiles and fit mixture kernels. Use only a "
            "cluster you control: tasks sent to it run with your permissions."
        )
        self.test = QPushButton("Test")
        self.test.setAccessibleName("Test the Dask cluster")
        self.test.setAutoDefault(False)
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("role", "muted")
        self.said.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.address, 1)
        row.addWidget(self.test)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self.said)
        self.setFocusProxy(self.address)
        self.test.clicked.connect(self.try_it)
        self.address.textChanged.connect(self._on_typed)
        self._on_typed()

    def value(self) -> str:
        """Return the address as Dask takes it, empty for none; what is none as it was typed."""
        text = self.address.text().strip()
        try:
            return parse_address(text) if text else ""
        except ParameterError:
            return text

    def is_sound(self) -> bool:
        """Return whether it is an address or nothing; say below when it is neither."""
        text = self.value()
        try:
            return not text or bool(parse_address(text))
        except ParameterError as error:
            self._say(str(error))
            self.address.setFocus()
            return False

    def try_it(self) -> None:
        """Ask what answers at the address, beside the window's own thread."""
        if not self.is_sound():
            return
        self.test.setEnabled(False)
        self._say(f"Connecting to {self.value()} …")
        self._aside.ask(
            partial(ask_in_subprocess, self.value(), INSTEAD), self._on_answer, self._on_error
        )

    def _on_answer(self, answer: str) -> None:
        self.test.setEnabled(True)
        self._say(answer)

    def _on_error(self, error: BaseException) -> None:
        self.test.setEnabled(True)
        self._say(in_words(error))

    def _on_typed(self) -> None:
        self.test.setEnabled(bool(self.value()) and not self._aside.busy)
        self._say("")
        self.changed.emit()

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))
