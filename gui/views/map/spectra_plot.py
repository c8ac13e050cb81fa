"""Spectra in a plot: lines of pixels, means with a band of one deviation."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from coterie.core.numerics.drawing.palette import group_colour
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.spectra import PixelSpectrum, places_of, readable

_LETTER = 7.5  # pixels that a letter of the axis takes
_HINT_LINES = 3
_VALUES = 45  # pixels of the axis of the values
_NARROWEST = 150  # pixels of the plot before it is laid out


class SpectraPlot(QWidget):
    """A small plot beside the map, its lines named below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = plotting.canvas("Spectra")
        self.plot = plotting.add_plot(self.canvas, 0, 0, x="wavelength, nm")
        self.plot.setMouseEnabled(False, False)
        self.note = QLabel(wordWrap=True)
        self.note.setProperty("role", "muted")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        self.note.setContentsMargins(10, 0, 8, 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.note)
        self.canvas.hide()  # until there is something to draw
        self._drawn: tuple[object, ...] = ()

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        plotting.style_plot(self.plot, colours)
        self._drawn = ()

    def draw(self, ground: Ground | None, spectra: Sequence[PixelSpectrum]) -> None:
        """Draw these spectra."""
        drawn = (ground, *spectra)
        if ground is None or drawn == self._drawn:
            return
        self._drawn = drawn
        self.plot.clear()
        self.canvas.setVisible(bool(spectra))
        aligned = Qt.AlignmentFlag.AlignLeft if spectra else Qt.AlignmentFlag.AlignCenter
        self.note.setAlignment(aligned)
        # The hint alone: a label that wraps would let itself be cut off after a line.
        lines = self.note.fontMetrics().lineSpacing()
        self.note.setMinimumHeight(0 if spectra else _HINT_LINES * lines)
        x, waves = places_of(ground)
        axis = self.plot.getAxis("bottom")
        if waves:
            axis.setTicks(None)
            axis.setLabel("wavelength, nm")
            axis.setStyle(maxTickLevel=0)
        else:
            names = [band[:10] for band in ground.bands]
            # The plot was hidden so far and has no size yet; the panel has.
            wide = max(min(self.canvas.width(), self.width()) - _VALUES, _NARROWEST)
            room = wide / (_LETTER * max(len(names), 1))
            axis.setTicks([[(float(x[i]), names[i]) for i in readable(names, room)]])
            axis.setLabel("band")
        colours = theme.current()
        said = []
        for number, spectrum in enumerate(spectra):
            colour = spectrum.colour or spectrum_colour(number, dark=colours.dark)
            order = x.argsort()
            xs, ys = x[order], spectrum.values[order]
            if spectrum.spread is not None:
                deviation = spectrum.spread[order]
                low = pg.PlotCurveItem(xs, ys - deviation, pen=None)
                high = pg.PlotCurveItem(xs, ys + deviation, pen=None)
                between = pg.FillBetweenItem(low, high, brush=plotting.fill(colour, 45))
                self.plot.addItem(between)
            pen = plotting.line(colour, 1.8)
            self.plot.plot(xs, ys, pen=pen, symbol="o", symbolSize=4, symbolPen=None,
                           symbolBrush=plotting.fill(colour))  # fmt: skip
            count = f" ± sd, {spectrum.count:,}" if spectrum.spread is not None else ""
            said.append(
                f"<span style='color:{colour}'>●</span>&nbsp;{escape(spectrum.name)}{count}"
            )
        hint = "Click a pixel, select items or add a region to see spectra."
        text = " &nbsp; ".join(said) if said else hint
        self.note.setText(text)
        self.plot.autoRange(padding=0.06)
        if not waves:  # room for the names of the first and last
            self.plot.setXRange(0.6, len(x) + 0.4, padding=0)


def spectrum_colour(number: int, *, dark: bool) -> str:
    """Return the colour of a line, and of its mark on the map."""
    return group_colour(number, dark=dark)
