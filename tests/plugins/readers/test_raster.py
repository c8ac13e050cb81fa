"""The reader of scenes: what it takes, what it refuses, and real ones."""

from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core import Context, Dataset, ParameterError
from coterie.core.api.context import Control, NullListener
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.messages import Run
from coterie.core.engine.runner import Runner
from coterie.core.formats.rasters.formats import scene_of as found_scene
from coterie.core.formats.rasters.scene import scene_of
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.io.workspace import Workspace
from coterie.core.model.arrays import Array
from coterie.plugins.readers.raster import Raster
from tests.core.formats.products.making_envisat import write_meris
from tests.refusals import refuses


def opened(path: Path, **params: object) -> Dataset:
    return Raster().compute(path, params=Raster.Params.model_validate(params), context=Context())


def cube(path: Path) -> Path:
    np.save(path, np.arange(60, dtype=np.float32).reshape(4, 5, 3))
    return path


@pytest.mark.parametrize(
    "name",
    ["A.TIF", "a.jp2", "a.nc", "MER.N1", "mer.n1", "S2A.SAFE", "MTD_MSIL2A.xml", "LC08_MTL.txt"],
)
def test_scenes_are_known_by_their_ending(name: str) -> None:
    methods = Registry.load(safe_mode=True).catalogue.methods
    for order in (methods, methods[::-1]):
        reader = Catalogue(order).reader_for(name)
        assert reader is not None
        assert reader.id == "raster"


def test_chosen_bands_and_no_data_are_kept(tmp_path: Path) -> None:
    data = opened(cube(tmp_path / "a.npy"), bands="3, band 1", nodata=7)
    scene = scene_of(data)
    assert scene.band_names == ("band 3", "band 1")
    assert {band.nodata for band in scene.bands} == {7}
    assert data.n == 20
    assert "no coordinate system" in data.notes[0]


def test_a_product_of_meris_is_previewed_with_wavelengths_and_factors(tmp_path: Path) -> None:
    path = write_meris(tmp_path / "MER_RR__1P.N1").path
    shown = Raster().preview(path, params=Raster.Params(), context=Context())
    assert len(shown.rows) == 15
    assert shown.rows[0] == ("radiance_1", "412.5 nm", "× 0.00947484", "0")
    assert any("tie points" in note for note in shown.notes)
    assert scene_of(opened(path, bands="radiance_13, 1")).band_names == (
        "radiance_13",
        "radiance_1",
    )


def test_rasters_beside_a_scene_that_could_be_its_mask_are_offered(tmp_path: Path) -> None:
    for name, bands, height in (
        ("scene.tif", 3, 6),
        ("a-mask.tif", 1, 6),
        ("scene-truth.TIF", 1, 6),
        ("small.tif", 1, 5),
        ("other.tif", 3, 6),
    ):
        with rasterio.open(
            tmp_path / name, "w", driver="GTiff", count=bands, height=height, width=8,
            dtype="uint8", crs="EPSG:32633", transform=Affine(10, 0, 5e5, 0, -10, 5e6),
        ) as target:  # fmt: skip
            target.write(np.ones((bands, height, 8), dtype=np.uint8))
    (tmp_path / "broken.tif").write_bytes(b"II*\0 cut short")
    shown = Raster().preview(tmp_path / "scene.tif", params=Raster.Params(), context=Context())
    assert shown.choices == {"mask": ("scene-truth.TIF", "a-mask.tif")}


def test_a_scene_has_no_columns_to_name(tmp_path: Path) -> None:
    with refuses("invalid-parameters", ParameterError, match="'mask'"):
        opened(cube(tmp_path / "a.npy"), truth="label")


def test_a_scene_that_was_moved_is_found_again_under_its_key(tmp_path: Path) -> None:
    registry = Registry.load(safe_mode=True)
    workspace = Workspace(tmp_path / "work")
    runner = Runner(registry, workspace, memory=1 << 30, workers=1)
    keys = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = cube(tmp_path / folder / "a.npy")

        done = runner.run(
            Run(job=1, use="reader/raster", path=str(path)), NullListener(), Control()
        )
        keys.append(done.key)
        assert scene_of(workspace.load(done.key)).path == str(path)
        path.unlink()
    assert keys[0] == keys[1]


def at(scene_path: Path, rows: Array, columns: Array) -> Array:
    with SceneReader(found_scene(scene_path)) as reader:
        scene = reader.scene
        values, _ = reader.read(Window(0, 0, scene.height, scene.width))
    return values[:, rows, columns].T


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("scene", "pixels", "bands"),
    [
        ("nc_landsat_multiband.tif", "nc_landsat7_labelled.csv", 5),
        ("cloud_scene_sentinel2.npz", "cloud_pixels_sentinel2.csv", 6),
    ],
)
def test_real_pixels_have_the_values_that_others_read(
    realdata: Path, scene: str, pixels: str, bands: int
) -> None:
    table = np.loadtxt(realdata / pixels, delimiter=",", skiprows=1, usecols=range(2 + bands))
    rows, columns = table[:, :2].astype(int).T
    theirs = table[:, 2:]
    np.testing.assert_allclose(at(realdata / scene, rows, columns), theirs, atol=1e-4)


@pytest.mark.realdata
def test_a_real_scene_says_its_bands_and_place(realdata: Path) -> None:
    scene = scene_of(opened(realdata / "landsat7_large.tif"))
    assert scene.band_names[:3] == ("B1", "B2", "B3")
    assert (scene.height, scene.width) == (1482, 1489)
    assert "WGS 84" in scene.crs


def test_a_look_beforehand_shows_the_bands(tmp_path: Path) -> None:
    path = cube(tmp_path / "a.npy")
    params = Raster.Params(bands="3, 1", nodata=-1.0)
    shown = Raster().preview(path, params=params, context=Context())
    assert shown.columns == ("Band", "Wavelength", "Value", "No data")
    assert [row[1:] for row in shown.rows] == [("not known", "as stored", "-1")] * 2
    assert shown.notes[0] == "4 × 5 pixels of float32."
    assert not shown.named


def _netcdf(path: Path, how: str, secret: Path) -> Path:
    """Write a NetCDF scene whose values are in `secret`."""
    import h5py

    with h5py.File(path, "w") as file:
        scales = [file.create_dataset(name, data=np.arange(8.0)) for name in ("y", "x")]
        for name, scale in zip("yx", scales, strict=True):
            scale.make_scale(name)
        if how == "external":
            band = file.create_dataset("band", (8, 8), "u1", external=[(str(secret), 0, 64)])
            for i, scale in enumerate(scales):
                band.dims[i].attach_scale(scale)
        elif how == "virtual":
            layout = h5py.VirtualLayout((8, 8), "u1")
            layout[:] = h5py.VirtualSource(str(secret), "values", (8, 8))
            file.create_virtual_dataset("band", layout)
        else:
            file["band"] = h5py.ExternalLink(str(secret), "/values")
    return path


@pytest.mark.parametrize("how", ["external", "virtual", "link"])
def test_netcdf_scenes_that_keep_their_values_elsewhere_are_refused(
    tmp_path: Path, how: str
) -> None:
    import h5py

    from coterie.core.api.context import Context
    from coterie.core.errors import DataError
    from coterie.core.formats.rasters.scene import Band, Scene
    from coterie.core.formats.rasters.windows import SceneReader, Window
    from coterie.plugins.readers.raster import Raster

    secret = tmp_path / "secret"
    if how == "external":
        secret.write_bytes(bytes(range(64)))
    else:
        with h5py.File(secret, "w") as file:
            file["values"] = np.ones((8, 8), dtype=np.uint8)
    path = _netcdf(tmp_path / "a.nc", how, secret)
    with pytest.raises(DataError) as caught:
        Raster().compute(path, params=Raster.Params(), context=Context())
    assert caught.value.code == "outside-folder"
    # A project that describes the scene already does not lead there either.
    scene = Scene(str(path), (Band("band", part="band"),), 8, 8)
    with pytest.raises(DataError) as caught, SceneReader(scene) as reader:
        reader.read(Window(0, 0, 8, 8))
    assert caught.value.code == "outside-folder"
