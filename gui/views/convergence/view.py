"""The Convergence view: an iterative run, live, and its recorded history afterwards."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QWidget,
)

from coterie.core.errors import in_words
from coterie.gui.toolkit.elided import ElidedChoice, ElidedLabel
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.convergence.filming import Filming
from coterie.gui.views.convergence.run_bar import RunBar
from coterie.gui.views.convergence.state import MOST_DRAWN, ConvergenceState
from coterie.gui.views.shown_items.csv_export import write_csv

if TYPE_CHECKING:
    from coterie.gui.views.convergence.curves import Curves
    from coterie.gui.views.convergence.population_plot import PopulationPlot
    from coterie.gui.views.convergence.simplex_path import SimplexPath
    from coterie.gui.views.convergence.simplex_plot import SimplexPlot
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.session import Session

ANIMATION = ".apng"
_ANY_WIDTH = 16_777_215  # Qt's word for no limit
# Type of population plot: what that is called when items, and when groups are the strategies.
_MANNERS = {
    "bars": ("Largest shares", "Group shares"),
    "area": ("All shares, sorted", ""),
    "lines": ("Shares over time", "Shares over time"),
    "decided": ("", "Decisions"),
    "simplex": ("Three strategies", "Three groups"),
}


class ConvergenceView(View):
    """Curves and population of a run; pause it, step it, look back."""

    title = "Convergence"
    has_table = True

    bar: RunBar
    canvas: Any
    curves: Curves
    population: PopulationPlot
    simplex: SimplexPlot
    corners: tuple[ElidedChoice, ElidedChoice, ElidedChoice]
    headline: QLabel
    manner: ElidedChoice
    _more: QPushButton
    _menu: QMenu
    _save: QPushButton
    _chosen: QWidget  # the choice of the corners
    portrayed: QCheckBox
    filming: Filming

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = ConvergenceState(session)
        self._drawn_length = -1
        self._laid_out = ""
        self.listen(self.state.live.changed, self.refresh)
        self.listen(session.job_changed, self._on_job_changed)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        return self.state.empty

    def expects_content(self) -> bool:
        # Making the plots takes some 70 ms; better before a run than at its first picture.
        return self.state.shown.dataset is not None

    def build_in_parts(self) -> Generator[None, None, QWidget]:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.views.convergence.curves import Curves
        from coterie.gui.views.convergence.population_plot import PopulationPlot
        from coterie.gui.views.convergence.simplex_plot import SimplexPlot

        self.headline = ElidedLabel()
        self.headline.setProperty("role", "heading")
        self.manner = ElidedChoice()
        self.manner.setAccessibleName("Type of population plot")
        self._offer_manners(of_groups=False)
        self.manner.activated.connect(self.synchronize)
        self._more = QPushButton("Curves")
        self._more.setToolTip("Choose which curves are drawn, and read what they mean")
        self._menu = QMenu(self._more)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._offer_curves)
        self._more.setMenu(self._menu)
        self._save = self.save_button(tip="Save the picture as PNG or SVG, or the run as animation")
        self.filming = Filming(self)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.setSpacing(6)
        top.addWidget(self.headline, 1)
        top.addWidget(self._more)
        top.addWidget(self.manner)
        top.addWidget(self._save)
        first, second, third = (self._corner(number) for number in range(3))
        self.corners = (first, second, third)
        self._chosen = QWidget()
        below = QHBoxLayout(self._chosen)
        below.setContentsMargins(12, 0, 8, 6)
        below.setSpacing(6)
        below.addStretch(1)
        word = QLabel("Corners")
        word.setProperty("role", "muted")
        word.setBuddy(first)
        self.portrayed = QCheckBox("Other starts")
        self.portrayed.setToolTip(
            "Show where replicator dynamics among these three alone lead from other starts: "
            "filled dots are stable, rings are not"
        )
        self.portrayed.setChecked(True)
        self.portrayed.clicked.connect(self._on_portrayed)
        for widget in (self.portrayed, word, *self.corners):
            below.addWidget(widget)
        self._chosen.hide()

        yield
        self.canvas = plotting.canvas("Curves and population of the run")
        self.curves = Curves(self.canvas, self)
        yield from self.curves.add_plots()
        self.population = PopulationPlot(self.canvas, 0, 1, rows=MOST_DRAWN)
        yield
        self.simplex = SimplexPlot(self.canvas, 0, 2, rows=MOST_DRAWN)
        yield
        grid = self.canvas.ci.layout
        grid.setColumnStretchFactor(0, 3)
        grid.setColumnStretchFactor(1, 2)
        grid.setHorizontalSpacing(16)
        self.curves.dragged.connect(self._on_cursor_dragged)

        self.bar = RunBar()
        self.bar.held.connect(lambda: self.session.scheduler.pause())
        self.bar.resumed.connect(self._on_resumed)
        self.bar.stepped.connect(self._on_stepped)
        self.bar.cancelled.connect(lambda: self.session.cancel())
        self.bar.speed_chosen.connect(self.state.choose_speed)
        self.bar.scrubbed.connect(self.state.live.scrub)
        self.bar.again_asked.connect(lambda: self.watch())

        return stacked(top, self._chosen, self.canvas, self.bar, grows=self.canvas)

    def restyle(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        self.curves.restyle(colours)
        self.population.restyle(colours)
        self.simplex.restyle(colours)

    def draw(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        state, live = self.state, self.state.live
        self.headline.setText(state.headline)
        iterations = live.iterations
        drawn = state.drawn_curves
        self.curves.show(drawn)
        self.curves.draw_marks(live.marks)
        self.curves.draw(iterations, [state.series(curve) for curve in drawn])
        if len(iterations) != self._drawn_length:
            self._drawn_length = len(iterations)
            self.curves.follow(iterations)
        moment = live.moment
        self.curves.draw_cursor(moment.iteration if live.scrubbed and moment else None)
        self.bar.show_state(state)
        plotting.settle(self.canvas)

    def draw_rest(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        self._offer_manners(of_groups=self.state.population.of_groups)
        self._draw_population(str(self.manner.currentData()))
        plotting.settle(self.canvas)

    def _draw_population(self, manner: str) -> None:
        state, colours = self.state.population, theme.current()
        self._give_room(manner if state.known else "none")
        if manner == "bars":
            self.population.draw_bars(state.bars(), colours, of_groups=state.of_groups)
        elif manner == "area":
            self.population.draw_area(state.in_order(), colours)
        elif manner == "lines":
            self.population.draw_lines(state.lines(), colours)
        elif manner == "decided":
            self.population.draw_decisions(state.decisions(), colours)
        else:
            path = state.simplex()
            portrait = self.state.portrait(path.items) if path is not None else None
            self.portrayed.setVisible(self.state.can_be_portrayed)
            self.simplex.draw(path, colours, portrait)
            self._offer_corners(path)

    def _offer_curves(self) -> None:
        """List the curves of this run, those that are drawn ticked."""
        self._menu.clear()
        drawn = self.state.drawn_curves
        for curve in self.state.curves:
            action = self._menu.addAction(curve.title)
            action.setCheckable(True)
            action.setChecked(curve in drawn)
            action.setEnabled(len(drawn) > 1 if curve in drawn else len(drawn) < MOST_DRAWN)
            action.setToolTip(curve.description)
            action.toggled.connect(partial(self._on_curve_chosen, curve.name))
        if method := self.state.method:
            self._menu.addSeparator()
            page = self._menu.addAction("The page of this method…")
            page.setToolTip("What it does, and what its curves and settings mean")
            page.triggered.connect(lambda: self.asked.emit("help", method))

    def _on_curve_chosen(self, name: str, drawn: bool) -> None:
        self.state.choose_curve(name, drawn)
        self._drawn_length = -1
        self.synchronize()

    def _offer_manners(self, *, of_groups: bool) -> None:
        """List the ways to draw the population of this run; groups are too few to be sorted."""
        offered = {key: names[of_groups] for key, names in _MANNERS.items() if names[of_groups]}
        if not self.state.population.decides:
            offered.pop("decided", None)
        if [self.manner.itemText(i) for i in range(self.manner.count())] == [*offered.values()]:
            return
        before = self.manner.currentData()
        self.manner.clear()
        for key, name in offered.items():
            self.manner.addItem(name, key)
        self.manner.setCurrentIndex(max(self.manner.findData(before), 0))

    def _give_room(self, manner: str) -> None:
        """Show the triangle or the other plot in the same place, or neither: "none"."""
        if self._laid_out == manner:
            return
        self._laid_out = manner
        grid = self.canvas.ci.layout
        triangle = manner == "simplex"
        for plot, column, seen in (
            (self.population.plot, 1, manner in ("bars", "area", "lines", "decided")),
            (self.simplex.plot, 2, triangle),
        ):
            plot.setVisible(seen)
            grid.setColumnStretchFactor(column, 2 if seen else 0)
            grid.setColumnMaximumWidth(column, _ANY_WIDTH if seen else 0)
        self._chosen.setVisible(triangle)
        self.manner.setVisible(manner != "none")

    def _corner(self, number: int) -> ElidedChoice:
        box = ElidedChoice()
        box.setAccessibleName(f"Strategy at corner {number + 1}")
        box.setToolTip("Item at this corner of the triangle")
        box.setMaximumWidth(160)
        # As narrow as need be: what this view asks for, the panels beside it would have to give.
        box.setSizeAdjustPolicy(ElidedChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(4)
        box.activated.connect(lambda _: self._on_corner_chosen())
        return box

    def _offer_corners(self, path: SimplexPath | None) -> None:
        """List the items that may be corners, those that are chosen."""
        if path is None or any(box.view().isVisible() for box in self.corners):
            return
        choices = self.state.population.candidates()
        for box, item in zip(self.corners, path.items, strict=True):
            if [box.itemData(i) for i in range(box.count())] != [one for one, _ in choices]:
                box.clear()
                for one, name in choices:
                    box.addItem(name, one)
            box.setCurrentIndex(box.findData(item))

    def _on_portrayed(self, wanted: bool) -> None:
        self.state.portrayed = wanted
        self.synchronize()

    def _on_corner_chosen(self) -> None:
        first, second, third = (int(box.currentData()) for box in self.corners)
        if len({first, second, third}) == 3:
            self.state.population.choose((first, second, third))
        self.synchronize()

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if self.empty:
            return
        if path.suffix.lower() == ANIMATION:
            self.filming.begin(path)
        else:
            plotting.write_picture(self.canvas, path)

    def ask_and_export(self) -> None:
        """Ask for a file and write the picture, or the whole run, to it."""
        kinds = f"PNG (*.png);;SVG (*.svg);;Animation for browsers (*{ANIMATION})"
        if (asked := ask_target(self, "Save picture", "convergence.png", kinds)) is not None:
            self.export_picture(asked[0])

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self.synchronize()
        write_csv(path, self.state.table_rows())

    def watch(self, name: str = "") -> None:
        """Run a step once more, in slow motion; without a name, the one that is shown."""
        try:
            if name:
                self.state.chosen = name
                self.state.update()
            self.state.watch()
        except Exception as error:
            self.session.logged.emit(in_words(error))

    def _on_resumed(self) -> None:
        self.state.live.scrub(None)  # what comes is looked at, not what was
        self.session.scheduler.resume()

    def _on_stepped(self) -> None:
        self.state.live.scrub(None)
        self.session.scheduler.step_once()

    def _on_job_changed(self, job: EngineJob) -> None:
        if not job.active:
            self.state.calm_down()
            self.outdate()
        else:
            self.refresh()

    def _on_cursor_dragged(self, iteration: float) -> None:
        reached = [moment.iteration for moment in self.state.live.moments]
        if reached:
            self.state.live.scrub(int(np.argmin(np.abs(np.array(reached) - iteration))))
