"""The Embedding view: the items as points, coloured live, brushed by box, lasso or click."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.embedding.axes import name_axes
from coterie.gui.views.embedding.countries import all_places
from coterie.gui.views.embedding.dense import Drawn
from coterie.gui.views.embedding.dense_drawing import DenseDrawing, DensePart
from coterie.gui.views.embedding.legend_menus import fill_select_menu, legend_menu
from coterie.gui.views.embedding.scatter_bar import ScatterBar
from coterie.gui.views.embedding.state import ScatterState
from coterie.gui.views.shown_items import geometry
from coterie.gui.views.shown_items.colouring import LegendEntry, plain
from coterie.gui.views.shown_items.csv_export import write_csv

if TYPE_CHECKING:
    from coterie.gui.toolkit.plots.brush import BrushBox
    from coterie.gui.views.embedding.cut_marks import CutMarks
    from coterie.gui.views.embedding.exemplar_marks import ExemplarMarks
    from coterie.gui.views.embedding.hover_card import HoverCard
    from coterie.gui.views.embedding.points import Points
    from coterie.gui.views.embedding.triad import Triad
    from coterie.gui.views.shown_items.legend import Legend
    from coterie.projects.session import Session

_MANY = 12  # entries of a legend, from which one may search
_NEAR = 10.0  # pixels within which a click or the pointer means a point
_RADIANS_A_PIXEL, _KEY_TURN = 0.01, np.radians(7.5)
_TURNS = {
    Qt.Key.Key_Left: (-_KEY_TURN, 0.0),
    Qt.Key.Key_Right: (_KEY_TURN, 0.0),
    Qt.Key.Key_Up: (0.0, _KEY_TURN),
    Qt.Key.Key_Down: (0.0, -_KEY_TURN),
}


class EmbeddingView(View):
    """A scatter of the newest embedding, or of any two or three columns."""

    title = "Embedding"
    has_table = True

    bar: ScatterBar
    canvas: Any
    plot: Any
    box: BrushBox
    legend: Legend
    card: HoverCard
    triad: Triad
    _points: Points
    _cuts: CutMarks
    _exemplars: ExemplarMarks
    _banner: QFrame
    _stale: QLabel
    _note: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = ScatterState(session)
        self._placed: tuple[object, ...] | None = None
        self._colouring, self._places = plain(0, dark=False), (np.empty(0), np.empty(0))
        self._dense = DenseDrawing(self.state, self, self._on_dense)
        self._unfitted = False  # whether very many points are to be shown whole once sorted
        self.listen(session.selection.changed, self.refresh)
        self.listen(session.selection.mode_changed, self.refresh)
        self.listen(self.state.live.changed, self.refresh)

    def show_step(self, name: str) -> None:
        self.state.show_step(name)
        self.outdate()

    def update_state(self) -> None:
        self.state.update()

    def emptiness(self) -> str:
        if not self.state.n:
            return "Open a file or choose a sample to see its items as points here."
        if not self.state.axes:
            return "These items have no features to plot. Add an embedding step and run it."
        return ""

    def build_in_parts(self) -> Generator[None, None, QWidget]:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.brush import BrushBox
        from coterie.gui.views.embedding.cut_marks import CutMarks
        from coterie.gui.views.embedding.exemplar_marks import ExemplarMarks
        from coterie.gui.views.embedding.hover_card import HoverCard
        from coterie.gui.views.embedding.points import Points
        from coterie.gui.views.embedding.triad import Triad
        from coterie.gui.views.shown_items.legend import Legend

        self.bar = ScatterBar()
        self.bar.picture_chosen.connect(self._on_picture_chosen)
        self.bar.spread_chosen.connect(self._on_spread_chosen)
        self.bar.axis_chosen.connect(self._on_axis_chosen)
        self.bar.colour_chosen.connect(self._on_colour_chosen)
        self.bar.tool_chosen.connect(self._on_tool_chosen)
        self.bar.equal_chosen.connect(self._on_equal_chosen)
        self.bar.sizes_chosen.connect(self._on_sizes_chosen)
        self.bar.solid_chosen.connect(self._on_solid_chosen)
        self.bar.world_chosen.connect(self._on_world_chosen)
        self.bar.fit_asked.connect(self._on_fit)
        self.bar.picture_asked.connect(self.ask_and_export)
        self.bar.menu.aboutToShow.connect(self._on_menu)

        self._stale = QLabel(wordWrap=True)
        self._banner = QFrame()
        self._banner.setProperty("role", "banner")
        inside = QHBoxLayout(self._banner)
        inside.setContentsMargins(12, 6, 12, 6)
        inside.addWidget(self._stale)
        self._note = QLabel()
        self._note.setProperty("role", "muted")
        self._note.setContentsMargins(12, 2, 12, 6)

        yield
        self.canvas = plotting.canvas("Scatter plot of the items")
        self.box = BrushBox()
        self.plot = plotting.add_plot(self.canvas, 0, 0, box=self.box)
        self.legend = Legend()
        self.canvas.ci.addItem(self.legend, 0, 1)
        self._points = Points(self.plot)
        self._cuts = CutMarks(self.plot)
        self._exemplars = ExemplarMarks(self.plot)
        self.triad = Triad(self.box)
        self.card = HoverCard(self.canvas)
        self.canvas.installEventFilter(self)
        self.box.turned.connect(self._on_turned)
        self.box.brushed.connect(self._on_brushed)
        self.box.pressed.connect(self._on_pressed)
        self.box.sigRangeChanged.connect(self._on_range_changed)
        self.legend.clicked.connect(self._on_legend_clicked)
        self.legend.asked.connect(self._on_legend_asked)
        self.bar.sought.textChanged.connect(self.legend.search)
        self.canvas.scene().sigMouseMoved.connect(self._on_pointer)

        return stacked(self.bar, self._banner, self.canvas, self._note, grows=self.canvas)

    def restyle(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        plotting.style_plot(self.plot, colours)
        self.box.restyle(colours)
        self.legend.update()

    def draw(self) -> None:
        state, colours = self.state, theme.current()
        self.bar.show_state(state)
        self._stale.setText(state.stale)
        self._banner.setVisible(bool(state.stale))
        axes = (state.x, state.y, state.z if state.is_solid else None)
        keys = tuple(axis.key if axis else "" for axis in axes)
        drawn = (state.shown.dataset, state.shown.embedding, keys)
        if self._placed != drawn:
            self._placed = drawn
            self.box.solid = state.is_solid
            name_axes(self.plot, state.x, state.y, solid=state.is_solid)
            self._unfitted = state.dense
            self.fit()
        elif state.moves and not state.dense and not self._fits():
            self.fit()  # where very many are is known when they are sorted
        self.triad.setVisible(state.is_solid)
        if state.is_solid:
            names = tuple(axis.title if axis else "" for axis in (state.x, state.y, state.z))
            self.triad.show_side(state.side, names)
        self._points.draw_ground(
            all_places() if state.world and not state.is_solid else None, colours
        )
        across, up = (None, None) if state.is_solid else (state.x, state.y)
        self._cuts.draw(across.cut if across else None, up.cut if up else None, colours)
        selected = self._selected()
        if state.dense:
            if state.crowd is None:
                self._points.hide()  # they are elsewhere now
                self._explain(selected)
            self._dense.ask(self._dense_part())
            return
        self._colouring = state.colouring(dark=colours.dark)
        x, y = self._places = state.visible(self._colouring)
        self._points.draw(x, y, self._colouring, selected, colours, state.sizes(), state.seen)
        self._exemplars.draw(state.exemplar_ways(), colours)
        self._explain(selected)

    def _explain(self, selected: Array) -> None:
        """Say what the colours mean, and how much is shown."""
        self.legend.hidden = self.state.hidden
        self.legend.show_colouring(self._colouring)
        self.bar.sought.setVisible(len(self._colouring.entries) > _MANY)
        self._note.setText(self.state.note(int(np.count_nonzero(selected))))

    def _on_dense(self, drawn: Drawn) -> None:
        """Show the picture of very many points, which was made on a thread."""
        state, colours = self.state, theme.current()
        if self._unfitted or (state.moves and not self._fits()):
            self._unfitted = False
            self.fit()
            self.refresh()
        self._colouring, self._places = drawn.colouring, (drawn.crowd.x, drawn.crowd.y)
        self._points.draw_dense(drawn, colours)
        self._exemplars.draw(state.exemplar_ways(), colours)
        self.bar.show_state(state)
        self._explain(self._selected())

    def _dense_part(self) -> DensePart:
        (x0, x1), (y0, y1) = self.box.viewRange()
        box = None if self.state.crowd is None or self._unfitted else (x0, y0, x1, y1)
        return DensePart(self._selected(), box, self._points.picture_size())

    def fit(self) -> None:
        """Show all points."""
        self.box.setAspectLocked(self.state.is_solid or self.state.equal_scales)
        x0, y0, x1, y1 = self.state.extent
        self.box.setRange(xRange=(x0, x1), yRange=(y0, y1), padding=0.05)

    def _fits(self) -> bool:
        """Whether all points are in view and fill at least half of it."""
        x0, y0, x1, y1 = self.state.extent
        (left, right), (bottom, top) = self.box.viewRange()
        inside = left <= x0 and x1 <= right and bottom <= y0 and y1 <= top
        return bool(inside and (2 * (x1 - x0) >= right - left or 2 * (y1 - y0) >= top - bottom))

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if self.empty:
            return
        if self.state.dense:
            for _ in range(2):  # once to learn where the points are, once of the part in view
                self._dense.finish(self._dense_part())
            plotting.write_picture(self.canvas, path)
            return
        self._points.exported = True
        try:
            self.draw()
            plotting.write_picture(self.canvas, path)
        finally:
            self._points.exported = False
            self.draw()

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self.synchronize()
        write_csv(path, self.state.table_rows())

    # Selecting

    def select(self, mask: Array, held: Qt.KeyboardModifier) -> None:
        """Change the shared selection by these items, as the keys that are held say."""
        if len(mask) != self.state.n:
            return  # of what was shown before: the picture of very many items comes later
        from coterie.gui.toolkit.plots.brush import selection_mode

        self.claim_selection(self.state.n)
        self.session.selection.choose(mask, selection_mode(held))

    def _selected(self) -> Array:
        mask = self.session.selection.mask
        return mask if len(mask) == self.state.n else np.zeros(self.state.n, dtype=bool)

    def _on_brushed(self, corners: Array, held: Qt.KeyboardModifier) -> None:
        if (crowd := self.state.crowd) is not None:
            self._dense.brush(crowd, corners, lambda mask: self.select(mask, held))
            return
        self.select(geometry.in_lasso(*self._places, corners), held)

    def _on_pressed(self, point: tuple[float, float], held: Qt.KeyboardModifier) -> None:
        item = self._item_at(point)
        mask = np.zeros(self.state.n, dtype=bool)
        if item is not None:
            mask[item] = True
        self.select(mask, held)

    def _item_at(self, point: tuple[float, float]) -> int | None:
        reach = self.box.reach(_NEAR)
        if self.state.dense:
            return None if self.state.crowd is None else self.state.crowd.nearest(point, reach)
        return geometry.nearest(*self._places, point, reach)

    def _on_legend_clicked(self, entry: LegendEntry, held: Qt.KeyboardModifier) -> None:
        self.select(self._colouring.members(entry), held)

    def _on_legend_asked(self, entry: LegendEntry, place: QPointF) -> None:
        menu = legend_menu(self, self.state, self._colouring, entry, self.hide_classes)
        menu.popup(place.toPoint())

    def hide_classes(self, codes: Iterable[int]) -> None:
        """Draw the items of all classes but these."""
        self.state.hide(codes)
        self.legend.update()
        self.refresh()

    def _on_menu(self) -> None:
        self.claim_selection(self.state.n)
        fill_select_menu(self.bar.menu, self.session.selection, self._colouring)

    # Choosing

    def _on_picture_chosen(self, key: str) -> None:
        self.state.choose_picture(key)
        self._outdated = True
        self.synchronize()

    def _on_spread_chosen(self, spread: bool) -> None:
        self.state.choose_spread(spread)
        self.refresh()
        self.fit()

    def _on_axis_chosen(self, which: str, key: str) -> None:
        self.state.choose_axes(**{which: key})
        self.synchronize()

    def _on_colour_chosen(self, key: str) -> None:
        self.state.choose_colour(key)
        self.synchronize()

    def _on_tool_chosen(self, tool: str) -> None:
        self.box.use(tool)

    def _on_equal_chosen(self, equal: bool) -> None:
        self.state.choose_equal_scales(equal)
        self.refresh()
        self.fit()

    def _on_sizes_chosen(self, sized: bool) -> None:
        self.state.sized = sized
        self.synchronize()

    def _on_world_chosen(self, on: bool) -> None:
        self.state.show_world(on)
        self.bar.tools["box"].trigger()
        self.synchronize()

    def _on_range_changed(self) -> None:
        if self._points.is_image:
            self.refresh()

    def _on_pointer(self, place: QPointF) -> None:
        if not self.box.sceneBoundingRect().contains(place):
            self.card.leave()
            return
        point = self.box.mapSceneToView(place)
        at = (float(point.x()), float(point.y()))
        item = self._item_at(at)
        if item is None:
            self.card.leave()
        else:
            self.card.show_item(item, self.state.glance(item), self.canvas.mapFromScene(place))

    # Three dimensions

    def _on_solid_chosen(self, solid: bool) -> None:
        self.state.solid = solid
        tool = "pan" if self.state.is_solid else "box"  # in three dimensions one turns first
        self.bar.tools[tool].trigger()
        self.synchronize()

    def _on_turned(self, across: float, up: float) -> None:
        self.card.leave()
        self.state.turn(across * _RADIANS_A_PIXEL, up * _RADIANS_A_PIXEL)
        self.refresh()

    def _on_fit(self) -> None:
        if self.state.is_solid:
            self.state.turn_back()
        elif self._fits():
            self.state.whole = not self.state.whole
        self.refresh()
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys turn, and put the card away when the pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self.card.leave()
        turning = self.state.is_solid and event.type() == QEvent.Type.KeyPress
        if turning and isinstance(event, QKeyEvent) and event.key() in _TURNS:
            self.state.turn(*_TURNS[Qt.Key(event.key())])
            self.refresh()
            return True
        return super().eventFilter(watched, event)
