"""Curves over the same iterations, one below the other, with marks and a cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from coterie.core.api.curves import Curve
from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.convergence.run_marks import MarkLine, RunMarks
from coterie.gui.views.convergence.state import FIRST_DRAWN, NOTHING
from coterie.gui.views.shown_items.run_monitor import Mark

MOST_POINTS = 700  # of a curve; a plot is some 400 pixels wide
_ANY_HEIGHT = 16_777_215  # Qt's word for no limit
_ROOM = 0.08  # of the range of a curve, above and below it
_AROUND_NAME = 12  # pixels
_AXIS, _AROUND_NUMBERS = 68, 18  # pixels: the usual width of an axis; what its numbers leave free
_LEAST_LABEL, _BETWEEN = 24, 4  # pixels: of the name of an axis, and between two


def worth_drawing(iterations: Array, marks: Sequence[int]) -> Array:
    """Return which points make the curve: no more than a screen can show.

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


def room_for(series: Array, *, powers: bool = False) -> tuple[float, float]:
    """Return the range of an axis that shows all of a series, with some room about it.

    With `powers` the axis is logarithmic, and its range is that of the exponents; what is as good
    as nothing has no place on it, and the curve leaves it downwards.

    >>> room_for(np.array([0.0, np.nan, 10.0]))
    (-0.8, 10.8)
    >>> room_for(np.array([100.0, 100.0, NOTHING]), powers=True)
    (1.5, 2.5)
    """
    known = series[np.isfinite(series)]
    if powers:
        known = np.log10(known[known > (NOTHING if (known > NOTHING).any() else 0)])
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    room = _ROOM * (high - low)
    if room <= 1e-12 * max(abs(low), abs(high)):  # one value, or as good as
        room = 0.5 if powers or not low else 0.5 * abs(low)
    return low - room, high + room


class Curves(QObject):
    """Draws into rows of a canvas."""

    dragged = Signal(float)  # the iteration that the cursor was dragged to

    def __init__(self, canvas: Any, parent: QObject) -> None:
        super().__init__(parent)
        self.plots: list[Any] = []
        self._curves: list[Any] = []
        self._cursors: list[Any] = []
        self.marks: list[RunMarks] = []
        self._marks: list[Mark] = []
        self._cramped = 0  # how many marks are too near the left edge for a name
        self._named: set[int] = set()
        self._colours: Colours | None = None
        self._drawn: tuple[Curve, ...] = ()  # the curve of each row that is shown
        self._axis = _AXIS
        self._measured: dict[Any, tuple[int, int]] = {}  # of which sort its numbers were
        self._rows, self._canvas = canvas.ci.layout, canvas
        self._span: tuple[float, float] | None = None  # first and last iteration drawn

    def add_plots(self) -> Iterator[None]:
        """Make the plots, one for each turn of the iteration: together they take 50 ms."""
        for _ in range(FIRST_DRAWN):
            self._add_plot()
            yield

    def _add_plot(self) -> None:
        plot = plotting.add_plot(self._canvas, len(self.plots), 0, powers=True, counted=True)
        plot.getAxis("left").setWidth(self._axis)
        plot.setMouseEnabled(x=True, y=False)
        plot.disableAutoRange()  # every picture says its range
        plot.vb.sigResized.connect(self._place_names)
        plot.vb.sigResized.connect(self._fit_labels)
        curve = pg.PlotDataItem()
        plot.addItem(curve)
        cursor = pg.InfiniteLine(angle=90, movable=True)
        cursor.setZValue(10)
        cursor.hide()
        cursor.sigDragged.connect(self._on_dragged)
        plot.addItem(cursor, ignoreBounds=True)
        self.plots.append(plot)
        self.marks.append(RunMarks(plot.vb))
        self._curves.append(curve)
        self._cursors.append(cursor)

    def restyle(self, colours: Colours) -> None:
        """Take the colours of the theme again."""
        self._colours = colours
        for row in range(len(self.plots)):
            self._restyle_row(row, colours)
        self._draw_marks()

    def _restyle_row(self, row: int, colours: Colours) -> None:
        plotting.style_plot(self.plots[row], colours)
        self._curves[row].setPen(plotting.line(colours.accent, 1.6))
        self._cursors[row].setPen(plotting.line(colours.text, 1.2))
        self._cursors[row].setHoverPen(plotting.line(colours.text, 3.0))
        self.marks[row].restyle(colours.text, colours.base)

    def show(self, drawn: Sequence[Curve]) -> None:
        """Make a row for each of these curves, with its title, its scale and its explanation."""
        drawn = tuple(drawn)
        if drawn == self._drawn:
            return
        while len(self.plots) < len(drawn):
            self._add_plot()
            if self._colours is not None:
                self._restyle_row(len(self.plots) - 1, self._colours)
        self._drawn = drawn
        self._set_width(_AXIS)
        self._link()
        for row, plot in enumerate(self.plots):
            curve = drawn[row] if row < len(drawn) else None
            plot.setVisible(curve is not None)
            self._rows.setRowMaximumHeight(row, _ANY_HEIGHT if curve else 0)
            self._rows.setRowStretchFactor(row, 1 if curve else 0)
            left, bottom = plot.getAxis("left"), plot.getAxis("bottom")
            last = row == len(drawn) - 1
            bottom.setLabel("iteration" if last else None)
            bottom.setStyle(showValues=last)
            if curve is not None:
                plot.setLogMode(x=False, y=curve.log)
                left.setToolTip(curve.description)
        self._fit_labels()
        self._draw_marks()

    def _fit_labels(self, *_: object) -> None:
        """Cut names that are longer than their plot is high, so they do not touch."""
        metrics = self._canvas.fontMetrics()
        for plot, curve in zip(self.plots, self._drawn, strict=False):
            left = plot.getAxis("left")
            room = max(int(plot.vb.height()) - _BETWEEN, _LEAST_LABEL)
            words = metrics.elidedText(curve.label, Qt.TextElideMode.ElideRight, room)
            if words != left.labelText:
                left.setLabel(words)
                left.resizeEvent()  # the library would leave the new name where the old began

    def _link(self) -> None:
        """Let all that are shown follow the first of them.

        A hidden one must be out of it: the library lines plots up by where they are on the screen,
        and it still is where it once was.
        """
        for row, plot in enumerate(self.plots):
            plot.setXLink(self.plots[0] if 0 < row < len(self._drawn) else None)

    def draw(self, iterations: Array, values: Sequence[Array]) -> None:
        """Draw the values of each curve, broken where a mark is: there something new began."""
        ends = (float(iterations[0]), float(iterations[-1])) if len(iterations) else None
        self._span = ends
        self._place_names()
        marks = [mark.iteration for mark in self._marks]
        kept = worth_drawing(iterations, marks)
        iterations = iterations[kept]
        joined = joins(iterations, marks)
        for plot, curve, all_of_it in zip(self.plots, self._curves, values, strict=False):
            series = all_of_it[kept]
            known = np.isfinite(series)
            if not known.any():  # a method need not have an objective
                curve.setData([], [], symbol=None, connect="all")
                continue
            alone = "o" if known.sum() == 1 else None
            known[:-1] &= known[1:]
            connect = (joined & known).astype(np.int32)
            curve.setData(iterations, series, symbol=alone, connect=connect)
            # Said rather than left to the library, which asks every item while it paints, and
            # then has to paint again.
            low, high = room_for(series, powers=plot.getAxis("left").logMode)
            plot.setYRange(low, high, padding=0)
            self._widen(plot.getAxis("left"), low, high)

    def _widen(self, axis: Any, low: float, high: float) -> None:
        """Give long numbers the room they need; all axes, as their plots stand under each other."""
        # How long the numbers are hangs on how large and how far apart the ends are.
        large, apart = max(abs(low), abs(high), 1e-300), max(high - low, 1e-300)
        sort = (floor(log10(large)), floor(log10(apart)))
        if self._measured.get(axis) == sort:
            return
        self._measured[axis] = sort
        ticks = axis.tickValues(low, high, max(axis.height(), 60.0))
        spacing, places = ticks[0] if ticks else (1.0, [])
        texts = axis.tickStrings(places, axis.autoSIPrefixScale * axis.scale, spacing)
        metrics = self._canvas.fontMetrics()
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        needed = widest + metrics.height() + _AROUND_NUMBERS
        if needed > self._axis:  # it only grows, so the curves do not dance
            self._set_width(needed)

    def _set_width(self, width: int) -> None:
        self._measured.clear()
        self._axis = width
        for plot in self.plots:
            plot.getAxis("left").setWidth(width)

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

    def _place_names(self, *_: object) -> None:
        """Names stand left of their line, as they name what came before; near the edge, right.

        A name that would overlap the one before it is left out.
        """
        first, last = self._span or (0.0, 0.0)
        width = self._name_width() * (last - first)
        edge = first + width if width else -np.inf
        cramped = sum(mark.iteration < edge for mark in self._marks)
        middles = [
            mark.iteration + (width / 2 if number < cramped else -width / 2)
            for number, mark in enumerate(self._marks)
        ]
        named = far_enough(middles, width)
        if (cramped, named) != (self._cramped, self._named):
            self._cramped, self._named = cramped, named
            self._draw_marks()

    def _name_width(self) -> float:
        """The share of the plot's width that the longest name takes."""
        metrics = self._canvas.fontMetrics()
        longest = max((metrics.horizontalAdvance(mark.text) for mark in self._marks), default=0)
        room = max(1.0, float(self.plots[0].vb.width()))
        return min(1.0, (longest + _AROUND_NAME) / room)

    def _draw_marks(self) -> None:
        """Draw a line in each plot; the names are in the first."""
        if self._colours is None:
            return
        named, plain = [], []
        for number, mark in enumerate(self._marks):
            dark = self._colours.dark
            colour = palette.group_colour(mark.group, dark=dark) if mark.group >= 0 else ""
            line = MarkLine(mark.iteration, colour or self._colours.muted)
            text = mark.text if number in self._named else ""
            named.append(replace(line, name=text, right=number < self._cramped))
            plain.append(line)
        for row, marks in enumerate(self.marks):
            marks.show_lines(plain if row else named)

    def _on_dragged(self, cursor: Any) -> None:
        self.dragged.emit(float(cursor.value()))
