"""Mean accuracy by size of the subset: bars of one deviation, bands of the mean's interval."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from coterie.core.numerics.drawing.palette import group_colour
from coterie.core.numerics.drawing.plots import MeanCurve
from coterie.gui.toolkit.plots.plotting import (
    add_plot,
    canvas,
    fill,
    line,
    pg,
    style_canvas,
    style_plot,
)
from coterie.gui.toolkit.styling import theme

if TYPE_CHECKING:
    from coterie.gui.dialogs.cross_validation.state import CrossValidationState


class CrossValidationPlot(QWidget):
    """The chosen measure, a line for each number of best-ranked."""

    def __init__(self, state: CrossValidationState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._canvas: Any = canvas("Accuracy by number of pixels")
        self.plot = add_plot(self._canvas, 0, 0, x=" ", y=" ")
        self.plot.setMouseEnabled(x=False, y=False)
        self.note = QLabel(wordWrap=True)
        self.note.setProperty("role", "muted")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._canvas, 1)
        layout.addWidget(self.note)
        self.setMinimumHeight(220)

    def synchronize(self) -> None:
        """Draw what is judged so far."""
        colours = theme.current()
        style_canvas(self._canvas, colours)
        lines, across = self._state.curves()
        self.plot.clear()
        self.plot.getAxis("bottom").setLabel(across or " ")
        self.plot.getAxis("left").setLabel(self._state.measures.get(self._state.measure, ""))
        style_plot(self.plot, colours)
        said = []
        for number, means in enumerate(lines):
            colour = group_colour(number, dark=colours.dark)
            self._draw(means, colour)
            said.append(f"<span style='color:{colour}'>●</span>&nbsp;{escape(means.name)}")
        said.append("bars: ± one standard deviation; band: 95% interval of the mean")
        self.note.setText(" &nbsp; ".join(said) if lines else "")
        self.plot.autoRange(padding=0.06)

    def _draw(self, means: MeanCurve, colour: str) -> None:
        at = means.known
        x, y = means.across[at], means.mean[at]
        sure = at[np.isfinite(means.low[at])]
        if len(sure) > 1:
            low, high = (
                pg.PlotCurveItem(means.across[sure], ends[sure], pen=None)
                for ends in (means.low, means.high)
            )
            self.plot.addItem(pg.FillBetweenItem(low, high, brush=fill(colour, 45)))
        spread = at[np.isfinite(means.deviation[at])]
        if len(spread):
            width = float(np.ptp(means.across)) or 1.0
            bars = pg.ErrorBarItem(
                x=means.across[spread], y=means.mean[spread], height=2 * means.deviation[spread],
                beam=width / 60, pen=line(colour, 1.4),
            )  # fmt: skip
            self.plot.addItem(bars)
        self.plot.plot(x, y, pen=line(colour, 1.8), symbol="o", symbolSize=7, symbolPen=None,
                       symbolBrush=fill(colour))  # fmt: skip

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.synchronize()
