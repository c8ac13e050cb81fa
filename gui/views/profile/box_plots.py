"""Plots of many features side by side, painted by one widget: boxes of numbers, shares of
categories.

A plot of the plotting library takes some 20 ms to make; of 24 features the window would feel that.
Painted here, all of them take less than one of those.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from coterie.core.model.columns import dates_in_words
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.profile.scale import AxisScale
from coterie.gui.views.profile.share_plot import paint_shares, share_words
from coterie.gui.views.profile.state import QUANTILES, Boxes, Feature, Profile, Shares

_WIDTH, _HEIGHT = 210, 190  # of one plot, at least
_LEFT, _TOP, _RIGHT, _BOTTOM = 62, 26, 10, 26  # of the frame within its plot
_BOX = 0.62  # of the room that a group has
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_NAMED = 4  # more groups go by their numbers


class BoxPlots(QWidget):
    """One plot a feature, in as many columns as there is room for."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._profile = Profile()

    @property
    def plots(self) -> tuple[Feature, ...]:
        """What is shown, one plot each."""
        return self._profile.boxes

    def show_profile(self, profile: Profile) -> None:
        """Show other features or groups."""
        self._profile = profile
        self._make_room()
        self.update()

    def place_of(self, number: int) -> QRect:
        """Return the rectangle of a plot."""
        columns = self._columns()
        row, column = divmod(number, columns)
        rows = -(-len(self.plots) // columns)
        width, height = self.width() / columns, self.height() / max(rows, 1)
        return QRectF(column * width, row * height, width, height).toAlignedRect()

    def sizeHint(self) -> QSize:
        """Ask for the height that all rows need."""
        return QSize(3 * _WIDTH, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many plots side by side as there is room for."""
        super().resizeEvent(event)
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the plots that are visible again."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.current()
        painter.fillRect(event.rect(), QColor(colours.base))
        for number, boxes in enumerate(self.plots):
            place = self.place_of(number)
            if place.intersects(event.rect()):
                self._paint(painter, place, boxes, colours)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Say the quantiles of the box under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(event.pos().toPointF()), self)
            return True
        return super().event(event)

    def words_at(self, point: QPointF) -> str:
        """Return what the box at a point stands for; nothing beside the boxes."""
        for number, boxes in enumerate(self.plots):
            frame = _frame_in(self.place_of(number))
            if frame.contains(point):
                share = (point.x() - frame.left()) / frame.width()
                at = min(int(share * len(self._profile.groups)), len(self._profile.groups) - 1)
                if isinstance(boxes, Shares):
                    return share_words(boxes, self._profile.names[at], at)
                return _words(boxes, self._profile.names[at], boxes.quantiles[at])
        return ""

    def _columns(self) -> int:
        return min(max(1, self.width() // _WIDTH), max(1, len(self.plots)))

    def _make_room(self) -> None:
        rows = -(-len(self.plots) // self._columns())
        self.setMinimumHeight(rows * _HEIGHT)

    def _paint(self, painter: QPainter, place: QRect, one: Feature, colours: theme.Colours) -> None:
        frame = _frame_in(place)
        heading = QRectF(frame.left(), place.top(), frame.width(), _TOP)
        painter.setPen(QColor(colours.text))
        name = painter.fontMetrics().elidedText(
            one.name, Qt.TextElideMode.ElideMiddle, int(heading.width())
        )
        painter.drawText(heading, Qt.AlignmentFlag.AlignCenter, name)
        shades = [
            QColor(palette.group_colour(group, self._profile.colours, dark=colours.dark))
            for group in self._profile.groups
        ]
        if isinstance(one, Shares):
            paint_shares(painter, frame, _LEFT - 6, one, shades, colours)
        else:
            self._paint_boxes(painter, frame, one, shades, colours)
        painter.setPen(QColor(colours.line))
        painter.drawLine(frame.topLeft(), frame.bottomLeft())
        painter.drawLine(frame.bottomLeft(), frame.bottomRight())
        self._name_groups(painter, frame, colours)

    def _paint_boxes(
        self,
        painter: QPainter,
        frame: QRectF,
        boxes: Boxes,
        shades: Sequence[QColor],
        colours: theme.Colours,
    ) -> None:
        known = boxes.quantiles[np.isfinite(boxes.quantiles)]
        scale = AxisScale(known, frame.bottom(), frame.top())
        for tick in scale.ticks():
            y = float(scale(tick))
            painter.setPen(QColor(colours.grid))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(QColor(colours.muted))
            beside = QRectF(frame.left() - _LEFT, y - 10, _LEFT - 6, 20)
            word = _date(tick)[:7] if boxes.of_dates else _plain(tick)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight | _MIDDLE, word)
        room = frame.width() / max(len(shades), 1)
        for at, (shade, five) in enumerate(zip(shades, boxes.quantiles, strict=True)):
            if np.isfinite(five).all():
                centre = frame.left() + (at + 0.5) * room
                _paint_box(painter, centre, _BOX * room, scale(five).tolist(), shade)

    def _name_groups(self, painter: QPainter, frame: QRectF, colours: theme.Colours) -> None:
        """Write the groups below; "gro…" four times would say less than 1, 2, 3, 4."""
        groups, names = self._profile.groups, self._profile.names
        room = frame.width() / max(len(groups), 1)
        metrics = painter.fontMetrics()
        numbers = tuple(str(group + 1) for group in groups)
        cut = any(metrics.horizontalAdvance(name) > room - 2 for name in names)
        unnamed = all(
            name.endswith(f" {number}") for name, number in zip(names, numbers, strict=False)
        )
        painter.setPen(QColor(colours.muted))
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        if len(groups) <= _NAMED and not (cut and unnamed):
            for at, one in enumerate(names):
                below = QRectF(frame.left() + at * room, frame.bottom() + 3, room, _BOTTOM - 4)
                word = metrics.elidedText(one, Qt.TextElideMode.ElideMiddle, int(room) - 2)
                painter.drawText(below, flags, word)
            return
        widest = max((metrics.horizontalAdvance(number) for number in numbers), default=0) + 6
        for at in shown_numbers([group + 1 for group in groups], room, widest):
            centre = frame.left() + (at + 0.5) * room
            below = QRectF(centre - widest, frame.bottom() + 3, 2 * widest, _BOTTOM - 4)
            painter.drawText(below, flags, numbers[at])


def shown_numbers(numbers: Sequence[int], room: float, widest: float) -> list[int]:
    """Return the places of the groups whose numbers are written: all, or every so many.

    >>> shown_numbers([1, 2, 3], room=20, widest=15)
    [0, 1, 2]
    >>> shown_numbers(range(1, 31), room=5, widest=20)
    [0, 4, 9, 14, 19, 24, 29]
    """
    if widest <= room:
        return list(range(len(numbers)))
    every = next((one for one in (2, 5, 10, 20, 50) if one * room >= widest), 100)
    return [at for at, number in enumerate(numbers) if number % every == 0 or at == 0]


def _paint_box(
    painter: QPainter, x: float, width: float, heights: Sequence[float], shade: QColor
) -> None:
    """Paint whiskers, box and median at five heights on the page."""
    low, first, middle, third, high = heights
    left, right = x - width / 2, x + width / 2
    painter.setPen(QPen(shade, 1.4))
    painter.drawLine(QPointF(x, low), QPointF(x, first))
    painter.drawLine(QPointF(x, third), QPointF(x, high))
    inside = QColor(shade)
    inside.setAlpha(90)
    painter.setBrush(inside)
    painter.drawRect(QRectF(QPointF(left, third), QPointF(right, first)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(shade, 2.6))
    painter.drawLine(QPointF(left, middle), QPointF(right, middle))


def _frame_in(place: QRect) -> QRectF:
    return QRectF(place).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)


def _date(value: float) -> str:
    return str(dates_in_words(np.array([value]))[0])[:10]


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _words(boxes: Boxes, name: str, five: Sequence[float]) -> str:
    said = "\n".join(
        f"{share:.0%}: {_date(float(value)) if boxes.of_dates else _plain(float(value))}"
        for share, value in zip(QUANTILES, five, strict=True)
    )
    return f"{boxes.name}, {name}\n{said}"
