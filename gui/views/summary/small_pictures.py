"""Small pictures on the Summary page: the items as points, and what a group looks like."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from coterie.core.model.arrays import Array, Floats
from coterie.core.model.results import Clustering, Embedding
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.methods.pictures import draw, shades_of
from coterie.projects.report.group_means import Spectra

MAP = (200, 132)  # points of the screen
PICTURE = 64
SPECTRUM = (132, 64)
_AROUND = 4.0
_FINER = 3


def map_of(embedding: Embedding, groups: Clustering, widget: QWidget) -> QPixmap:
    """Return the items as points in the colours of their groups."""
    places = np.asarray(embedding.coordinates, dtype=float)
    if places.shape[1] == 1:
        places = np.column_stack([places[:, 0], np.zeros(len(places))])
    colours, ratio = theme.current(), widget.devicePixelRatioF()
    shades = shades_of(groups, None, dark=colours.dark)
    # Of three times the pixels, made smaller: the points are round.
    pixels = draw(places, groups, shades, colours.base, ratio=_FINER * ratio, size=MAP)
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGBA8888).copy()
    found = QPixmap.fromImage(image).scaled(
        round(MAP[0] * ratio),
        round(MAP[1] * ratio),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    found.setDevicePixelRatio(ratio)
    return found


def portrait(pixels: Array, widget: QWidget) -> QPixmap:
    """Return a mean picture, enlarged."""
    content = np.ascontiguousarray(pixels, dtype=np.uint8)
    height, width = content.shape[:2]
    grey = content.ndim == 2
    kind = QImage.Format.Format_Grayscale8 if grey else QImage.Format.Format_RGB888
    image = QImage(content.data, width, height, content.strides[0], kind).copy()
    ratio = widget.devicePixelRatioF()
    side = round(PICTURE * ratio)
    found = QPixmap.fromImage(image).scaled(
        side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    found.setDevicePixelRatio(ratio)
    return found


def spectrum_of(spectra: Spectra, group: int, shade: str, widget: QWidget) -> QPixmap:
    """Return the mean spectrum of a group as a line, those of the others faint behind it."""
    colours, ratio = theme.current(), widget.devicePixelRatioF()
    width, height = SPECTRUM
    found = QPixmap(round(width * ratio), round(height * ratio))
    found.setDevicePixelRatio(ratio)
    found.fill(QColor(colours.base))
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = QRectF(0, 0, width, height).adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
    painter.setPen(QPen(QColor(colours.grid), 1.0))
    for other in range(len(spectra.means)):
        if other != group:
            painter.drawPolyline(_line(spectra, spectra.means[other], frame))
    painter.setPen(QPen(QColor(shade), 2.0))
    painter.drawPolyline(_line(spectra, spectra.means[group], frame))
    painter.end()
    return found


def _line(spectra: Spectra, values: Floats, frame: QRectF) -> QPolygonF:
    known = spectra.means[np.isfinite(spectra.means)]
    if not len(known) or not np.isfinite(values).all():
        return QPolygonF()
    low, high = float(known.min()), float(known.max())
    first, last = float(spectra.positions[0]), float(spectra.positions[-1])
    x = frame.left() + frame.width() * (spectra.positions - first) / max(last - first, 1e-300)
    y = frame.bottom() - frame.height() * (values - low) / max(high - low, 1e-300)
    return QPolygonF([QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)])
