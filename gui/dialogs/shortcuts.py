"""The sheet of shortcuts: every command of the window and its views, and mouse actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMenuBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.toolkit.buttons import with_plain_buttons

if TYPE_CHECKING:
    from coterie.gui.views.base_view import View

# What no action shows: keys held while selecting, and keys inside tables and plots.
_SELECTING = (
    ("Add to the selection", "Shift or Ctrl"),
    ("Remove from the selection", "Alt, or Shift and Ctrl"),
    ("Next row", "↓"),
    ("Add or remove the row", "Space"),
    ("Clear the selection", "Esc"),
    ("Edit a name or class", "F2"),
    ("Rotate the 3D view", "← → ↑ ↓"),
)


@dataclass(frozen=True)
class ShortcutSection:
    """Commands that belong together, as pairs of what they do and their keys."""

    title: str
    rows: tuple[tuple[str, str], ...]


def keys_of(menus: QMenuBar, views: Iterable[View]) -> tuple[ShortcutSection, ...]:
    """Return the keys of a window: menu by menu, then view by view."""
    sections = []
    for action in menus.actions():
        menu = action.menu()
        if isinstance(menu, QMenu):
            sections.append(ShortcutSection(_plain(action), tuple(_rows(_below(menu)))))
    for view in views:
        if view.built:
            found = tuple(_rows(view.findChildren(QAction)))
            sections.append(ShortcutSection(view.title, found))
    sections.append(ShortcutSection("In tables and plots", _SELECTING))
    return tuple(section for section in sections if section.rows)


def _below(menu: QMenu) -> Iterable[QAction]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _below(inner)
        else:
            yield action


def _rows(actions: Iterable[QAction]) -> Iterable[tuple[str, str]]:
    for action in actions:
        texts = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
        keys = [text for text in texts if text.isprintable() and text]  # some are media keys
        if keys and _plain(action):
            yield action.iconText() or _plain(action), " or ".join(keys)


def _plain(action: QAction) -> str:
    return action.text().replace("&", "").removesuffix("…")


class KeysDialog(QDialog):
    """All commands that have a key, in two columns of sections."""

    def __init__(self, sections: Iterable[ShortcutSection], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sections = tuple(sections)
        self.setObjectName("keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(720, 560)
        sheet = QWidget()
        columns = QHBoxLayout(sheet)
        columns.setContentsMargins(4, 4, 12, 4)
        columns.setSpacing(36)
        total = sum(len(section.rows) + 2 for section in self.sections)
        made, used = [self._column(columns)], 0
        for section in self.sections:
            if used > total / 2 - len(section.rows) / 2 and len(made) == 1:
                made.append(self._column(columns))
            made[-1].addLayout(_table(section))
            used += len(section.rows) + 2
        for column in made:
            column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(sheet)
        area.setAccessibleName("Keyboard shortcuts")
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(sheet.sizeHint().width() + area.verticalScrollBar().sizeHint().width())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        with_plain_buttons(buttons)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 12, 14)
        layout.setSpacing(12)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)

    def _column(self, columns: QHBoxLayout) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(16)
        columns.addLayout(column, 1)
        return column


def _table(section: ShortcutSection) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(0, 1)
    title = QLabel(section.title)
    title.setProperty("role", "heading")
    grid.addWidget(title, 0, 0, 1, 2)
    for row, (text, keys) in enumerate(section.rows, 1):
        shown = QLabel(keys)
        shown.setProperty("role", "muted")
        grid.addWidget(QLabel(text), row, 0)
        grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
    return grid
