"""What this program is, its versions, and its keys."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from coterie.core.version import VERSION
from coterie.gui.dialogs import with_plain_buttons

_LIBRARIES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "scikit-learn", "h5py")


def about_text() -> str:
    """Return a few lines about the program."""
    versions = [f"Python {platform.python_version()}", f"Qt {qVersion()}"]
    for library in _LIBRARIES:
        try:
            versions.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    return (
        f"<h3>Coterie {VERSION}</h3>"
        "<p>Finds the groups in a data set, and what matters in each of them.</p>"
        f"<p><small>{'<br>'.join(versions)}</small></p>"
    )


class KeysDialog(QDialog):
    """All commands that have a key."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard")
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        rows = [
            (action.text().replace("&", "").removesuffix("…"), action.shortcut())
            for action in actions
            if not action.shortcut().isEmpty()
        ]
        half = (len(rows) + 1) // 2
        for at, (text, keys) in enumerate(rows):
            shown = QLabel(keys.toString(QKeySequence.SequenceFormat.NativeText))
            shown.setProperty("role", "muted")
            column = 0 if at < half else 2
            grid.addWidget(QLabel(text), at % half, column)
            grid.addWidget(shown, at % half, column + 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        with_plain_buttons(buttons)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(16)
        layout.addLayout(grid)
        layout.addWidget(buttons)
