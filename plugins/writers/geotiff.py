"""Write a map of classes, or of ranks, as a GeoTIFF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import (
    Array,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Labelling,
    Writer,
)
from coterie.core.formats.rasters.classes import UNCLASSIFIED, class_table, colours_of
from coterie.core.formats.rasters.maps import MapGrid, write_areas, write_look, write_map
from coterie.core.formats.rasters.tie_points import TiePoints
from coterie.core.model.dataset import SCENE


class GeoTiff(Writer):
    """A map as GeoTIFF with colours, names, place and a no-data value, for QGIS and others.

    Takes a labelling, or groups of pixels: of a picture all of them, of a sample each at its place
    in the scene, the rest being no data. A style (.qml) and the names (.aux.xml) go beside it.
    """

    id, title = "geotiff", "GeoTIFF map"
    needs = ("labelling|clustering", "path")
    extensions = (".tif", ".tiff")

    class Params(Writer.Params):
        """What else to write."""

        quick_look: bool = Field(
            False, description="Whether to write a small PNG with a legend as well."
        )
        areas: bool = Field(False, description="Whether to write the area of each class as well.")

    def compute(
        self,
        noun: Labelling | Clustering,
        path: str | Path,
        *,
        params: Params,
        context: Context,
    ) -> None:
        """Write the map to `path`."""
        path = Path(path)
        context.check()
        codes, grid = _of_labelling(noun) if isinstance(noun, Labelling) else _of_groups(noun)

        def read(top: int, bottom: int) -> Array:
            return codes[top:bottom]

        counts = write_map(path, grid, read, context.check)
        if params.areas:
            write_areas(path.with_suffix(".csv"), grid, counts)
        if params.quick_look:
            shown = np.flatnonzero(counts.sum(axis=0)).tolist()
            write_look(path.with_suffix(".png"), grid, read, shown)

    def estimate(self, noun: Labelling | Clustering, path: str | Path, *, params: Params) -> Cost:
        """A copy of the map."""
        pixels = noun.classes.size if isinstance(noun, Labelling) else 4 * noun.n
        return Cost(bytes=8 * int(pixels) + (64 << 20), seconds=1e-7 * int(pixels))


def _of_labelling(noun: Labelling) -> tuple[Array, MapGrid]:
    codes = np.asarray(noun.classes)
    if codes.ndim != 2 or codes.dtype.kind not in "biu" or codes.min(initial=0) < 0:
        raise DataError(
            f"A map must be height × width whole numbers from 0. Got shape {codes.shape} "
            f"of {codes.dtype}.",
            code="wrong-shape",
        )
    valid = codes[codes != noun.nodata]
    count = max(len(noun.names), int(valid.max()) + 1 if valid.size else 0)
    names = (*noun.names, *(f"class {i}" for i in range(len(noun.names), count)))
    colours = colours_of(count)[:count] if noun.colours is None else np.asarray(noun.colours)
    if len(colours) < count:
        raise DataError(
            f"There must be {count} colours, one for each class. Got {len(colours)}.",
            code="wrong-shape",
        )
    wide = max(count, noun.nodata + 1) > 256
    if max(count - 1, noun.nodata) > 65_535 or noun.nodata < 0:
        raise DataError(
            "A map holds numbers from 0 to 65,535. Use fewer classes.", code="too-many-classes"
        )
    transform = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    if noun.transform is not None:
        transform = tuple(np.asarray(noun.transform, dtype=float).tolist())
    return codes, MapGrid(
        height=codes.shape[0],
        width=codes.shape[1],
        names=names,
        colours=colours[:count, :3],
        nodata=noun.nodata,
        dtype=np.dtype(np.uint16 if wide else np.uint8),
        crs=noun.crs,
        transform=transform,
    )


def _of_groups(noun: Clustering) -> tuple[Array, MapGrid]:
    height, width, positions, place = _where(noun.dataset, noun.n)
    table = class_table(noun.k, noun.names)
    codes = np.full(height * width, table.nodata, dtype=table.dtype)
    codes[positions] = table.codes(noun.labels)
    assert table.names[-1] == UNCLASSIFIED
    return codes.reshape(height, width), MapGrid(
        height=height,
        width=width,
        names=table.names,
        colours=table.colours,
        nodata=table.nodata,
        dtype=table.dtype,
        crs=str(place.get("crs", "") or ""),
        transform=tuple(place.get("transform") or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)),
        ties=_ties(place),
    )


def _ties(place: Mapping[str, Any]) -> TiePoints | None:
    described = place.get("ties")
    try:
        return TiePoints.from_json(described) if isinstance(described, Mapping) else None
    except (KeyError, TypeError, ValueError):
        raise DataError(
            "The description of the scene is damaged. Open its file again.", code="invalid-scene"
        ) from None


def _where(data: Dataset | None, n: int) -> tuple[int, int, Array, Mapping[str, Any]]:
    """Size of the picture or scene, and which of its pixels the items are."""
    details: Mapping[str, Any] = {} if data is None else data.details
    scene = details.get(SCENE)
    place = scene if isinstance(scene, Mapping) else details
    height, width = place.get("height"), place.get("width")
    positions = np.asarray(details.get("positions", np.arange(n)), dtype=np.int64)
    if (
        not isinstance(height, int)
        or not isinstance(width, int)
        or len(positions) != n
        or (n and not 0 <= positions.min() <= positions.max() < height * width)
    ):
        raise DataError(
            "These items are not pixels with a location, so there is no map to write. Write CSV, "
            "or classify a scene.",
            code="not-exportable",
        )
    return height, width, positions, place
