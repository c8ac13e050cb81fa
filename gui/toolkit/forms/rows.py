"""Rows of a form: what they are called at the left, the editor at the right, all lined up."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWhatsThis,
    QWidget,
)

_BUTTON_WIDTHS = 22, 18  # kept free at the right of every row: back to the default, and help
_LABEL_SHARE, _EDITOR_SHARE = 5, 10


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


def help_button(title: str, tip: str) -> QToolButton:
    """Return the "?" at the right of a row; what it opens is up to the caller.

    It is not a stop of the Tab key, which would need twice as many strokes to go through a form:
    what it says is also the tool tip of the row and the description of the editor.
    """
    button = QToolButton()
    button.setText("?")
    button.setAutoRaise(True)
    button.setProperty("role", "help")
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setToolTip(tip)
    button.setAccessibleName(f"Help on {title}")
    return button


def explain(button: QWidget, title: str, text: str) -> None:
    """Show what a setting means, beside its button, until the next click or key."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line)
    below = button.mapToGlobal(QPoint(0, button.height()))
    QWhatsThis.showText(below, f"<b>{escape(title)}</b>{lines}", button)


def lay_out_row(
    row: QWidget,
    title: str,
    editor: QWidget,
    button: QWidget | None = None,
    help: QWidget | None = None,
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
    grid.setHorizontalSpacing(4)
    grid.setVerticalSpacing(2)
    grid.addWidget(label, 0, 0)
    grid.addWidget(editor, 0, 1)
    grid.setColumnStretch(0, _LABEL_SHARE)
    grid.setColumnStretch(1, _EDITOR_SHARE)
    # A hidden widget would give its column and the gap before it away, and the rows would not
    # line up.
    places = (button or QWidget(), help or QWidget())
    for column, (place, width) in enumerate(zip(places, _BUTTON_WIDTHS, strict=True), 2):
        place.setFixedWidth(width)
        keep_place(place)
        grid.addWidget(place, 0, column)
    return label, grid
