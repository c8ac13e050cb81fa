"""Regions of interest: named polygons in the coordinates of the scene, kept as GeoJSON.

They are read from and written to GeoJSON files and GeoPackages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.polygons import MOST_CORNERS, Polygon
from coterie.core.formats.rasters.regions import region_name
from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.shown_items import geometry
from coterie.projects.sources import rasters

KEPT = "regions"  # in session.view: a FeatureCollection
MOST_BYTES = 256 << 20  # of a GeoJSON file
GEOPACKAGE = ".gpkg"
DEGREES = "EPSG:4326"


@dataclass(frozen=True, eq=False)
class Region:
    """A polygon: (m, 2) corners in coordinates of the scene's grid, the last not the first."""

    name: str
    corners: Floats

    def in_pixels(self, ground: Ground) -> Floats:
        """Return the corners in columns and rows."""
        return ground.to_pixels(self.corners)


class RegionList:
    """The regions of a project, in the order in which they were drawn."""

    def __init__(self, listed: tuple[Region, ...] = (), holes: int = 0) -> None:
        self.listed = listed
        self.holes = holes  # that polygons of a file had, and regions have not

    @classmethod
    def from_json(cls, kept: Any) -> RegionList:
        """Take them from a FeatureCollection; raises a clear error when it is none."""
        if not isinstance(kept, Mapping) or not isinstance(kept.get("features"), list):
            raise DataError(
                "These are not regions. Choose a GeoJSON FeatureCollection of polygons.",
                code="invalid-region",
            )
        found: list[Region] = []
        holes = 0
        for i, feature in enumerate(kept["features"]):
            polygons, more = _polygons(feature, i)
            found += polygons
            holes += more
        if sum(len(region.corners) for region in found) > MOST_CORNERS:
            raise DataError(
                f"The regions have more than {MOST_CORNERS:,} corners. Simplify them.",
                code="file-too-large",
            )
        return cls(tuple(found), holes)

    @classmethod
    def kept_in(cls, view: Mapping[str, Any]) -> RegionList:
        """Return those that a project keeps; none when they are damaged."""
        try:
            return cls.from_json(view[KEPT])
        except (DataError, KeyError):
            return cls()

    @classmethod
    def read(cls, path: Path, ground: Ground | None = None) -> RegionList:
        """Read a GeoJSON file or a GeoPackage, brought to the coordinate system of a ground."""
        crs = ground.crs if ground is not None else ""
        if path.suffix.lower() == GEOPACKAGE:
            return cls._of_geopackage(path, crs)
        try:
            size = path.stat().st_size
            if size > MOST_BYTES:
                raise DataError(
                    f"'{path.name}' is too large for regions. Simplify them.", code="file-too-large"
                )
            kept = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(
                f"'{path.name}' is not GeoJSON ({error!s:.100}).", code="wrong-format"
            ) from None
        found = cls.from_json(kept)
        return found._brought(_system_of(kept) or found._likely_system(crs), crs)

    @classmethod
    def _of_geopackage(cls, path: Path, crs: str) -> RegionList:
        polygons = rasters.read_regions(path, crs)
        holes = sum(len(polygon.rings) - 1 for polygon in polygons)
        return cls(tuple(Region(p.name, p.rings[0]) for p in polygons), holes)

    def _likely_system(self, crs: str) -> str:
        """Degrees, as GeoJSON without a system has them (RFC 7946), if they can be nothing else.

        No scene in metres is within two hundred of its system's origin.
        """
        if not crs or not self.listed or rasters.is_geographic(crs):
            return ""
        corners = np.abs(np.vstack([region.corners for region in self.listed]))
        return DEGREES if (corners <= (180, 90)).all() else ""

    def _brought(self, system: str, crs: str) -> RegionList:
        if not system or not crs or system == f"EPSG:{_epsg(crs)}":
            return self
        moved = (Region(r.name, rasters.reprojected(r.corners, system, crs)) for r in self.listed)
        return RegionList(tuple(moved), self.holes)

    def write(self, path: Path, ground: Ground) -> None:
        """Write a GeoPackage, or GeoJSON that says its coordinate system, by the file's ending."""
        if path.suffix.lower() == GEOPACKAGE:
            listed = [Polygon(region.name, (region.corners,)) for region in self.listed]
            rasters.write_regions(path, listed, ground.crs)
            return
        text = json.dumps(self.as_json(ground), indent=1)
        path.write_text(text, encoding="utf-8")

    def as_json(self, ground: Ground | None = None) -> dict[str, Any]:
        """Return them as a FeatureCollection; with a ground, of its coordinate system."""
        collection: dict[str, Any] = {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "properties": {"name": region.name},
                    "geometry": {
                        "type": "Polygon",
                        "coordinates": [[*region.corners.tolist(), region.corners[0].tolist()]],
                    },
                }
                for region in self.listed
            ],
        }
        code = _epsg(ground.crs) if ground is not None else ""
        if code:
            name = f"urn:ogc:def:crs:EPSG::{code}"
            collection["crs"] = {"type": "name", "properties": {"name": name}}
        return collection

    def outside(self, ground: Ground) -> tuple[str, ...]:
        """Return the names of those completely outside a base layer."""
        found = []
        for region in self.listed:
            corners = region.in_pixels(ground)
            (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
            if right <= 0 or bottom <= 0 or left >= ground.width or top >= ground.height:
                found.append(region.name)
        return tuple(found)

    def free_name(self) -> str:
        """Return a name that no region has."""
        taken = {region.name for region in self.listed}
        number = next(i for i in range(1, len(taken) + 2) if f"region {i}" not in taken)
        return f"region {number}"

    def added(self, name: str, pixels: Array, ground: Ground) -> RegionList:
        """Return them with one more, whose corners are given in columns and rows."""
        corners = np.array([ground.to_map(float(x), float(y)) for x, y in pixels])
        return RegionList((*self.listed, Region(name.strip() or self.free_name(), corners)))

    def renamed(self, at: int, name: str) -> RegionList:
        """Return them with one called differently."""
        listed = list(self.listed)
        listed[at] = replace(listed[at], name=name.strip() or listed[at].name)
        return RegionList(tuple(listed))

    def without(self, at: int) -> RegionList:
        """Return them without one."""
        return RegionList((*self.listed[:at], *self.listed[at + 1 :]))

    def joined(self, others: RegionList) -> RegionList:
        """Return these and others."""
        return RegionList((*self.listed, *others.listed))


def pixels_inside(corners: Array, height: int, width: int, most: int) -> tuple[Any, Array]:
    """Return a window (top, left, bottom, right) around a polygon, and its pixels that are inside.

    Parameters
    ----------
    corners : (m, 2) columns and rows
    most : pixels along the longer side; a larger window is thinned

    The mask has the shape of the thinned window. None instead of a window when no pixel is in it.
    """
    left, top = np.floor(corners.min(axis=0)).astype(int).clip(0).tolist()
    right, bottom = np.ceil(corners.max(axis=0)).astype(int).tolist()
    right, bottom = min(right, width), min(bottom, height)
    if right <= left or bottom <= top:
        return None, np.zeros((0, 0), dtype=bool)
    shape = min(bottom - top, most), min(right - left, most)
    rows = top + (np.arange(shape[0]) * (bottom - top) // shape[0]) + 0.5
    columns = left + (np.arange(shape[1]) * (right - left) // shape[1]) + 0.5
    x, y = np.meshgrid(columns, rows)
    inside = geometry.in_lasso(x.ravel(), y.ravel(), corners).reshape(shape)
    return (top, left, bottom, right), inside


def _polygons(feature: Any, i: int) -> tuple[list[Region], int]:
    """The polygons of a feature, and how many holes they had."""
    try:
        name = region_name(feature.get("properties"), i)
        shape = feature["geometry"]
        rings = {
            "Polygon": lambda: [shape["coordinates"]],
            "MultiPolygon": lambda: list(shape["coordinates"]),
        }[shape["type"]]()
        found = [np.asarray(polygon[0], dtype=np.float64)[:, :2] for polygon in rings]
        holes = sum(len(polygon) - 1 for polygon in rings)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise DataError(
            f"Feature {i + 1} of the regions is not a polygon. Use polygons or multipolygons.",
            code="invalid-region",
        ) from None
    regions = []
    for ring in found:
        corners = ring[:-1] if len(ring) > 3 and np.array_equal(ring[0], ring[-1]) else ring
        if len(corners) < 3 or not np.isfinite(corners).all():
            raise DataError(
                f"Region '{name:.60}' has fewer than three corners.", code="invalid-region"
            )
        regions.append(Region(name, corners))
    return regions, holes


def _system_of(kept: Any) -> str:
    """The reference system that a GeoJSON file names, as EPSG:…; empty when it names none."""
    try:
        name = str(kept["crs"]["properties"]["name"])
    except (KeyError, TypeError):
        return ""
    if name.upper().endswith("CRS84"):  # degrees, longitude first
        return DEGREES
    code = name.rpartition(":")[2]
    return f"EPSG:{code}" if "EPSG" in name.upper() and code.isdigit() else ""


def _epsg(crs: str) -> str:
    """The EPSG number of a coordinate system, as far as its text says it at the end."""
    if crs.upper().startswith("EPSG:"):
        return crs[5:]
    for mark in ('ID["EPSG",', 'AUTHORITY["EPSG","'):
        _, found, rest = crs.rpartition(mark)
        digits = rest.split('"')[0].split("]")[0]
        if found and digits.isdigit():
            return digits
    return ""
