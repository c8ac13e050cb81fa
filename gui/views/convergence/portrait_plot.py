"""Draws a phase portrait into the triangle of three strategies."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.convergence.phase_portrait import PhasePortrait

_HEAD = 0.022  # of the side of the triangle: an arrow's head
_SHORTEST = 8  # points of a path that has an arrow


class Portrait:
    """Thin paths with arrows; dots where populations come to rest, rings where they leave."""

    def __init__(self, plot: Any) -> None:
        self._paths = pg.PlotCurveItem(connect="finite")
        self._heads = pg.PlotCurveItem(connect="finite")
        self._rests = pg.ScatterPlotItem(size=8)
        for item in (self._paths, self._heads, self._rests):
            plot.addItem(item, ignoreBounds=True)
        self._drawn: PhasePortrait | None = None

    def draw(self, portrait: PhasePortrait | None, colours: Colours) -> None:
        """Draw a portrait, or nothing."""
        self._paths.setPen(plotting.line(colours.muted, 1.0, 110))
        self._heads.setPen(plotting.line(colours.muted, 1.4, 170))
        pen = plotting.line(colours.muted, 1.4)
        if portrait is None:
            for item in (self._paths, self._heads, self._rests):
                item.setData([], [])
        elif portrait is not self._drawn:
            self._paths.setData(*_end_to_end(portrait.paths).T)
            self._heads.setData(*_end_to_end([_head(path) for path in portrait.paths]).T)
        if portrait is not None:
            shades = [colours.muted if one else colours.base for one in portrait.stable]
            brushes = [plotting.fill(shade) for shade in shades]
            self._rests.setData(*portrait.rests.T, brush=brushes, pen=pen)
        self._drawn = portrait


def _head(path: Array) -> Array:
    """The head of an arrow in the middle of a path."""
    if len(path) < _SHORTEST:
        return np.empty((0, 2))
    at = len(path) // 2
    way = path[at] - path[at - 1]
    way = _HEAD * way / max(float(np.linalg.norm(way)), 1e-12)
    across = 0.6 * np.array([-way[1], way[0]])
    return np.stack([path[at] - way + across, path[at], path[at] - way - across])


def _end_to_end(paths: Any) -> Array:
    """All paths as one, with not-a-number between them."""
    gap = np.full((1, 2), np.nan)
    return np.vstack([np.vstack([path, gap]) for path in paths] or [gap])
