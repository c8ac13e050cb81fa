"""A map written as GeoTIFF comes back with its classes, colours, place and no-data."""

import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import rasterio
from rasterio.crs import CRS
from rasterio.errors import NotGeoreferencedWarning
from rasterio.transform import Affine

from coterie.core import Clustering, Context, DataError, Dataset, Labelling
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.model.dataset import SCENE
from coterie.plugins.writers.geotiff import GeoTiff
from tests.core.formats.products.making_envisat import write_meris
from tests.refusals import refuses

UTM = CRS.from_epsg(32633).to_wkt()
PLACE = (10.0, 0.0, 500_000.0, 0.0, -10.0, 5_000_000.0)


def write(noun: Labelling | Clustering, path: Path, **params: bool) -> None:
    GeoTiff().compute(noun, path, params=GeoTiff.Params(**params), context=Context())


def test_everything_of_a_map_comes_back(tmp_path: Path) -> None:
    codes = np.random.default_rng(0).integers(0, 2, (300, 40)).astype(np.uint8)
    codes[5] = 255
    colours = np.array([[255, 255, 255], [0, 128, 7]], dtype=np.uint8)
    noun = Labelling(
        classes=codes,
        names=("cloud & co", "land"),
        colours=colours,
        crs=UTM,
        transform=np.array(PLACE),
    )
    path = tmp_path / "map.tif"
    write(noun, path, quick_look=True, areas=True)
    with rasterio.open(path) as source:
        np.testing.assert_array_equal(source.read(1), codes)
        assert source.dtypes == ("uint8",)
        assert source.nodata == 255
        assert source.crs == CRS.from_wkt(UTM)
        assert source.transform == Affine(*PLACE)
        assert source.colormap(1)[1] == (0, 128, 7, 255)
        assert source.colormap(1)[0][:3] == (255, 255, 255)
        assert "cloud & co" in source.tags(ns="COTERIE")["classes"]
    names = ElementTree.parse(tmp_path / "map.tif.aux.xml").iter("Category")
    assert [name.text for name in names] == ["cloud & co", "land"]
    entries = list(ElementTree.parse(tmp_path / "map.qml").iter("paletteEntry"))
    assert [entry.get("label") for entry in entries] == ["cloud & co", "land"]
    assert entries[1].get("color") == "#008007"
    rows = (tmp_path / "map.csv").read_text().splitlines()
    pixels = int((codes == 0).sum())
    assert rows[1].split(",")[2] == str(pixels)
    assert float(rows[1].split(",")[4]) == pytest.approx(100 * pixels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(tmp_path / "map.png") as look:
            assert look.shape[0] == 300
            assert look.read()[:, 0, 0].tolist() == colours[codes[0, 0]].tolist()


def test_a_small_map_has_a_quick_look_to_look_at_whatever_its_classes_are_called(
    tmp_path: Path,
) -> None:
    codes = np.array([[0, 1], [1, 2]], dtype=np.uint8).repeat(10, 0).repeat(15, 1)
    colours = np.array([[9, 8, 7], [0, 128, 7], [200, 0, 0]], dtype=np.uint8)
    names = ("Straße, weiß", "forêt", "水")
    noun = Labelling(classes=codes, names=names, colours=colours)
    write(noun, tmp_path / "map.tif", quick_look=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(tmp_path / "map.png") as look:
            seen = np.moveaxis(look.read(), 0, -1)
    assert seen.shape[0] == 20 * 13
    np.testing.assert_array_equal(seen[:260, : 30 * 13], colours[codes].repeat(13, 0).repeat(13, 1))


def test_groups_of_a_sample_lie_at_their_pixels(tmp_path: Path) -> None:
    details = {"height": 4, "width": 5, "positions": [0, 7, 19], "transform": list(PLACE)}
    data = Dataset(features=np.zeros((3, 1)), details=details)
    noun = Clustering(labels=np.array([1, 0, -1]), dataset=data, names=("a", "b"))
    write(noun, tmp_path / "map.tif")
    with rasterio.open(tmp_path / "map.tif") as source:
        found = source.read(1)
    assert found[0, 0] == 1
    assert found[1, 2] == 0
    assert found[3, 4] == 2
    assert (found == 255).sum() == 17


def test_groups_of_a_swath_lie_where_its_tie_points_say(tmp_path: Path) -> None:
    scene = scene_of(write_meris(tmp_path / "a.N1").path)
    sample = Dataset(
        features=np.zeros((2, 1)), details={SCENE: scene.as_json(), "positions": [0, 60]}
    )
    path = tmp_path / "map.tif"
    write(Clustering(dataset=sample, labels=np.array([0, 1])), path)
    with rasterio.open(path) as source:
        assert source.read(1).ravel()[[0, 60]].tolist() == [0, 1]
        assert source.gcps[1].to_epsg() == 4326
    assert scene_of(path).ties == scene.ties


def test_more_than_255_classes_take_two_bytes(tmp_path: Path) -> None:
    codes = np.arange(400, dtype=np.uint16).reshape(20, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        write(Labelling(classes=codes, nodata=65535), tmp_path / "map.tif")
        with rasterio.open(tmp_path / "map.tif") as source:
            assert source.dtypes == ("uint16",)
            assert source.nodata == 65535
            np.testing.assert_array_equal(source.read(1), codes)


def test_areas_in_degrees_are_those_of_the_sphere(tmp_path: Path) -> None:
    codes = np.zeros((180, 360), dtype=np.uint8)
    noun = Labelling(
        classes=codes,
        names=("earth", "nothing"),
        crs=CRS.from_epsg(4326).to_wkt(),
        transform=np.array([1.0, 0, -180, 0, -1.0, 90]),
    )
    write(noun, tmp_path / "map.tif", areas=True)
    area = float((tmp_path / "map.csv").read_text().splitlines()[1].split(",")[4])
    assert area == pytest.approx(510.1e12, rel=1e-3)  # the surface of the earth


def test_groups_without_a_place_make_no_map(tmp_path: Path) -> None:
    noun = Clustering(labels=np.array([0, 1]), dataset=Dataset(features=np.eye(2)))
    with refuses("not-exportable", DataError):
        write(noun, tmp_path / "map.tif")
