"""Bars, matrices and images: marks side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QRectF

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing import palette
from coterie.core.numerics.drawing.palette import rgb
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.views.figures.forms import DrawnFigure, span

_STRIP = 0.012  # of the width, for the colours of the groups beside the rows of a matrix
_MOST_NAMED = 200
_MOST_WRITTEN = 80  # cells with their value in them; each takes half a millisecond


class _Rows(DrawnFigure):
    """Marks one under the other, the first on top; a brush takes the rows it reaches."""

    upside_down = True
    zooms = (False, True)

    def places(self) -> tuple[Array, Array]:
        m = self.figure.marks
        return np.zeros(m), np.arange(m, dtype=float)

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        row = int(np.floor(y + 0.5))
        return row if 0 <= row < self.figure.marks else -1

    def marks_in(self, corners: Array) -> Ints:
        low, high = corners[:, 1].min(), corners[:, 1].max()
        first = max(0, int(np.floor(low + 0.5)))
        last = min(self.figure.marks - 1, int(np.floor(high + 0.5)))
        return np.arange(first, last + 1)

    def _highlight(self, shares: Floats, left: float, right: float) -> tuple[Array, Array]:
        """Lines along the rows that are selected, wholly or in part."""
        rows = np.flatnonzero(shares > 0)
        return np.tile([left, right], len(rows)), np.repeat(rows.astype(float), 2)


class Bars(_Rows):
    """A bar for each mark, to the right, or to the left where it is below 0."""

    def draw(self) -> None:
        values = np.nan_to_num(np.asarray(self.figure.values, np.float64))
        colours, which = self.mark_colours()
        m = len(values)
        self._values = values
        few = m <= 80
        for number, colour in enumerate(colours):
            rows = np.flatnonzero(which == number)
            bars = pg.BarGraphItem(
                x0=np.minimum(values[rows], 0.0),
                y=rows.astype(float),
                height=0.8 if few else 1.0,
                width=np.abs(values[rows]),
                brush=plotting.fill(colour),
                pen=pg.mkPen(None),
            )
            self.add(bars)
        zero = pg.InfiniteLine(pos=0, angle=90, pen=plotting.line(self.colours.muted))
        self.add(zero)
        self._marks = self.add(
            pg.PlotCurveItem(
                connect="pairs", pen=plotting.line(self.colours.accent, 2.0, 120 if m > 80 else 220)
            )
        )

    def extent(self) -> tuple[float, float, float, float]:
        low, high = span(np.append(self._values, 0.0))
        return low, high, -0.6, max(self.figure.marks, 3) - 0.4

    def mark(self, shares: Floats) -> None:
        low, high, *_ = self.extent()
        self._marks.setData(*self._highlight(shares, low, high))

    def show_ticks(self) -> None:
        self.name_axis("bottom", ())
        few = self.figure.marks <= _MOST_NAMED
        self.name_axis("left", self.figure.rows if few else (), blank=not few)
        if few and not self.figure.rows:
            self.name_axis("left", (), blank=True)


class Matrix(_Rows):
    """A shade for each cell: light for the least, dark for the largest; both ways from zero."""

    zooms = (True, True)

    def draw(self) -> None:
        values = np.asarray(self.figure.values, np.float64)
        self._values = values
        rows, columns = values.shape
        image = pg.ImageItem(shades_of(values, self.colours), levels=(0, 255))
        image.setRect(QRectF(-0.5, -0.5, columns, rows))
        self.add(image)
        self._left = -0.5
        if self.figure.groups is not None and self.figure.rows:
            self._draw_strip(rows, columns)
        if rows * columns <= _MOST_WRITTEN:
            self._write_values(values)
        self._marks = self.add(
            pg.PlotCurveItem(connect="finite", pen=plotting.line(self.colours.accent, 2.4))
        )

    def extent(self) -> tuple[float, float, float, float]:
        rows, columns = self._values.shape
        return self._left - 0.01 * columns, columns - 0.5, -0.5, max(rows, 1) - 0.5

    def about(self, x: float, y: float) -> str:
        row, column = int(np.floor(y + 0.5)), int(np.floor(x + 0.5))
        rows, columns = self._values.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return ""
        name = self.figure.columns[column] if self.figure.columns else f"column {column + 1}"
        value = self._values[row, column]
        return f"{name}: {value:.4g}" if np.isfinite(value) else f"{name}: no value"

    def mark(self, shares: Floats) -> None:
        """A frame around each row that is selected."""
        rows, columns = np.flatnonzero(shares > 0), self._values.shape[1]
        left, right, low, high = self._left, columns - 0.5, rows - 0.5, rows + 0.5
        gap = np.full(len(rows), np.nan)
        x = np.tile([left, right, right, left, left, np.nan], (len(rows), 1))
        y = np.column_stack([low, low, high, high, low, gap])
        self._marks.setData(x.ravel(), y.ravel())

    def show_ticks(self) -> None:
        self.name_axis("left", self.figure.rows, blank=not self.figure.rows)
        self.name_axis("bottom", self.figure.columns, blank=not self.figure.columns)

    def _draw_strip(self, rows: int, columns: int) -> None:
        colours, which = self.mark_colours()
        shades = np.stack([rgb(colour) for colour in colours])[which][:, None]
        width = max(_STRIP * columns, 0.06)
        self._left = -0.5 - 1.6 * width
        strip = pg.ImageItem(np.ascontiguousarray(shades), levels=(0, 255))
        strip.setRect(QRectF(self._left, -0.5, width, rows))
        self.add(strip)

    def _write_values(self, values: Floats) -> None:
        shades = shades_of(values, self.colours)[..., :3].astype(float) @ [0.3, 0.59, 0.11]
        for (row, column), value in np.ndenumerate(values):
            dark = shades[row, column] < 128
            words = f"{value:.2g}" if np.isfinite(value) else "–"
            text = pg.TextItem(words, color="#ffffff" if dark else "#15181c", anchor=(0.5, 0.5))
            text.setPos(column, row)
            self.add(text)


class Image(DrawnFigure):
    """Pixels as they are, or shades of one quantity."""

    upside_down = True

    def draw(self) -> None:
        values = self.figure.values
        pixels = values if values.ndim == 3 else shades_of(np.asarray(values, float), self.colours)
        image = pg.ImageItem(np.ascontiguousarray(pixels), levels=(0, 255))
        image.setRect(QRectF(0, 0, values.shape[1], values.shape[0]))
        self.add(image)

    def extent(self) -> tuple[float, float, float, float]:
        height, width = self.figure.values.shape[:2]
        return 0.0, float(width), 0.0, float(height)

    def places(self) -> tuple[Array, Array]:
        return np.zeros(0), np.zeros(0)

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        return -1

    def about(self, x: float, y: float) -> str:
        height, width = self.figure.values.shape[:2]
        if self.figure.values.ndim != 2 or not (0 <= x < width and 0 <= y < height):
            return ""
        return f"{float(self.figure.values[int(y), int(x)]):.4g}"

    def mark(self, shares: Floats) -> None:
        return  # its pixels stand for no items


def shades_of(values: Floats, colours: Any) -> Array:
    """Return the colours of a matrix, (rows, columns, 4) bytes; what is missing is grey."""
    known = np.isfinite(values)
    low = float(values[known].min()) if known.any() else 0.0
    high = float(values[known].max()) if known.any() else 1.0
    signed = low < 0 < high
    if signed:
        low, high = min(low, -high), max(-low, high)
    scale = 255 / ((high / 2 - low / 2) or 1.0)
    levels = np.where(known, (values / 2 - low / 2) * scale, 0.0)
    table = palette.shades(256, signed=signed, dark=colours.dark)
    shades = np.empty((*values.shape, 4), dtype=np.uint8)
    shades[..., :3] = table[np.clip(np.rint(levels), 0, 255).astype(np.intp)]
    shades[..., 3] = 255
    shades[~known] = [*rgb(colours.line).tolist(), 255]
    return shades
