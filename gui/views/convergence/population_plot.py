"""The population: its largest shares as bars, all of them sorted, or over time as lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.elided import short_name
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.convergence.population import MOST_BARS, ShareBars, Sorted

_LONGEST_NAME = 16
_MOST_COLUMNS, _LEVELS = 600, 120  # of the picture of decisions
_NONE = (np.empty(0), np.empty((0, 0)), np.empty(0, dtype=np.int64))


class PopulationPlot:
    """Draws into one cell of a canvas."""

    def __init__(self, canvas: Any, row: int, column: int, rows: int) -> None:
        self.plot = plotting.add_plot(canvas, row, column, rows=rows)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.disableAutoRange()  # every picture says its range
        self._axis_width = 48.0
        self.plot.getAxis("left").setWidth(self._axis_width)
        self.plot.getAxis("left").setStyle(tickLength=0)
        self.plot.getAxis("bottom").setTickDensity(0.4)  # or small shares run into each other
        self._bars = pg.BarGraphItem(x0=[], y=[], width=[], height=0.76)
        self._area = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center")
        self._image = pg.ImageItem()
        self._lines: list[Any] = []
        self._rest = pg.TextItem(anchor=(1, 1))
        self.plot.addItem(self._bars, ignoreBounds=True)
        self.plot.addItem(self._area, ignoreBounds=True)
        self.plot.addItem(self._image, ignoreBounds=True)
        self.plot.addItem(self._rest, ignoreBounds=True)
        self._ticks: tuple[str, ...] | None = None
        self._shown = ""

    def restyle(self, colours: Colours) -> None:
        """Take the colours of the theme again."""
        plotting.style_plot(self.plot, colours, grid=False)
        self._rest.setColor(colours.muted)

    def draw_bars(
        self, bars: ShareBars | None, colours: Colours, *, of_groups: bool = False
    ) -> None:
        """Draw the largest shares from the top, each in the colour of the group it is of."""
        self._show("bars")
        if bars is None:
            self._bars.setOpts(x0=[], y=[], width=[], height=0.76)
            self._name(())
            self._rest.setText("")
            return
        shades = [palette.group_colour(group, dark=colours.dark) for group in bars.groups.tolist()]
        alike = len(set(shades)) == 1  # drawn in one go
        places = -np.arange(len(bars.shares), dtype=float)
        self._bars.setOpts(
            x0=0.0,
            y=places,
            width=bars.shares,
            height=0.76,
            brush=plotting.fill(shades[0], 225) if alike else None,
            brushes=None if alike else [plotting.fill(shade, 225) for shade in shades],
            pen=pg.mkPen(None),
        )
        self._name(bars.names)
        share = "share of the items" if of_groups else "share"
        self.plot.getAxis("bottom").setLabel(f"{share} at iteration {bars.iteration:,}")
        widest = float(bars.shares.max(initial=0.0)) or 1.0
        bottom = -max(len(bars.shares), 8) + (-0.6 if bars.others else 0.4)
        self.plot.setXRange(0, widest * 1.04, padding=0)
        self.plot.setYRange(bottom, 0.6, padding=0)
        self._rest.setText(f"{bars.others:,} more hold {bars.rest:.1%}" if bars.others else "")
        self._rest.setPos(widest * 1.04, bottom)

    def draw_area(self, found: Sorted | None, colours: Colours) -> None:
        """Draw all shares, largest first: flat where all are alike, a peak where few hold all.

        Places are counted by powers of ten, so ten members are seen among thousands of items.
        """
        self._show("area")
        if found is None:
            self._area.setData([0.0, 1.0], [0.0])
            return
        colour = palette.group_colour(found.group, dark=colours.dark)
        self._area.setData(
            np.log10(np.append(found.places - 0.5, found.count + 0.5)),
            found.shares,
            fillLevel=0.0,
            brush=plotting.fill(colour, 110),
            pen=plotting.line(colour, 1.4),
        )
        last = np.log10(found.count + 0.5)
        axis = self.plot.getAxis("bottom")
        axis.setLabel("items, largest share first")
        axis.setTicks([[(p, f"{10**p:,}") for p in range(int(last) + 1)]])
        self.plot.setXRange(np.log10(0.5), last, padding=0)
        self.plot.setYRange(0, float(found.shares[0]) * 1.04 or 1.0, padding=0)

    def draw_decisions(self, rows: Array | None, colours: Colours) -> None:
        """Draw the shares (m, k) of the groups in each item as a column of colours."""
        self._show("decided")
        if rows is None:
            self._image.clear()
            return
        n, k = rows.shape
        seen = rows[np.linspace(0, n - 1, min(n, _MOST_COLUMNS)).round().astype(np.int64)]
        levels = (np.arange(_LEVELS) + 0.5) / _LEVELS
        ends = np.cumsum(seen, axis=1)
        ends /= np.maximum(ends[:, -1:], 1e-12)
        which = (levels[:, None, None] > ends[None, :, :-1]).sum(axis=2)
        shades = [palette.rgb(palette.group_colour(one, dark=colours.dark)) for one in range(k)]
        self._image.setImage(np.stack(shades)[which].astype(np.uint8), levels=(0, 255))
        self._image.setRect(QRectF(0, 0, n, 1))
        self.plot.getAxis("bottom").setLabel("items, by the group they lean to")
        self.plot.setXRange(0, n, padding=0)
        self.plot.setYRange(0, 1, padding=0)

    def draw_lines(self, found: tuple[Array, Array, Array] | None, colours: Colours) -> None:
        """Draw shares (t, m) over iterations (t,), each in the colour of its group (m,)."""
        self._show("lines")
        iterations, shares, groups = found if found is not None else _NONE
        # One item per colour: all its lines end to end, with a gap between them.
        gap = np.append(iterations.astype(float), np.nan)
        seen = [int(group) for group in np.unique(groups)]
        for item in self._lines[len(seen) :]:
            item.setData([], [])
        for place, group in enumerate(seen):
            part = shares[:, groups == group]
            y = np.vstack([part, np.full((1, part.shape[1]), np.nan)]).T.ravel()
            x = np.tile(gap, part.shape[1])
            colour = palette.group_colour(group, dark=colours.dark)
            # One pixel wide: a wider line is outlined first, which for many crossing ones takes
            # thirty times as long.
            self._line_item(place).setData(x, y, pen=plotting.line(colour, 1.0, 190))
        if found is not None:
            last = float(iterations[-1])
            self.plot.setXRange(float(iterations[0]), max(last, 1.0), padding=0.02)
            self.plot.setYRange(0, float(np.nanmax(shares)) * 1.04 or 1.0, padding=0)

    def _line_item(self, place: int) -> Any:
        if place == len(self._lines):
            item = pg.PlotCurveItem(connect="finite")
            self.plot.addItem(item, ignoreBounds=True)
            self._lines.append(item)
        return self._lines[place]

    def _show(self, what: str) -> None:
        """Make the plot one of bars, lines or an area; a label is laid out again each time."""
        if what == self._shown:
            return
        self._shown = what
        bars = what == "bars"
        self._bars.setVisible(bars)
        self._rest.setVisible(bars)
        self._area.setVisible(what == "area")
        self._image.setVisible(what == "decided")
        for item in self._lines:
            item.setVisible(what == "lines")
        self.plot.getAxis("bottom").setTicks(None)
        if what == "lines":
            self.plot.getAxis("bottom").setLabel("iteration")
        self.plot.getAxis("left").setLabel(None if bars else "share")
        if not bars and self._ticks is not None:
            self._ticks = None
            self.plot.getAxis("left").setTicks(None)

    def _name(self, names: tuple[str, ...]) -> None:
        if names != self._ticks:
            self._ticks = names
            short = [short_name(name, _LONGEST_NAME) for name in names[:MOST_BARS]]
            axis = self.plot.getAxis("left")
            metrics = QFontMetricsF(axis.font())
            needed = 14 + max((metrics.horizontalAdvance(name) for name in short), default=0.0)
            if needed > self._axis_width:  # it only grows, so the bars do not dance
                self._axis_width = needed
                axis.setWidth(needed)
            axis.setTicks([[(-i, name) for i, name in enumerate(short)]])
