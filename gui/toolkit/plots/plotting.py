"""The only module that imports the plotting library, which has no types: its style and export.

Importing this takes a third of a second; views import it when they first draw a plot.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph
import pyqtgraph.exporters
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator

from coterie.core.model.columns import SECONDS_A_DAY, dates_in_words
from coterie.gui.toolkit.plots.picture_file import PictureError, write_png, write_svg
from coterie.gui.toolkit.styling.theme import Colours

pg: Any = pyqtgraph
pg.setConfigOptions(antialias=True, imageAxisOrder="row-major")

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXPORT_SCALE = 2.0  # pictures for paper need more pixels than the screen shows


def canvas(name: str) -> Any:
    """Return a widget that plots are laid out in."""
    widget = pg.GraphicsLayoutWidget()
    widget.setAccessibleName(name)
    widget.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
    widget.ci.layout.setContentsMargins(8, 8, 12, 8)
    return widget


class Markup(str):
    """The name of an axis that is to be taken for markup."""

    __slots__ = ()


class PlainAxis(pg.AxisItem):  # type: ignore[misc] # the library ships no types
    """An axis whose name is shown as it is: the library takes it for markup."""

    labelText: Any

    def labelString(self) -> str:
        """Return the name as markup."""
        text = self.labelText
        if not isinstance(text, Markup):
            self.labelText = escape(text)
        try:
            return str(super().labelString())
        finally:
            self.labelText = text


class PowersAxis(PlainAxis):
    """An axis that, where it is logarithmic, has ticks at powers of ten alone."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return at most one tick every 28 pixels."""
        if not self.logMode:
            return list(super().tickValues(low, high, size))
        room = max(int(size / 28), 1)
        step = max(ceil((high - low) / room), 1)
        first = ceil(low / step) * step
        powers = [float(power) for power in range(first, floor(high) + 1, step)]
        if len(powers) < 2:  # less than a decade to see: 2 and 5 times a power as well
            between = [p + log10(m) for p in range(floor(low), ceil(high)) for m in (1, 2, 5)]
            powers = [place for place in between if low <= place <= high]
        return [(step, powers)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return 10⁻⁶, 2·10⁻⁶ and the like."""
        if not self.logMode:
            return list(super().tickStrings(values, scale, spacing))
        return [_power(value) for value in values]


class AmountAxis(PlainAxis):
    """An axis of numbers, or of dates in seconds since 1970 where `dates` is set."""

    dates = False

    def show_dates(self, dates: bool) -> None:
        """Write the ticks as dates, or as numbers again."""
        if dates != self.dates:
            self.dates = dates
            self.picture = None  # to be drawn again with other ticks

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return 2024-01-31 and the like; with the time of day where ticks are closer than days."""
        if not self.dates:
            return list(super().tickStrings(values, scale, spacing))
        return dates_in_words(np.asarray(values, float), timed=spacing < SECONDS_A_DAY)


class CountAxis(PlainAxis):
    """An axis along which is counted: there is nothing between two ticks one apart."""

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Return the library's spacings, none of them below one."""
        found = super().tickSpacing(low, high, size)
        return [(max(round(spacing), 1), offset) for spacing, offset in found]


def _power(value: float) -> str:
    exponent = floor(value + 1e-9)
    factor = round(10 ** (value - exponent))
    if exponent == 0:
        return str(factor)
    power = f"10{str(exponent).translate(_RAISED)}"
    return power if factor == 1 else f"{factor}·{power}"


def add_plot(
    layout: Any,
    row: int,
    column: int,
    *,
    x: str = "",
    y: str = "",
    rows: int = 1,
    box: Any = None,
    powers: bool = False,
    counted: bool = False,
) -> Any:
    """Add a plot with axes named `x` and `y`; `box` handles the mouse its own way.

    With `powers`, y is logarithmic; with `counted`, x has ticks at whole numbers only.
    """
    axes = {
        "left": PowersAxis("left") if powers else AmountAxis("left"),
        "bottom": CountAxis("bottom") if counted else AmountAxis("bottom"),
    }
    plot = layout.addPlot(
        row=row, col=column, rowspan=rows, viewBox=box, enableMenu=False, axisItems=axes
    )
    plot.setLogMode(x=False, y=powers)
    plot.hideButtons()
    for side, text in (("bottom", x), ("left", y)):
        axis = plot.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setZValue(-1)  # its grid is under what is drawn
        axis.setStyle(maxTickLevel=0)  # the grid of minor ticks costs more than all curves
        axis.setLabel(text or None)
    return plot


def settle(widget: Any) -> None:
    """Have what was drawn on a canvas find its place now rather than while it is painted.

    Then the library moves it, which asks for the same picture once more.
    """
    widget.scene().prepareForPaint()


def style_canvas(widget: Any, colours: Colours) -> None:
    """Give a canvas the background of the theme."""
    widget.setBackground(colours.base)


def style_plot(plot: Any, colours: Colours, *, grid: bool = True) -> None:
    """Give the axes of a plot the colours of the theme."""
    for side in ("bottom", "left"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colours.line))
        axis.setTextPen(pg.mkPen(colours.muted))
        axis.setTickPen(pg.mkPen(colours.grid if grid else colours.line))
        axis.labelStyle = {"color": colours.muted}
        axis.setLabel(axis.labelText or None)
        axis.setStyle(tickAlpha=255)  # translucent lines take ten times as long to draw
        axis.setGrid(255 if grid else False)


def fill(colour: str, opacity: int = 255) -> Any:
    """Return a brush."""
    shade = QColor(colour)
    shade.setAlpha(opacity)
    return pg.mkBrush(shade)


def line(colour: str, width: float = 1.0, opacity: int = 255, *, dashed: bool = False) -> Any:
    """Return a pen."""
    shade = QColor(colour)
    shade.setAlpha(opacity)
    style = pg.QtCore.Qt.PenStyle.DashLine if dashed else pg.QtCore.Qt.PenStyle.SolidLine
    return pg.mkPen(shade, width=width, style=style)


def write_picture(widget: Any, path: Path) -> None:
    """Write all plots of a canvas to a file, PNG or SVG by its ending."""
    ending = path.suffix.lower()
    if ending not in (".png", ".svg"):
        raise PictureError(
            f"Pictures can be saved as .png or .svg. Got '{path.name}'.", code="wrong-extension"
        )
    exporter = pyqtgraph.exporters.ImageExporter(widget.ci)
    if ending == ".png":
        exporter.parameters()["width"] = int(exporter.getSourceRect().width() * _EXPORT_SCALE)
        write_png(exporter.export(toBytes=True), path)
    else:
        size = widget.viewport().size()
        write_svg(
            lambda generator: _paint(widget, exporter, generator),
            size,
            widget.accessibleName(),
            path,
        )


def _paint(widget: Any, exporter: Any, generator: QSvgGenerator) -> None:
    """Let Qt write the drawing: the library's own SVG writer fails on what Qt 6 gives it."""
    area = QRectF(widget.viewport().rect())
    # The axes are recorded drawings: played at another resolution, they would be scaled.
    generator.setResolution(widget.logicalDpiX())
    painter = QPainter(generator)
    background = widget.backgroundBrush().color()
    # In this mode points are drawn as shapes rather than as copies of a small picture.
    exporter.setExportMode(True, {"antialias": True, "background": background, "painter": painter})
    try:
        painter.fillRect(area, background)
        widget.scene().render(painter, area, widget.mapToScene(area.toRect()).boundingRect())
    finally:
        exporter.setExportMode(False)
        painter.end()
