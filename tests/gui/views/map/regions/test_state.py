"""Regions as files: GeoJSON and GeoPackage, in the coordinates of the scene."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rasterio.crs import CRS
from rasterio.warp import transform

from coterie.core.errors import DataError
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.regions.state import Region, RegionList
from tests.refusals import refuses

UTM = CRS.from_epsg(32633)
GROUND = Ground(
    title="scene",
    height=100,
    width=100,
    bands=("red",),
    wavelengths=(),
    crs=UTM.to_wkt(),
    transform=(10.0, 0.0, 5e5, 0.0, -10.0, 5e6),
)
NAMED = replace(GROUND, crs="EPSG:32633")  # as a sample has it
SQUARE = np.array([[5e5, 5e6], [5.001e5, 5e6], [5.001e5, 4.9999e6]])


@pytest.mark.parametrize("ground", [GROUND, NAMED], ids=["wkt", "epsg"])
@pytest.mark.parametrize("name", ["a.geojson", "a.gpkg", "A.GPKG"])
def test_regions_survive_a_file(tmp_path: Path, name: str, ground: Ground) -> None:
    regions = RegionList((Region("cloud", SQUARE), Region("sea", SQUARE + 10)))
    regions.write(tmp_path / name, ground)
    found = RegionList.read(tmp_path / name, ground)
    assert [region.name for region in found.listed] == ["cloud", "sea"]
    np.testing.assert_allclose(found.listed[1].corners, SQUARE + 10)
    assert not found.holes


@pytest.mark.parametrize("named", [True, False])
def test_geojson_in_degrees_is_brought_to_the_system_of_the_scene(
    tmp_path: Path, named: bool
) -> None:
    x, y = transform(UTM, CRS.from_epsg(4326), SQUARE[:, 0], SQUARE[:, 1])
    ring = np.column_stack([x, y]).tolist()
    kept = {
        "type": "FeatureCollection",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
        "features": [
            {"properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring, ring]}}
        ],
    }
    if not named:  # as RFC 7946 wants it
        del kept["crs"]
    (tmp_path / "a.geojson").write_text(json.dumps(kept))
    for ground in (GROUND, NAMED):
        found = RegionList.read(tmp_path / "a.geojson", ground)
        np.testing.assert_allclose(found.listed[0].corners, SQUARE, atol=1e-3)
        assert found.holes == 1


def test_geojson_that_names_no_system_may_be_in_that_of_the_scene(tmp_path: Path) -> None:
    kept = RegionList((Region("sea", SQUARE),)).as_json()
    assert "crs" not in kept
    (tmp_path / "a.geojson").write_text(json.dumps(kept))
    np.testing.assert_array_equal(
        RegionList.read(tmp_path / "a.geojson", GROUND).listed[0].corners, SQUARE
    )


def test_regions_that_lie_beside_the_scene_are_known() -> None:
    regions = RegionList((Region("here", SQUARE), Region("far", SQUARE + 5000)))
    assert regions.outside(GROUND) == ("far",)


def test_a_file_that_is_neither_is_refused(tmp_path: Path) -> None:
    for name, said in (("a.geojson", "is not GeoJSON"), ("a.gpkg", "is not a GeoPackage")):
        (tmp_path / name).write_text("what")
        with refuses("wrong-format", DataError, match=said):
            RegionList.read(tmp_path / name, GROUND)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with refuses("wrong-format", DataError):
        RegionList.read(tmp_path / "deep.json", GROUND)


def test_regions_are_called_by_the_class_that_other_programs_give_them(tmp_path: Path) -> None:
    ring = [*SQUARE.tolist(), SQUARE[0].tolist()]
    features = [
        {"type": "Feature", "properties": p, "geometry": {"type": "Polygon", "coordinates": [ring]}}
        for p in ({"fid": 1, "Landcover": "forest"}, {"Class": "water"}, {"note": "bog"}, {})
    ]
    path = tmp_path / "a.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    named = [region.name for region in RegionList.read(path, GROUND).listed]
    assert named == ["forest", "water", "bog", "region 4"]
