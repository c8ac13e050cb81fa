"""Three curves over the same iterations: objective, residual, support; with marks and a cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from coterie.core.arrays import Array
from coterie.gui.states.live import Mark
from coterie.gui.styling import palette
from coterie.gui.styling.theme import Colours
from coterie.gui.views import plotting
from coterie.gui.views.plotting import pg

TITLES = ("objective", "residual", "support size")
MOST_POINTS = 700  # of a curve; a plot is some 400 pixels wide
_ANY_HEIGHT = 16_777_215  # Qt's word for no limit
_EDGE = 0.08  # of the width: a name needs about as much room


def worth_drawing(iterations: Array, marks: Sequence[int]) -> Array:
    """Return which points make the curve: no more than a screen can tell apart.

    The last is among them, and those on both sides of a mark, where a curve may jump.

    >>> len(worth_drawing(np.arange(10_000), [5000])) <= MOST_POINTS + 4
    True
    """
    every = -(-len(iterations) // MOST_POINTS) or 1
    after = np.searchsorted(iterations, marks, side="right")
    evenly, last = np.arange(0, len(iterations), every), np.array([len(iterations) - 1])
    kept = np.unique(np.concatenate([evenly, after - 1, after, last]))
    return kept[(kept >= 0) & (kept < len(iterations))]


def far_enough(places: Sequence[float], gap: float) -> set[int]:
    """Return which of these places, in order, keep a gap to the one chosen before.

    >>> sorted(far_enough([0, 3, 10, 11, 25], 5))
    [0, 2, 4]
    """
    chosen: set[int] = set()
    last = -np.inf
    for number, place in enumerate(places):
        if place - last >= gap:
            chosen.add(number)
            last = place
    return chosen


def joins(iterations: Array, marks: Sequence[int]) -> Array:
    """Return for each point whether a line leads to the next: not from a mark on.

    >>> joins(np.array([1, 2, 3, 4]), [2]).tolist()
    [True, False, True, True]
    """
    joined = np.ones(len(iterations), dtype=bool)
    last_before = np.searchsorted(iterations, marks, side="right") - 1
    joined[last_before[last_before >= 0]] = False
    return joined


class Curves(QObject):
    """Draws into rows of a canvas."""

    dragged = Signal(float)  # the iteration that the cursor was dragged to

    def __init__(self, canvas: Any, parent: QObject) -> None:
        super().__init__(parent)
        self.plots: list[Any] = []
        self._curves: list[Any] = []
        self._cursors: list[Any] = []
        self._lines: dict[tuple[int, int], tuple[tuple[Mark, str, int], Any]] = {}
        self._marks: list[Mark] = []
        self._cramped = 0  # how many marks are too near the left edge for a name
        self._named: set[int] = set()
        self._colours: Colours | None = None
        self._titles: tuple[str, ...] = TITLES
        self._rows = canvas.ci.layout
        for row, title in enumerate(TITLES):
            last = row == len(TITLES) - 1
            plot = plotting.add_plot(
                canvas, row, 0, x="iteration" if last else "", y=title, powers=row == 1
            )
            plot.getAxis("left").setWidth(68)
            plot.setMouseEnabled(x=True, y=False)
            plot.getAxis("bottom").setStyle(showValues=last)
            if row:
                plot.setXLink(self.plots[0])
            curve = pg.PlotDataItem()
            plot.addItem(curve)
            cursor = pg.InfiniteLine(angle=90, movable=True)
            cursor.setZValue(10)
            cursor.hide()
            cursor.sigDragged.connect(self._on_dragged)
            plot.addItem(cursor, ignoreBounds=True)
            self.plots.append(plot)
            self._curves.append(curve)
            self._cursors.append(cursor)

    def restyle(self, colours: Colours) -> None:
        """Take the colours of the theme again."""
        self._colours = colours
        for plot, curve, cursor in zip(self.plots, self._curves, self._cursors, strict=True):
            plotting.style_plot(plot, colours)
            curve.setPen(plotting.line(colours.accent, 1.6))
            cursor.setPen(plotting.line(colours.text, 1.2))
            cursor.setHoverPen(plotting.line(colours.text, 3.0))
        self._draw_marks(anew=True)

    def name(self, titles: Sequence[str]) -> None:
        """Call the curves by what they are in this method; one without a name is not shown."""
        titles = tuple(titles) if len(titles) == len(TITLES) and any(titles) else TITLES
        if titles == self._titles:
            return
        self._titles = titles
        last = max(row for row, title in enumerate(titles) if title)
        for row, (plot, title) in enumerate(zip(self.plots, titles, strict=True)):
            plot.setVisible(bool(title))
            self._rows.setRowMaximumHeight(row, _ANY_HEIGHT if title else 0)
            self._rows.setRowStretchFactor(row, 1 if title else 0)
            plot.getAxis("left").setLabel(title or None)
            plot.getAxis("bottom").setLabel("iteration" if row == last else None)
            plot.getAxis("bottom").setStyle(showValues=row == last)

    def draw(self, iterations: Array, values: Sequence[Array]) -> None:
        """Draw the three curves, broken where a mark is: there something new began."""
        self._keep_labels_inside(iterations)
        alone = "o" if len(iterations) == 1 else None
        marks = [mark.iteration for mark in self._marks]
        kept = worth_drawing(iterations, marks)
        iterations = iterations[kept]
        joined = joins(iterations, marks)
        for curve, all_of_it in zip(self._curves, values, strict=True):
            series = all_of_it[kept]
            known = np.isfinite(series)
            if not known.any():  # a method need not have an objective
                curve.setData([], [], symbol=None, connect="all")
                continue
            known[:-1] &= known[1:]
            connect = (joined & known).astype(np.int32)
            curve.setData(iterations, series, symbol=alone, connect=connect)

    def draw_marks(self, marks: Sequence[Mark]) -> None:
        """Draw a line for each thing that happened, with its name at the top."""
        if list(marks) != self._marks:
            self._marks = list(marks)
            self._draw_marks()

    def draw_cursor(self, iteration: int | None) -> None:
        """Draw the cursor at an iteration, or none."""
        for cursor in self._cursors:
            cursor.setVisible(iteration is not None)
            if iteration is not None and not cursor.moving:
                cursor.setValue(iteration)

    def follow(self, iterations: Array) -> None:
        """Show all iterations."""
        if len(iterations):
            first, last = float(np.min(iterations)), float(np.max(iterations))
            self.plots[0].setXRange(first, max(last, first + 1), padding=0.02)

    def _keep_labels_inside(self, iterations: Array) -> None:
        """Names stand left of their line, as they name what came before; near the edge, right.

        A name that would lie on the one before it is left out.
        """
        span = float(iterations[-1] - iterations[0]) if len(iterations) else 0.0
        edge = iterations[0] + _EDGE * span if span else -np.inf
        cramped = sum(mark.iteration < edge for mark in self._marks)
        width = _EDGE * span
        middles = [
            mark.iteration + (width / 2 if number < cramped else -width / 2)
            for number, mark in enumerate(self._marks)
        ]
        named = far_enough(middles, width)
        if (cramped, named) != (self._cramped, self._named):
            self._cramped, self._named = cramped, named
            self._draw_marks()

    def _draw_marks(self, *, anew: bool = False) -> None:
        """Draw the lines that are missing or differ; `anew`: all, as after other colours."""
        if self._colours is None:
            return
        wanted = {}
        for number, mark in enumerate(self._marks):
            side = 0 if number < self._cramped else 1
            for row in range(len(self.plots)):
                text = mark.text if row == 0 and number in self._named else ""
                # Without a name the side makes no difference.
                wanted[number, row] = (mark, text, side if text else 0)
        for place, (look, line) in tuple(self._lines.items()):
            if anew or wanted.get(place) != look:
                self.plots[place[1]].removeItem(line)
                del self._lines[place]
        for place, look in wanted.items():
            if place not in self._lines:
                line = self._mark_line(*look)
                self.plots[place[1]].addItem(line, ignoreBounds=True)
                self._lines[place] = look, line

    def _mark_line(self, mark: Mark, text: str, side: int) -> Any:
        assert self._colours is not None
        dark = self._colours.dark
        colour = palette.group_colour(mark.group, dark=dark) if mark.group >= 0 else ""
        colour = colour or self._colours.muted
        options: dict[str, Any] = {}
        if text:
            options = {
                "label": text,
                "labelOpts": {
                    "position": 0.06,
                    "color": self._colours.text,
                    "fill": plotting.fill(self._colours.base, 220),
                    "anchors": [(side, 1), (side, 1)],
                },
            }
        pen = plotting.line(colour, 1.2, dashed=True)
        return pg.InfiniteLine(pos=mark.iteration, angle=90, pen=pen, **options)

    def _on_dragged(self, cursor: Any) -> None:
        self.dragged.emit(float(cursor.value()))
