"""The Figures view: dendrograms, silhouettes, heat maps and whatever else plots draw as data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QStackedLayout, QToolTip, QVBoxLayout, QWidget

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.figures import Figure
from coterie.gui.toolkit.control_bar import ControlBar, offer
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.figures.state import FiguresState
from coterie.gui.views.shown_items.csv_export import write_csv
from coterie.projects.figures import Offer
from coterie.projects.jobs.job import EngineJob

if TYPE_CHECKING:
    from coterie.core.api.frame import Frame
    from coterie.gui.views.shown_items.colouring import LegendEntry
    from coterie.projects.session import Session

_KEYS = "\nHold Shift or Ctrl to add, Alt or both to remove."
_TOOLS = (
    ("pan", "Move", "P", "Drag to move, scroll to zoom"),
    ("box", "Box", "B", "Drag a box around marks to select their items" + _KEYS),
    ("lasso", "Lasso", "L", "Draw around marks to select their items" + _KEYS),
)
_REACH = 8.0  # pixels


class FiguresView(View):
    """Figures of a result as data: each mark is selected with the items it stands for."""

    title = "Figures"
    draws_types = ("clustering", "figure")
    has_table = True

    canvas: Any
    box: Any
    bar: ControlBar
    picker: Any
    headline: QLabel
    cut_button: QPushButton
    keep_button: QPushButton
    table: Any
    legend: Any
    plot: Any

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = FiguresState(session)
        self.drawn: Any = None
        self._figure: Figure | None = None
        self.listen(session.selection.changed, self.refresh)
        self.listen(session.figures.drawn, self._on_drawn)
        self.listen(session.framed, self._on_framed)
        self.listen(session.job_changed, self._on_job_changed)

    # What all views do

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        shown = self.state.offer
        return () if shown is None else (*shown.of, *([shown.step] if shown.step else []))

    def build(self) -> QWidget:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.brush import BrushBox
        from coterie.gui.views.figures.forms import NamesAxis
        from coterie.gui.views.figures.table import FigureTable
        from coterie.gui.views.shown_items.legend import Legend

        self._make_bar()
        self.headline = QLabel(wordWrap=True)
        self.headline.setContentsMargins(12, 0, 12, 4)
        self.headline.setProperty("role", "muted")
        self.headline.setTextFormat(Qt.TextFormat.PlainText)
        self.canvas = plotting.canvas("Figure")
        self.box = BrushBox()
        self.box.use("box")
        self._axis = NamesAxis("bottom")
        self.plot = self.canvas.addPlot(
            viewBox=self.box,
            enableMenu=False,
            axisItems={"bottom": self._axis, "left": plotting.PlainAxis("left")},
        )
        self.plot.hideButtons()
        self.legend = Legend()
        self.legend.clicked.connect(self._on_legend_clicked)
        self.canvas.ci.addItem(self.legend, 0, 1)
        for side in ("bottom", "left"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
            self.plot.getAxis(side).setZValue(-1)
            self.plot.getAxis(side).setStyle(hideOverlappingLabels=False)
        self.box.brushed.connect(self._on_brushed)
        self.box.pressed.connect(self._on_pressed)
        self.box.sigRangeChanged.connect(self._on_range)
        self.box.sigResized.connect(self._on_range)
        self.canvas.scene().sigMouseMoved.connect(self._on_pointer)
        self.table = FigureTable()
        self.table.rows_chosen.connect(lambda rows: self._choose(rows, None))
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.headline)
        below = QWidget()
        self._shapes = QStackedLayout(below)
        self._shapes.addWidget(self.canvas)
        self._shapes.addWidget(self.table)
        layout.addWidget(below, 1)
        return content

    def restyle(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        plotting.style_plot(self.plot, colours, grid=False)
        self.box.restyle(colours)
        self._figure = None  # drawn again, in these colours

    def draw(self) -> None:
        state = self.state
        offer(self.picker, [(one.name, one.title) for one in state.offers], state.picked)
        shown = state.offer
        self.picker.setToolTip(shown.summary if shown is not None else "Figure to show")
        self.headline.setText(state.sentence)
        if state.figure is not self._figure:
            self._draw_figure(state.figure)
        self._draw_selection()
        self.cut_button.setVisible(state.can_cut)
        self.keep_button.setVisible(state.can_keep)
        if state.can_cut:
            self.cut_button.setText(state.cut_words())
        self.bar.arrange()

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if self.state.problem:
            self._require_figure()
        if not self.empty:
            plotting.write_picture(self.canvas, path)  # what is seen, while it is being drawn too

    def export_table(self, path: Path) -> None:
        """Write the figure as CSV."""
        self._require_figure()
        write_csv(path, self.state.table_rows())

    # Drawing

    def _make_bar(self) -> None:
        self.bar = ControlBar()
        self.picker, _ = self.bar.add_choice("&Figure", "Figure to show", 300)
        self.picker.activated.connect(self._on_picked)
        self.bar.choices.addStretch(1)
        tools = self.bar.add_tools(_TOOLS)
        for key, action in tools.items():
            action.triggered.connect(lambda _=False, key=key: self.box.use(key))
        tools["box"].setChecked(True)
        fit = self.bar.add_action("fit", "Fit", "F", "Fit the figure")
        fit.triggered.connect(self._fit)
        self.cut_button = QPushButton("Make groups")
        self.cut_button.setToolTip("Drag the line; the branches below it become groups")
        self.cut_button.clicked.connect(self._on_cut)
        self.keep_button = QPushButton("Keep as step")
        self.keep_button.setToolTip("Add this figure to the recipe: saved, and in the report")
        self.keep_button.clicked.connect(self._on_keep)
        for button in (self.keep_button, self.cut_button):
            self.bar.handles.addWidget(button)
        self.bar.handles.addWidget(self.save_button())

    def _draw_figure(self, figure: Figure | None) -> None:
        from coterie.gui.views.figures.drawing import drawn_figure

        self._figure = figure
        if self.drawn is not None:
            self.drawn.remove()
            self.drawn = None
        self._shapes.setCurrentIndex(int(figure is not None and figure.form == "table"))
        if figure is None:
            self.plot.hide()
            return
        if figure.form == "table":
            self.table.show_figure(figure)
            return
        self.plot.show()
        # The axes' names first: a form may say better ones.
        axes = figure.axes or ("", "")
        for side, text in zip(("bottom", "left"), axes, strict=True):
            self.plot.getAxis(side).setLabel(text or None)
        names = figure.columns if figure.form in ("lines", "matrix") else ()
        if figure.form == "tree" and figure.marks <= 120:
            names = figure.rows
        longest = min(24, max(map(len, names), default=0))
        self._axis.lean(sum(map(len, names)) > 60 or longest > 12, longest)
        explained = self.state.colouring(dark=theme.current().dark)
        self.legend.give_way(explained is None)
        if explained is not None:
            self.legend.show_colouring(explained)
        self.drawn = drawn_figure(figure, self.plot, theme.current())
        self.box.invertY(self.drawn.upside_down)
        self.box.setMouseEnabled(*self.drawn.zooms)
        self._fit()
        if self.state.can_cut:
            self._show_line()

    def _draw_selection(self) -> None:
        figure = self.state.figure
        if figure is None:
            return
        shares = self.state.selected(self.session.selection.mask)
        if figure.form == "table":
            self.table.mark(shares)
        elif self.drawn is not None:
            self.drawn.mark(shares)

    def _fit(self) -> None:
        if self.drawn is None:
            return
        x0, x1, y0, y1 = self.drawn.extent()
        self.box.setRange(xRange=(x0, x1), yRange=(y0, y1), padding=0)
        self.drawn.show_ticks()

    def _show_line(self) -> None:
        line, state = self.drawn.line, self.state
        low, high = state.cut_range()
        line.setBounds((low, high))
        line.setPos(state.cut if state.cut is not None else (low + high) / 2)
        line.show()
        line.sigDragged.connect(self._on_dragged)

    # What the person does

    def _on_picked(self) -> None:
        self.state.pick(self.picker.currentData())
        self.synchronize()

    def _on_brushed(self, corners: Array, held: Any) -> None:
        if self.drawn is not None:
            self._choose(self.drawn.marks_in(corners), held)

    def _on_pressed(self, point: tuple[float, float], held: Any) -> None:
        if self.drawn is None:
            return
        reach = self.box.reach(_REACH)
        if hasattr(self.drawn, "branch_at"):
            self._choose(self.drawn.branch_at(*point, reach), held)
            return
        mark = self.drawn.mark_at(*point, reach)
        self._choose(np.array([mark] if mark >= 0 else [], dtype=np.int64), held)

    def _on_legend_clicked(self, entry: LegendEntry, held: Any) -> None:
        self._choose(self.state.marks_of_group(entry.code - 1), held)

    def _choose(self, marks: Array, held: Any) -> None:
        from coterie.gui.toolkit.plots.brush import selection_mode

        if not self.state.n:
            return
        self.claim_selection(self.state.n)
        mode = None if held is None else selection_mode(held)
        self.session.selection.choose(self.state.items_of(marks), mode)

    def _on_dragged(self, line: Any) -> None:
        self.state.cut = float(line.value())
        self.drawn.show_cut(self.state.cut_groups())
        self.legend.give_way(True)  # the colours are those of the branches now
        self.cut_button.setText(self.state.cut_words())

    def _on_cut(self) -> None:
        name = self.state.make_groups()
        if name:
            self.asked.emit("step", name)
            self.session.run(name)

    def _on_keep(self) -> None:
        name = self.state.keep()
        if name:
            self.asked.emit("step", name)
            self.session.run(name)

    def _on_pointer(self, scene: QPointF) -> None:
        if self.drawn is None or not self.box.sceneBoundingRect().contains(scene):
            QToolTip.hideText()
            return
        point = self.box.mapSceneToView(scene)
        x, y = float(point.x()), float(point.y())
        mark = self.drawn.mark_at(x, y, self.box.reach(_REACH))
        said = [self.state.about(mark) if mark >= 0 else "", self.drawn.about(x, y)]
        text = "\n".join(filter(None, said))
        if not text:
            QToolTip.hideText()
            return
        where = self.canvas.viewport().mapToGlobal(self.canvas.mapFromScene(scene))
        QToolTip.showText(where, text, self.canvas)

    # What the session says

    def _on_drawn(self, one: Offer, answer: Figure | str) -> None:
        if self.state.take(one, answer):
            self.refresh()

    def _on_framed(self, step: str, frame: Frame) -> None:
        if self.state.take_frame(step, frame):
            self.outdate()

    def _on_job_changed(self, job: EngineJob) -> None:
        if job.step and not job.active:
            self.state.end_live(job.step)
            self.outdate()

    def _on_range(self, *_: object) -> None:
        if self.drawn is not None:
            self.drawn.show_ticks()

    def _require_figure(self) -> None:
        """Draw what there is, or say why there is nothing to write yet."""
        self.synchronize()
        if self.state.figure is None:
            raise DataError(self.state.empty or self.state.sentence, code="not-computed")
