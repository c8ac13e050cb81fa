"""Small icons drawn in the colours of the theme: no files, sharp at any scale."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from coterie.gui import theme

_SIZE = 18.0  # the unit in which the icons below are drawn
_SCALE = 3  # drawn three times as large, for screens with a scale factor


def icon(name: str) -> QIcon:
    """Return the icon of that name in the present colours; muted when disabled."""
    colours = theme.current()
    found = QIcon()
    found.addPixmap(_drawn(name, colours.text), QIcon.Mode.Normal)
    found.addPixmap(_drawn(name, colours.line), QIcon.Mode.Disabled)
    return found


def chip(colour: str, size: int = 12) -> QPixmap:
    """Return a small round swatch."""
    pixmap = QPixmap(size * 2, size * 2)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QRectF(1, 1, size - 2, size - 2))
    painter.end()
    return pixmap


def _drawn(name: str, colour: str) -> QPixmap:
    pixmap = QPixmap(int(_SIZE * _SCALE), int(_SIZE * _SCALE))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_SCALE, _SCALE)
    pen = QPen(QColor(colour), 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    _DRAWINGS[name](painter, QColor(colour))
    painter.end()
    return pixmap


def _filled(shapes: list[list[tuple[float, float]]], painter: QPainter, colour: QColor) -> None:
    painter.setBrush(colour)
    for shape in shapes:
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in shape]))


def _lines(lines: list[list[tuple[float, float]]], painter: QPainter, _colour: QColor) -> None:
    for line in lines:
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in line]))


def _box(painter: QPainter, _colour: QColor) -> None:
    pen = painter.pen()
    pen.setDashPattern([1.6, 1.8])
    painter.setPen(pen)
    painter.drawRect(QRectF(3, 4, 12, 10))


def _lasso(painter: QPainter, _colour: QColor) -> None:
    path = QPainterPath(QPointF(6, 13))
    path.cubicTo(0, 11, 1, 4, 9, 3.5)
    path.cubicTo(17, 3, 18, 11, 11, 12.5)
    path.cubicTo(8, 13.2, 5, 12, 6, 14.5)
    path.cubicTo(6.4, 15.4, 6, 16, 5, 16.5)
    painter.drawPath(path)


_DRAWINGS: dict[str, Callable[[QPainter, QColor], None]] = {
    "play": partial(_filled, [[(5.5, 4), (14, 9), (5.5, 14)]]),
    "pause": partial(
        _filled,
        [[(5, 4), (7, 4), (7, 14), (5, 14)], [(11, 4), (13, 4), (13, 14), (11, 14)]],
    ),
    "step": partial(
        _filled, [[(4, 4), (10.5, 9), (4, 14)], [(12.5, 4), (14, 4), (14, 14), (12.5, 14)]]
    ),
    "stop": partial(_filled, [[(5, 5), (13, 5), (13, 13), (5, 13)]]),
    "pan": partial(
        _lines,
        [
            [(9, 2), (9, 16)], [(2, 9), (16, 9)],
            [(7, 4), (9, 2), (11, 4)], [(7, 14), (9, 16), (11, 14)],
            [(4, 7), (2, 9), (4, 11)], [(14, 7), (16, 9), (14, 11)],
        ],
    ),
    "fit": partial(
        _lines,
        [
            [(3, 7), (3, 3), (7, 3)], [(11, 3), (15, 3), (15, 7)],
            [(15, 11), (15, 15), (11, 15)], [(7, 15), (3, 15), (3, 11)],
        ],
    ),
    "save": partial(
        _lines,
        [
            [(9, 3), (9, 11.5)], [(5.5, 8.5), (9, 12), (12.5, 8.5)],
            [(3, 12.5), (3, 15), (15, 15), (15, 12.5)],
        ],
    ),
    "box": _box,
    "lasso": _lasso,
}  # fmt: skip
