"""The patches of a map as polygons with attributes, as GeoPackage or GeoJSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.map_file import MapFile
from coterie.core.formats.rasters.areas import row_areas
from coterie.core.formats.rasters.geopackage import write_features
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.formats.rasters.polygons import Polygon
from coterie.core.io.atomic_write import writing_place
from coterie.core.model.arrays import Floats

COLUMNS = {"name": "TEXT", "value": "INTEGER", "pixels": "INTEGER", "area_m2": "REAL"}
MOST_IN_MEMORY = 1 << 28  # pixels of a map whose outlines are traced in one go


@dataclass(frozen=True, eq=False)
class Outline:
    """A patch: its polygon, with the name of its class, and its attributes."""

    polygon: Polygon
    value: int
    pixels: int
    area: float | None

    @property
    def attributes(self) -> tuple[Any, ...]:
        """What `COLUMNS` lists."""
        return self.polygon.name, self.value, self.pixels, self.area


def outlines_of(made: MapFile, check: Callable[[], None]) -> Iterator[Outline]:
    """Yield the patches of a map, without the unclassified and what has no data.

    Pixels of a patch touch by their sides; the outline runs along the edges of pixels.
    """
    from rasterio.features import shapes

    grid = made.grid
    if grid.height * grid.width > MOST_IN_MEMORY:
        raise DataError(
            f"The map has {grid.height * grid.width:,} pixels, too many to trace. Trace a part "
            "of it, or a coarser map.",
            code="file-too-large",
        )
    codes = np.concatenate(
        [made.read(top, min(top + 256, grid.height)) for top in range(0, grid.height, 256)]
    )
    inside = codes < len(grid.names) - 1
    side = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    for number, (shape, found) in enumerate(shapes(codes, mask=inside)):
        if number % 256 == 0:
            check()
        rings = [np.asarray(ring, dtype=np.float64)[:-1] for ring in shape["coordinates"]]
        pixels, middle = _extent(rings)
        area = None if side is None else pixels * float(side[min(int(middle), len(side) - 1)])
        placed = tuple(_placed(ring, grid.transform) for ring in rings)
        value = int(found)
        yield Outline(Polygon(grid.names[value], placed), value, pixels, area)


def _placed(ring: Floats, transform: tuple[float, ...]) -> Floats:
    a, b, c, d, e, f = transform
    x, y = ring.T
    return np.column_stack([a * x + b * y + c, d * x + e * y + f])


def _extent(rings: Sequence[Floats]) -> tuple[int, float]:
    """Pixels inside, by the shoelace formula, and the row in the middle."""
    areas = [
        abs(float((r[:, 0] * np.roll(r[:, 1], -1) - r[:, 1] * np.roll(r[:, 0], -1)).sum())) / 2
        for r in rings
    ]
    return round(areas[0] - sum(areas[1:])), float(rings[0][:, 1].mean())


def write_outlines(path: Path, made: MapFile, check: Callable[[], None]) -> int:
    """Write the patches of a map by the file's ending, and return how many there are."""
    listed = list(outlines_of(made, check))
    if path.suffix.lower() == ".gpkg":
        shapes = [(one.polygon, one.attributes) for one in listed]
        write_features(path, "classes", COLUMNS, shapes, made.grid.crs)
    elif path.suffix.lower() in (".geojson", ".json"):
        _write_geojson(path, listed, made.grid)
    else:
        raise DataError(
            f"Polygons are written as .gpkg or .geojson. Got '{path.name}'.",
            code="wrong-extension",
        )
    return len(listed)


def _write_geojson(path: Path, listed: Sequence[Outline], grid: MapGrid) -> None:
    """Write a collection that names its coordinate system, one feature a line."""
    from rasterio.crs import CRS

    code = CRS.from_user_input(grid.crs).to_epsg() if grid.crs else None
    named = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{code}"}}
    system = f'"crs": {json.dumps(named)},\n' if code else ""
    beside = writing_place(path)
    try:
        with beside.open("w", encoding="utf-8") as stream:
            stream.write(f'{{"type": "FeatureCollection",\n{system}"features": [\n')
            for number, one in enumerate(listed):
                stream.write(",\n" if number else "")
                stream.write(json.dumps(_feature(one)))
            stream.write("\n]}\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _feature(one: Outline) -> dict[str, Any]:
    rings = [[*ring.tolist(), ring[0].tolist()] for ring in one.polygon.rings]
    return {
        "type": "Feature",
        "properties": dict(zip(COLUMNS, one.attributes, strict=True)),
        "geometry": {"type": "Polygon", "coordinates": rings},
    }
