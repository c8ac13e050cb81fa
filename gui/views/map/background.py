"""What a map reads and computes on threads: tiles, values, spectra, accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from coterie.core.api.context import Control
from coterie.core.errors import Cancelled, in_words
from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.gui.toolkit.background import Aside
from coterie.gui.views.map.accuracy.state import judge
from coterie.gui.views.map.bands import BandSettings
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews, prepare, read_pixel
from coterie.gui.views.map.labelling.state import written_picture
from coterie.gui.views.map.layers.class_sources import Codes
from coterie.gui.views.map.regions.state import Region
from coterie.gui.views.map.spectra import PixelSpectrum, of_classes, of_pixel, of_region
from coterie.gui.views.map.tile_painter import PaintedTile, TileRequest, draw_tiles


class MapWork(QObject):
    """Threads of one map, each with one piece of work at a time, the newest first."""

    prepared = Signal(object, object)  # Ground, Prepared
    drawn = Signal(object)  # list[Tile]
    read = Signal(object)  # (row, column, values or None)
    measured = Signal(object)  # list[Spectrum]
    judged = Signal(object)  # MapComparison
    written = Signal(object)  # (scene, truth or None)
    errors_written = Signal(object)  # Path
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tiles, self._preparing, self._reading = Aside(self), Aside(self), Aside(self)
        self._measuring, self._judging, self._writing = Aside(self), Aside(self), Aside(self)
        self._control = Control()
        self._ground: Ground | None = None
        self._progress = [0.0]
        self._sketched: list[PreparedOverviews] = []
        # Smaller copies of a large scene take minutes: nobody waits for them any more.
        parent.destroyed.connect(self._give_up)

    def _give_up(self) -> None:
        self._control.cancel()

    @property
    def preparing(self) -> bool:
        """Whether a scene is being prepared."""
        return self._preparing.busy

    @property
    def drawing(self) -> bool:
        """Whether tiles are being drawn."""
        return self._tiles.busy

    def prepare(self, ground: Ground, bands: Sequence[int]) -> None:
        """Prepare a ground, in place of another that was being prepared.

        Parameters
        ----------
        bands : drawn at once in a coarse picture, see `sketched`
        """
        if self._ground is ground:
            return
        self._control.cancel()
        self._control, self._ground = Control(), ground
        control = self._control

        progress = self._progress = [0.0]
        sketched: list[PreparedOverviews] = []
        self._sketched = sketched

        def tell(done: float, _message: str) -> None:
            progress[0] = done

        def work() -> tuple[Ground, PreparedOverviews]:
            return ground, prepare(ground, control, tell, bands, sketched.append)

        self._preparing.ask(work, self._on_prepared, self._on_unprepared)

    @property
    def progress(self) -> float:
        """How far the smaller copies of the scene are, from 0 to 1."""
        return self._progress[0]

    @property
    def sketched(self) -> PreparedOverviews | None:
        """What can be shown while the smaller copies are being made."""
        return self._sketched[-1] if self._sketched and self.preparing else None

    def _on_prepared(self, found: tuple[Ground, PreparedOverviews]) -> None:
        if found[0] is self._ground:
            self.prepared.emit(*found)

    def _on_unprepared(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._on_failed(error)

    def draw(
        self,
        ground: Ground,
        prepared: PreparedOverviews,
        look: BandSettings,
        wishes: Sequence[TileRequest],
    ) -> None:
        """Draw tiles, unless some are being drawn: their end asks again."""
        if not self._tiles.busy:
            self._tiles.ask(
                lambda: draw_tiles(ground, prepared, look, wishes), self._on_drawn, self._on_failed
            )

    def _on_drawn(self, tiles: list[PaintedTile]) -> None:
        self.drawn.emit(tiles)

    def read_at(self, ground: Ground, row: int, column: int) -> None:
        """Read the values of a pixel."""

        def read() -> tuple[int, int, Array | None]:
            return row, column, read_pixel(ground, row, column)

        self._reading.ask(read, self._on_read, self._on_failed)

    def measure(
        self, ground: Ground, picks: Sequence[tuple[int, int]], regions: Sequence[Region]
    ) -> None:
        """Read the spectra of pixels and regions; those without data are left out."""

        def measure() -> list[PixelSpectrum]:
            found = [of_pixel(ground, row, column) for row, column in picks]
            measured = [of_region(ground, region) for region in regions]
            picked = [spectrum for spectrum in found if spectrum is not None]
            return picked + of_classes([one for one in measured if one is not None])

        self._measuring.ask(measure, self._on_measured, self._on_failed)

    def judge(
        self, made: Codes, known: Codes, names: tuple[str, ...], truths: tuple[str, ...]
    ) -> None:
        """Hold a map against what is known."""
        self._judging.ask(
            lambda: judge(made, known, names, truths), self._on_judged, self._on_failed
        )

    def write_picture(self, data: Dataset) -> None:
        """Write a picture in memory as a scene, so it can be labelled like one."""
        self._judging.ask(lambda: written_picture(data), self._on_written, self._on_failed)

    def write_errors(self, target: Path, errors: Callable[[Path], None]) -> None:
        """Write where a map is wrong as a raster."""

        def write() -> Path:
            errors(target)
            return target

        self._writing.ask(write, self._on_errors_written, self._on_failed)

    # Methods and not signals: the threads must not hold on to what they report to.

    def _on_read(self, found: tuple[int, int, Array | None]) -> None:
        self.read.emit(found)

    def _on_measured(self, found: list[PixelSpectrum]) -> None:
        self.measured.emit(found)

    def _on_judged(self, verdict: MapComparison) -> None:
        self.judged.emit(verdict)

    def _on_written(self, files: tuple[Path, Path | None]) -> None:
        self.written.emit(files)

    def _on_errors_written(self, target: Path) -> None:
        self.errors_written.emit(target)

    def _on_failed(self, error: BaseException) -> None:
        self.failed.emit(in_words(error))
