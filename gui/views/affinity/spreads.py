"""The distributions of similarities and degrees: two small histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.affinity.matrix_image import Distribution, MatrixImage

_FLOOR = -0.3  # of a logarithmic count: one is still a bar


class Spreads:
    """Draws the two distributions; `canvas` goes into a layout."""

    def __init__(self) -> None:
        self.canvas = plotting.canvas("Distributions of similarities and degrees")
        self.canvas.ci.layout.setContentsMargins(2, 8, 8, 2)
        self.similarities = self._add(0, "similarity", "pairs", powers=True)
        self.degrees = self._add(1, "degree", "items", powers=False)
        self._bars: list[Any] = []
        self._shown: MatrixImage | None = None

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        plotting.style_canvas(self.canvas, theme.current())
        for plot in (self.similarities, self.degrees):
            plotting.style_plot(plot, theme.current(), grid=False)
        self._shown = None

    def draw(self, picture: MatrixImage | None) -> None:
        """Show the distributions of a picture."""
        if picture is None or picture is self._shown:
            return
        self._shown = picture
        for plot, bars in self._bars:
            plot.removeItem(bars)
        self._bars = []
        colours = theme.current()
        self._draw(self.similarities, picture.similarities, colours.accent, log=True)
        self._draw(self.degrees, picture.degrees, colours.accent)
        highest, named = picture.degrees.counts.max(initial=1), "degree"
        if picture.in_degrees is not None:
            other = palette.group_colour(1, dark=colours.dark)
            self._draw(self.degrees, picture.in_degrees, other, opacity=150)
            highest = max(highest, picture.in_degrees.counts.max(initial=1))
            out, into = _coloured("out", colours.accent), _coloured("in", other)
            named = plotting.Markup(f"{out}- and {into}-degree")
        self.degrees.setYRange(0, 1.06 * float(highest), padding=0)
        sparse = picture.wish.affinity.sparse is not None
        self.similarities.getAxis("left").setLabel("edges" if sparse else "pairs")
        axis = self.degrees.getAxis("bottom")
        axis.setLabel(named)
        axis.resizeEvent()  # a longer name stays in the middle

    def _add(self, row: int, x: str, y: str, *, powers: bool) -> Any:
        plot = plotting.add_plot(self.canvas, row, 0, x=x, y=y, powers=powers)
        plot.setMouseEnabled(x=False, y=False)
        plot.getAxis("left").setWidth(48)
        return plot

    def _draw(
        self,
        plot: Any,
        spread: Distribution,
        colour: str,
        *,
        log: bool = False,
        opacity: int = 225,
    ) -> None:
        edges, counts = spread.edges, spread.counts.astype(float)
        width, floor = np.diff(edges), 0.0
        if log:
            floor = _FLOOR
            counts = np.where(counts > 0, np.log10(np.maximum(counts, 1)) - floor, 0.0)
            plot.setYRange(floor, floor + 1.06 * max(float(counts.max(initial=0)), 1.0), padding=0)
        bars = pg.BarGraphItem(
            x0=edges[:-1] + 0.03 * width,
            width=0.94 * width,
            y0=floor,
            height=counts,
            brush=plotting.fill(colour, opacity),
            pen=pg.mkPen(None),
        )
        plot.addItem(bars)
        self._bars.append((plot, bars))
        plot.setXRange(float(edges[0]), float(edges[-1]), padding=0.01)


def _coloured(word: str, colour: str) -> str:
    return f'<span style="color: {colour}">{word}</span>'
