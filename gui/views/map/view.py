"""The Map view: a scene in bands and layers, its pixels linked with every other view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews, ground_of
from coterie.gui.views.map.labelling.run import LabellingRun
from coterie.gui.views.map.labelling.state import why_not
from coterie.gui.views.map.layers.state import Layer
from coterie.gui.views.map.state import MapState
from coterie.gui.views.shown_items.colouring import LegendEntry
from coterie.projects.recipe.inputs import is_scene

if TYPE_CHECKING:
    from coterie.gui.views.map.background import MapWork
    from coterie.gui.views.map.bar import MapBar
    from coterie.gui.views.map.canvas import MapCanvas
    from coterie.gui.views.map.classes.controller import ClassDesk
    from coterie.gui.views.map.classes.panel import ClassesPanel
    from coterie.gui.views.map.finishing.controller import FinishDesk
    from coterie.gui.views.map.labelling.controller import WholeScene
    from coterie.gui.views.map.labelling.progress import LabellingStrip
    from coterie.gui.views.map.layers.panel import LayersPanel
    from coterie.gui.views.map.page import MapPage
    from coterie.gui.views.map.pixel_controller import PixelDesk
    from coterie.gui.views.map.regions.controller import RegionDesk
    from coterie.gui.views.map.regions.panel import RegionsPanel
    from coterie.gui.views.map.spectra_plot import SpectraPlot
    from coterie.gui.views.map.teaching.controller import TeachDesk
    from coterie.gui.views.map.teaching.panel import TeachPanel
    from coterie.projects.session import Session

_NEAR = 8.0  # pixels on the screen within which a click means a sampled pixel
_FLICKER_MILLISECONDS = 600
_TICK_MILLISECONDS = 200


class MapView(View):
    """The scene under the shown data, with what is known and found of its pixels."""

    title = "Map"

    bar: MapBar
    map: MapCanvas
    layers: LayersPanel
    classes: ClassesPanel
    regions: RegionsPanel
    teach: TeachPanel
    spectra: SpectraPlot
    strip: LabellingStrip
    work: MapWork
    desk: RegionDesk
    grouping: ClassDesk
    teacher: TeachDesk
    finisher: FinishDesk
    pixels: PixelDesk
    whole: WholeScene
    page: MapPage

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = MapState(session)
        self.run = LabellingRun(session)
        self.shape: Array | None = None  # corners of what was drawn last, in columns and rows
        self.listen(session.selection.changed, self.refresh)
        self.listen(session.step_changed, self._on_step)
        self.listen(session.job_changed, self._on_job)
        self.listen(session.maps.mapped, self._on_mapped)
        self.listen(session.maps.happened, self._on_event)
        self.listen(session.maps.failed, self._on_map_failed)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        regions = self.state.regions
        another = self.state.update()
        if self.built and self.state.regions is not regions:
            self.pixels.measure()
        if another:
            self.shape = None
            if self.built:
                self.pixels.forget()
                self.page.say("")

    def may_fill(self) -> bool:
        session = self.session
        return any(
            is_scene(source, session.catalogue)
            or _is_picture(session.results.artefact(source.name))
            for source in session.recipe.sources
        )

    def emptiness(self) -> str:
        return self.state.emptiness

    def worth_preparing(self) -> bool:
        """Not for tables: it has many parts, and would find nothing to show."""
        self.update_state()
        return not self.emptiness()

    # Building

    def build(self) -> QWidget:
        from coterie.gui.views.map.background import MapWork
        from coterie.gui.views.map.bar import MapBar
        from coterie.gui.views.map.canvas import MapCanvas
        from coterie.gui.views.map.classes.controller import ClassDesk
        from coterie.gui.views.map.classes.panel import ClassesPanel
        from coterie.gui.views.map.finishing.controller import FinishDesk
        from coterie.gui.views.map.labelling.controller import WholeScene
        from coterie.gui.views.map.labelling.progress import LabellingStrip
        from coterie.gui.views.map.layers.panel import LayersPanel
        from coterie.gui.views.map.pixel_controller import PixelDesk
        from coterie.gui.views.map.regions.controller import RegionDesk
        from coterie.gui.views.map.regions.panel import RegionsPanel
        from coterie.gui.views.map.spectra_plot import SpectraPlot
        from coterie.gui.views.map.teaching.controller import TeachDesk
        from coterie.gui.views.map.teaching.panel import TeachPanel

        self.work = MapWork(self)
        self.bar, self.map = MapBar(), MapCanvas()
        self.map.setParent(self)
        self.layers, self.classes = LayersPanel(), ClassesPanel()
        self.regions, self.spectra = RegionsPanel(), SpectraPlot()
        self.teach = TeachPanel()
        self.strip = LabellingStrip()
        self._flicker = QTimer(self, interval=_FLICKER_MILLISECONDS)
        self._flicker.timeout.connect(lambda: self.map.flicker(not self.map.hidden))
        self._tick = QTimer(self, interval=_TICK_MILLISECONDS)
        self._tick.timeout.connect(self._on_tick)
        self._connect()
        self.desk, self.pixels = RegionDesk(self), PixelDesk(self)
        self.grouping = ClassDesk(self)
        self.whole = WholeScene(self)
        page = self._lay_out()
        self.teacher, self.finisher = TeachDesk(self), FinishDesk(self)
        return page

    def _connect(self) -> None:
        bar, work = self.bar, self.work
        for signal, method in (
            (bar.look_chosen, self._on_look),
            (bar.tool_chosen, self.map.box.use),
            (bar.fit_asked, self.map.fit),
            (bar.flicker_chosen, self._on_flicker),
            (bar.picture_asked, self.ask_and_export),
            (work.prepared, self._on_prepared),
            (work.drawn, self._on_drawn),
            (work.failed, self.say),
            (self.layers.changed, self._on_layer),
            (self.layers.error_chosen, self._on_error_class),
            (self.map.box.brushed, self._on_brushed),
            (self.map.box.pressed, self._on_pressed),
            (self.map.box.sigRangeChanged, self._on_range),
            (self.layers.legend.legend.clicked, self._on_legend),
        ):
            signal.connect(method)
        self.map.canvas.installEventFilter(self)

    def _lay_out(self) -> QWidget:
        from coterie.gui.views.map.page import MapPage

        panels = {
            "Layers": self.layers,
            "Classes": self.classes,
            "Regions": self.regions,
            "Teach": self.teach,
        }
        self.page = MapPage(self.bar, self.map.canvas, panels, self.spectra, self.strip)
        self.page.finding.clicked.connect(self._on_find)
        return self.page

    @property
    def canvas(self) -> Any:
        """What the map is drawn on."""
        return self.map.canvas

    def restyle(self) -> None:
        self.map.restyle()
        self.layers.legend.restyle()
        self.spectra.restyle()

    # Drawing

    def draw(self) -> None:
        state, dark = self.state, theme.current().dark
        ground = state.ground
        if ground is None:
            return
        if state.prepared is None:
            self.work.prepare(ground, state.look.bands)
            self._tick.start()
        layers = state.layers(self.selected(), dark=dark)
        self.whole.look_for_begun()
        self.map.show_ground(ground, state.prepared)
        self.map.show_layers(state, layers)
        self.map.show_regions(state, self.shape)
        self._show_panels(layers, dark)
        self.pixels.show_spectra()
        self._fetch()

    def _show_panels(self, layers: list[Layer], dark: bool) -> None:
        state = self.state
        busy = "The scene is being classified." if self.run.going_on else ""
        can_label = busy or why_not(self.session, state.ground, state.classes is not None)
        self.bar.show_state(state, can_label=can_label, can_judge=self.whole.why_not_accuracy())
        self.layers.show_layers(state, layers)
        self.layers.legend.explain(self.map.colouring)
        self.grouping.show(dark=dark)
        self.regions.show_regions(state.regions, drawn=self.shape is not None, items=state.n > 0)
        self.teacher.show()
        self.strip.show_run(self.run)
        self._show_note()
        self.pixels.show_where()

    def _show_note(self) -> None:
        said = self.state.note()
        if self.work.preparing:
            said = f"Building overviews of the scene, {self.work.progress:.0%}"
        self.page.note.setText(said)

    def _fetch(self) -> None:
        """Have the tiles drawn that are seen and missing."""
        state = self.state
        if state.ground is None or state.prepared is None or self.work.drawing:
            return
        wishes = self.map.wishes()
        if wishes:
            self.work.draw(state.ground, state.prepared, state.look, wishes)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if not self.empty:
            with self.map.legend_inside():
                plotting.write_picture(self.canvas, path)
        elif path.suffix.lower() not in (".png", ".svg"):
            plotting.write_picture(None, path)

    # What the threads bring

    def _on_prepared(self, ground: Ground, prepared: PreparedOverviews) -> None:
        if ground is self.state.ground:
            self.map.outdate_scene()
            self.state.prepared = prepared
            self._tick.stop()
            self.refresh()

    def _on_drawn(self, tiles: Any) -> None:
        self.map.take(tiles)
        self._show_note()
        self._fetch()

    def say(self, sentence: str) -> None:
        """Show what went wrong, above the map; nothing takes it back."""
        self.page.say(sentence, lost=self.state.is_lost)
        self._tick.stop()
        self._show_note()

    def _on_find(self) -> None:
        from coterie.gui.dialogs.find_file import find_file

        find_file(self.session, self.state.root_step, self.window())

    def _on_tick(self) -> None:
        if (found := self.work.sketched) is not None:
            self.state.prepared = found
            self.map.show_sketch(found)
            self._fetch()
        self._show_note()
        if not self.work.preparing:
            self._tick.stop()

    def _on_range(self) -> None:
        soon(self._fetch)

    # Selecting

    def select(self, mask: Array, held: Qt.KeyboardModifier) -> None:
        """Change the shared selection by these items, as the keys that are held say."""
        from coterie.gui.toolkit.plots.brush import selection_mode

        if self.state.n:
            self.claim_selection(self.state.n)
            self.session.selection.choose(mask, selection_mode(held))

    def selected(self) -> Array:
        """Return for each item of the map whether it is selected."""
        mask = self.session.selection.mask
        return mask if len(mask) == self.state.n else np.zeros(self.state.n, dtype=bool)

    def _on_brushed(self, corners: Array, held: Qt.KeyboardModifier) -> None:
        if self.teacher.takes(corners):
            return
        self.shape = corners
        if self.state.n:
            self.select(self.state.inside(corners), held)
        self.refresh()

    def _on_pressed(self, point: tuple[float, float], held: Qt.KeyboardModifier) -> None:
        column, row = point
        if self.state.ground is None or not self.state.contains(column, row):
            return
        self.map.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        self.shape = None
        reach = self.map.box.reach(_NEAR)[0]
        item = self.state.item_at(column, row, reach)
        mask = np.zeros(self.state.n, dtype=bool)
        if item is not None:
            mask[item] = True
        self.pixels.pick(int(row), int(column), more=held != Qt.KeyboardModifier.NoModifier)
        if self.state.n and (item is not None or held == Qt.KeyboardModifier.NoModifier):
            self.select(mask, held)
        self.refresh()

    def _on_legend(self, entry: LegendEntry, held: Qt.KeyboardModifier) -> None:
        if self.map.explained is not None:
            self.select(self.state.members(self.map.explained, entry.code), held)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hold F to see the scene alone; Enter closes a polygon, Escape drops it."""
        if event.type() == QEvent.Type.Leave:
            self.pixels.leave()
        press, release = QEvent.Type.KeyPress, QEvent.Type.KeyRelease
        if isinstance(event, QKeyEvent) and event.type() in (press, release):
            key, pressed = event.key(), event.type() == press
            if key == Qt.Key.Key_F:
                if not event.isAutoRepeat():
                    self.map.flicker(pressed)
                return True
            if pressed and self.map.box.drawing:
                if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                    self.map.box.close_polygon(event.modifiers())
                    return True
                if key == Qt.Key.Key_Escape:
                    self.map.box.drop_polygon()
                    return True
        return bool(super().eventFilter(watched, event))

    # Choosing

    def _on_look(self, changes: dict[str, Any]) -> None:
        self.state.choose_look(**changes)
        self.refresh()

    def _on_layer(self, key: Any, changes: dict[str, Any]) -> None:
        self.state.change_layer(key, **changes)
        self.refresh()

    def _on_error_class(self, of: int) -> None:
        self.state.error_of = of
        self.refresh()

    def _on_flicker(self, on: bool) -> None:
        if on:
            self._flicker.start()
        else:
            self._flicker.stop()
            self.map.flicker(False)

    # The session's news of a scene that is labelled

    def _on_step(self, name: str) -> None:
        self.run.on_step(name)

    def _on_job(self, job: Any) -> None:
        self.run.on_job(job)

    def _on_event(self, target: Path, name: str, details: Any) -> None:
        self.run.on_event(target, name, details)

    def _on_mapped(self, target: Path, notes: list[str]) -> None:
        self.run.on_mapped(target, notes)

    def _on_map_failed(self, failure: Any) -> None:
        self.run.on_failed(failure)


def _is_picture(artefact: object) -> bool:
    """Whether the items of a dataset are the pixels of a picture."""
    return isinstance(artefact, Dataset) and ground_of(artefact) is not None
