"""A map, or groups over a whole picture, compared with the known classes of the pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from coterie.core.formats.rasters.accuracy_report import Comparison, ReadBoth, compare
from coterie.core.formats.rasters.error_maps import write_errors
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Ints
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.layers.class_sources import Codes
from coterie.projects.sources import rasters


def judge(made: Codes, known: Codes, names: tuple[str, ...], truths: tuple[str, ...]) -> Comparison:
    """Compare a map with what is known; for a thread."""
    return compare(_read_both(made, known), made.shape[0], names, truths)


def save_errors(
    target: Path, ground: Ground, made: Codes, known: Codes, verdict: Comparison, of: int
) -> None:
    """Write where a map is wrong as a raster in the place of the scene; for a thread.

    `of` is the true class that is looked at, −1 for all of them, as of the layer of errors.
    """
    none = np.zeros((0, 3), dtype=np.uint8)
    grid = MapGrid(
        height=ground.height,
        width=ground.width,
        names=(),
        colours=none,
        nodata=255,
        dtype=np.dtype(np.uint8),
        crs=ground.crs,
        transform=ground.transform,
        ties=ground.ties,
    )
    both = _read_both(made, known)
    write_errors(
        target, grid, both, verdict.into, verdict.truths, of, lambda: None, rasters.write_map
    )


def _read_both(made: Codes, known: Codes) -> ReadBoth:
    def both(top: int, bottom: int) -> tuple[Ints, Ints]:
        window = Window(top, 0, bottom, made.shape[1])
        return made.read(window, window.shape), known.read(window, window.shape)

    return both
