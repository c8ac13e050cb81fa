"""What our dialogs share."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QMessageBox


def with_plain_buttons(box: QDialogButtonBox | QMessageBox) -> None:
    """Take the pictures off the buttons: words are enough, and these come in other styles."""
    for button in box.buttons():
        button.setIcon(QIcon())


def plain(text: str) -> str:
    """Return a sentence of a docstring without its marks.

    >>> plain("A graph; `reader/edges` reads it back.")
    'A graph; reader/edges reads it back.'
    """
    return text.replace("`", "")
