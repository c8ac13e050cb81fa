"""What scenes in every format say of themselves, and that their values come out right."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.rasters.formats import files_beside, scene_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from tests.refusals import refuses

from .making import cube, write, write_landsat, write_safe


def read(scene: Scene, window: Window | None = None) -> tuple[np.ndarray, np.ndarray]:
    with SceneReader(scene) as reader:
        return reader.read(window or Window(0, 0, scene.height, scene.width))


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        ("a.tif", {}),
        ("a.tiff", {"tiled": True, "blockxsize": 16, "blockysize": 16, "compress": "deflate"}),
        ("cog.tif", {"driver": "COG"}),
        ("a.dat", {"driver": "ENVI"}),
        ("a.img", {"driver": "HFA"}),
        ("a.jp2", {"driver": "JP2OpenJPEG", "QUALITY": "100", "REVERSIBLE": "YES"}),
    ],
)
def test_a_window_holds_what_was_written(
    tmp_path: Path, name: str, profile: dict[str, object]
) -> None:
    values = cube()
    path = write(tmp_path / name, values, **profile)
    before = path.read_bytes()
    scene = scene_of(path)
    assert (scene.height, scene.width, len(scene.bands)) == (40, 50, 3)
    assert list(scene.transform) == [10, 0, 500_000, 0, -10, 5_000_000]
    assert "UTM" in scene.crs
    found, valid = read(scene, Window(3, 5, 20, 31))
    np.testing.assert_array_equal(found, values[:, 3:20, 5:31])
    assert valid.all()
    assert path.read_bytes() == before
    assert Scene.from_json(scene.as_json()) == scene


def test_an_envi_header_stands_for_its_pixels_and_tells_wavelengths(tmp_path: Path) -> None:
    path = write(tmp_path / "a.dat", cube(), driver="ENVI")
    header = path.with_suffix(".hdr")
    text = header.read_text()
    told = "wavelength units = Micrometers\nwavelength = {0.49, 0.56, 0.665}\n"
    names = "band names = {blue, green (left), red}\n"
    kept = text.partition("band names")[0]
    header.write_text(f"{kept}{names}{told}")
    scene = scene_of(header)
    assert scene.name == "a.dat"
    assert scene.band_names == ("blue", "green (left)", "red")
    assert list(scene.wavelengths) == [490, 560, 665]
    assert files_beside(header) == (path,)
    assert files_beside(path) == (header,)


def test_netcdf_variables_are_bands(tmp_path: Path) -> None:
    from scipy.io import netcdf_file

    values = cube(2).astype(np.float32)
    path = tmp_path / "a.nc"
    with netcdf_file(path, "w") as file:
        file.createDimension("y", 40)
        file.createDimension("x", 50)
        for name, band in zip(("red", "nir"), values, strict=True):
            file.createVariable(name, "f4", ("y", "x"))[:] = band
    scene = scene_of(path)
    assert scene.band_names == ("red", "nir")
    found, _ = read(scene)
    # Without coordinates GDAL takes the first row to be the lowest; both ways are the same pixels.
    assert np.array_equal(found, values) or np.array_equal(found, values[:, ::-1])


def test_scale_offset_and_no_data_of_a_file_count(tmp_path: Path) -> None:
    import rasterio

    values = cube()
    values[1, 4, 7] = 0
    path = write(tmp_path / "a.tif", values, nodata=0)
    with rasterio.open(path, "r+") as target:
        target.scales, target.offsets = (0.1, 1.0, 2.0), (5.0, 0.0, -1.0)
        target.descriptions = ("blue", "green", "red")
    scene = scene_of(path)
    found, valid = read(scene)
    np.testing.assert_allclose(found[0], values[0] * 0.1 + 5, rtol=1e-6)
    np.testing.assert_allclose(found[2], values[2] * 2.0 - 1, rtol=1e-6)
    assert np.argwhere(~valid).tolist() == [[4, 7]]
    assert scene.choose("red, 1").band_names == ("red", "blue")
    with refuses("unknown-band", DataError, match="'nir'"):
        scene.choose("nir")


@pytest.mark.parametrize("level", ["1C", "2A"])
def test_sentinel2_is_reflectance_by_its_metadata(tmp_path: Path, level: str) -> None:
    numbers = write_safe(tmp_path / "S2A.SAFE", level=level)
    scene = scene_of(tmp_path / "S2A.SAFE")
    assert scene.band_names == ("B01", "B02", "B11")
    assert list(scene.wavelengths) == [443, 490, 1610]
    assert (scene.height, scene.width) == (120, 120)
    found, valid = read(scene)
    np.testing.assert_allclose(found[1], (numbers["B02"][0] - 1000.0) / 10_000, atol=1e-6)
    coarse = np.kron(numbers["B11"][0], np.ones((2, 2)))
    np.testing.assert_allclose(found[2], (coarse - 1000) / 10_000, atol=1e-6)
    assert valid.all()
    metadata = next((tmp_path / "S2A.SAFE").glob("MTD*"))
    assert scene_of(metadata) == scene
    assert len(files_beside(metadata)) == 3


def test_sentinel2_of_an_old_baseline_has_no_offset_and_a_coarser_grid_can_be_asked_for(
    tmp_path: Path,
) -> None:
    from coterie.core.formats.products.sentinel2 import scene_of_sentinel2

    numbers = write_safe(tmp_path / "S2A.SAFE", offset=0)
    scene = scene_of_sentinel2(tmp_path / "S2A.SAFE", grid=20)
    assert (scene.height, scene.transform[0]) == (60, 20)
    found, _ = read(scene)
    np.testing.assert_allclose(found[2], numbers["B11"][0] / 10_000, atol=1e-6)


def test_metadata_with_entities_are_refused(tmp_path: Path) -> None:
    write_safe(tmp_path / "S2A.SAFE")
    file = next((tmp_path / "S2A.SAFE").glob("MTD*"))
    file.write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    with refuses("file-damaged", DataError):
        scene_of(tmp_path / "S2A.SAFE")


def test_landsat_takes_the_scales_of_its_own_level(tmp_path: Path) -> None:
    numbers = write_landsat(tmp_path / "LC08")
    scene = scene_of(tmp_path / "LC08")
    assert scene.band_names == ("B4", "B5")
    assert list(scene.wavelengths) == [655, 865]
    found, _ = read(scene)
    np.testing.assert_allclose(found, numbers * 2.75e-5 - 0.2, atol=1e-6)
    assert scene_of(tmp_path / "LC08" / "LC08_MTL.txt") == scene


@pytest.mark.parametrize(
    ("craft", "sensor", "waves"),
    [
        ("LANDSAT_9", "OLI_TIRS", [655, 865]),
        ("LANDSAT_7", "ETM", [830, 1650]),
        ("LANDSAT_5", "TM", [830, 1650]),
        ("LANDSAT_5", "MSS", [950, 0]),
        ("LANDSAT_2", "MSS", [550, 650]),
    ],
)
def test_wavelengths_are_those_of_the_sensor(
    tmp_path: Path, craft: str, sensor: str, waves: list[float]
) -> None:
    write_landsat(tmp_path / "L")
    mtl = tmp_path / "L" / "LC08_MTL.txt"
    text = mtl.read_text("utf-8")
    text = text.replace('"LANDSAT_8"', f'"{craft}"\n    SENSOR_ID = "{sensor}"')
    mtl.write_text(text, "utf-8")
    assert list(scene_of(mtl).wavelengths) == waves


def test_numbers_that_are_not_a_number_are_not_valid(tmp_path: Path) -> None:
    values = cube().astype(np.float32)
    values[0, 2, 3] = np.nan
    values[2, 5, 5] = np.inf
    _, valid = read(scene_of(write(tmp_path / "a.tif", values)))
    assert np.argwhere(~valid).tolist() == [[2, 3], [5, 5]]


def test_cubes_of_numpy_are_read_whichever_way_their_axes_lie(tmp_path: Path) -> None:
    values = cube()
    np.save(tmp_path / "first.npy", values)
    np.save(tmp_path / "last.npy", np.moveaxis(values, 0, -1))
    np.savez_compressed(tmp_path / "both.npz", img=np.moveaxis(values, 0, -1), msk=values[0])
    np.save(tmp_path / "flat.npy", values[0])
    for name in ("first.npy", "last.npy", "both.npz"):
        found, valid = read(scene_of(tmp_path / name), Window(1, 2, 9, 30))
        np.testing.assert_array_equal(found, values[:, 1:9, 2:30])
        assert valid.all()
    found, _ = read(scene_of(tmp_path / "flat.npy"))
    np.testing.assert_array_equal(found[0], values[0])


def test_a_file_cut_short_is_said_to_be(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tif", cube())
    scene = scene_of(path)
    path.write_bytes(path.read_bytes()[:-4000])
    with refuses("file-damaged", DataError, match=r"'a\.tif'"):
        read(scene)
    path.write_bytes(b"II*\0 and no more")
    with refuses("file-damaged", DataError):
        scene_of(path)


def test_a_file_that_points_elsewhere_is_no_scene(tmp_path: Path) -> None:
    write(tmp_path / "real.tif", cube())
    (tmp_path / "a.tif").write_text(
        '<VRTDataset rasterXSize="50" rasterYSize="40"><VRTRasterBand dataType="UInt16" band="1">'
        "<SimpleSource><SourceFilename>real.tif</SourceFilename><SourceBand>1</SourceBand>"
        "</SimpleSource></VRTRasterBand></VRTDataset>"
    )
    with refuses("file-damaged", DataError):
        scene_of(tmp_path / "a.tif")


def test_what_is_not_there_or_no_scene_is_said(tmp_path: Path) -> None:
    with refuses("file-not-found", DataError):
        scene_of(tmp_path / "no.tif")
    with refuses("not-a-scene", DataError):
        scene_of(tmp_path)
    scene = scene_of(write(tmp_path / "a.tif", cube()))
    (tmp_path / "a.tif").rename(tmp_path / "b.tif")
    with refuses("file-not-found", DataError):
        read(scene)


def test_a_description_may_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    scene = scene_of(write(tmp_path / "a.tif", cube()))
    described = scene.as_json()
    described["bands"][0]["file"] = "../secret.tif"
    with refuses("invalid-scene", DataError):
        Scene.from_json(described)


def test_unpacking_needs_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    np.savez(tmp_path / "a.npz", img=cube())
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=1000))
    with refuses("disk-full", DataError):
        scene_of(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "profile",
    [{}, {"compress": "deflate"}, {"tiled": True, "blockxsize": 16, "blockysize": 16}],
    ids=["strips", "packed", "tiles"],
)
def test_a_truncated_geotiff_is_refused_when_it_is_opened(
    tmp_path: Path, profile: dict[str, object]
) -> None:
    path = write(tmp_path / "a.tif", cube(), **profile)
    scene_of(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with refuses("file-damaged", match=r"a\.tif"):
        scene_of(path)
