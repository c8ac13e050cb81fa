"""Stars in a scatter at the exemplars of a running method, with the paths they took."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours


class ExemplarMarks:
    """Destinations or means of a run that is watched: stars, and lines to where they began."""

    def __init__(self, plot: Any) -> None:
        self._ways = pg.PlotCurveItem()
        self._stars = pg.ScatterPlotItem(symbol="star", size=18, pxMode=True)
        for depth, item in enumerate((self._ways, self._stars)):
            item.setZValue(20 + depth)
            item.setVisible(False)
            plot.addItem(item, ignoreBounds=True)

    def draw(self, ways: Floats, colours: Colours) -> None:
        """Show the last of the (steps, k, 2) places, and the lines that lead to them."""
        for item in (self._ways, self._stars):
            item.setVisible(bool(ways.size))
        if not ways.size:
            return
        x, y = np.moveaxis(ways, 2, 0)
        steps = np.ones(ways.shape[:2], dtype=bool)
        steps[-1] = False  # one way ends, the next one begins elsewhere
        self._ways.setData(x.T.ravel(), y.T.ravel(), connect=steps.T.ravel())
        self._ways.setPen(plotting.line(colours.text, 1.2))
        self._stars.setData(
            x[-1], y[-1], pen=plotting.line(colours.base, 1.5), brush=plotting.fill(colours.text)
        )
