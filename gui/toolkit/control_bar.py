"""What the bars of controls above plots share: choices at the left, tools at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.toolkit.styling.icons import icon

_NARROWEST = 56
Tool = tuple[str, str, str, str]  # key, title, shortcut, what it does


class ControlBar(QWidget):
    """Choices, options and tools in one row, or in two or three where that is too narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(12, 6, 8, 6)
        self._rows.setSpacing(4)
        self._choices, self._handles, self._options = QWidget(), QWidget(), QWidget()
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.setSpacing(4)
        self._below.addWidget(self._options)
        self._below.addWidget(self._handles, 1)
        self._rows.addWidget(self._choices, 1)
        self._rows.addLayout(self._below)
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._choices)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(4)
        first, self._second = QWidget(), QWidget()
        self._lines.addWidget(first)
        self._lines.addWidget(self._second, 1)
        self._second.hide()  # until there are any
        self.choices, self.handles = _row(first), _row(self._handles)
        self.more_choices = _row(self._second)
        self.options = _row(self._options)
        self._options.hide()  # until there are any

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take two rows where one is too narrow, so no name is cut off."""
        super().resizeEvent(event)
        self.arrange()

    def minimumSizeHint(self) -> QSize:
        """The width of the wider row."""
        hint = super().minimumSizeHint()
        rows = (self._handles, self._options)
        widest = max(row.minimumSizeHint().width() for row in rows if not row.isHidden())
        return QSize(widest + 20, hint.height())

    def arrange(self) -> None:
        """Take one row or two, by what there is to show now."""
        options = 0 if self._options.isHidden() else self._options.sizeHint().width() + 4
        below = self._handles.sizeHint().width() + options
        directions = QBoxLayout.Direction
        lines = [self.choices.sizeHint().width()]
        if not self._second.isHidden():
            lines.append(self.more_choices.sizeHint().width() + 4)
        for rows, needed in (
            (self._rows, sum(lines) + below + 40),
            (self._below, below + 20),
            (self._lines, sum(lines) + 20),
        ):
            narrow = self.width() < needed
            rows.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)

    def add_choice(
        self, label: str, name: str, widest: int = 190, *, aside: bool = False
    ) -> tuple[QComboBox, QLabel]:
        """Add a list to choose from, with its title before it.

        Those `aside` take a row of their own where one is too narrow for all.
        """
        box, title = choice_box(name, widest), QLabel(label)
        title.setProperty("role", "muted")
        title.setBuddy(box)
        row = self.more_choices if aside else self.choices
        row.addWidget(title)
        row.addWidget(box)
        row.addSpacing(8)
        if aside:
            self._second.show()
        return box, title

    def add_action(self, key: str, title: str, shortcut: str, tip: str) -> QAction:
        """Add a button with an icon; its shortcut stands in its tip."""
        action = QAction(icon(key), title, self)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
            first, *more = tip.split("\n")
            tip = "\n".join([f"{first} ({shortcut})", *more])
        action.setToolTip(tip)
        button = QToolButton()
        button.setAccessibleName(title)
        button.setDefaultAction(action)
        self.handles.addWidget(button)
        return action

    def add_option(self, box: QWidget) -> None:
        """Add a box to tick; together they stand before the tools, or above them."""
        self.options.addWidget(box)
        self._options.show()

    def add_tools(self, tools: Sequence[Tool]) -> dict[str, QAction]:
        """Add buttons of which one is down."""
        group = QActionGroup(self)
        added = {}
        for key, title, shortcut, tip in tools:
            action = added[key] = self.add_action(key, title, shortcut, tip)
            action.setCheckable(True)
            group.addAction(action)
        return added


def choice_box(name: str, widest: int) -> QComboBox:
    """Return a list as wide as its choices, within bounds."""
    box = ElidedChoice()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    box.setMaximumWidth(widest)
    box.setMinimumWidth(_NARROWEST)  # a long name gives way before the window has to grow
    return box


def offer(box: QComboBox, choices: Iterable[tuple[str, str]], current: str) -> None:
    """Offer these choices, each a key and a title, unless they are offered already."""
    wanted = list(choices)
    known = [(box.itemData(i), box.itemText(i)) for i in range(box.count())]
    if known != wanted:
        box.clear()
        for key, title in wanted:
            box.addItem(title, key)
    box.setCurrentIndex(box.findData(current))


def _row(widget: QWidget) -> QHBoxLayout:
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    return layout
