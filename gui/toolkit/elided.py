"""A line of text that ends in … where there is no room, and keeps the whole in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)


class ElidedLabel(QLabel):
    """A one-line label that never asks for more width than it is given."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Room for the … alone."""
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._mode, room.width())
        self.style().drawItemText(
            painter,
            room,
            int(self.alignment()),
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )
        painter.end()

    @property
    def is_cut(self) -> bool:
        """Whether there is less room than text."""
        needed = self.fontMetrics().horizontalAdvance(self.text())
        return needed > self.contentsRect().width()


def short_name(name: str, most: int) -> str:
    """Return a name without its middle where it is too long: two may begin alike.

    >>> short_name("measurement 12", 14), short_name("measurement 12 of 20", 12)
    ('measurement 12', 'measur…of 20')
    """
    if len(name) <= most:
        return name
    end = (most - 1) // 2
    return f"{name[: most - 1 - end]}…{name[len(name) - end :]}"


def text_margin(widget: QWidget) -> int:
    """Return the space a style leaves around text, for aligning with native controls."""
    return widget.style().pixelMetric(QStyle.PixelMetric.PM_LayoutLeftMargin)


class ElidedChoice(QComboBox):
    """A choice whose text ends in … where there is no room, instead of being cut off.

    While it is, the tooltip begins with the whole of it.
    """

    is_cut = False

    def event(self, event: QEvent) -> bool:
        """Tell the whole of a text that has no room."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.is_cut:
            said = "\n".join(filter(None, (self.currentText(), self.toolTip())))
            QToolTip.showText(event.globalPos(), said, self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """A little more than Qt asks for: a style keeps some for itself, and would cut a letter."""
        hint = super().sizeHint()
        return QSize(hint.width() + 2 * text_margin(self), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, and what fits of the text."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        elide = Qt.TextElideMode.ElideMiddle  # "coordinate 2" and "… 3" end differently
        text = self.fontMetrics().elidedText(self.currentText(), elide, room.width() - 2)
        self.is_cut = text != self.currentText()
        option.currentText = text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
