"""Parts of a view below each other."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget


def stacked(*parts: QWidget | QLayout, grows: QWidget | None = None) -> QWidget:
    """Return a widget with parts below each other, without gaps.

    Parameters
    ----------
    grows : the part that takes the height that is left
    """
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(part, int(part is grows))
    return whole
