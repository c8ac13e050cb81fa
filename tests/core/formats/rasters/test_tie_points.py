"""Places between tie points, and maps that are laid on the earth by them."""

import math
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.vrt import WarpedVRT

from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.maps import MapGrid, write_map
from coterie.core.formats.rasters.tie_points import MOST_POINTS, TiePoints, tie_points_of
from tests.core.formats.products.making_envisat import write_meris


def grid(rows: int, columns: int) -> TiePoints:
    """Coordinates that are straight in each direction: between the points they are exact."""
    down, right = np.meshgrid(
        np.arange(rows) * 8 + 0.5, np.arange(columns) * 8 + 0.5, indexing="ij"
    )
    x, y = 5 + 0.1 * right - 0.02 * down + 1e-4 * right * down, 50 - 0.1 * down - 0.01 * right
    return TiePoints(
        "EPSG:4326",
        tuple(right[0].tolist()),
        tuple(down[:, 0].tolist()),
        tuple(x.ravel().tolist()),
        tuple(y.ravel().tolist()),
    )


@pytest.mark.parametrize("place", [(0.5, 0.5), (3.0, 11.7), (24.5, 16.5), (30.0, 20.0), (0.0, 0.0)])
def test_places_lie_straight_between_the_points_and_beyond_them(place: tuple[float, float]) -> None:
    column, row = place
    expected = 5 + 0.1 * column - 0.02 * row + 1e-4 * column * row, 50 - 0.1 * row - 0.01 * column
    assert grid(3, 4).place(column, row) == pytest.approx(expected)


def test_a_long_swath_keeps_few_points_and_its_ends(tmp_path: Path) -> None:
    many = grid(200, 71)

    class Source:
        gcps = (
            [rasterio.control.GroundControlPoint(r, c, x, y) for c, r, x, y in many.points],
            rasterio.crs.CRS.from_epsg(4326),
        )

    kept = tie_points_of(Source())
    assert kept is not None
    assert len(kept.x) <= MOST_POINTS
    assert (kept.rows[0], kept.rows[-1]) == (many.rows[0], many.rows[-1])
    assert (kept.columns[0], kept.columns[-1]) == (many.columns[0], many.columns[-1])
    assert kept.place(100.0, 900.0) == pytest.approx(many.place(100.0, 900.0))


def test_points_that_are_no_grid_are_not_used(tmp_path: Path) -> None:
    points = [rasterio.control.GroundControlPoint(r, c, c, -r) for r, c in ((0, 0), (3, 9), (8, 2))]
    path = tmp_path / "a.tif"
    size = {"height": 9, "width": 10, "count": 1, "dtype": "uint8"}
    with rasterio.open(path, "w", driver="GTiff", crs="EPSG:4326", gcps=points, **size) as target:
        target.write(np.ones((1, 9, 10), dtype=np.uint8))
    assert scene_of(path).ties is None


@pytest.mark.parametrize("wrong", [{"x": math.nan}, {"y": math.inf}, {"row": math.nan}])
def test_points_that_are_nowhere_are_not_used(wrong: dict[str, float]) -> None:
    corners = [{"row": r, "col": c, "x": c, "y": -r} for r in (0.0, 8.0) for c in (0.0, 9.0)]

    class Source:
        gcps = (
            [rasterio.control.GroundControlPoint(**corner) for corner in corners],
            rasterio.crs.CRS.from_epsg(4326),
        )

    assert tie_points_of(Source()) is not None
    setattr(Source.gcps[0][-1], *wrong.popitem())
    assert tie_points_of(Source()) is None


def test_a_map_is_laid_on_the_earth_by_the_tie_points_of_its_scene(tmp_path: Path) -> None:
    meris = write_meris(tmp_path / "a.N1")
    scene = scene_of(meris.path)
    codes = np.zeros((scene.height, scene.width), dtype=np.uint8)
    codes[24:, 24:] = 1
    colours = np.array([[0, 0, 255], [255, 255, 255]], dtype=np.uint8)
    made = MapGrid(
        height=scene.height,
        width=scene.width,
        names=("clear", "cloud"),
        colours=colours,
        nodata=255,
        dtype=np.dtype(np.uint8),
        ties=scene.ties,
    )
    path = tmp_path / "map.tif"
    write_map(path, made, lambda top, bottom: codes[top:bottom], lambda: None)
    assert scene_of(path).ties == scene.ties
    assert scene.ties is not None
    with rasterio.open(path) as source, WarpedVRT(source, crs="EPSG:4326") as warped:
        for (column, row), code in (((8.5, 8.5), 0), ((40.5, 28.5), 1)):
            longitude, latitude = scene.ties.place(column, row)
            found = next(warped.sample([(longitude, latitude)]))
            assert found[0] == code
