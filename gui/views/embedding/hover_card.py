"""The card beside the pointer: the item under it, with its picture when it has one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.ranking.rank_table import small_picture
from coterie.gui.views.shown_items.item_summary import Glance

_AWAY = 16  # pixels from the pointer
_PICTURE = 96
_MOST_LINES = 6
_WIDEST = 280


class HoverCard(QFrame):
    """Lies on the widget it is about and never takes the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._under = parent
        self.item = -1
        self.setObjectName("hover-card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMaximumWidth(_WIDEST)
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.name = QLabel(wordWrap=True)
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.name.setProperty("role", "heading")
        self.text = QLabel(wordWrap=True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self._lines: list[tuple[QLabel, QLabel, QLabel]] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        for row in range(_MOST_LINES):
            labels = QLabel(), QLabel(), QLabel()
            labels[0].setProperty("role", "muted")
            for column, label in enumerate(labels):
                label.setTextFormat(Qt.TextFormat.PlainText)
                self._grid.addWidget(label, row, column)
            self._lines.append(labels)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 12, 8)
        layout.setSpacing(4)
        for widget in (self.picture, self.name, self.text):
            layout.addWidget(widget)
        layout.addLayout(self._grid)
        self.hide()

    def show_item(self, item: int, found: Glance, at: QPoint) -> None:
        """Show an item beside the place `at` of the parent."""
        if item != self.item or not self.isVisible():
            self.item = item
            self._fill(found)
            self.adjustSize()
        self.move(self._beside(at))
        self.show()
        self.raise_()

    def leave(self) -> None:
        """Show nothing."""
        self.item = -1
        self.hide()

    def _fill(self, found: Glance) -> None:
        colours = theme.current()
        self.setStyleSheet(
            f"#hover-card {{ background: {colours.raised}; border: 1px solid {colours.line};"
            " border-radius: 6px; } #hover-card QLabel { background: transparent; border: none; }"
        )
        self.picture.setVisible(found.pixels is not None)
        if found.pixels is not None:
            self.picture.setPixmap(small_picture(found.pixels, _PICTURE))
        self.name.setText(found.name)
        self.text.setText(found.text)
        self.text.setVisible(bool(found.text))
        for row, (title, mark, value) in enumerate(self._lines):
            known = row < len(found.lines)
            for label in (title, mark, value):
                label.setVisible(known)
            if not known:
                continue
            title.setText(found.lines[row][0])
            value.setText(found.lines[row][1])
            mark.clear()
            if row == 0 and found.group is not None:  # groups come first of all columns
                shade = palette.group_colour(found.group, found.colours, dark=colours.dark)
                mark.setPixmap(chip(shade))

    def _beside(self, at: QPoint) -> QPoint:
        """To the lower right of the pointer, or to another side where there is no room."""
        room, size = self._under.rect(), self.size()
        x = at.x() + _AWAY
        if x + size.width() > room.right():
            x = at.x() - _AWAY - size.width()
        y = at.y() + _AWAY
        if y + size.height() > room.bottom():
            y = at.y() - _AWAY - size.height()
        return QPoint(max(x, 0), max(y, 0))
