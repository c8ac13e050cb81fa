"""A map of classes as it was written: its grid, names and colours, and its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.classes import GREY, UNCLASSIFIED, colours_of
from coterie.core.formats.rasters.maps import NAMESPACE, MapGrid, ReadRows
from coterie.core.formats.rasters.windows import bounded_gdal, gdal_window, open_raster
from coterie.core.model.arrays import Array

MOST_CLASSES = 4096  # of a map that others made


@dataclass(frozen=True, eq=False)
class MapFile:
    """An open map.

    Attributes
    ----------
    read : `read(top, bottom)` gives these rows: the number of a class, or `grid.nodata`
    """

    grid: MapGrid
    read: ReadRows


@contextmanager
def open_map(path: Path) -> Iterator[MapFile]:
    """Open a map of classes: one band of whole numbers, of Coterie or of another program.

    Names come from Coterie's tags or the names of categories, colours from the colour table.
    """
    with bounded_gdal(), open_raster(path) as source:
        if source.count != 1 or source.dtypes[0] not in ("uint8", "uint16", "int16", "int32"):
            raise DataError(
                f"'{path.name}' is not a map of classes: it has {source.count} bands of "
                f"{source.dtypes[0]}. Choose a map with one band of whole numbers.",
                code="not-a-map",
            )

        def raw(top: int, bottom: int) -> Array:
            window = gdal_window(0, top, source.width, bottom - top)
            return np.asarray(source.read(1, window=window))

        nodata = None if source.nodata is None else int(source.nodata)
        names = _names(source, raw, nodata, path)
        grid = _grid(source, names, nodata)
        outside = grid.nodata

        def read(top: int, bottom: int) -> Array:
            found = raw(top, bottom).astype(np.int64)
            known = (found >= 0) & (found < len(names))
            if nodata is not None:
                known &= found != nodata
            return np.where(known, found, outside).astype(grid.dtype)

        yield MapFile(grid, read)


def _names(source: Any, raw: ReadRows, nodata: int | None, path: Path) -> tuple[str, ...]:
    try:
        listed = json.loads(source.tags(ns=NAMESPACE).get("classes", "null"))
    except ValueError:
        listed = None
    if isinstance(listed, list) and listed and all(isinstance(name, str) for name in listed):
        return tuple(listed)
    most = -1
    for top in range(0, source.height, 256):
        rows = raw(top, min(top + 256, source.height))
        known = rows if nodata is None else rows[rows != nodata]
        most = max(most, int(known.max()) if known.size else -1)
    if most < 0:
        raise DataError(f"'{path.name}' has no pixel of any class.", code="no-valid-pixels")
    if most >= MOST_CLASSES:
        raise DataError(
            f"'{path.name}' has numbers up to {most:,}. A map has at most "
            f"{MOST_CLASSES:,} classes.",
            code="too-many-classes",
        )
    return (*(f"class {value}" for value in range(most + 1)), UNCLASSIFIED)


def _grid(source: Any, names: Sequence[str], nodata: int | None) -> MapGrid:
    dtype = np.dtype(np.uint8 if len(names) < 255 else np.uint16)
    colours = colours_of(len(names) - 1)
    try:
        table = source.colormap(1)
    except ValueError:
        table = {}
    for value in range(len(names)):
        if value in table:
            colours[value] = table[value][:3]
    colours[-1] = colours[-1] if table else GREY
    usual = 255 if dtype.itemsize == 1 else 65535
    return MapGrid(
        height=source.height,
        width=source.width,
        names=tuple(names),
        colours=colours,
        nodata=nodata if nodata is not None and nodata >= len(names) else usual,
        dtype=dtype,
        crs=source.crs.to_wkt() if source.crs else "",
        transform=tuple(source.transform)[:6],
    )
