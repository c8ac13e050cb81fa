"""The buttons that end a dialog, and texts without marks."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMessageBox, QPushButton


def with_plain_buttons(box: QDialogButtonBox | QMessageBox) -> None:
    """Take the pictures off the buttons: words are enough, and these come in other styles."""
    for button in box.buttons():
        button.setIcon(QIcon())


def ok_and_cancel(dialog: QDialog, word: str = "") -> tuple[QDialogButtonBox, QPushButton]:
    """Return the buttons that end a dialog, and the first of them, which says `word`."""
    buttons = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(buttons.Ok | buttons.Cancel)
    ok = box.button(buttons.Ok)
    if word:
        ok.setText(word)
    ok.setProperty("role", "primary")
    ok.setDefault(True)
    with_plain_buttons(box)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box, ok


def plain(text: str) -> str:
    """Return a sentence of a docstring without its marks.

    >>> plain("A graph; `reader/edges` reads it back.")
    'A graph; reader/edges reads it back.'
    """
    return text.replace("`", "")
