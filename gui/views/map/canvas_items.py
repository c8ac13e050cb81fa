"""What is drawn on a map: tiles of a layer, outlines of regions, a scale bar and a north arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from coterie.core.formats.maps.scale import scale_for
from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.views.map.base_layer import TILE
from coterie.gui.views.map.tile_cache import Address, TileStore

_LIGHT, _DARK = QColor("#ffffff"), QColor(0, 0, 0, 190)


def image_of(picture: Bytes) -> QImage:
    """Return bytes as an image that draws fast."""
    height, width, _ = picture.shape
    held = np.ascontiguousarray(picture)
    seen = QImage(held.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    # Also a copy, as the bytes go away.
    return seen.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


class TileItem(pg.GraphicsObject):  # type: ignore[misc] # the library ships no types
    """The tiles of one layer at their places.

    Parameters
    ----------
    is_picture : whether what is between two pixels has a meaning; classes have no mean
    """

    def __init__(self, *, is_picture: bool = False) -> None:
        super().__init__()
        self._is_picture = is_picture
        self.store: TileStore[QImage] = TileStore()
        self.wanted: list[Address] = []
        self._area = QRectF()

    def set_area(self, height: int, width: int) -> None:
        """Say how large the ground is."""
        area = QRectF(0, 0, width, height)
        if area != self._area:
            self.prepareGeometryChange()
            self._area = area

    def boundingRect(self) -> QRectF:
        return self._area

    def paint(self, painter: QPainter, option: Any, _widget: Any = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        shrunk = painter.worldTransform().m11() < 1.0
        painter.setRenderHint(
            QPainter.RenderHint.SmoothPixmapTransform, self._is_picture and shrunk
        )
        seen = option.exposedRect if option is not None else self._area
        painter.setClipRect(self._area)
        for address, image in self.store.shown(self.wanted):
            factor = 2**address.level
            side = TILE * factor
            place = QRectF(
                address.column * side,
                address.row * side,
                image.width() * factor,
                image.height() * factor,
            )
            if place.intersects(seen) or seen.isEmpty():
                painter.drawImage(place, image)


class RegionItem(pg.GraphicsObject):  # type: ignore[misc] # the library ships no types
    """Outlines of regions with their names, and of the shape drawn last."""

    def __init__(self) -> None:
        super().__init__()
        self._shapes: list[tuple[str, QPolygonF]] = []
        self._last: QPolygonF | None = None
        self._area = QRectF()
        self._accent = QColor("#ffffff")
        self._colours: Mapping[str, str] = {}

    def colour_by(self, colours: Mapping[str, str]) -> None:
        """Draw the regions of these names in these colours, the others in white."""
        if colours != self._colours:
            self._colours = dict(colours)
            self.update()

    def show_regions(
        self, regions: Sequence[tuple[str, Array]], last: Array | None, accent: str
    ) -> None:
        """Draw these, given by corners in columns and rows."""
        self.prepareGeometryChange()
        self._shapes = [(name, _polygon(corners)) for name, corners in regions]
        self._last = None if last is None else _polygon(last)
        self._accent = QColor(accent)
        self._area = QRectF()
        for _, shape in self._shapes:
            self._area = self._area.united(shape.boundingRect())
        if self._last is not None:
            self._area = self._area.united(self._last.boundingRect())
        self.update()

    def boundingRect(self) -> QRectF:
        margin = max(self._area.width(), self._area.height(), 1.0)
        return self._area.adjusted(-margin, -margin, margin, margin)

    def paint(self, painter: QPainter, _option: Any, _widget: Any = None) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for name, shape in self._shapes:
            own = self._colours.get(name)
            light = _LIGHT if own is None else QColor(own)
            for colour, width in ((_DARK, 3.5), (light, 1.6 if own is None else 2.2)):
                painter.setPen(_cosmetic(colour, width))
                painter.drawPolygon(shape)
        if self._last is not None:
            painter.setPen(_cosmetic(_DARK, 3.0))
            painter.drawPolygon(self._last)
            pen = _cosmetic(QColor("#ffe14d"), 1.5)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawPolygon(self._last)
        transform = painter.transform()
        painter.resetTransform()
        for name, shape in self._shapes:
            if name in self._colours:  # the colour says it
                continue
            corner = transform.map(shape.boundingRect().topLeft())
            _letter(painter, corner + QPointF(2, -5), name)


class MapFurniture(pg.GraphicsWidget):  # type: ignore[misc] # the library ships no types
    """Scale bar and north arrow, in a corner of the map."""

    def __init__(self, box: Any) -> None:
        super().__init__()
        self.setParentItem(box)
        self.setZValue(1e6)
        self._box = box
        self._metres = 0.0
        self._north: tuple[float, float] | None = None

    def show_place(self, metres: float, north: tuple[float, float] | None) -> None:
        """Say how long a pixel is on the ground, and where north is in columns and rows."""
        self._metres, self._north = metres, north
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self._box.width(), self._box.height())

    def paint(self, painter: QPainter, *_: Any) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide, _ = self._box.viewPixelSize()
        length, text = scale_for(float(wide), self._metres)
        x, y = 18.0, self._box.height() - 18.0
        if length:
            room = max(length, 7 + _lettering(QPointF(), painter, text).boundingRect().width())
            self._plate(painter, QRectF(x - 9, y - 25, room + 18, 35))
        bar = QPainterPath()
        bar.moveTo(x, y - 5)
        bar.lineTo(x, y)
        bar.lineTo(x + length, y)
        bar.lineTo(x + length, y - 5)
        _stroked(painter, bar)
        _letter(painter, QPointF(x + 7, y - 8), text)
        if self._north is not None:
            self._paint_north(painter, self._north)

    def _paint_north(self, painter: QPainter, north: tuple[float, float]) -> None:
        dx, dy = np.array(north) / np.hypot(*north)
        centre = QPointF(self._box.width() - 26.0, 30.0)
        self._plate(painter, QRectF(centre.x() - 17, 8, 34, 54))
        tip = centre + QPointF(dx, dy) * 16
        tail = centre - QPointF(dx, dy) * 12
        side = QPointF(-dy, dx) * 8
        arrow = QPainterPath()
        arrow.addPolygon(QPolygonF([tip, tail + side, centre - QPointF(dx, dy) * 6, tail - side]))
        arrow.closeSubpath()
        painter.fillPath(arrow, _LIGHT)
        _letter(painter, QPointF(centre.x() - 4.5, 58.0), "N")

    @staticmethod
    def _plate(painter: QPainter, area: QRectF) -> None:
        """A dark ground, so what is light is read on snow and on paper."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(20, 24, 30, 150))
        painter.drawRoundedRect(area, 5, 5)


def _polygon(corners: Array) -> QPolygonF:
    return QPolygonF([QPointF(float(x), float(y)) for x, y in corners])


def _cosmetic(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen


def _stroked(painter: QPainter, path: QPainterPath) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(_LIGHT, 2.0))
    painter.drawPath(path)


def _lettering(at: QPointF, painter: QPainter, text: str) -> QPainterPath:
    font = painter.font()
    font.setBold(True)
    path = QPainterPath()
    path.addText(at, font, text)
    return path


def _letter(painter: QPainter, at: QPointF, text: str) -> None:
    """Light letters with a dark rim, to be read on any ground."""
    path = _lettering(at, painter, text)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(_DARK, 3, j=Qt.PenJoinStyle.RoundJoin))
    painter.drawPath(path)
    painter.fillPath(path, _LIGHT)
