"""Two maps of one place compared: which class became which."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.map_file import MapFile, open_map
from coterie.core.formats.rasters.classes import UNCLASSIFIED, class_table
from coterie.core.formats.rasters.maps import write_areas, write_look, write_map_at
from coterie.core.model.arrays import Array, Ints

UNCHANGED = "unchanged"
PALE = (225, 225, 225)
NEAR = 0.05  # of a pixel


def write_changes(before: Path, after: Path, target: Path) -> list[str]:
    """Write a map of the changes between two maps of the same grid; return how much changed.

    Its classes are "unchanged" and "land → cloud" for each change that occurs, by the names of the
    classes. Where either map has no class, there is no data.
    """
    with open_map(before) as first, open_map(after) as second:
        _require_one_grid(first, second, before, after)
        counts = _counts(first, second)
        old, new = first.grid.names[:-1], second.grid.names[:-1]
        names, number = [UNCHANGED], np.zeros(counts.shape, dtype=np.int64)
        for i, j in sorted(zip(*np.nonzero(counts), strict=True), key=lambda at: -counts[at]):
            if old[i] != new[j]:
                number[i, j] = len(names)
                names.append(f"{old[i]} → {new[j]}")
        table = class_table(len(names), names)
        colours = table.colours.copy()
        colours[1:-1], colours[0] = table.colours[:-2], PALE
        grid = replace(
            second.grid, names=(*names, UNCLASSIFIED), colours=colours, nodata=table.nodata,
            dtype=table.dtype,
        )  # fmt: skip

        def read(top: int, bottom: int) -> Array:
            one, other = first.read(top, bottom), second.read(top, bottom)
            known = (one < len(old)) & (other < len(new))
            found = np.full(one.shape, grid.nodata, dtype=grid.dtype)
            found[known] = number[one[known], other[known]]
            return found

        rows = write_map_at(target, grid, read)
        pixels = rows.sum(axis=0)
        write_areas(target.with_suffix(".csv"), grid, rows)
        write_look(target.with_suffix(".png"), grid, read, np.flatnonzero(pixels).tolist())
    share = 1 - pixels[0] / max(int(pixels.sum()), 1)
    return [f"{share:.1%} of the pixels with a class in both maps changed."]


def _counts(first: MapFile, second: MapFile) -> Ints:
    """Pixels of each class before, in rows, and after, in columns."""
    k, m = len(first.grid.names) - 1, len(second.grid.names) - 1
    counts = np.zeros((k, m), dtype=np.int64)
    for top in range(0, first.grid.height, 256):
        bottom = min(top + 256, first.grid.height)
        one, other = (made.read(top, bottom).astype(np.int64) for made in (first, second))
        known = (one < k) & (other < m)
        pairs = one[known] * m + other[known]
        counts += np.bincount(pairs, minlength=k * m).reshape(k, m)
    return counts


def _require_one_grid(first: MapFile, second: MapFile, before: Path, after: Path) -> None:
    one, other = first.grid, second.grid
    apart = np.abs(np.subtract(one.transform, other.transform))
    side = max(abs(v) for v in (*one.transform[:2], *one.transform[3:5]))
    size = max(one.height, one.width)
    near = apart[[2, 5]].max() <= NEAR * side
    near = near and apart[[0, 1, 3, 4]].max() * size <= NEAR * side
    if (one.height, one.width, one.crs) != (other.height, other.width, other.crs) or not near:
        raise DataError(
            f"'{after.name}' and '{before.name}' are not on one grid. Compare maps of scenes with "
            "the same size and place.",
            code="grid-mismatch",
        )
