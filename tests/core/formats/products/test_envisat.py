"""MERIS products in Envisat's form: radiances, wavelengths, place, and damaged files."""

from pathlib import Path

import numpy as np
import pytest
import rasterio

from coterie.core.errors import DataError
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from tests.refusals import refuses

from .making_envisat import DESCRIPTOR, FACTORS, MAIN, NANOMETRES, PRODUCT, Meris, write_meris


@pytest.fixture
def meris(tmp_path: Path) -> Meris:
    return write_meris(tmp_path / PRODUCT)


def test_the_made_product_is_one_to_gdal(meris: Meris) -> None:
    with rasterio.open(meris.path) as source:
        assert source.driver == "ESAT"
        assert source.count == 17
        assert source.descriptions[14].strip() == "Radiance MDS(15)"
        assert source.descriptions[15].strip() == "Flags MDS(16)"
        np.testing.assert_array_equal(source.read(list(range(1, 16))), meris.numbers)
        points, system = source.gcps
        assert system.to_epsg() == 4326
        assert len(points) == meris.ties[..., 0].size
        for point in points:
            row, column = int(point.row - 0.5), int(point.col - 0.5)
            assert row % meris.step == column % meris.step == 0
            expected = meris.ties[row // meris.step, column // meris.step]
            np.testing.assert_allclose((point.x, point.y), expected, atol=1e-9)


def test_bands_are_radiances_by_the_factors_of_the_product(meris: Meris) -> None:
    before = meris.path.read_bytes()
    scene = scene_of(meris.path)
    assert scene.band_names == tuple(f"radiance_{i}" for i in range(1, 16))
    assert list(scene.wavelengths) == list(NANOMETRES)
    assert [scene.height, scene.width] == [33, 49]
    assert scene.dtype == "uint16"
    with SceneReader(scene) as reader:
        values, valid = reader.read(Window(3, 5, 20, 40))
    expected = meris.numbers[:, 3:20, 5:40] * np.array(FACTORS)[:, None, None]
    # In float32; the six digits that GDAL tells of a factor would be off by a hundred times this.
    np.testing.assert_allclose(values, expected, rtol=3e-7)
    assert valid.all()
    assert meris.path.read_bytes() == before
    assert list(meris.path.parent.iterdir()) == [meris.path]


def test_pixels_outside_the_swath_are_no_data(tmp_path: Path) -> None:
    numbers = np.full((15, 17, 17), 700, dtype=np.uint16)
    numbers[:, :, :2] = 0
    scene = scene_of(write_meris(tmp_path / "a.N1", numbers).path)
    with SceneReader(scene) as reader:
        _, valid = reader.read(Window(0, 0, 17, 17))
    assert not valid[:, :2].any()
    assert valid[:, 2:].all()


@pytest.mark.parametrize("name", ["a.N1", "A.n1", "scene.dat", "without ending"])
def test_a_product_is_known_whatever_its_file_is_called(tmp_path: Path, name: str) -> None:
    assert len(scene_of(write_meris(tmp_path / name).path).bands) == 15


def test_its_place_is_told_by_tie_points_and_survives_as_json(meris: Meris) -> None:
    scene = scene_of(meris.path)
    assert scene.crs == ""
    assert scene.ties is not None
    assert scene.ties.place(16.5, 32.5) == pytest.approx(tuple(meris.ties[2, 1]))
    assert Scene.from_json(scene.as_json()) == scene
    described = scene.as_json()
    described["ties"]["x"] = described["ties"]["x"][1:]
    with refuses("invalid-scene", DataError):
        Scene.from_json(described)


def test_a_file_cut_short_is_told_before_any_pixel_is_read(meris: Meris) -> None:
    whole = meris.path.read_bytes()
    meris.path.write_bytes(whole[:-500])
    message = (
        rf"is incomplete: its header promises {len(whole):,} bytes, it has {len(whole) - 500:,}"
    )
    with refuses("file-damaged", DataError, match=message):
        scene_of(meris.path)
    meris.path.write_bytes(whole[:600])
    with refuses("file-damaged", DataError):
        scene_of(meris.path)
    meris.path.write_bytes(b"PRODUCT=")
    with refuses("file-damaged", DataError, match="TOT_SIZE"):
        scene_of(meris.path)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"SPH_SIZE=+0000", b"SPH_SIZE=+9999", "file-damaged"),
        (b"NUM_DSD=+0000", b"NUM_DSD=-0000", "file-damaged"),
        (b"TRANS_ERR", b"TRANS\xf9ERR", "file-damaged"),
        (b"DSD_SIZE=+", b"DSD_SIZE=x", "file-damaged"),
        (b"DS_OFFSET=+0", b"DS_OFFSET=+9", "file-damaged"),
        (b"Scaling Factor GADS", b"Something else GADS", "file-damaged"),
        (b"Radiance MDS(", b"Somewhat MDS(", "no-bands"),
        (b"NUM_DSR=+000000003", b"NUM_DSR=+000000009", "file-damaged"),
        (b"LINE_LENGTH=+0004", b"LINE_LENGTH=+0000", "file-damaged"),
    ],
)
def test_a_damaged_header_is_told_in_a_sentence(
    meris: Meris, old: bytes, new: bytes, code: str
) -> None:
    whole = meris.path.read_bytes()
    assert old in whole
    padded = new.ljust(len(old))
    meris.path.write_bytes(whole.replace(old, padded))
    with refuses(code, DataError):
        scene_of(meris.path)


def test_factors_that_are_no_numbers_are_refused(meris: Meris) -> None:
    whole = bytearray(meris.path.read_bytes())
    at = whole.index(np.array(FACTORS, dtype=">f4").tobytes())
    whole[at : at + 4] = np.array(np.nan, dtype=">f4").tobytes()
    meris.path.write_bytes(whole)
    with refuses("file-damaged", DataError):
        scene_of(meris.path)


def test_what_only_begins_like_a_product_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.N1"
    path.write_text("PRODUCT=apples\n" * 200)
    with refuses("file-damaged", DataError, match="TOT_SIZE"):
        scene_of(path)
    path.write_text("nothing of the kind")
    with refuses("file-damaged", DataError):
        scene_of(path)


def test_other_products_are_as_stored_and_without_flags(meris: Meris) -> None:
    whole = meris.path.read_bytes()
    meris.path.write_bytes(whole.replace(b"MER_RR__1P", b"MER_RR__1X", 1))
    scene = scene_of(meris.path)
    assert {band.scale for band in scene.bands} == {1.0}
    assert len(scene.bands) == 15
    assert scene.band_names[0] == "Radiance MDS(1)"


def test_the_headers_have_the_sizes_of_the_specification(meris: Meris) -> None:
    whole = meris.path.read_bytes()
    assert whole[MAIN:].startswith(b"SPH_DESCRIPTOR=")
    first = whole.index(b"DS_NAME=")
    assert whole[first + DESCRIPTOR :].startswith(b"DS_NAME=")
