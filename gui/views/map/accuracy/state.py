"""A map, or groups over a whole picture, compared with the known classes of the pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from coterie.core.formats.maps.accuracy_report import ROWS, MapComparison, ReadBoth, compare
from coterie.core.formats.maps.error_maps import write_errors
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Ints
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.layers.class_sources import Codes
from coterie.projects.sources import rasters


def judge(
    made: Codes, known: Codes, names: tuple[str, ...], truths: tuple[str, ...]
) -> MapComparison:
    """Compare a map with what is known; for a thread."""
    return compare(_read_both(made, known), made.shape[0], names, truths)


def items_of_cell(
    made: Codes,
    known: Codes,
    verdict: MapComparison,
    cell: tuple[int, int],
    rows: Ints,
    columns: Ints,
) -> Array:
    """Return a mask of the items that a cell of the error matrix counts; for a thread.

    Parameters
    ----------
    known : the classes that are compared
    cell : the known class that the class on the map stands for, and the known class
    rows, columns : of the items
    """
    into = np.array(verdict.into)
    found = np.zeros(len(rows), dtype=bool)
    for top in range(0, made.shape[0], ROWS):
        window = Window(top, 0, min(top + ROWS, made.shape[0]), made.shape[1])
        here = np.flatnonzero((rows >= window.top) & (rows < window.bottom))
        if not len(here):
            continue
        place = rows[here] - window.top, columns[here]
        says, true = (codes.read(window, window.shape)[place] for codes in (made, known))
        sound = (says >= 0) & (true >= 0)
        found[here[sound]] = (into[says[sound]] == cell[0]) & (true[sound] == cell[1])
    return found


def save_errors(
    target: Path, ground: Ground, made: Codes, known: Codes, verdict: MapComparison, of: int
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
