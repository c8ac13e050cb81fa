"""The Memberships view: items × groups as a heat map."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolTip, QWidget

from coterie.core.errors import in_words
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.memberships.state import HeatMap, MembershipState
from coterie.gui.views.shown_items.csv_export import write_csv
from coterie.gui.views.shown_items.displayed import giving

if TYPE_CHECKING:
    from coterie.projects.session import Session

_SHADES = 64


class MembershipsView(View):
    """How much of each item belongs to each group."""

    title = "Memberships"
    draws_types = ("clustering",)
    has_table = True

    canvas: Any
    box: Any
    _plot: Any
    _image: Any
    _borders: Any
    _marks: Any
    _note: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = MembershipState(session)
        self._drawn: HeatMap | None = None
        self._aside = Aside(self)
        self.listen(session.selection.changed, self.refresh)

    def may_fill(self) -> bool:
        """Return whether there are, or may be, groups that say how much of each item is theirs."""
        results = self.session.results
        return any(
            not results.is_computed(name)
            or getattr(results.artefact(name), "membership", None) is not None
            for name in giving(self.session, self.draws_types)
        )

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        self._aside.work_out(self.state.pending, self.refresh, self._on_no_picture)

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.shown.clustering_step,)

    def build(self) -> QWidget:
        from coterie.gui.toolkit.plots import plotting
        from coterie.gui.toolkit.plots.plotting import pg

        self._note = QLabel(wordWrap=True)
        self._note.setProperty("role", "muted")
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.addWidget(self._note, 1)
        top.addWidget(self.save_button())
        self.canvas = plotting.canvas("Memberships of the items in each group")
        self.box = pg.ViewBox(enableMenu=False, invertY=True)
        self._plot = plotting.add_plot(self.canvas, 0, 0, y="items, by group", box=self.box)
        self._plot.setMouseEnabled(x=False, y=True)
        self._plot.getAxis("left").setStyle(showValues=False, tickLength=0)
        self._image = pg.ImageItem()
        self._borders = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._marks = pg.PlotCurveItem(connect="pairs", antialias=False)
        for item in (self._image, self._borders, self._marks):
            self._plot.addItem(item, ignoreBounds=True)
        scene = self.canvas.scene()
        scene.sigMouseMoved.connect(self._on_pointer)
        scene.sigMouseClicked.connect(self._on_clicked)
        return stacked(top, self.canvas, grows=self.canvas)

    def restyle(self) -> None:
        from coterie.gui.toolkit.plots import plotting

        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        plotting.style_plot(self._plot, colours, grid=False)
        self._borders.setPen(plotting.line(colours.line, 1.0))
        self._marks.setPen(plotting.line(colours.accent, 2.0))
        self._drawn = None

    def draw(self) -> None:
        picture = self.state.picture
        if picture is None:
            return
        if picture is not self._drawn:
            self._drawn = picture
            self._draw_picture(picture)
        self._mark_selected(picture)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots import plotting

        self.state.update()
        self.state.pending.finish()
        self.synchronize()
        if not self.empty:
            plotting.write_picture(self.canvas, path)

    def export_table(self, path: Path) -> None:
        """Write what is shown as CSV."""
        self.synchronize()
        write_csv(path, self.state.table_rows())

    def _on_no_picture(self, error: BaseException) -> None:
        self.session.logged.emit(f"The memberships cannot be shown: {in_words(error)}")

    def _draw_picture(self, picture: HeatMap) -> None:
        rows, columns = picture.shades.shape
        levels = np.rint(picture.shades * (_SHADES - 1)).astype(np.uint8)
        shades = palette.shades(_SHADES, signed=False, dark=theme.current().dark)
        self._image.setImage(levels, levels=(0, _SHADES - 1), lut=shades)
        self._image.setRect(QRectF(0, 0, columns, rows))
        lines = np.repeat(picture.borders.astype(float), 2)
        self._borders.setData(np.tile([0.0, columns], len(picture.borders)), lines)
        self.box.setLimits(yMin=0, yMax=rows, minYRange=min(rows, 8))
        self.box.setRange(xRange=(0, columns), yRange=(0, rows), padding=0)
        names = self.state.names
        short = len(names) > 10
        ticks = [(i + 0.5, str(i + 1) if short else name) for i, name in enumerate(names)]
        self._plot.getAxis("bottom").setTicks([ticks])
        shade = "brighter" if theme.current().dark else "darker"
        self._note.setText(
            f"Each column is a group and each line one or a few items. The {shade} the "
            f"line, the higher the membership.{self.state.rest()}"
        )

    def _mark_selected(self, picture: HeatMap) -> None:
        mask = self.session.selection.mask
        if len(mask) != len(picture.order):
            self._marks.setData([], [])
            return
        chosen = np.add.reduceat(mask[picture.order].astype(np.int64), picture.starts[:-1]) > 0
        rows = np.repeat(np.flatnonzero(chosen) + 0.5, 2)
        self._marks.setData(np.tile([-0.02, 0.06], len(rows) // 2), rows)

    def _place_at(self, scene: QPointF) -> tuple[int, int] | None:
        picture = self.state.picture
        if picture is None or not self.box.sceneBoundingRect().contains(scene):
            return None
        point = self.box.mapSceneToView(scene)
        row, column = int(np.floor(point.y())), int(np.floor(point.x()))
        rows, columns = picture.shades.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def _on_pointer(self, scene: QPointF) -> None:
        place = self._place_at(scene)
        if place is None:
            QToolTip.hideText()
            return
        where = self.canvas.viewport().mapToGlobal(self.canvas.mapFromScene(scene))
        QToolTip.showText(where, self.state.describe(*place), self.canvas)

    def _on_clicked(self, event: Any) -> None:
        from coterie.gui.toolkit.plots.brush import selection_mode

        place = self._place_at(event.scenePos())
        picture = self.state.picture
        if place is None or picture is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.claim_selection(self.state.n)
        self.session.selection.choose(picture.items_of(place[0]), selection_mode(event.modifiers()))
