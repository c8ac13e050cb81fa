"""What the drawn forms of figures share: items on a plot, and finding marks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.figures import Figure
from coterie.core.numerics.drawing.page import distinct_names
from coterie.core.numerics.drawing.palette import group_colour
from coterie.gui.toolkit.plots.plotting import PlainAxis, pg
from coterie.gui.toolkit.styling.theme import Colours

LONGEST_NAME = 24
_ROOM_FOR_NAME = 13.0  # pixels
_NEVER = 1e9
_AXIS = 46.0  # pixels below a plot, for numbers and a name


class DrawnFigure(ABC):
    """One form of figure on one plot. A new one is made for each figure and each theme.

    Attributes
    ----------
    upside_down : whether the first mark is on top
    zooms : along which axes the wheel zooms
    """

    upside_down = False
    zooms = (True, True)

    def __init__(self, figure: Figure, plot: Any, colours: Colours) -> None:
        self.figure, self.plot, self.colours = figure, plot, colours
        self._items: list[Any] = []
        self.draw()

    @abstractmethod
    def draw(self) -> None:
        """Put the figure on the plot."""

    @abstractmethod
    def extent(self) -> tuple[float, float, float, float]:
        """Return the least and largest x, and the least and largest y, to be seen."""

    @abstractmethod
    def places(self) -> tuple[Array, Array]:
        """Return where a mark is: (m,) across and (m,) up, for brushing."""

    def mark_at(self, x: float, y: float, reach: tuple[float, float]) -> int:
        """Return the mark at a place, −1 for none."""
        across, up = self.places()
        off = ((across - x) / reach[0]) ** 2 + ((up - y) / reach[1]) ** 2
        nearest = int(np.nanargmin(off)) if np.isfinite(off).any() else -1
        return nearest if nearest >= 0 and off[nearest] <= 1 else -1

    def marks_in(self, corners: Array) -> Ints:
        """Return the marks inside a polygon."""
        across, up = self.places()
        return np.flatnonzero(inside(across, up, corners))

    def about(self, x: float, y: float) -> str:
        """Return what else there is to say of a place, such as the value of a cell."""
        return ""

    @abstractmethod
    def mark(self, shares: Floats) -> None:
        """Show how much of each mark is selected."""

    def show_ticks(self) -> None:
        """Name what is on the axes, as far as there is room."""
        self.name_axis("bottom", ())
        self.name_axis("left", ())

    def remove(self) -> None:
        """Take it off the plot."""
        for item in self._items:
            self.plot.removeItem(item)
        self._items = []

    # For the forms

    def add(self, item: Any) -> Any:
        """Add an item that goes when the figure does."""
        self.plot.addItem(item, ignoreBounds=True)
        self._items.append(item)
        return item

    def colour_of(self, group: int) -> str:
        """Return the colour of a group."""
        return group_colour(group, self.figure.group_colours, dark=self.colours.dark)

    def mark_colours(self) -> tuple[list[str], Ints]:
        """Return the colours there are, and which of them each mark has."""
        groups = self.figure.groups
        if groups is None:
            return [self.colour_of(0)], np.zeros(self.figure.marks, np.int64)
        known, place = np.unique(groups, return_inverse=True)
        names = [self.colour_of(int(group)) for group in known]
        colours = list(dict.fromkeys(names))
        number = np.array([colours.index(name) for name in names], dtype=np.int64)
        return colours, number[place] if len(number) else np.zeros(0, np.int64)

    def name_axis(
        self, side: str, names: Sequence[str], places: Array | None = None, *, blank: bool = False
    ) -> None:
        """Name places on an axis, every so many of them as there is room for; None: numbers."""
        axis = self.plot.getAxis(side)
        axis.setStyle(showValues=not blank)
        if not names:
            axis.setTicks([[]] if blank else None)
            return
        at = np.arange(len(names)) if places is None else places
        box = self.plot.getViewBox()
        width, height = (abs(float(size)) for size in box.viewPixelSize())
        per_name = (
            abs(float(at[1] - at[0])) / ((width if side == "bottom" else height) or 1.0)
            if (len(at) > 1)
            else _NEVER
        )
        shown = distinct_names(names, LONGEST_NAME)
        room = _ROOM_FOR_NAME
        if side == "bottom" and not axis.leaning:
            room = 7.0 * max(map(len, shown)) + 8.0
        step = max(1, int(np.ceil(room / per_name))) if per_name else 1
        axis.setTicks([[(float(at[i]), shown[i]) for i in range(0, len(at), step)]])


class NamesAxis(PlainAxis):
    """A lower axis whose labels lean where they are names, which may be long."""

    leaning = False

    def lean(self, leaning: bool, longest: int = 0) -> None:
        """Draw the labels aslant, with room for so many characters."""
        self.leaning = leaning
        metrics = pg.QtGui.QFontMetricsF(self.font())
        room = metrics.averageCharWidth() * longest * 0.72 + 34
        self.setHeight(min(150.0, max(_AXIS, room)) if leaning else _AXIS)

    def drawPicture(self, painter: Any, axis: Any, ticks: Any, texts: Any) -> None:
        """Draw the axis; leaning texts end below their ticks."""
        super().drawPicture(painter, axis, ticks, [] if self.leaning else texts)
        if not self.leaning:
            return
        painter.setPen(self.textPen())
        for rect, _flags, text in texts:
            painter.save()
            painter.translate(rect.center().x() + 3, rect.top())
            painter.rotate(-45)
            flags = pg.QtCore.Qt.AlignmentFlag.AlignRight | pg.QtCore.Qt.AlignmentFlag.AlignVCenter
            painter.drawText(pg.QtCore.QRectF(-220, -8, 220, 16), flags, text)
            painter.restore()


def inside(x: Array, y: Array, corners: Array) -> Array:
    """Return which points are inside a polygon.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> inside(np.array([1.0, 3.0]), np.array([1.0, 1.0]), square).tolist()
    [True, False]
    """
    within = np.zeros(len(x), dtype=np.bool_)
    ends = np.roll(corners, -1, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        for (x0, y0), (x1, y1) in zip(corners, ends, strict=True):
            if y0 != y1:
                crosses = (y0 > y) != (y1 > y)
                within ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return within


def span(values: Array, margin: float = 0.04) -> tuple[float, float]:
    """Return the range of finite values, with room around it."""
    known = np.asarray(values, np.float64)[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = margin * (min(high - low, _NEVER * max(abs(high), abs(low), 1.0)) or 1.0)
    return low - room, high + room
