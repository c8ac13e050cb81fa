"""Draws the samples for the start page, once, when Coterie is built: it then shows them at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from coterie.core.arrays import Array, Floats
from coterie.core.dataset import Dataset
from coterie.core.samples import SAMPLES
from coterie.gui.gallery import PICTURE_SIZE

_SCALE = 2  # sharp on dense screens too
_MARGIN = 10.0
_DOT = 2.5
_ROWS = 5  # of small pictures, where the items are such
# Between the light and the dark palette, so that one picture suits both.
_COLOURS = ("#2f8fdc", "#ee7a2e", "#22b488", "#d46fb0")


def draw_pictures(into: Path) -> list[Path]:
    """Write one PNG with a transparent background for each sample; return their paths."""
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for name, sample in SAMPLES.items():
        path = into / f"{name}.png"
        draw(sample.make()).save(str(path))
        written.append(path)
    return written


def draw(dataset: Dataset) -> QImage:
    """Return a photograph as it is, pictures side by side, or the items as dots."""
    details = dataset.details
    if dataset.n == details.get("height", 0) * details.get("width", 0) and dataset.d == 3:
        pixels = dataset.dense_features().reshape(details["height"], details["width"], 3)
        return _framed(np.rint(255 * pixels).astype(np.uint8))
    if dataset.thumbnails is not None:
        return _framed(_side_by_side(dataset.thumbnails))
    return _dots(dataset)


def _framed(pixels: Array) -> QImage:
    """A grey or coloured picture, as large as there is room for."""
    height, width = pixels.shape[:2]
    kind = QImage.Format.Format_Grayscale8 if pixels.ndim == 2 else QImage.Format.Format_RGB888
    content = np.ascontiguousarray(pixels)
    row = content.strides[0]
    picture = QImage(content.data, width, height, row, kind)
    size = PICTURE_SIZE * _SCALE
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    keep = Qt.AspectRatioMode.KeepAspectRatio
    scaled = picture.scaled(size, keep, Qt.TransformationMode.SmoothTransformation)
    painter = QPainter(image)
    painter.drawImage(
        (size.width() - scaled.width()) // 2, (size.height() - scaled.height()) // 2, scaled
    )
    painter.end()
    return image


def _side_by_side(thumbnails: Array) -> Array:
    """The first pictures in rows, dark on light as on paper."""
    rows, columns = _ROWS, round(_ROWS * PICTURE_SIZE.width() / PICTURE_SIZE.height())
    _, height, width = thumbnails.shape[:3]
    shown = np.pad(
        255 - thumbnails[: rows * columns], ((0, 0), (1, 1), (1, 1)), constant_values=255
    )
    grid = shown.reshape(rows, columns, height + 2, width + 2).swapaxes(1, 2)
    return np.asarray(grid.reshape(rows * (height + 2), columns * (width + 2)), dtype=np.uint8)


def _dots(dataset: Dataset) -> QImage:
    """The items as dots, in the colours of their known classes."""
    size = PICTURE_SIZE * _SCALE
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    margin = _MARGIN * _SCALE
    room = QRectF(margin, margin, size.width() - 2 * margin, size.height() - 2 * margin)
    places = _fitted(_plane(dataset), room)
    classes = np.zeros(dataset.n, dtype=int) if dataset.truth is None else dataset.truth
    # In a mixed order, so that no class hides another.
    for item in np.random.default_rng(0).permutation(dataset.n):
        colour = QColor(_COLOURS[int(classes[item]) % len(_COLOURS)])
        colour.setAlphaF(0.85)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(*places[item]), _DOT * _SCALE, _DOT * _SCALE)
    painter.end()
    return image


def _plane(dataset: Dataset) -> Floats:
    """Two coordinates: the two columns, or the two main directions of more."""
    features = dataset.dense_features()
    if features.shape[1] == 2:
        return features
    centred = features - features.mean(axis=0)
    spread = np.maximum(centred.std(axis=0), 1e-12)
    if spread.max() > 10 * spread.min():  # columns of different units: the largest would be all
        centred = centred / spread
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    plane: Floats = centred @ directions[:2].T
    return plane


def _fitted(places: Floats, room: QRectF) -> Floats:
    """Both axes at the same scale, in the middle of the room, up being up."""
    low, high = places.min(axis=0), places.max(axis=0)
    spread = np.maximum(high - low, 1e-12)
    scale = min(room.width() / spread[0], room.height() / spread[1])
    shifted = (places - (low + high) / 2) * scale * np.array([1.0, -1.0])
    middle = np.array([room.center().x(), room.center().y()])
    fitted: Floats = shifted + middle
    return fitted
