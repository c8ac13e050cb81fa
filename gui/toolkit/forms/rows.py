"""Rows of a form: what they are called at the left, the editor at the right, all lined up."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

_BUTTON_WIDTH = 24  # kept free at the right of every row for the way back to the default
_LABEL_SHARE, _EDITOR_SHARE = 4, 9


def keep_place(widget: QWidget) -> None:
    """Let a widget keep its place in a layout while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def hint_label(text: str = "") -> QLabel:
    """Return a label for a sentence of help, which takes as many lines as it needs."""
    hint = QLabel(text)
    hint.setWordWrap(True)
    hint.setTextFormat(Qt.TextFormat.PlainText)
    hint.setProperty("role", "hint")
    return hint


def lay_out_row(
    row: QWidget, title: str, editor: QWidget, button: QWidget | None = None
) -> tuple[QLabel, QGridLayout]:
    """Lay out a row; its label and grid are returned. The shares hold whatever the editor asks."""
    label = QLabel(title)
    label.setBuddy(editor)
    label.setWordWrap(True)
    for widget in (label, editor):
        vertical = widget.sizePolicy().verticalPolicy()
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, vertical)
    grid = QGridLayout(row)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(2)
    grid.addWidget(label, 0, 0)
    grid.addWidget(editor, 0, 1)
    grid.setColumnStretch(0, _LABEL_SHARE)
    grid.setColumnStretch(1, _EDITOR_SHARE)
    # A hidden widget would give its column and the gap before it away, and the rows would not
    # line up.
    place = button or QWidget()
    place.setFixedWidth(_BUTTON_WIDTH)
    keep_place(place)
    grid.addWidget(place, 0, 2)
    return label, grid
