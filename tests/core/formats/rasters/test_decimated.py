"""Every so many pixels of a raster: those that GDAL picks, however the file is laid out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

from coterie.core.formats.rasters import decimated
from coterie.core.formats.rasters.decimated import read_decimated
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.windows import SceneReader, Window

from .making import cube, write

LAYOUTS: dict[str, dict[str, Any]] = {
    "tiles": {"tiled": True, "blockxsize": 16, "blockysize": 32},
    "tiles of one band": {
        "tiled": True, "blockxsize": 16, "blockysize": 16, "interleave": "band"
    },
    "strips": {"blockysize": 1},
    "strips of several rows": {"blockysize": 7, "compress": "lzw"},
    "a picture": {"driver": "PNG"},
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(9, 11), (70, 13), (1, 1)])
def test_the_pixels_are_those_that_gdal_picks(
    tmp_path: Path, layout: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decimated, "MOST_BYTES", 4000)  # a picture of one block is taken apart
    path = write(tmp_path / "a.tif", cube(3, 90, 101), **LAYOUTS[layout])
    with rasterio.open(path) as source:
        asked = source.read([1, 3], window=((13, 83), (4, 95)), out_shape=shape)
        found = read_decimated(source, [1, 3], (13, 4), (70, 91), shape)
    np.testing.assert_array_equal(found, asked)


def test_smaller_copies_inside_the_file_are_used(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tif", cube(2, 64, 64), tiled=True, blockxsize=16, blockysize=16)
    with rasterio.open(path, "r+") as target:
        target.build_overviews([4], rasterio.enums.Resampling.average)
    with rasterio.open(path) as source:
        means = source.read([2], out_shape=(16, 16))
        found = read_decimated(source, [2], (0, 0), (64, 64), (16, 16))
        picked = read_decimated(source, [2], (0, 0), (64, 64), (32, 32))
    np.testing.assert_array_equal(found, means)
    np.testing.assert_array_equal(picked[0], cube(2, 64, 64)[1, 1::2, 1::2])


@pytest.mark.parametrize("interleave", ["pixel", "band"])
def test_threads_read_the_same_pixels(tmp_path: Path, interleave: str) -> None:
    profile = {"tiled": True, "blockxsize": 16, "blockysize": 16, "compress": "deflate"}
    path = write(tmp_path / "a.tif", cube(4, 90, 101), interleave=interleave, **profile)
    scene, window = scene_of(path), Window(16, 0, 80, 101)
    with SceneReader(scene) as one, SceneReader(scene, threads=3) as several:
        for shape in (None, (8, 13)):
            for found, wanted in zip(
                several.read(window, shape, (2, 0)), one.read(window, shape, (2, 0)), strict=True
            ):
                np.testing.assert_array_equal(found, wanted)
