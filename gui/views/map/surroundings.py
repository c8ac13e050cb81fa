"""Small pictures of what is around a pixel, in the bands and stretch of the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.map.bands import BandSettings, shaded
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews
from coterie.projects.sources.rasters import OpenScene

MOST_CELLS = 320  # along a side of what is read: more are not seen


@dataclass(frozen=True, eq=False)
class SurroundingPicture:
    """(height, width, 4) bytes, and the pixel in them as left, top and side from 0 to 1."""

    picture: Bytes
    mark: tuple[float, float, float]


def surroundings_of(
    ground: Ground,
    prepared: PreparedOverviews,
    look: BandSettings,
    places: Sequence[tuple[int, int, int]],
) -> list[SurroundingPicture]:
    """Return a picture for each (row, column, pixels to each side); for a thread."""
    limits = prepared.limits(ground, look.bands, look.low, look.high)
    windows = [_window(ground, *place) for place in places]
    if ground.picture is not None:
        pieces = [_of_picture(ground, window, look.bands) for window in windows]
    else:
        assert ground.scene is not None
        with OpenScene(ground.scene) as opened:
            pieces = [opened.read(w, _shape(w), look.bands) for w in windows]
    found = []
    for (row, column, _), window, (values, valid) in zip(places, windows, pieces, strict=True):
        high, wide = window.shape
        mark = (column - window.left) / wide, (row - window.top) / high, 1 / wide
        found.append(SurroundingPicture(shaded(values, valid, limits, look.gamma), mark))
    return found


def _window(ground: Ground, row: int, column: int, reach: int) -> Window:
    """A square around a pixel, moved inside where it is near an edge."""
    high, wide = min(2 * reach + 1, ground.height), min(2 * reach + 1, ground.width)
    top = min(max(0, row - reach), ground.height - high)
    left = min(max(0, column - reach), ground.width - wide)
    return Window(top, left, top + high, left + wide)


def _shape(window: Window) -> tuple[int, int]:
    return min(window.shape[0], MOST_CELLS), min(window.shape[1], MOST_CELLS)


def _of_picture(ground: Ground, window: Window, bands: Sequence[int]) -> tuple[Floats, Array]:
    assert ground.picture is not None
    values = np.moveaxis(ground.picture[window.slices][:, :, list(bands)], -1, 0)
    high, wide = _shape(window)
    rows = np.arange(high) * window.shape[0] // high
    columns = np.arange(wide) * window.shape[1] // wide
    values = values[:, rows[:, None], columns]
    return values, np.asarray(np.isfinite(values).all(axis=0))


def pixmap_of(
    found: SurroundingPicture, side: int, scale: float, *, marked: bool = True
) -> QPixmap:
    """Return a picture whose longer side is `side`, with a frame around the pixel."""
    bytes_ = np.ascontiguousarray(found.picture)
    high, wide = bytes_.shape[:2]
    image = QImage(bytes_.data, wide, high, 4 * wide, QImage.Format.Format_RGBA8888)
    longer = max(high, wide)
    size = QSize(*(max(1, round(side * scale * length / longer)) for length in (wide, high)))
    pixmap: QPixmap = QPixmap.fromImage(image).scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.FastTransformation
    )
    if marked:
        left, top, share = found.mark
        painter = QPainter(pixmap)
        cell = share * size.width()
        around = max(cell, 9 * scale)
        middle = left * size.width() + cell / 2, top * size.height() + cell / 2
        frame = QRectF(middle[0] - around / 2, middle[1] - around / 2, around, around)
        for colour, pen in (("#000000", 3.0), ("#ffffff", 1.2)):
            painter.setPen(QPen(QColor(colour), pen * scale))
            painter.drawRect(frame)
        painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap
