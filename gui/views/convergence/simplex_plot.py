"""The triangle of three strategies, and the path of the population in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.elided import short_name
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.convergence.phase_portrait import PhasePortrait
from coterie.gui.views.convergence.portrait_plot import Portrait
from coterie.gui.views.convergence.simplex_path import CORNERS, SimplexPath, in_triangle

_LONGEST_NAME = 13
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
        self._paths: list[Any] = []
        self._cloud = pg.ScatterPlotItem(size=5, pen=pg.mkPen(None))
        self._portrait = Portrait(self.plot)
        self._starts = pg.ScatterPlotItem(size=7)
        self._here = pg.ScatterPlotItem(size=13)
        self._names = [pg.TextItem(anchor=anchor) for anchor in ((0, 0), (1, 0), (0.5, 1))]
        self._said = pg.TextItem(anchor=(0.5, 0))
        for item in (self._grid, self._edge, self._cloud, self._starts, self._here, self._said):
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

    def draw(
        self, path: SimplexPath | None, colours: Colours, portrait: PhasePortrait | None = None
    ) -> None:
        """Draw the path, the part on which each set was formed in the colour of the set.

        Below it is what each item has decided, or where the dynamics lead from other starts.
        """
        self._portrait.draw(portrait, colours)
        if path is None:
            for item in (*self._paths, self._starts, self._here, self._cloud):
                item.setData([], [])
            for name in self._names:
                name.setText("")
            self._said.setText("A triangle needs three of them.")
            return
        self._draw_cloud(path, colours)
        dark = colours.dark
        until, sets = path.places[: path.here + 1], path.sets[: path.here + 1]
        first = np.flatnonzero(np.diff(sets, prepend=-1))
        shades = [
            colours.accent if path.of_groups else palette.group_colour(int(group), dark=dark)
            for group in sets[first]
        ]
        for item in self._paths[len(first) :]:
            item.setData([], [])
        for number, part in enumerate(np.split(until, first[1:])):
            self._path(number).setData(
                part[:, 0], part[:, 1], pen=plotting.line(shades[number], 2.0)
            )
        known = np.asarray(np.isfinite(until[first]).all(axis=1))
        self._starts.setData(
            *until[first][known].T,
            brush=plotting.fill(colours.base),
            pen=[plotting.line(shade) for shade, one in zip(shades, known, strict=True) if one],
        )
        now = until[-1:][np.isfinite(until[-1:]).all(axis=1)]
        self._here.setData(
            *now.T, brush=plotting.fill(shades[-1]), pen=plotting.line(colours.base, 2.0)
        )
        for item, name, strategy in zip(self._names, path.names, path.items, strict=True):
            short = short_name(name, _LONGEST_NAME)
            item.setText(short)
            shade = palette.group_colour(strategy, dark=dark) if path.of_groups else colours.text
            item.setColor(shade)
        iteration = int(path.iterations[path.here]) if len(path.iterations) else 0
        nowhere = "" if len(now) else "\nnone of the three has a share"
        self._said.setText(f"at iteration {iteration:,}{nowhere}")

    def _draw_cloud(self, path: SimplexPath, colours: Colours) -> None:
        """Draw each item where its decision is, in the colour of the group that leads in it."""
        if path.cloud is None or not len(path.cloud):
            self._cloud.setData([], [])
            return
        shades = [palette.group_colour(one, dark=colours.dark) for one in path.items]
        brushes = [plotting.fill(shade, 130) for shade in shades]
        self._cloud.setData(
            *in_triangle(path.cloud).T, brush=[brushes[i] for i in path.cloud.argmax(axis=1)]
        )

    def _path(self, number: int) -> Any:
        if number == len(self._paths):
            item = pg.PlotCurveItem(connect="finite")
            self.plot.addItem(item, ignoreBounds=True)
            self._paths.append(item)
        return self._paths[number]


def _level_lines() -> Array:
    """Lines of equal share, broken by not-a-numbers."""
    found = []
    for corner in range(3):
        others = [CORNERS[i] for i in range(3) if i != corner]
        for level in _LEVELS:
            ends = [level * CORNERS[corner] + (1 - level) * other for other in others]
            found += [*ends, np.full(2, np.nan)]
    return np.array(found)
