"""A style under which texts are what they are, whoever named the columns, files and groups."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProxyStyle


class PlainStyle(QProxyStyle):
    """The style of a name, but labels, message boxes and tool tips take no text for markup.

    Qt guesses: a column called `<img src=…>` would be drawn as a picture, read from wherever its
    name says. Labels that are to have markup say so, by `setTextFormat`.
    """

    def polish(self, what: Any) -> Any:
        """Dress a widget before it is first shown."""
        if isinstance(what, QLabel) and what.textFormat() == Qt.TextFormat.AutoText:
            what.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(what)
