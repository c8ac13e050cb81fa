"""Scatters and lines: a dot or a line for each mark."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing.palette import group_mark
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.dots import DotsItem, DotStyle
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.views.figures.forms import DrawnFigure, span

_GAP = 0.06  # of a cell, between the plots of a scatter matrix
_FEW_LINES = 8  # that are drawn bolder when they are selected
_QUIET = 90  # opacity of what is not selected


class Scatter(DrawnFigure):
    """Dots on two axes, or a plot for each pair of more, below the diagonal."""

    def draw(self) -> None:
        values = np.asarray(self.figure.values, np.float64)
        m, a = values.shape
        self._pairs = [(0, 1)] if a == 2 else [(x, y) for x, y in combinations(range(a), 2)]
        if a == 2:
            across, up = values[:, [0]], values[:, [1]]
        else:
            unit = np.column_stack([_unit(column) for column in values.T])
            # Plot (x, y) is in column x, and row y counted from the top.
            across = np.column_stack([x + unit[:, x] for x, _ in self._pairs])
            up = np.column_stack([(a - 1 - y) + unit[:, y] for _, y in self._pairs])
            self._draw_frames(a)
        self._across, self._up = across.ravel(), up.ravel()
        self._mark_of = np.repeat(np.arange(m), len(self._pairs))
        self._known = np.flatnonzero(np.isfinite(self._across) & np.isfinite(self._up))
        size = 7.0 if m * len(self._pairs) <= 3000 else 4.5
        looks, which = self._looks_of(size)
        self._looks = looks
        self._which = which[self._mark_of]
        self._dots = self.add(DotsItem())
        self._chosen = self.add(DotsItem())
        self._size = size
        self._set(np.zeros(m))

    def extent(self) -> tuple[float, float, float, float]:
        a = self.figure.values.shape[1]
        if a > 2:
            return -0.02, a - 1 + 0.02, -0.02, a - 1 + 0.02
        return (*span(self._across), *span(self._up))

    def places(self) -> tuple[Array, Array]:
        return self._across, self._up

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        found = super().mark_at(x, y, reach)
        return int(self._mark_of[found]) if found >= 0 else -1

    def marks_in(self, corners: Array) -> Ints:
        return np.unique(self._mark_of[super().marks_in(corners)])

    def mark(self, shares: Floats) -> None:
        self._set(shares)

    def show_ticks(self) -> None:
        figure, a = self.figure, self.figure.values.shape[1]
        if a == 2:
            self.name_axis("bottom", ())
            self.name_axis("left", ())
            names = figure.axes or figure.columns or ("", "")
            self.plot.getAxis("bottom").setLabel(names[0] or None)
            self.plot.getAxis("left").setLabel(names[1] or None)
            return
        names = figure.columns or tuple(f"axis {j + 1}" for j in range(a))
        self.name_axis("bottom", names[:-1], np.arange(a - 1) + 0.5)
        self.name_axis("left", names[:0:-1], np.arange(a - 1) + 0.5)

    def _looks_of(self, size: float) -> tuple[tuple[DotStyle, ...], Ints]:
        """A colour and a mark for each group, as in every scatter, and which one each mark has."""
        groups = self.figure.groups
        if groups is None:
            return (DotStyle(self.colour_of(0), size, 210),), np.zeros(self.figure.marks, np.int64)
        known, place = np.unique(groups, return_inverse=True)
        shapes = [group_mark(group, self.figure.group_colours) for group in known.tolist()]
        colours = [self.colour_of(group) for group in known.tolist()]
        looks = [DotStyle(c, size, 210, mark=s) for c, s in zip(colours, shapes, strict=True)]
        distinct = list(dict.fromkeys(looks))
        number = np.array([distinct.index(look) for look in looks], dtype=np.int64)
        return tuple(distinct), number[place] if len(number) else np.zeros(0, np.int64)

    def _set(self, shares: Floats) -> None:
        known = self._known
        chosen = shares[self._mark_of[known]] > 0
        faded = np.full(len(known), _QUIET / 255) if chosen.any() else None
        self._dots.set_dots(
            self._across[known], self._up[known], self._which[known], self._looks, opacities=faded
        )
        accent = self.colours.text
        looks = tuple(
            replace(look, size=self._size + 1.5, opacity=255, outline=accent)
            for look in self._looks
        )
        on = known[chosen]
        self._chosen.set_dots(self._across[on], self._up[on], self._which[on], looks)

    def _draw_frames(self, a: int) -> None:
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], float)
        corners = corners * (1 - 2 * _GAP / 3) + _GAP / 3
        lines = [corners + np.array([x, a - 1 - y]) for x, y in self._pairs]
        points = np.concatenate([np.vstack([line, [[np.nan, np.nan]]]) for line in lines])
        frame = pg.PlotCurveItem(
            points[:, 0], points[:, 1], connect="finite", pen=plotting.line(self.colours.line)
        )
        self.add(frame)


class Lines(DrawnFigure):
    """A line for each mark across the places; broken where a value is missing."""

    zooms = (True, True)

    def draw(self) -> None:
        values = np.asarray(self.figure.values, np.float64)
        m, p = values.shape
        at = np.arange(p, dtype=float) if self.figure.places is None else self.figure.places
        self._at, self._values = at, values
        colours, which = self.mark_colours()
        self._shades = colours
        opacity = int(np.clip(14_000 / max(m, 1), 36, 230))
        self._quiet: list[Any] = []
        for number, colour in enumerate(colours):
            x, y = self._joined(np.flatnonzero(which == number))
            pen = plotting.line(colour, 1.0, opacity)
            curve = pg.PlotCurveItem(x, y, connect="finite", pen=pen)
            self._quiet.append(self.add(curve))
        self._chosen = [
            self.add(pg.PlotCurveItem(connect="finite", pen=plotting.line(colour, 2.0)))
            for colour in colours
        ]
        self._which = which
        uprights = pg.PlotCurveItem(
            np.repeat(at, 2),
            np.tile(span(values, 0.0), p),
            connect="pairs",
            pen=plotting.line(self.colours.line),
        )
        uprights.setZValue(-1)
        self.add(uprights)

    def extent(self) -> tuple[float, float, float, float]:
        return (*span(self._at, 0.05), *span(self._values))

    def places(self) -> tuple[Array, Array]:
        return np.zeros(self.figure.marks), np.zeros(self.figure.marks)

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        """Return the line that passes nearest, within reach."""
        if not self.figure.marks:
            return -1
        off = np.abs(self._heights_at(x) - y)
        if not np.isfinite(off).any():
            return -1
        nearest = int(np.nanargmin(off))
        return nearest if off[nearest] <= reach[1] else -1

    def marks_in(self, corners: Array) -> Ints:
        """Return the lines that pass through the box around the polygon."""
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        through = np.zeros(self.figure.marks, dtype=np.bool_)
        middle = self._at[(self._at > x0) & (self._at < x1)]
        heights = np.column_stack([self._heights_at(x) for x in (x0, *middle, x1)])
        within = (heights >= y0) & (heights <= y1)
        crosses = ((heights[:, :-1] < y0) & (heights[:, 1:] > y1)) | (
            (heights[:, :-1] > y1) & (heights[:, 1:] < y0)
        )
        through = within.any(axis=1) | crosses.any(axis=1)
        return np.flatnonzero(through)

    def about(self, x: float, y: float) -> str:
        figure = self.figure
        place = int(np.argmin(np.abs(self._at - x))) if len(self._at) else -1
        if place < 0 or not figure.columns:
            return ""
        low, high = (figure.details.get(name) for name in ("low", "high"))
        if isinstance(low, list) and isinstance(high, list) and place < min(len(low), len(high)):
            return f"{figure.columns[place]}: {low[place]:.4g} to {high[place]:.4g}"
        return figure.columns[place]

    def mark(self, shares: Floats) -> None:
        chosen = shares > 0
        # Qt takes fifty times as long for lines of more than a pixel.
        width = 2.0 if int(chosen.sum()) <= _FEW_LINES else 1.0
        for number, curve in enumerate(self._chosen):
            curve.setPen(plotting.line(self._shades[number], width))
            curve.setData(*self._joined(np.flatnonzero(chosen & (self._which == number))))
        for curve in self._quiet:
            curve.setOpacity(0.35 if chosen.any() else 1.0)

    def show_ticks(self) -> None:
        self.name_axis("bottom", self.figure.columns, self._at)
        self.name_axis("left", ())

    def _joined(self, marks: Ints) -> tuple[Array, Array]:
        """The lines one after the other, with a gap after each."""
        some = self._values[marks]
        y = np.column_stack([some, np.full(len(some), np.nan)]).ravel()
        return np.tile(np.append(self._at, self._at[-1:]), len(some)), y

    def _heights_at(self, x: float) -> Array:
        """How high each line is at a place; not a number beyond its ends and in its gaps."""
        at = self._at
        if len(at) < 2 or not at[0] <= x <= at[-1]:
            return np.full(self.figure.marks, np.nan)
        right = int(np.clip(np.searchsorted(at, x, side="right"), 1, len(at) - 1))
        share = (x - at[right - 1]) / ((at[right] - at[right - 1]) or 1.0)
        before, after = self._values[:, right - 1], self._values[:, right]
        return np.asarray(before + share * (after - before))


def _unit(column: Array) -> Array:
    """Values between the margins of a cell."""
    low, high = span(column, 0.0)
    half = high / 2 - low / 2
    share = (column / 2 - low / 2) / half if half > 0 else np.where(np.isnan(column), np.nan, 0.5)
    return np.asarray(_GAP + (1 - 2 * _GAP) * share)
