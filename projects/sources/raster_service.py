"""What needs GDAL, PROJ or SQLite on behalf of a window: all of it in plain values and arrays.

`rasters.py` asks, most often from another process (`core/io/confined/`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context, NullListener
from coterie.core.errors import DataError
from coterie.core.formats.maps.finish import Finish, finish_map, write_extras
from coterie.core.formats.maps.uncertainty import most_uncertain
from coterie.core.formats.rasters.areas import side_factor
from coterie.core.formats.rasters.geopackage import (
    read_geopackage,
    reprojected,
    write_geopackage,
)
from coterie.core.formats.rasters.maps import MapGrid, write_map_at
from coterie.core.formats.rasters.overviews import (
    OverviewLevel,
    Overviews,
    overviews_of,
    unpacking_threads,
)
from coterie.core.formats.rasters.polygons import Polygon
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tie_points import TiePoints
from coterie.core.formats.rasters.windows import (
    SceneReader,
    Window,
    bounded_gdal,
    gdal_window,
    open_raster,
)
from coterie.core.io.confined.wire import Parcel
from coterie.core.model.arrays import Array
from coterie.projects.sources.write_scene import write_bands

Report = Callable[[float, str], None]


class RasterService:
    """Reads scenes, maps and regions, and writes maps.

    Parameters
    ----------
    report : called with the progress of long work
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._open = ExitStack()
        self._about: tuple[Any, Any] | None = None
        self._reader: SceneReader | None = None
        self._overviews: Overviews | None = None

    # Scenes

    def make_overviews(self, scene: Mapping[str, Any], folder: str) -> None:
        """Make the smaller copies of a scene, unless they are there."""
        listener = _Listener(self._report)
        overviews_of(Scene.from_json(scene), Context(listener=listener), Path(folder))

    def read(
        self,
        scene: Mapping[str, Any],
        levels: Sequence[Sequence[Any]],
        level: int,
        window: Sequence[int],
        shape: Sequence[int],
        bands: Sequence[int],
    ) -> Parcel:
        """Return values and validity of a window of a scene, or of one of its smaller copies.

        The files stay open until `release`, or until those of another scene are read.
        """
        if self._about != (scene, levels):
            self.release()
            self._about = (scene, levels)
        if level:
            values, valid = self._smaller().read_window(level, Window(*window), bands)
        else:
            values, valid = self._whole().read(Window(*window), (shape[0], shape[1]), bands)
        return Parcel(None, {"values": values, "valid": valid})

    def release(self) -> None:
        """Close the files that are open."""
        self._about = self._reader = self._overviews = None
        self._open.close()

    def _whole(self) -> SceneReader:
        if self._reader is None:
            assert self._about is not None
            reader = SceneReader(Scene.from_json(self._about[0]), unpacking_threads())
            self._reader = self._open.enter_context(reader)
        return self._reader

    def _smaller(self) -> Overviews:
        if self._overviews is None:
            assert self._about is not None
            scene, levels = self._about
            listed = [
                OverviewLevel(n, high, wide, Path(f) if f else None) for n, high, wide, f in levels
            ]
            opened = Overviews(Scene.from_json(scene), listed)
            self._overviews = self._open.enter_context(opened)
        return self._overviews

    # Maps

    def read_map(self, path: str, grid: Sequence[int], window: Sequence[int], shape: Any) -> Parcel:
        """Return the numbers of a map of this size in a window, in that shape."""
        place, box = Path(path), Window(*window)
        with bounded_gdal(), open_raster(place) as source:
            if list(source.shape) != list(grid):
                raise DataError(
                    f"'{place.name}' and the scene differ in size. Classify the scene again.",
                    code="grid-mismatch",
                )
            high, wide = box.shape
            at = gdal_window(box.left, box.top, wide, high)
            numbers = source.read(1, window=at, out_shape=tuple(shape))
        return Parcel(None, {"numbers": numbers.astype(np.int64)})

    def write_map(self, target: str, numbers: str, grid: Mapping[str, Any], colours: Array) -> Any:
        """Write a map whose numbers are in an .npy file; return the pixels of each class by row."""
        fields = {**grid, "names": tuple(grid["names"]), "transform": tuple(grid["transform"])}
        ties = fields.pop("ties")
        made = MapGrid(
            **{**fields, "dtype": np.dtype(fields["dtype"])},
            colours=colours,
            ties=TiePoints.from_json(ties) if ties else None,
        )
        mapped = np.load(numbers, mmap_mode="r")
        counts = write_map_at(
            Path(target), made, lambda top, bottom: mapped[top:bottom], lambda: None
        )
        return Parcel(None, {"counts": counts})

    def finish_map(
        self,
        source: str,
        target: str,
        how: Mapping[str, Any],
        extras: Mapping[str, str],
        title: str,
        scene: Mapping[str, Any] | None,
        fonts: str,
    ) -> list[str]:
        """Write a finished copy of a map, and extras by their names; return remarks.

        Parameters
        ----------
        fonts : a folder where matplotlib may keep what it finds out about fonts
        """
        os.environ["MPLCONFIGDIR"] = fonts
        written = Path(target)
        places: dict[str, Any] = {name: Path(path) for name, path in extras.items()}
        said = finish_map(Path(source), written, Finish(**how))
        return said + write_extras(
            written,
            **places,
            title=title,
            scene=None if scene is None else Scene.from_json(scene),
        )

    def most_uncertain(self, path: str, count: int) -> list[list[int]]:
        """Return rows and columns of the most uncertain places of a map of uncertainty."""
        return [list(place) for place in most_uncertain(Path(path), count)]

    def write_bands(self, target: str, bands: str, **fields: Any) -> None:
        """Write bands that are in an .npy file as a GeoTIFF."""
        write_bands(Path(target), np.load(bands, mmap_mode="r"), **fields)

    # Coordinates and regions

    def measure(
        self,
        crs: str,
        here: Sequence[float],
        beside: Sequence[float],
        size: Sequence[int],
        transform: Sequence[float] | None,
    ) -> list[Any]:
        """Return the metres between two places, the system's name, and whether it is in degrees.

        Parameters
        ----------
        transform : of the grid that both are on; None for a swath with tie points
        """
        return list(_measured(crs, here, beside, size, transform))

    def is_geographic(self, crs: str) -> bool:
        """Whether the coordinates of a system are degrees."""
        from rasterio.crs import CRS

        return bool(CRS.from_user_input(crs).is_geographic)

    def reproject(self, corners: Array, system: str, crs: str) -> Parcel:
        """Return corners of one coordinate system in another."""
        return Parcel(None, {"corners": reprojected(np.array(corners), system, crs)})

    def read_regions(self, path: str, crs: str) -> Parcel:
        """Return the polygons of a GeoPackage: their names, numbers of rings, and the rings."""
        found = read_geopackage(Path(path), crs)
        rings = [ring for polygon in found for ring in polygon.rings]
        listed = [[polygon.name, len(polygon.rings)] for polygon in found]
        return Parcel(listed, {str(at): ring for at, ring in enumerate(rings)})

    def write_regions(self, path: str, names: Sequence[str], crs: str, **rings: Array) -> None:
        """Write polygons, each of one ring, as a GeoPackage."""
        listed = [Polygon(name, (rings[f"r{at}"],)) for at, name in enumerate(names)]
        write_geopackage(Path(path), listed, crs)


class _Listener(NullListener):
    """Passes progress on to a function."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def progress(self, done: float, total: float, message: str) -> None:
        self._report(done / total if total else 0.0, message)


def _measured(
    crs: str,
    here: Sequence[float],
    beside: Sequence[float],
    size: Sequence[int],
    transform: Sequence[float] | None,
) -> tuple[float, str, bool]:
    from rasterio.crs import CRS

    try:
        system = CRS.from_user_input(crs)
        epsg = system.to_epsg()
        east, north = beside[0] - here[0], beside[1] - here[1]
        name = f"EPSG:{epsg}" if epsg else str(system.to_dict().get("proj", ""))
        name = name if transform is not None else "tie points"
        if system.is_geographic:
            east *= float(np.cos(np.radians(here[1])))
            return float(np.hypot(east, north)) * 111_320.0, name, True
        side = float(np.hypot(east, north)) * float(system.linear_units_factor[1])
        if transform is not None:
            side *= side_factor(size[0], size[1], crs, tuple(transform))
        return side, name, False
    except Exception:  # rasterio's own errors differ by version: then nothing is said of the place
        return 0.0, "", False
