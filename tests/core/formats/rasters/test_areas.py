"""How large pixels are on the ground."""

from __future__ import annotations

import numpy as np
import pytest
from rasterio.crs import CRS
from rasterio.warp import transform as to_degrees

from coterie.core.formats.rasters.areas import row_areas, side_factor


def wkt(code: int) -> str:
    return str(CRS.from_epsg(code).to_wkt())


@pytest.mark.parametrize(
    ("latitude", "kilometres"),
    # Lengths of a degree along the parallel and the meridian of WGS 84 at these latitudes, in km:
    # 111.320 × 110.574, 78.847 × 111.132, 55.800 × 111.412.
    [(0.0, 111.320 * 110.574), (45.0, 78.847 * 111.132), (60.0, 55.800 * 111.412)],
)
def test_a_patch_in_degrees_has_the_area_of_the_ellipsoid(
    latitude: float, kilometres: float
) -> None:
    side = 0.01
    found = row_areas(1, 1, wkt(4326), (side, 0.0, 10.0, 0.0, -side, latitude + side / 2))
    assert found is not None
    assert found[0] / 1e6 == pytest.approx(kilometres * side**2, rel=1e-4)


def test_all_rows_of_the_world_are_its_surface() -> None:
    rows = row_areas(180, 1, wkt(4326), (360.0, 0.0, -180.0, 0.0, -1.0, 90.0))
    assert rows is not None
    assert rows.sum() / 1e12 == pytest.approx(510.0656, rel=1e-6)
    np.testing.assert_allclose(rows, rows[::-1])


def test_metres_and_feet_are_told_apart() -> None:
    metres = row_areas(2, 3, wkt(32633), (10.0, 0.0, 5e5, 0.0, -10.0, 5e6))
    assert metres is not None
    assert metres.tolist() == [100.0, 100.0]
    feet = row_areas(1, 4, wkt(2264), (100.0, 0.0, 2e6, 0.0, -100.0, 7e5))
    assert feet is not None
    assert feet[0] == pytest.approx((100 * 1200 / 3937) ** 2)


def test_web_mercator_does_not_quadruple_the_north() -> None:
    place = (20.0, 0.0, 1_669_792.0, 0.0, -20.0, 8_399_737.0)  # 15° east, 60° north
    rows = row_areas(200, 100, wkt(3857), place)
    assert rows is not None
    # On a sphere its scale is 1 / cos of the latitude; the ellipsoid differs by less than 1 %.
    assert rows[0] / 400 == pytest.approx(np.cos(np.radians(60)) ** 2, rel=0.01)
    assert (np.diff(rows) > 0).all()  # larger towards the south
    assert side_factor(200, 100, wkt(3857), place) == pytest.approx(0.5, rel=0.01)
    assert side_factor(200, 100, wkt(32633), (10.0, 0.0, 5e5, 0.0, -10.0, 5e6)) == 1.0


@pytest.mark.parametrize(
    ("code", "place"),
    [
        (32660, (1000.0, 0.0, 665_000.0, 0.0, -1000.0, 5_000_000.0)),  # UTM, 45° north
        (3413, (1000.0, 0.0, -1_500_000.0, 0.0, -1000.0, 1_500_500.0)),  # polar, 70° north
    ],
)
def test_pixels_across_the_date_line_are_as_large_as_their_neighbours(
    code: int, place: tuple[float, ...]
) -> None:
    size = 150
    rows = row_areas(size, size, wkt(code), place)
    assert rows is not None
    assert rows == pytest.approx(1e6, rel=0.05)
    a, b, c, d, e, f = place
    pixels = [(i, j) for i in range(size) for j in range(size)]
    x, y = np.array([(a * i + c, e * j + f) for i, j in pixels]).T
    longitudes = np.array(to_degrees(CRS.from_epsg(code), "EPSG:4326", x, y)[0])
    assert longitudes.min() < -179.9  # both sides are in the scene
    assert longitudes.max() > 179.9
    across = np.abs(np.diff(longitudes.reshape(size, size), axis=0)) > 180
    i, j = np.argwhere(across)[len(np.argwhere(across)) // 2]
    one = (a, b, c + a * i, d, e, f + e * j)
    assert row_areas(1, 1, wkt(code), one) == pytest.approx(1e6, rel=0.05)
    assert side_factor(1, 1, wkt(code), one) == pytest.approx(1.0, rel=0.03)


def test_a_system_of_its_own_has_areas_if_it_has_a_unit() -> None:
    local = 'LOCAL_CS["site",UNIT["metre",1]]'
    found = row_areas(2, 2, local, (2.0, 0.0, 0.0, 0.0, -2.0, 0.0))
    assert found is None or found.tolist() == [4.0, 4.0]
