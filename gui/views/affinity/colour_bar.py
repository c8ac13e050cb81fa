"""The scale beside a matrix: its colours and what they stand for."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme

_BAR = 12.0
_GAP = 5.0
_MARGIN = 14.0


class ColourBar(pg.GraphicsWidget):  # type: ignore[misc] # the library ships no types
    """Drawn inside the canvas, so exported pictures have it too."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ()
        self._image = QImage()
        self._width = 0.0
        self._widen(44.0)

    def show_scale(self, colours: Bytes, texts: tuple[str, ...]) -> None:
        """Show colours from low to high, with texts at even distances beside them."""
        upward = colours[::-1].copy()
        self._image = QImage(
            upward.tobytes(), 1, len(upward), 3, QImage.Format.Format_RGB888
        ).copy()
        self._texts = texts
        metrics = QFontMetricsF(self.font())
        self._widen(max(metrics.horizontalAdvance(text) for text in texts) + _BAR + _GAP + 4)
        self.update()

    def _widen(self, width: float) -> None:
        """Never narrower again, so the matrix does not dance while a slider moves."""
        if width > self._width:
            self._width = width
            self.setMinimumWidth(width)
            self.setMaximumWidth(width)

    def sizeHint(self, which: Qt.SizeHint, constraint: Any = None) -> QSizeF:
        heights = {Qt.SizeHint.MinimumSize: 60.0, Qt.SizeHint.MaximumSize: 1e6}
        return QSizeF(self._width, heights.get(which, 200.0))

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.geometry().width(), self.geometry().height())

    def paint(self, painter: QPainter, *_: Any) -> None:
        if self._image.isNull():
            return
        colours = theme.current()
        height = self.boundingRect().height() - 2 * _MARGIN
        bar = QRectF(0, _MARGIN, _BAR, height)
        painter.drawImage(bar, self._image)
        painter.setPen(QColor(colours.line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        painter.setPen(QColor(colours.muted))
        line = QFontMetricsF(self.font()).height()
        for at, text in enumerate(self._texts):
            share = at / max(len(self._texts) - 1, 1)
            middle = bar.bottom() - share * height
            place = QRectF(_BAR + _GAP, middle - line / 2, self._width, line)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)
