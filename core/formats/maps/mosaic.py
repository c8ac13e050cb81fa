"""Joins the maps of several scenes into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.map_file import MapFile, open_map
from coterie.core.formats.rasters.maps import MapGrid, write_areas, write_look, write_map_at
from coterie.core.model.arrays import Array

NEAR = 0.05  # of a pixel: so far may grids be apart and count as one
MOST_PIXELS = 1 << 34


@dataclass(frozen=True, eq=False)
class _Part:
    made: MapFile
    top: int
    left: int


def write_mosaic(
    maps: Sequence[Path], target: Path, check: Callable[[], None] = lambda: None
) -> list[str]:
    """Write maps of the same classes as one; where they overlap, the first with data counts.

    They must be on one grid: the same coordinate system and pixel size, whole pixels apart.
    """
    if not maps:
        raise DataError("There is no map to join.", code="file-not-found")
    with ExitStack() as opened:
        parts = [(path, opened.enter_context(open_map(path))) for path in maps]
        grid, places = _joined(parts)

        def read(top: int, bottom: int) -> Array:
            rows = np.full((bottom - top, grid.width), grid.nodata, dtype=grid.dtype)
            for part in places:
                own = part.made.grid
                first, last = max(top, part.top), min(bottom, part.top + own.height)
                if first >= last:
                    continue
                found = part.made.read(first - part.top, last - part.top)
                here = rows[first - top : last - top, part.left : part.left + own.width]
                free = (here == grid.nodata) & (found != own.nodata)
                here[free] = found[free]
            return rows

        counts = write_map_at(target, grid, read, check)
        pixels = counts.sum(axis=0)
        write_areas(target.with_suffix(".csv"), grid, counts)
        write_look(target.with_suffix(".png"), grid, read, np.flatnonzero(pixels).tolist())
    return [f"{len(maps)} maps, {grid.width:,} × {grid.height:,} pixels together."]


def _joined(parts: Sequence[tuple[Path, MapFile]]) -> tuple[MapGrid, list[_Part]]:
    """The grid that holds all maps, and where each is on it."""
    (name, first), *others = parts
    grid = first.grid
    a, b, c, d, e, f = grid.transform
    turn = np.linalg.inv(np.array([[a, b], [d, e]]))
    corners = [(0, 0)]
    for path, made in others:
        own = made.grid
        if own.names != grid.names:
            raise DataError(
                f"'{path.name}' has other classes than '{name.name}'. Join maps that have the "
                "same classes.",
                code="unknown-class",
            )
        step = np.array([own.transform[i] - grid.transform[i] for i in (0, 1, 3, 4)])
        left, top = turn @ (own.transform[2] - c, own.transform[5] - f)
        off = max(abs(left - round(left)), abs(top - round(top)))
        off = max(off, np.abs(step).max() / max(abs(a), abs(b)) * max(own.width, own.height))
        if own.crs != grid.crs or not off <= NEAR:
            raise DataError(
                f"'{path.name}' is not on the grid of '{name.name}': the coordinate system, the "
                "pixel size or the position differs. Warp the maps to one grid first.",
                code="grid-mismatch",
            )
        corners.append((round(float(top)), round(float(left))))
    top, left = min(t for t, _ in corners), min(x for _, x in corners)
    sizes = [(made.grid.height, made.grid.width) for _, made in parts]
    high = max(t + h for (t, _), (h, _) in zip(corners, sizes, strict=True)) - top
    wide = max(x + w for (_, x), (_, w) in zip(corners, sizes, strict=True)) - left
    if high * wide > MOST_PIXELS:
        raise DataError(
            f"The maps together would have {wide:,} × {high:,} pixels. They are too far apart; "
            "join fewer.",
            code="file-too-large",
        )
    place = (a, b, a * left + b * top + c, d, e, d * left + e * top + f)
    places = [
        _Part(made, t - top, x - left) for (t, x), (_, made) in zip(corners, parts, strict=True)
    ]
    return replace(grid, height=high, width=wide, transform=place), places
