"""The matrix as an image: colours of groups along its sides, borders of groups, the selection."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.elided import short_name
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.affinity.colour_bar import ColourBar
from coterie.gui.views.affinity.matrix_image import SHADES, MatrixImage, value_at
from coterie.gui.views.affinity.state import AffinityState, in_short

_STRIP = 0.022  # of the matrix's side: the colours along it
_GAP = 0.006
_LONGEST_NAME = 14
_MANY_BLOCKS, _MOST_BORDERS = 12, 60  # borders are fainter, or left out: they would hide the cells
_TICKS = 5


class MatrixPlot:
    """Draws pictures of similarities; `canvas` goes into a layout."""

    def __init__(self) -> None:
        self.canvas = plotting.canvas("Similarity matrix")
        self.box = pg.ViewBox(enableMenu=False, lockAspect=True, invertY=True)
        self.plot = plotting.add_plot(self.canvas, 0, 0, box=self.box)
        self.bar = ColourBar()
        self.canvas.ci.addItem(self.bar, 0, 1)
        self._image = _Cells()
        self._strips = [pg.ImageItem(), pg.ImageItem()]
        self._borders = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._marks = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._badge = pg.TextItem("preview", anchor=(1, 0))
        for item in (self._image, *self._strips, self._borders, self._marks, self._badge):
            self.plot.addItem(item, ignoreBounds=True)
        self.plot.hideAxis("bottom")
        self._shown: MatrixImage | None = None
        self._state: AffinityState | None = None
        self._side = 0
        self._whole = True  # until a person moves or zooms
        self.box.sigResized.connect(self._on_resized)
        self.box.sigRangeChangedManually.connect(self._on_moved)

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        plotting.style_canvas(self.canvas, theme.current())
        colours = theme.current()
        plotting.style_plot(self.plot, colours, grid=False)
        axis = self.plot.getAxis("left")
        axis.setStyle(tickLength=0, tickAlpha=0)  # a tick of no length is still a dot
        axis.setPen(pg.mkPen(None))  # the matrix has a frame of its own
        self._badge.setColor(colours.warning)
        self._badge.fill = plotting.fill(colours.warning_back)
        self._badge.border = plotting.line(colours.warning)
        self._shown = None

    def draw(self, state: AffinityState, selected: Array) -> None:
        """Show the state's picture, and which items are selected."""
        picture = state.picture
        if picture is None:
            return
        if picture is not self._shown:
            self._shown = picture
            self._badge.setText(state.badge)
            self._draw_matrix(picture, state.code_colours)
            self._state = state
            if picture.m != self._side:
                self._side = picture.m
                self.fit()
            self._name_rows(picture, state)
        self._mark(picture, selected)

    def fit(self) -> None:
        """Show the whole matrix."""
        margin, side = self._margin, self._side
        self._whole = True
        # A box that is not square shows more than the matrix, and one may move as far again.
        wide, high = max(self.box.width(), 1.0), max(self.box.height(), 1.0)
        far = side * max(1.0, wide / high, high / wide)
        self.box.setLimits(xMin=-far, yMin=-far, xMax=side + far, yMax=side + far)
        whole = QRectF(-margin, -margin, side + margin, side + margin)
        self.box.setRange(whole, padding=0.005)

    def place_at(self, scene: QPointF) -> tuple[int, int] | None:
        """Return the row and column at a place of the scene, if the matrix is there."""
        if not self.box.sceneBoundingRect().contains(scene):
            return None
        point = self.box.mapSceneToView(scene)
        row, column = int(np.floor(point.y())), int(np.floor(point.x()))
        inside = 0 <= row < self._side and 0 <= column < self._side
        return (row, column) if inside else None

    def _on_resized(self) -> None:
        if self._whole and self._side:
            self.fit()
        if self._shown is not None and self._state is not None:
            self._name_rows(self._shown, self._state)

    def _on_moved(self) -> None:
        self._whole = False

    @property
    def _margin(self) -> float:
        return self._side * (2 * _STRIP + 2 * _GAP)

    def _draw_matrix(self, picture: MatrixImage, chosen: tuple[str, ...]) -> None:
        dark, m = theme.current().dark, picture.m
        colours = palette.shades(SHADES, signed=picture.signed, dark=dark)
        self._image.setImage(picture.shades, levels=(0, SHADES - 1), lut=colours)
        self._image.setRect(QRectF(0, 0, m, m))
        ends = picture.low, picture.high, picture.wish.scale
        texts = [in_short(value_at(at / (_TICKS - 1), *ends), 3) for at in range(_TICKS)]
        if picture.density:
            texts[-1] = f"≥ {texts[-1]}"
        elif picture.wish.scale == "log" and not picture.signed:
            texts[0] = f"≤ {texts[0]}"
        self.bar.show_scale(colours, tuple(texts))
        self._draw_strips(picture, chosen)
        self._badge.setVisible(picture.wish.items is not None)
        self._badge.setPos(m, 0)
        cuts = [0, m]
        if picture.wish.grouped and len(picture.blocks) <= _MOST_BORDERS:
            cuts += [start for start, _, _ in picture.blocks[1:]]
        ends_of_lines = [((0, cut), (m, cut)) for cut in cuts]
        ends_of_lines += [((cut, 0), (cut, m)) for cut in cuts]
        points = np.array(ends_of_lines, dtype=float).reshape(-1, 2)
        self._borders.setData(points[:, 0], points[:, 1])
        solid = 150 if len(cuts) <= _MANY_BLOCKS else 50
        self._borders.setPen(plotting.line(theme.current().text, 1.0, solid))

    def _draw_strips(self, picture: MatrixImage, chosen: tuple[str, ...]) -> None:
        for strip in self._strips:
            strip.setVisible(picture.codes is not None)
        if picture.codes is None:
            return
        dark, m = theme.current().dark, picture.m
        known = np.unique(picture.codes)
        shades = [palette.group_colour(int(code), chosen, dark=dark) for code in known]
        table = np.stack([palette.rgb(shade) for shade in shades])
        colours = table[np.searchsorted(known, picture.codes)]
        wide, away = _STRIP * m, (_STRIP + _GAP) * m
        self._strips[0].setImage(colours[:, None, :], levels=(0, 255))
        self._strips[0].setRect(QRectF(-away, 0, wide, m))
        self._strips[1].setImage(colours[None, :, :], levels=(0, 255))
        self._strips[1].setRect(QRectF(0, -away, m, wide))

    def _mark(self, picture: MatrixImage, selected: Array) -> None:
        """Mark selected items beside the colours of their groups."""
        middles = picture.rows_of(selected) + 0.5
        near, far = -(_STRIP + 2 * _GAP) * picture.m, -self._margin
        along = np.repeat(middles, 2)
        across = np.tile([near, far], len(middles))
        self._marks.setData(np.concatenate([along, across]), np.concatenate([across, along]))
        self._marks.setPen(plotting.line(theme.current().accent, 2.0))

    def _name_rows(self, picture: MatrixImage, state: AffinityState) -> None:
        """Name groups where there is room; else count rows."""
        ticks = _counted(len(picture.order), picture.m)
        if picture.wish.grouped:
            ticks = self._names_of_blocks(picture, state)
        axis = self.plot.getAxis("left")
        axis.setTicks([ticks])
        metrics = self.canvas.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for _, name in ticks), default=0)
        axis.setWidth(widest + 12)

    def _names_of_blocks(
        self, picture: MatrixImage, state: AffinityState
    ) -> list[tuple[float, str]]:
        """The names of groups, from the top, each where the one before leaves room for it."""
        side = picture.m + 2 * self._margin
        pixels = max(min(self.box.width(), self.box.height()), 1.0)
        line = self.canvas.fontMetrics().height() * side / pixels
        named: list[tuple[float, str]] = []
        for start, stop, code in picture.blocks:
            middle = (start + stop) / 2
            if not named or middle - named[-1][0] >= line:
                named.append((middle, short_name(state.code_name(code), _LONGEST_NAME)))
        return named


class _Cells(pg.ImageItem):  # type: ignore[misc] # the library ships no types
    """An image whose cells are blended where they are smaller than pixels, and sharp elsewhere.

    Qt does this in a third of the time that the library takes to thin out a thousand rows.
    """

    def paint(self, painter: QPainter, *rest: Any) -> None:
        scale = abs(painter.worldTransform().m11())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 1)
        super().paint(painter, *rest)


def _counted(items: int, rows: int) -> list[tuple[float, str]]:
    """Return ticks at round numbers of items."""
    step = 10 ** int(np.log10(max(items, 10) / 2))
    step *= next(by for by in (1, 2, 5, 10) if items / (step * by) < 7)
    return [((at - 0.5) * rows / items, f"{at:,}") for at in (1, *range(step, items + 1, step))]
