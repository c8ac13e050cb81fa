"""A swath under the map: where its pixels are, which way is north, how long a pixel is."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core.api.context import Control
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.gui.views.map.bands import presets_of, sensor_of
from coterie.gui.views.map.base_layer import Ground, coordinates, ground_of, prepare
from tests.core.formats.products.making_envisat import write_meris


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    found = ground_of(raster_dataset(scene_of(write_meris(tmp_path / "a.N1").path)))
    assert found is not None
    return found


def test_the_place_of_a_pixel_is_between_the_tie_points(ground: Ground) -> None:
    assert not ground.placed
    column, row = 16, 32
    longitude = 8 + 0.014 * column - 0.003 * row + 2e-5 * column * row
    latitude = 47 - 0.009 * row - 0.002 * column - 1e-5 * column**2
    place = ground.position(column + 0.5, row + 0.5)
    assert place == pytest.approx((longitude, latitude), abs=1e-6)
    assert Ground("", 2, 2, ("a",)).position(1, 1) is None


def test_north_is_where_latitude_grows_and_longitude_stays(ground: Ground) -> None:
    way = ground.north()
    assert way is not None
    right, down = np.array(way) / np.hypot(*way)
    middle = ground.width / 2, ground.height / 2
    here, there = (
        ground.position(middle[0] + step * right, middle[1] + step * down) for step in (0, 2)
    )
    assert here is not None
    assert there is not None
    assert there[1] > here[1]
    assert abs(there[0] - here[0]) < 0.01 * (there[1] - here[1])
    assert Ground("", 2, 2, ("a",)).north() is None


def test_a_pixel_is_as_long_as_on_the_ground(ground: Ground) -> None:
    prepared = prepare(ground, Control(), lambda _done, _message: None)
    assert prepared.degrees
    assert prepared.system == "tie points"
    # 0.0143° east at 46.8° north and 0.0024° south, on a sphere.
    assert prepared.metres == pytest.approx(1125, rel=0.02)


def test_colours_are_found_by_wavelength(ground: Ground) -> None:
    assert sensor_of(ground) == "MERIS"
    natural = presets_of(ground)[0]
    assert natural.title == "Natural colour"
    names = [ground.bands[band] for band in natural.bands]
    assert names == ["radiance_7", "radiance_5", "radiance_3"]


def test_beyond_the_date_line_counts_from_the_west() -> None:
    assert coordinates((181.5, -3.0), degrees=True) == "3.00000° S, 178.50000° W"
