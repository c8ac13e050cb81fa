"""The Spectrum view: eigenvalues, the gap between them, and the share that the first ones have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from coterie.core.errors import DataError, in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.shown_items.csv_export import write_csv
from coterie.gui.views.spectrum.state import ShownSpectrum, SpectrumState

if TYPE_CHECKING:
    from coterie.gui.toolkit.styling.theme import Colours
    from coterie.projects.session import Session


class SpectrumView(View):
    """Eigenvalues behind a result, with the number of groups they suggest."""

    title = "Spectrum"
    draws_types = ("clustering", "embedding", "spectrum")
    has_table = True

    canvas: Any
    headline: QLabel
    step: QComboBox
    _plots: tuple[Any, Any]
    _items: list[tuple[Any, Any]]

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = SpectrumState(session)
        self._aside = Aside(self)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        self._aside.work_out(self.state.pending, self.outdate, self._on_no_spectrum)

    def emptiness(self) -> str:
        # Where there is a choice it stays, to choose something else.
        several = self.state.shown is None and len(self.state.choices) > 1
        return "" if several else self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.shown.step,) if self.state.shown is not None else ()

    def build(self) -> QWidget:
        from coterie.gui.toolkit.plots import plotting

        self.headline = QLabel(wordWrap=True)
        self.step = ElidedChoice()
        self.step.setAccessibleName("Spectrum to show")
        self.step.setToolTip("Spectrum to show")
        self.step.activated.connect(self._on_step_picked)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self.headline, 1)
        top.addWidget(self.step)
        top.addWidget(self.save_button())
        self.canvas = plotting.canvas("Eigenvalues")
        first = plotting.add_plot(self.canvas, 0, 0, y="eigenvalue")
        second = plotting.add_plot(self.canvas, 1, 0, x="number", y="gap to the next")
        second.setXLink(first)
        self._plots = (first, second)
        self._items = []
        for plot in self._plots:
            plot.getAxis("left").setWidth(68)
            plot.setMouseEnabled(x=False, y=False)
            plot.getAxis("right").setWidth(44)
            plot.getAxis("right").setTicks([])
        first.getAxis("bottom").setStyle(showValues=False)
        self.canvas.ci.layout.setRowStretchFactor(0, 3)
        self.canvas.ci.layout.setRowStretchFactor(1, 2)
        return stacked(top, self.canvas, grows=self.canvas)

    def restyle(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        for plot in self._plots:
            plotting.style_plot(plot, colours)
            plot.getAxis("right").setPen(plotting.line(colours.line))
            plot.getAxis("right").setTextPen(plotting.line(colours.warning))

    def draw(self) -> None:
        shown = self.state.shown
        names = list(self.state.choices)
        if [self.step.itemText(i) for i in range(self.step.count())] != names:
            self.step.clear()
            self.step.addItems(names)
        self.step.setCurrentText(self.state.choice)
        for plot, item in self._items:
            plot.removeItem(item)
        self._items = []
        if shown is None:
            self.headline.setText(self.state.empty)
            return
        said = self.state.sentence
        # What they are eigenvalues of is in no axis: a Laplacian's rise, those of a walk fall.
        self.headline.setText(f"{said} Shown: {shown.title}." if said else shown.title)
        colours = theme.current()
        self._draw_values(shown, colours)
        self._draw_gaps(shown, colours)
        if shown.suggested:
            self._mark_gap(shown, colours)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self._require_spectrum()
        if not self.empty:
            plotting.write_picture(self.canvas, path)

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self._require_spectrum()
        write_csv(path, self.state.table_rows())

    def _draw_values(self, shown: ShownSpectrum, colours: Colours) -> None:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.plotting import pg

        number = np.arange(1, len(shown.values) + 1, dtype=float)
        stems = pg.PlotCurveItem(
            np.repeat(number, 2),
            np.column_stack([np.zeros(len(number)), shown.values]).ravel(),
            connect="pairs",
            pen=plotting.line(colours.line, 1.4),
        )
        inside = number <= (shown.suggested or shown.used)
        brushes = [plotting.fill(colours.accent if one else colours.muted) for one in inside]
        dots = pg.ScatterPlotItem(
            number, shown.values, size=9, brush=brushes, pen=pg.mkPen(None), antialias=True
        )
        self._add(0, stems)
        self._add(0, dots)
        shares = shown.shares
        if shares is not None and not shown.suggested:
            # Of an embedding the question is how much the first coordinates explain.
            top = float(shown.values.max())
            curve = pg.PlotCurveItem(
                number, shares * top, pen=plotting.line(colours.warning, 1.6, dashed=True)
            )
            self._add(0, curve)
            of_what = "the trace" if shown.of_similarities else "the sum"
            said = pg.TextItem(
                f"share of {of_what}: {shares[min(1, len(shares) - 1)]:.0%} in the first two",
                color=colours.warning,
                anchor=(1, 1),
            )
            said.setPos(float(number[-1]), top)  # above the curve, which ends here
            self._add(0, said)
            quarters = [(top * share, f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
            self._plots[0].getAxis("right").setTicks([quarters])
        # The lower plot keeps the same room, as the two stand under each other.
        for plot in self._plots:
            plot.showAxis("right", shares is not None and not shown.suggested)
        low, high = min(0.0, float(shown.values.min())), max(0.0, float(shown.values.max()))
        span = (high - low) or 1.0
        self._plots[0].setYRange(low - 0.04 * span, high + 0.18 * span, padding=0)
        self._plots[0].setXRange(0.4, max(len(number), 2) + 0.6, padding=0)
        ticks = [(float(i), str(int(i))) for i in number if len(number) <= 24 or (i - 1) % 5 == 0]
        self._plots[1].getAxis("bottom").setTicks([ticks])

    def _draw_gaps(self, shown: ShownSpectrum, colours: Colours) -> None:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.plotting import pg

        gaps = shown.gaps
        number = np.arange(1, len(gaps) + 1, dtype=float)
        brushes = [
            plotting.fill(colours.accent if i == shown.suggested else colours.line) for i in number
        ]
        bars = pg.BarGraphItem(
            x=number + 0.5, height=gaps, width=0.7, brushes=brushes, pen=pg.mkPen(None)
        )
        self._add(1, bars)
        self._plots[1].setYRange(0, float(gaps.max(initial=0.0)) * 1.08 or 1.0, padding=0)

    def _mark_gap(self, shown: ShownSpectrum, colours: Colours) -> None:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.plotting import pg

        place = shown.suggested + 0.5
        for row, plot in enumerate(self._plots):
            options: dict[str, Any] = {}
            if row == 0:
                right = place < 0.7 * len(shown.values)
                options = {
                    "label": f"eigengap: k = {shown.suggested}",
                    "labelOpts": {
                        "position": 0.94,
                        "color": colours.text,
                        "fill": plotting.fill(colours.base, 220),
                        "anchors": [(0, 0.5), (0, 0.5)] if right else [(1, 0.5), (1, 0.5)],
                    },
                }
            pen = plotting.line(colours.accent, 1.4, dashed=True)
            mark = pg.InfiniteLine(pos=place, angle=90, pen=pen, **options)
            plot.addItem(mark, ignoreBounds=True)
            self._items.append((plot, mark))

    def _add(self, row: int, item: Any) -> None:
        self._plots[row].addItem(item, ignoreBounds=True)
        self._items.append((self._plots[row], item))

    def _on_step_picked(self) -> None:
        self.state.choose(self.step.currentText())
        self._aside.work_out(self.state.pending, self.outdate, self._on_no_spectrum)
        self.synchronize()

    def _on_no_spectrum(self, error: BaseException) -> None:
        self.state.fail(in_words(error))
        self.outdate()

    def _require_spectrum(self) -> None:
        """Draw what there is, or say why there is nothing to write yet."""
        self.synchronize()
        if self.state.shown is None and not self.empty:
            raise DataError(self.state.empty, code="not-computed")
