"""Asks how a group is to be divided."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from coterie.core.wording import counted

METHODS = (
    ("automatic", "Automatic: as many as the evidence supports", False),
    ("hdbscan", "HDBSCAN: as many as there are dense regions", False),
    ("kmeans", "k-means", True),
    ("genie", "Genie", True),
    ("gaussian-mixture", "Gaussian mixture", True),
)


class SplitDialog(QDialog):
    """A method, and into how many where the method does not find that out."""

    split_asked = Signal(str, int)

    def __init__(self, name: str, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Split group")
        about = QLabel(f"Divide {name:.80} ({counted(size, 'item')}). All other groups stay.")
        about.setWordWrap(True)
        self.method = QComboBox()
        for key, words, _ in METHODS:
            self.method.addItem(words, key)
        self.method.currentIndexChanged.connect(self._on_method)
        self.k = QSpinBox()
        self.k.setRange(2, max(2, min(100, size)))
        form = QFormLayout()
        form.addRow("Method", self.method)
        form.addRow("Sub-groups", self.k)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        ok = self.buttons.addButton("Split", QDialogButtonBox.ButtonRole.AcceptRole)
        ok.setProperty("role", "primary")
        ok.setDefault(True)
        ok.setEnabled(size > 1)
        self.buttons.accepted.connect(self._on_ok)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(about)
        layout.addLayout(form)
        layout.addWidget(self.buttons)
        self._on_method()

    def _on_method(self) -> None:
        self.k.setEnabled(METHODS[self.method.currentIndex()][2])

    def _on_ok(self) -> None:
        self.split_asked.emit(str(self.method.currentData()), self.k.value())
        self.accept()
