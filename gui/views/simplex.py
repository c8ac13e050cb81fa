"""The triangle of three strategies, and the way of the population through it."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.arrays import Array
from coterie.gui.states.simplex_path import CORNERS, SimplexPath
from coterie.gui.styling import palette
from coterie.gui.styling.theme import Colours
from coterie.gui.views import plotting
from coterie.gui.views.plotting import pg

_LONGEST_NAME = 18
_LEVELS = (0.25, 0.5, 0.75)


class SimplexPlot:
    """Draws into one cell of a canvas."""

    def __init__(self, canvas: Any, row: int, column: int, rows: int) -> None:
        self.plot = plotting.add_plot(canvas, row, column, rows=rows)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setAspectLocked(True)
        for side in ("left", "bottom"):
            self.plot.hideAxis(side)
        self._edge = pg.PlotCurveItem()
        self._grid = pg.PlotCurveItem(connect="finite")
        self._path = pg.PlotCurveItem(connect="finite")
        self._starts = pg.ScatterPlotItem(size=7)
        self._here = pg.ScatterPlotItem(size=13)
        self._names = [pg.TextItem(anchor=anchor) for anchor in ((0.5, 0), (0.5, 0), (0.5, 1))]
        self._said = pg.TextItem(anchor=(0.5, 0))
        for item in (self._grid, self._edge, self._path, self._starts, self._here, self._said):
            self.plot.addItem(item, ignoreBounds=True)
        for name, corner in zip(self._names, CORNERS, strict=True):
            name.setPos(*corner)
            self.plot.addItem(name, ignoreBounds=True)
        closed = np.vstack([CORNERS, CORNERS[:1]])
        self._edge.setData(closed[:, 0], closed[:, 1])
        lines = _level_lines()
        self._grid.setData(lines[:, 0], lines[:, 1])
        self._said.setPos(0.5, -0.14)
        self.plot.setXRange(-0.06, 1.06, padding=0)
        self.plot.setYRange(-0.26, 1.02, padding=0)

    def restyle(self, colours: Colours) -> None:
        """Take the colours of the theme again."""
        self._edge.setPen(plotting.line(colours.muted, 1.4))
        self._grid.setPen(plotting.line(colours.grid, 1.0))
        for name in self._names:
            name.setColor(colours.text)
        self._said.setColor(colours.muted)

    def draw(self, path: SimplexPath | None, group: int, colours: Colours) -> None:
        """Draw the path, the newest part of it in the colour of the group that is formed."""
        if path is None:
            for item in (self._path, self._starts, self._here):
                item.setData([], [])
            for name in self._names:
                name.setText("")
            self._said.setText("Three strategies are needed for a triangle.")
            return
        colour = palette.group_colour(group, dark=colours.dark)
        until = path.places[: path.here + 1]
        broken = np.insert(until, np.flatnonzero(path.begins[: path.here + 1])[1:], np.nan, axis=0)
        self._path.setData(broken[:, 0], broken[:, 1], pen=plotting.line(colour, 2.0))
        first = _seen(until[path.begins[: path.here + 1]])
        self._starts.setData(
            first[:, 0], first[:, 1], brush=plotting.fill(colours.base), pen=plotting.line(colour)
        )
        now = _seen(until[-1:])
        self._here.setData(
            now[:, 0],
            now[:, 1],
            brush=plotting.fill(colour),
            pen=plotting.line(colours.base, 2.0),
        )
        for item, name in zip(self._names, path.names, strict=True):
            short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
            item.setText(short)
        iteration = int(path.iterations[path.here]) if len(path.iterations) else 0
        nowhere = "" if len(now) else ": none of the three has a share"
        self._said.setText(f"shares among the three at iteration {iteration:,}{nowhere}")


def _seen(places: Array) -> Array:
    """Those of the places that are somewhere."""
    return places[np.isfinite(places).all(axis=1)]


def _level_lines() -> Array:
    """Lines of equal share, broken by not-a-numbers."""
    found = []
    for corner in range(3):
        others = [CORNERS[i] for i in range(3) if i != corner]
        for level in _LEVELS:
            ends = [level * CORNERS[corner] + (1 - level) * other for other in others]
            found += [*ends, np.full(2, np.nan)]
    return np.array(found)
