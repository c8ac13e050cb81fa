"""The distribution of one column as stacked bars, one colour for each group."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.data.distribution import Histogram


class HistogramPlot:
    """Draws histograms; `widget` goes into a layout."""

    def __init__(self) -> None:
        self._canvas = plotting.canvas("Distribution of the selected column")
        self._plot = plotting.add_plot(self._canvas, 0, 0, y="items")
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.getAxis("left").setWidth(56)
        self._bars: list[Any] = []
        self._shown: Histogram | None = None

    @property
    def widget(self) -> QWidget:
        """The widget to be laid out."""
        found: QWidget = self._canvas
        return found

    @property
    def canvas(self) -> Any:
        """The canvas, for export."""
        return self._canvas

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        plotting.style_canvas(self._canvas, theme.current())
        plotting.style_plot(self._plot, theme.current(), grid=False)
        self.draw(self._shown)

    def draw(self, shown: Histogram | None) -> None:
        """Show a distribution, or nothing."""
        self._shown = shown
        for bars in self._bars:
            self._plot.removeItem(bars)
        self._bars = []
        axis = self._plot.getAxis("bottom")
        if shown is None:
            axis.setTicks([])
            axis.setLabel("This column has no distribution to show.")
            return
        colours = theme.current()
        left, width = shown.edges[:-1], np.diff(shown.edges)
        below = np.zeros(len(left))
        grouped = shown.groups != (-1,) or shown.names != ("all items",)
        for group, counts in zip(shown.groups, shown.counts, strict=True):
            shade = palette.group_colour(group, shown.colours, dark=colours.dark)
            colour = shade if grouped else colours.accent
            bars = pg.BarGraphItem(
                x0=left + 0.03 * width,
                width=0.94 * width,
                y0=below,
                height=counts,
                brush=plotting.fill(colour, 225),
                pen=pg.mkPen(None),
            )
            self._plot.addItem(bars)
            self._bars.append(bars)
            below = below + counts
        named = [list(enumerate(shown.categories))] if shown.categories else None
        axis.setTicks(named)
        axis.show_dates(shown.dates)
        missing = f"  ({shown.missing:,} without a value)" if shown.missing else ""
        axis.setLabel(f"{shown.title}{missing}")
        span = float(shown.edges[-1] - shown.edges[0])
        self._plot.setXRange(
            float(shown.edges[0]) - 0.01 * span, float(shown.edges[-1]) + 0.01 * span, padding=0
        )
        self._plot.setYRange(0, max(float(below.max()), 1.0) * 1.06, padding=0)
