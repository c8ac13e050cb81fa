"""The Profile view: box plots of the features, group by group."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.states.profile import Boxes, ProfileState
from coterie.gui.states.written import of_profile, write_csv
from coterie.gui.styling import palette, theme
from coterie.gui.views.view import View

if TYPE_CHECKING:
    from coterie.projects.session import Session

_WIDTH, _HEIGHT = 210, 190  # of one plot, at least


class ProfileView(View):
    """What sets each group off: the most telling features first."""

    title = "Profile"
    has_table = True

    canvas: Any
    _headline: QLabel
    _area: QScrollArea

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = ProfileState(session)
        self._drawn: tuple[object, int] = (None, 0)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        return self.state.empty

    def build(self) -> QWidget:
        from coterie.gui.views import plotting

        self._headline = QLabel(wordWrap=True)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self._headline, 1)
        top.addWidget(self.save_button())
        self.canvas = plotting.canvas("Box plots of the features in each group")
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setAccessibleName("Features by group")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self.canvas)
        # The plots do not move: the wheel is for the page.
        self.canvas.wheelEvent = lambda event: event.ignore()
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._area, 1)
        return content

    def restyle(self) -> None:
        from coterie.gui.views import plotting

        plotting.style_canvas(self.canvas, theme.current())
        self._drawn = (None, 0)

    def draw(self) -> None:
        self._headline.setText(self.state.sentence)
        wanted = (self.state.boxes, self._columns())
        if wanted == self._drawn:
            return
        self._drawn = wanted
        self.canvas.clear()
        columns = wanted[1]
        for number, boxes in enumerate(self.state.boxes):
            self._draw_boxes(boxes, *divmod(number, columns))
        rows = -(-len(self.state.boxes) // columns)
        self.canvas.setMinimumHeight(rows * _HEIGHT)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.views import plotting

        self.synchronize()
        if not self.empty:
            plotting.write_picture(self.canvas, path)

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self.synchronize()
        write_csv(path, of_profile(self.state))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many plots side by side as there is room for."""
        super().resizeEvent(event)
        self.refresh()

    def _columns(self) -> int:
        room = max(1, self._area.viewport().width() // _WIDTH)
        return min(room, max(1, len(self.state.boxes)))

    def _draw_boxes(self, boxes: Boxes, row: int, column: int) -> None:
        from coterie.gui.views import plotting
        from coterie.gui.views.plotting import pg

        colours = theme.current()
        plot = plotting.add_plot(self.canvas, row, column)
        plot.setMouseEnabled(x=False, y=False)
        plot.setTitle(boxes.name, color=colours.text, size="9pt")
        plot.getAxis("left").setWidth(46)
        plotting.style_plot(plot, colours)
        plot.getAxis("bottom").setGrid(False)
        places = np.arange(len(self.state.groups), dtype=float)
        for place, group, five in zip(places, self.state.groups, boxes.quantiles, strict=True):
            if not np.isfinite(five).all():
                continue
            low, first, middle, third, high = five
            shade = palette.group_colour(group, dark=colours.dark)
            whiskers = pg.PlotCurveItem(
                [place, place, place, place],
                [low, first, third, high],
                connect="pairs",
                pen=plotting.line(shade, 1.4),
            )
            box = pg.BarGraphItem(
                x=[place], y0=[first], height=[third - first], width=0.62,
                brush=plotting.fill(shade, 90), pen=plotting.line(shade, 1.2),
            )  # fmt: skip
            centre = pg.PlotCurveItem(
                [place - 0.31, place + 0.31], [middle, middle], pen=plotting.line(shade, 2.6)
            )
            for item in (whiskers, box, centre):
                plot.addItem(item)
        short = len(self.state.groups) > 4
        ticks = [
            (place, str(group + 1) if short else name)
            for place, group, name in zip(places, self.state.groups, self.state.names, strict=True)
        ]
        plot.getAxis("bottom").setTicks([ticks])
        plot.setXRange(-0.6, len(places) - 0.4, padding=0)
