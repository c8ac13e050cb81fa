"""The scores of a sweep over one number, as a line; a click on a point picks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

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
    from coterie.gui.dialogs.sweep.state import SweepState


class SweepCurve(QWidget):
    """Score by parameter value."""

    picked = Signal(tuple)

    def __init__(self, state: SweepState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._canvas: Any = canvas("Score by parameter value")
        self._plot = add_plot(self._canvas, 0, 0, x=" ", y=" ")
        self._plot.setMouseEnabled(x=False, y=False)
        self._line = self._plot.plot([], [])
        self.points: Any = pg.ScatterPlotItem(size=9, hoverable=True, tip=None)
        self.points.sigClicked.connect(self._on_clicked)
        self._plot.addItem(self.points)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._canvas)
        self.setMinimumHeight(150)

    def synchronize(self) -> None:
        """Draw what is scored so far."""
        curve, table, colours = self._state.curve, self._state.table, theme.current()
        style_canvas(self._canvas, colours)
        if curve is None or table is None:
            return
        values, scores = curve
        by_factors = self._state.log and bool((values > 0).all())
        places = np.log10(values) if by_factors else values
        known = np.flatnonzero(np.isfinite(scores))
        name = table.plan.names[0]
        self._plot.getAxis("bottom").setLabel(name + (" (by factors)" if by_factors else ""))
        ticks = [(float(p), f"{v:.3g}") for p, v in zip(places, values, strict=True)]
        self._plot.getAxis("bottom").setTicks([ticks[:: max(1, len(ticks) // 9)]])
        self._plot.getAxis("left").setLabel(self._state.scores.get(table.plan.score, "score"))
        style_plot(self._plot, colours)
        self._line.setData(places[known], scores[known], pen=line(colours.accent, 1.6))
        best = table.best
        brushes = [fill(colours.warning if best == (int(i),) else colours.accent) for i in known]
        sizes = [13 if best == (int(i),) else 8 for i in known]
        self.points.setData(
            x=places[known], y=scores[known], data=known.tolist(), brush=brushes, size=sizes,
            pen=line(colours.base, 1.0),
        )  # fmt: skip

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.synchronize()

    def _on_clicked(self, _item: Any, points: Any, *_: Any) -> None:
        if len(points):
            self.picked.emit((int(points[0].data()),))
