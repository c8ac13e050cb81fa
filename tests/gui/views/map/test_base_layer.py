"""Scenes and pictures under a map, read tile by tile."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import rasterio
from rasterio.crs import CRS
from rasterio.transform import Affine

from coterie.core.api.context import Control
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.overviews import OverviewLevel
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.dataset import Dataset
from coterie.gui.views.map.bands import BandSettings, colours_of, presets_of, sensor_of, shaded
from coterie.gui.views.map.base_layer import Ground, ground_of, prepare, read_box
from coterie.gui.views.map.layers.state import Layer
from coterie.gui.views.map.tile_cache import Address, TileStore, visible
from coterie.gui.views.map.tile_painter import TileRequest, draw_tiles


def nothing(_done: float, _message: str) -> None:
    """Nobody listens."""


def picture(height: int = 30, width: int = 40) -> Dataset:
    rng = np.random.default_rng(0)
    return Dataset(
        features=rng.random((height * width, 3)),
        columns=("red", "green", "blue"),
        details={"height": height, "width": width},
    )


def write_scene(path: Path, bands: int = 4, side: int = 1100) -> Path:
    """A ramp from the left to the right, another step for each band, and a corner without data."""
    values = np.tile(np.arange(side, dtype=np.uint16)[None, None] + 1, (bands, side, 1))
    values += np.arange(bands, dtype=np.uint16)[:, None, None]
    values[:, :64, :64] = 0
    profile = {
        "driver": "GTiff", "count": bands, "height": side, "width": side, "dtype": "uint16",
        "nodata": 0, "crs": "EPSG:32633", "transform": Affine(10, 0, 5e5, 0, -10, 5e6),
        "tiled": True, "blockxsize": 256, "blockysize": 256,
    }  # fmt: skip
    with rasterio.open(path, "w", **profile) as target:
        target.write(values)
    return path


def test_only_pixels_have_a_ground() -> None:
    assert ground_of(None) is None
    assert ground_of(Dataset(features=np.zeros((6, 2)))) is None
    some = Dataset(features=np.zeros((5, 2)), details={"height": 2, "width": 3})
    assert ground_of(some) is None
    ground = ground_of(picture())
    assert ground is not None
    assert (ground.height, ground.width, ground.bands) == (30, 40, ("red", "green", "blue"))


def test_coordinates_and_pixels_are_each_others_inverse() -> None:
    ground = Ground("", 9, 9, ("x",), crs="EPSG:32633", transform=(10.0, 2.0, 5.0, 1.0, -10.0, 7.0))
    x, y = ground.to_map(3.5, 6.0)
    np.testing.assert_allclose(ground.to_pixels(np.array([[x, y]])), [[3.5, 6.0]])


def test_a_scene_is_drawn_from_its_smaller_copies(tmp_path: Path) -> None:
    data = raster_dataset(scene_of(write_scene(tmp_path / "ramp.tif")))
    ground = ground_of(data)
    assert ground is not None
    prepared = prepare(ground, Control(), nothing)
    assert [level.height for level in prepared.levels] == [1100, 550, 275]
    assert (prepared.metres, prepared.system, prepared.degrees) == (10.0, "EPSG:32633", False)
    look = BandSettings((0, 1, 2), low=0, high=100)
    layer = Layer("scene", "", np.zeros((0, 3), dtype=np.uint8), "look")
    level = prepared.level_for(4.0)
    assert level.number == 2
    (first, second) = draw_tiles(
        ground,
        prepared,
        look,
        [TileRequest(layer, Address(2, 0, 0)), TileRequest(layer, Address(0, 4, 4))],
    )
    assert first.picture.shape == (256, 256, 4)
    assert second.picture.shape == (1100 - 1024, 1100 - 1024, 4)
    assert not first.picture[:16, :16, 3].any()  # no data is seen through
    row = first.picture[100, :, 0].astype(int)
    assert row[0] < 5
    assert row[-1] > 225
    assert (np.diff(row) >= 0).all()


def test_the_stretch_knows_valid_pixels_alone(tmp_path: Path) -> None:
    data = raster_dataset(scene_of(write_scene(tmp_path / "ramp.tif", side=200)))
    ground = ground_of(data)
    assert ground is not None
    prepared = prepare(ground, Control(), nothing)
    (low, high), _ = prepared.limits(ground, (0, 3), 0, 100)
    assert (low, high) == (1.0, 200.0)
    middle = prepared.limits(ground, (0,), 50, 100)[0][0]
    assert 90 < middle < 120


def test_how_long_a_pixel_is_does_not_depend_on_how_the_system_is_named() -> None:
    data = picture()
    place = {"transform": [10.0, 0.0, 5e5, 0.0, -10.0, 5e6]}
    for crs in ("EPSG:32633", CRS.from_epsg(32633).to_wkt()):
        ground = ground_of(replace(data, details={**data.details, **place, "crs": crs}))
        assert ground is not None
        made = prepare(ground, Control(), nothing)
        assert (made.metres, made.system, made.degrees) == (10.0, "EPSG:32633", False)


def test_bands_without_a_valid_pixel_are_known_once_they_are_looked_at(tmp_path: Path) -> None:
    ground = ground_of(raster_dataset(scene_of(write_scene(tmp_path / "a.tif", side=64))))
    assert ground is not None
    made = prepare(ground, Control(), nothing)
    assert not made.lacks_data((0, 1, 2))
    assert made.limits(ground, (0, 1, 2), 2, 98) == ((0.02, 0.98),) * 3
    assert made.lacks_data((0, 1, 2))
    assert not made.lacks_data((3,))


def test_a_thinned_box_holds_the_pixels_it_stands_for() -> None:
    ground = ground_of(picture())
    assert ground is not None
    assert ground.picture is not None
    values, valid = read_box(ground, Window(0, 0, 30, 40), (15, 20))
    assert valid.all()
    np.testing.assert_array_equal(values[1], ground.picture[::2, ::2, 1])


def test_gamma_brightens_and_percentiles_clip() -> None:
    values = np.linspace(0, 1, 5).reshape(1, 1, 5).repeat(3, axis=0)
    valid = np.ones((1, 5), dtype=bool)
    plain = shaded(values, valid, [(0.25, 0.75)] * 3, 1.0)[0, :, 0]
    assert plain.tolist() == [0, 0, 128, 255, 255]
    assert shaded(values, valid, [(0.0, 1.0)] * 3, 2.0)[0, 1, 0] == 128


def test_presets_follow_wavelengths_names_and_sensors() -> None:
    waves = (443.0, 490.0, 560.0, 665.0, 842.0, 1610.0, 2190.0)
    ground = Ground("", 1, 1, tuple(f"band {i}" for i in range(7)), wavelengths=waves)
    presets = {preset.title: preset.bands for preset in presets_of(ground)}
    assert presets["Natural colour"] == (3, 2, 1)
    assert presets["False colour, vegetation red"] == (4, 3, 2)
    sentinel = Ground("", 1, 1, ("B02", "B03", "B04", "B08"))
    assert sensor_of(sentinel) == "Sentinel-2"
    assert colours_of(sentinel) == {"blue": 0, "green": 1, "red": 2, "nir": 3}
    unknown = presets_of(Ground("", 1, 1, ("a", "b", "c", "d", "e")))
    assert unknown[0].bands == (2, 1, 0)
    assert presets_of(Ground("", 1, 1, ("only",)))[0].bands == (0, 0, 0)


def test_visible_tiles_cover_the_box_from_the_middle() -> None:
    level = OverviewLevel(1, 1000, 1000)
    found = visible(level, (600.0, 0.0, 1500.0, 400.0))
    assert {(a.row, a.column) for a in found} == {(0, 1), (0, 2)}
    assert not visible(level, (-900.0, -900.0, -600.0, -600.0))


def test_a_store_keeps_so_many_tiles_and_shows_old_ones_meanwhile() -> None:
    store: TileStore[str] = TileStore(most=3)
    for column in range(5):
        store.put(Address(0, 0, column), "old", str(column))
    assert len(store) == 3
    wanted = [Address(0, 0, 3), Address(0, 0, 4)]
    assert not store.missing(wanted, "old")
    assert store.missing(wanted, "new") == wanted
    assert [tile for _, tile in store.shown(wanted)] == ["3", "4"]
    store.put(Address(2, 0, 0), "old", "coarse")
    assert store.shown([*wanted, Address(0, 9, 9)])[0][1] == "coarse"


def test_a_part_of_a_layer_is_drawn_again() -> None:
    store: TileStore[str] = TileStore()
    store.put(Address(0, 0, 0), "look", "a")
    store.put(Address(0, 0, 1), "look", "b")
    store.outdate({}, Window(0, 0, 10, 10))
    assert store.missing([Address(0, 0, 0), Address(0, 0, 1)], "look") == [Address(0, 0, 0)]
