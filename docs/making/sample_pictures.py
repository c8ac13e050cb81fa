"""Draws the samples for the start page, once, when Coterie is built: it then shows them at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from coterie.core.formats.samples import SAMPLES
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.features.bands import natural_colours
from coterie.gui.app.start_page import PICTURE_SIZE

_SCALE = 2  # sharp on dense screens too
_MARGIN = 10.0
_DOT = 2.5
_ROWS = 5  # of small pictures, where the items are such
# Between the light and the dark palette, so one picture suits both.
_COLOURS = ("#2f8fdc", "#ee7a2e", "#22b488", "#d46fb0")
_GREY = "#7d8793"
_CAPTION = 9.0  # points


def draw_pictures(into: Path) -> list[Path]:
    """Write one PNG with a transparent background for each sample; return their paths."""
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for name, sample in SAMPLES.items():
        path = into / f"{name}.png"
        image = _two_ways(name) or draw(sample.make())
        image.save(str(path))
        written.append(path)
    return written


def _two_ways(name: str) -> QImage | None:
    """Where a sample's recipe labels the rest by transduction: that beside the plain way.

    Both are computed by the engine. None for other samples.
    """
    from coterie.projects.recipe.defaults import sample_recipe
    from coterie.projects.session import Session

    recipe = sample_recipe(name)
    labelling = [step for step in recipe.steps if step.params.get("rest") == "transduction"]
    if not labelling:
        return None
    step = labelling[0]
    session = Session()
    session.start()
    pictures = []
    try:
        for way in ("nearest", "transduction"):
            session.project.load_recipe(
                recipe.changed(step.name, params={**step.params, "rest": way})
            )
            session.run(step.name)
            session.wait()
            found = session.fetch(step.name)
            pictures.append((way, found.dataset, found.labels))
    finally:
        session.close()
    return _beside_each_other(pictures)


def _beside_each_other(pictures: list[tuple[str, Dataset, Ints]]) -> QImage:
    """The same items in the colours of several groupings, each with its name under it."""
    size = PICTURE_SIZE * _SCALE
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    width, caption = size.width() / len(pictures), 20.0 * _SCALE
    margin = _MARGIN * _SCALE / 2
    for number, (title, dataset, labels) in enumerate(pictures):
        area = QRectF(number * width, 0, width, size.height() - caption)
        room = area.adjusted(margin, margin, -margin, -margin)
        _draw_dots(painter, dataset, labels, room, 0.8 * _DOT)
        font = painter.font()
        font.setPixelSize(round(_CAPTION * _SCALE * 1.3))
        painter.setFont(font)
        painter.setPen(QColor(_GREY))
        below = QRectF(area.left(), area.bottom(), width, caption)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, title)
    painter.end()
    return image


def draw(dataset: Dataset) -> QImage:
    """Return a photograph as it is, pictures side by side, or the items as dots."""
    details = dataset.details
    if dataset.n == details.get("height", 0) * details.get("width", 0):
        pixels = _colours(dataset).reshape(details["height"], details["width"], 3)
        return _framed(np.rint(255 * pixels).astype(np.uint8))
    if dataset.thumbnails is not None:
        return _framed(_side_by_side(dataset.thumbnails))
    return _dots(dataset)


def _colours(dataset: Dataset) -> Floats:
    """Red, green and blue of each pixel; those of a scene made brighter, as it is mostly dark."""
    features = dataset.dense_features()
    if dataset.d == 3:
        return features
    natural = features[:, natural_colours(dataset.details["wavelengths"])]
    return np.clip(natural / np.quantile(natural, 0.98), 0, 1) ** 0.6


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
    margin = _MARGIN * _SCALE
    room = QRectF(margin, margin, size.width() - 2 * margin, size.height() - 2 * margin)
    classes = np.zeros(dataset.n, dtype=np.int64) if dataset.truth is None else dataset.truth
    _draw_dots(painter, dataset, classes, room, _DOT)
    painter.end()
    return image


def _draw_dots(
    painter: QPainter, dataset: Dataset, classes: Ints, room: QRectF, radius: float
) -> None:
    places = _fitted(_plane(dataset), room)
    painter.setPen(Qt.PenStyle.NoPen)
    # In a mixed order, so no class hides another.
    for item in np.random.default_rng(0).permutation(dataset.n):
        group = int(classes[item])
        colour = QColor(_COLOURS[group % len(_COLOURS)] if group >= 0 else _GREY)
        colour.setAlphaF(0.85)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(*places[item]), radius * _SCALE, radius * _SCALE)


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
