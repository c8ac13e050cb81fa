"""Regions of interest: named polygons in a scene's coordinates, as GeoJSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Ints

MOST_REGIONS = 255
# Under which names programs keep the class of a polygon; the first that is there counts.
_NAMED_BY = (
    *("name", "class", "class_name", "classname", "label", "landcover", "land_cover", "category"),
    *("type", "title", "c_info", "mc_info", "c_id", "code", "value", "id"),
)


@dataclass(frozen=True)
class Regions:
    """Polygons, each belonging to a named region; regions of one name are one."""

    scene: Scene
    geometries: tuple[tuple[Any, int], ...]
    names: tuple[str, ...]

    def __enter__(self) -> Regions:
        return self

    def __exit__(self, *error: Any) -> None:
        """Nothing is open."""

    def read(self, window: Window) -> Ints:
        """Return the region that contains the centre of each pixel, −1 for none."""
        from rasterio.features import rasterize
        from rasterio.transform import Affine

        a, b, c, d, e, f = self.scene.transform
        top, left = window.top, window.left
        # The same grid, seen from the corner of the window.
        moved = Affine(a, b, a * left + b * top + c, d, e, d * left + e * top + f)
        shapes = [(geometry, region + 1) for geometry, region in self.geometries]
        found = rasterize(shapes, out_shape=window.shape, transform=moved, dtype="int32")
        return np.asarray(found, dtype=np.int64) - 1


def parse_regions(text: str, scene: Scene) -> Regions:
    """Return the regions in a GeoJSON text: a FeatureCollection of polygons.

    The property "name", or "class", says which region a polygon belongs to. Coordinates are those
    of the scene's grid (x to the right, y as its coordinate system has it).
    """
    try:
        features = json.loads(text)["features"]
        found = [(feature["geometry"], _name(feature, i)) for i, feature in enumerate(features)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"The regions are not GeoJSON ({error!r:.80}). Give a FeatureCollection of polygons.",
            code="invalid-region",
        ) from None
    names = tuple(dict.fromkeys(name for _, name in found))
    if not names or len(names) > MOST_REGIONS:
        raise DataError(
            f"There must be 1 to {MOST_REGIONS} named regions. Got {len(names)}.",
            code="invalid-region",
        )
    for geometry, name in found:
        kind = geometry.get("type") if isinstance(geometry, dict) else None
        if kind not in ("Polygon", "MultiPolygon"):
            raise DataError(
                f"Region '{name:.60}' must be a polygon. Got {kind!s:.40}.", code="invalid-region"
            )
        rings = geometry.get("coordinates")
        rings = [rings] if kind == "Polygon" else rings
        try:
            sound = all(len({tuple(map(float, p[:2])) for p in r}) > 2 for g in rings for r in g)
        except (TypeError, ValueError, IndexError):
            sound = False
        if not sound or not rings or not all(rings):
            raise DataError(
                f"Region '{name:.60}' has fewer than three corners. Draw it again.",
                code="invalid-region",
            )
    return Regions(scene, tuple((g, names.index(name)) for g, name in found), names)


def region_name(properties: Mapping[str, Any] | None, i: int) -> str:
    """Return what the region at position `i` of a file is called, whatever program wrote it.

    >>> region_name({"id": 7, "Landcover": "forest"}, 0), region_name({}, 2)
    ('forest', 'region 3')
    """
    listed = properties.items() if isinstance(properties, Mapping) else ()
    given = {str(key).casefold(): value for key, value in listed}
    texts = [value for value in given.values() if isinstance(value, str) and value.strip()]
    called = next((given[word] for word in _NAMED_BY if given.get(word) not in (None, "")), None)
    found = called if called is not None else next(iter(texts), None)
    return str(found).strip() if found is not None else f"region {i + 1}"


def _name(feature: Any, i: int) -> str:
    return region_name(feature.get("properties"), i)
