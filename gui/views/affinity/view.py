"""The Affinity view: how alike the items are, as a matrix, as distributions, and item by item."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QToolTip,
    QWidget,
)

from coterie.core.errors import in_words
from coterie.core.model.arrays import Array
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.affinity.affinity_bar import AffinityBar
from coterie.gui.views.affinity.matrix_image import MatrixImage, MatrixRequest, work_out
from coterie.gui.views.affinity.state import AffinityState
from coterie.gui.views.base_view import View

if TYPE_CHECKING:
    from coterie.core.api.context import Frame
    from coterie.gui.views.affinity.matrix import MatrixPlot
    from coterie.gui.views.affinity.neighbours import NeighbourList
    from coterie.gui.views.affinity.spreads import Spreads
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.jobs.step_previews import StepPreview
    from coterie.projects.session import Session

_KEYS = {"Up": -1, "Left": -1, "Down": 1, "Right": 1}


class AffinityView(View):
    """The similarities of the shown step, or a preview of them while a parameter is changed."""

    title = "Affinity"
    draws_types = ("affinity",)

    bar: AffinityBar
    matrix: MatrixPlot
    neighbours: NeighbourList
    _spreads: Spreads
    _banner: QFrame
    _stale: QLabel
    _back: QPushButton
    _note: QLabel

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = AffinityState(session)
        self._aside = Aside(self)
        self._asked: MatrixRequest | None = None
        self._asked_again = ""  # key of what is not stored, and was computed to be shown
        self._problem = ""
        self.listen(session.selection.changed, self.refresh)
        self.listen(session.questions.step_previewed, self._on_previewed)
        self.listen(session.framed, self._on_framed)
        self.listen(session.job_changed, self._on_job_changed)

    def show_step(self, name: str) -> None:
        if name != self.state.preview_step:
            self.state.drop_preview()
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        key = self.state.left_out_key
        if key and key != self._asked_again and self.isVisible():
            self._asked_again = key  # once: whoever cancels it does not want it
            self.session.ask_for(self.state.waits_for)

    def emptiness(self) -> str:
        wish = self.state.wish()
        failed = wish is not None and wish.same_as(self._asked)
        return self.state.emptiness or (self._problem if failed else "")

    def build_in_parts(self) -> Generator[None, None, QWidget]:
        from coterie.gui.views.affinity.matrix import MatrixPlot
        from coterie.gui.views.affinity.neighbours import NeighbourList
        from coterie.gui.views.affinity.spreads import Spreads

        self.bar = AffinityBar()
        self.bar.order_chosen.connect(self._on_order_chosen)
        self.bar.scale_chosen.connect(self._on_scale_chosen)
        self.bar.picture_asked.connect(self.ask_and_export)
        self._stale = QLabel(wordWrap=True)
        self._back = QPushButton("Show the result")
        self._back.setProperty("role", "quiet")
        self._back.setToolTip("Show the computed result again")
        self._back.clicked.connect(self._on_back)
        self._banner = QFrame()
        self._banner.setProperty("role", "banner")
        inside = QHBoxLayout(self._banner)
        inside.setContentsMargins(12, 4, 8, 4)
        inside.addWidget(self._stale, 1)
        inside.addWidget(self._back)
        self._note = QLabel(wordWrap=True)
        self._note.setProperty("role", "muted")
        self._note.setContentsMargins(12, 2, 12, 6)

        yield
        self.matrix = MatrixPlot()
        self.bar.fit_asked.connect(self.matrix.fit)
        scene = self.matrix.canvas.scene()
        scene.sigMouseMoved.connect(self._on_pointer)
        scene.sigMouseClicked.connect(self._on_clicked)
        self._walk_by_keys()
        yield
        self._spreads = Spreads()
        yield
        self.neighbours = NeighbourList()
        self.neighbours.chosen.connect(self.select)

        side = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        side.addWidget(self._spreads.canvas)
        side.addWidget(self.neighbours)
        side.setSizes([300, 220])
        split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        split.addWidget(self.matrix.canvas)
        split.addWidget(side)
        split.setStretchFactor(0, 1)
        split.setSizes([480, 210])
        return stacked(self.bar, self._banner, split, self._note, grows=split)

    def restyle(self) -> None:
        self.matrix.restyle()
        self._spreads.restyle()
        self.neighbours.restyle()

    def draw(self) -> None:
        wish, state = self.state.wish(), self.state
        if wish is not None and not wish.same_as(self._asked):
            self._asked, self._problem = wish, ""
            self._aside.ask(lambda: work_out(wish), self._on_picture, self._on_no_picture)
        selected = self._selected()
        self.bar.show_state(state)
        self._stale.setText(state.stale)
        self._banner.setVisible(bool(state.stale))
        self._back.setVisible(state.is_part and state.affinity is not None)
        self.matrix.draw(state, selected)
        self._spreads.draw(state.picture)
        self.neighbours.draw(state, selected, theme.current().dark)
        self._note.setText(state.note())

    def export_picture(self, path: Path) -> None:
        """Write the matrix with its scale."""
        from coterie.gui.toolkit.plots import plotting

        self.synchronize()
        if not self.empty:
            plotting.write_picture(self.matrix.canvas, path)

    @property
    def canvas(self) -> Any:
        """What the matrix is drawn on."""
        return self.matrix.canvas

    # Selecting

    def select(self, item: int, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Change the shared selection by an item, as the keys that are held say."""
        from coterie.gui.toolkit.plots.brush import selection_mode

        self.claim_selection(self.state.n)
        self.session.selection.choose(np.array([item]), selection_mode(held))

    def walk(self, by: int) -> None:
        """Select the item that many rows further on in the picture."""
        picture = self.state.picture
        if picture is not None:
            rows = picture.rows_of(self._selected())
            row = int(rows[0]) + by if len(rows) else 0
            item = int(picture.items_of(min(max(row, 0), picture.m - 1))[0])
            self.claim_selection(self.state.n)
            self.session.selection.update(np.array([item]))  # whatever a click would do

    def _walk_by_keys(self) -> None:
        for key, by in _KEYS.items():
            shortcut = QShortcut(QKeySequence(key), self.matrix.canvas)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda by=by: self.walk(by))

    def _selected(self) -> Array:
        mask = self.session.selection.mask
        return mask if len(mask) == self.state.n else np.zeros(self.state.n, dtype=bool)

    def _on_clicked(self, event: Any) -> None:
        place = self.matrix.place_at(event.scenePos())
        picture = self.state.picture
        if place is None or picture is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.matrix.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        self.select(int(picture.items_of(place[0])[0]), event.modifiers())

    def _on_pointer(self, scene: QPointF) -> None:
        place = self.matrix.place_at(scene)
        said = self.state.describe(*place) if place is not None else ""
        if said:
            canvas = self.matrix.canvas
            where = canvas.viewport().mapToGlobal(canvas.mapFromScene(scene))
            QToolTip.showText(where, said, canvas)
        else:
            QToolTip.hideText()

    # Choosing, and news

    def _on_order_chosen(self, order: Any) -> None:
        self.state.choose_order(order)
        self.synchronize()

    def _on_scale_chosen(self, scale: Any) -> None:
        self.state.choose_scale(scale)
        self.synchronize()

    def _on_back(self) -> None:
        self.state.drop_preview()
        self.state.drop_estimate()
        self.outdate()

    def _on_framed(self, step: str, frame: Frame) -> None:
        followed = self.state.estimate
        if self.state.take_frame(step, frame):
            if followed is not None and followed.step.name == step:
                self.refresh()
            else:
                self.outdate()

    def _on_job_changed(self, _job: EngineJob) -> None:
        if self.state.estimate is not None:
            self.refresh()

    def _on_previewed(self, step: str, answer: StepPreview | str) -> None:
        if self.isVisible():
            self.state.take_preview(step, answer)
            if self.state.preview_step:
                self.synchronize()
            else:
                self.outdate()

    def _on_picture(self, picture: MatrixImage) -> None:
        self.state.take(picture)
        self.refresh()

    def _on_no_picture(self, error: BaseException) -> None:
        self._problem = f"These similarities cannot be drawn: {in_words(error)}"
        self.refresh()
