"""Lines in a scatter where a method has cut an axis in two, such as IsoCut its steps."""

from __future__ import annotations

from typing import Any

from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours


class CutMarks:
    """At most one line across each axis of a plot, with the word that says what it is."""

    def __init__(self, plot: Any) -> None:
        self._lines = (self._line(plot, angle=90), self._line(plot, angle=0))

    def draw(self, x: float | None, y: float | None, colours: Colours) -> None:
        """Show where x and y are cut; None where they are not."""
        for line, place in zip(self._lines, (x, y), strict=True):
            line.setVisible(place is not None)
            if place is None:
                continue
            line.setPos(place)
            line.setPen(plotting.line(colours.text, 1.4, dashed=True))
            line.label.setColor(colours.text)
            line.label.fill = plotting.fill(colours.base, 220)

    def _line(self, plot: Any, angle: float) -> Any:
        said = {"position": 0.96, "anchors": [(0, 0.5), (0, 0.5)], "color": "#000000"}
        line = pg.InfiniteLine(angle=angle, label="cut", labelOpts=said)
        line.setZValue(10)
        line.setVisible(False)
        plot.addItem(line, ignoreBounds=True)
        return line
