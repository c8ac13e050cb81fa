"""Asks a thread for pictures of very many points, the newest only, and for what a lasso holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from coterie.core.errors import in_words
from coterie.core.model.arrays import Array
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.embedding.crowd import Crowd
from coterie.gui.views.embedding.dense import DensePictures, Drawn, Made, Wanted, same
from coterie.gui.views.embedding.limits import Box

if TYPE_CHECKING:
    from coterie.gui.views.base_view import View
    from coterie.gui.views.embedding.state import ScatterState


@dataclass(frozen=True, eq=False)
class DensePart:
    """What a view shows of the points: see `Wanted`."""

    selected: Array
    box: Box | None
    size: tuple[int, int]


class DenseDrawing(QObject):
    """The pictures of one view; `show` gets each that is still wanted."""

    def __init__(self, state: ScatterState, view: View, show: Callable[[Drawn], None]) -> None:
        super().__init__(view)
        self._state, self._view, self._show = state, view, show
        self._pictures = DensePictures()
        self._asked: Wanted | None = None
        self._drawing, self._brushing = Aside(self), Aside(self)

    def ask(self, part: DensePart) -> None:
        """Have a picture made, unless it is the one that was asked for last."""
        wanted = self._wanted(part)
        if not wanted.same_as(self._asked):
            self._asked = wanted
            self._drawing.ask(partial(self._pictures.draw, wanted), self._on_drawn, self._on_failed)

    def finish(self, part: DensePart) -> None:
        """Make a picture now, as it is to be written; the thread keeps its own."""
        wanted, crowd = self._wanted(part), self._state.crowd
        if crowd is not None:
            wanted = replace(wanted, crowd=Made(wanted.crowd.of, lambda: crowd))
        self._on_drawn(DensePictures().draw(wanted))

    def brush(self, crowd: Crowd, corners: Array, take: Callable[[Array], None]) -> None:
        """Have the points looked up that a closed polygon holds."""
        dataset = self._state.shown.dataset

        def on_found(mask: Array) -> None:
            if self._state.shown.dataset is dataset:  # else other items are shown by now
                take(mask)

        self._brushing.ask(partial(crowd.inside, corners), on_found, self._on_failed)

    def _wanted(self, part: DensePart) -> Wanted:
        state, colours = self._state, theme.current()
        return Wanted(
            state.made_crowd(), state.made_colouring(dark=colours.dark), state.hidden,
            part.selected, part.box, part.size, colours.accent,
        )  # fmt: skip

    def _on_drawn(self, drawn: Drawn) -> None:
        if same(drawn.wanted.crowd.of, self._state.made_crowd().of):  # else others were chosen
            self._state.take_crowd(drawn.wanted.crowd.of, drawn.crowd)
            self._show(drawn)

    def _on_failed(self, error: BaseException) -> None:
        self._asked = None
        self._view.session.logged.emit(f"The points cannot be drawn: {in_words(error)}")
