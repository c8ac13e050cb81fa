"""The About dialog: the program and its versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from coterie.core.version import VERSION
from coterie.gui.toolkit.buttons import with_plain_buttons

_LIBRARIES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "scikit-learn", "h5py")


def versions() -> tuple[str, ...]:
    """Return the program, the system and the libraries with their versions."""
    found = [
        f"Coterie {VERSION}",
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}",
    ]
    for library in _LIBRARIES:
        try:
            found.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    return (*found, platform.platform(terse=True))


class AboutDialog(QDialog):
    """A few lines, and a button that copies them for a report of a fault."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Coterie")
        picture = QLabel()
        picture.setPixmap(parent.windowIcon().pixmap(64, 64))
        name = QLabel(f"Coterie {VERSION}")
        name.setProperty("role", "title")
        about = QLabel("Finds the groups in a data set and what matters in each of them.")
        about.setWordWrap(True)
        self.text = QLabel("\n".join(versions()[1:]))
        self.text.setProperty("role", "muted")
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy versions", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText("\n".join(versions()))
        )
        with_plain_buttons(buttons)
        buttons.rejected.connect(self.close)
        lines = QVBoxLayout()
        lines.setSpacing(8)
        for label in (name, about, self.text):
            lines.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 14)
        layout.setSpacing(16)
        layout.addLayout(row)
        layout.addWidget(buttons)
