"""Small round swatches of a colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap


def chip(colour: str, size: int = 12) -> QPixmap:
    """Return a small round swatch."""
    # Of more pixels than any screen has there: icons are made smaller well, larger badly.
    pixmap = QPixmap(size * 4, size * 4)
    pixmap.setDevicePixelRatio(4.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QRectF(1, 1, size - 2, size - 2))
    painter.end()
    return pixmap
