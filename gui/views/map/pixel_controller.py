"""The values of single pixels of a map: under the pointer, and picked by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QPointF

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.spectra import MOST_PICKED, PixelSpectrum

if TYPE_CHECKING:
    from coterie.gui.views.map.view import MapView


class PixelDesk(QObject):
    """Tells the values under the pointer, and draws the spectra of what was clicked."""

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._state = view.state
        self.picks: list[tuple[int, int]] = []
        self.measured: list[PixelSpectrum] = []
        self.pointer: tuple[float, float] | None = None
        self._values: tuple[int, int, Array | None] | None = None
        view.work.read.connect(self._on_read)
        view.work.measured.connect(self._on_measured)
        view.map.canvas.scene().sigMouseMoved.connect(self._on_pointer)

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    def forget(self) -> None:
        """Start again with another scene."""
        self.picks, self.measured, self._values = [], [], None

    def pick(self, row: int, column: int, *, more: bool = False) -> None:
        """Show the spectrum of a pixel, beside the others if `more`."""
        kept = [place for place in self.picks if place != (row, column)] if more else []
        self.picks = [*kept, (row, column)][-MOST_PICKED:]
        self.measure()

    def measure(self) -> None:
        """Read the spectra of what was clicked and of the regions."""
        if self._state.ground is not None:
            self._view.work.measure(self._state.ground, self.picks, self._state.regions.listed)

    def show_where(self) -> None:
        """Say where the pointer is, and what is measured there."""
        state, page = self._state, self._view.page
        ground = state.ground
        if ground is None or self.pointer is None or not state.contains(*self.pointer):
            page.tell_where("")
            return
        said = state.where(*self.pointer)
        column, row = (int(v) for v in self.pointer)
        if self._values is not None and self._values[:2] == (row, column):
            said = f"{said}  ·  {ground.values_in_words(self._values[2], state.look.bands)}"
        page.tell_where(said)

    def leave(self) -> None:
        """Know of no pixel, now that the pointer is elsewhere."""
        self.pointer = None
        self.show_where()

    def show_spectra(self) -> None:
        """Draw spectra: the selection first, then what was clicked, then the regions."""
        from coterie.gui.views.map.spectra_plot import spectrum_colour

        view, state = self._view, self._state
        found = state.selected_spectrum(view.selected())
        lines = [found] if found is not None else []
        lines += view.grouping.spectra
        first = len(lines)
        lines += self.measured
        dark = theme.current().dark
        view.spectra.draw(state.ground, lines)
        view.page.make_room(spectra=bool(lines), hidden=view.teacher.is_open)
        colours = [spectrum_colour(first + i, dark=dark) for i in range(len(self.picks))]
        view.map.show_picks(self.picks, colours)

    def _on_read(self, found: Any) -> None:
        self._values = found
        self.show_where()

    def _on_measured(self, spectra: Any) -> None:
        self.measured = spectra
        self.show_spectra()

    def _on_pointer(self, place: QPointF) -> None:
        view, state = self._view, self._state
        self.pointer = view.map.pointer(place)
        if self.pointer is not None and state.ground is not None:
            view.map.box.trace(self.pointer)
            column, row = self.pointer
            if state.contains(column, row):
                view.work.read_at(state.ground, int(row), int(column))
        self.show_where()
