"""GeoPackages: what is written is what the standard says, and a hostile file runs nothing."""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from rasterio.crs import CRS
from rasterio.warp import transform

from coterie.core.errors import DataError
from coterie.core.formats.rasters import geopackage
from coterie.core.formats.rasters.geopackage import read_geopackage, write_geopackage
from coterie.core.formats.rasters.polygons import Polygon, polygon_to_wkb, polygons_of_wkb
from tests.refusals import refuses

UTM = CRS.from_epsg(32633).to_wkt()
SQUARE = np.array([[5e5, 5e6], [5.1e5, 5e6], [5.1e5, 5.01e6], [5e5, 5.01e6]])
HOLE = SQUARE[:3] * 0.001 + SQUARE.mean(axis=0) * 0.999
POLYGONS = (Polygon("cloud", (SQUARE, HOLE)), Polygon('sea "1"', (SQUARE[:3] + 7.25,)))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "regions.gpkg"
    write_geopackage(path, POLYGONS, UTM)
    return path


def change(path: Path, *texts: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for text in texts:
            database.execute(text)
        database.commit()


def rows(path: Path, text: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(text).fetchall()


def test_what_was_written_is_read_back_to_the_last_digit(package: Path) -> None:
    found = read_geopackage(package, UTM)
    assert [polygon.name for polygon in found] == ["cloud", 'sea "1"']
    for polygon, other in zip(found, POLYGONS, strict=True):
        assert len(polygon.rings) == len(other.rings)
        for ring, same in zip(polygon.rings, other.rings, strict=True):
            np.testing.assert_array_equal(ring, same)
    assert [entry.name for entry in package.parent.iterdir()] == ["regions.gpkg"]


def test_the_file_says_what_the_standard_asks_for(package: Path) -> None:
    assert rows(package, "PRAGMA application_id") == [(0x47504B47,)]
    assert rows(package, "PRAGMA user_version") == [(10300,)]
    assert rows(package, "PRAGMA integrity_check") == [("ok",)]
    assert rows(package, "PRAGMA foreign_key_check") == []
    listed = rows(package, "SELECT srs_id, organization FROM gpkg_spatial_ref_sys ORDER BY srs_id")
    assert listed == [(-1, "NONE"), (0, "NONE"), (4326, "EPSG"), (32633, "EPSG")]
    (text,) = rows(package, "SELECT definition FROM gpkg_spatial_ref_sys WHERE srs_id = 32633")[0]
    assert CRS.from_wkt(str(text)) == CRS.from_epsg(32633)
    bounds = rows(package, "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents")[0]
    assert bounds == (5e5, 5e6, 5.1e5 + 7.25, 5.01e6 + 7.25)
    blob = rows(package, "SELECT geom FROM regions")[0][0]
    assert isinstance(blob, bytes)
    # Magic, version, flags, system, then x from … to and y from … to.
    assert struct.unpack_from("<2sBBi4d", blob) == (
        b"GP", 0, 3, 32633, 5e5, 5.1e5, 5e6, 5.01e6,
    )  # fmt: skip


def test_regions_come_in_the_coordinates_of_the_scene(package: Path) -> None:
    degrees = CRS.from_epsg(4326)
    found = read_geopackage(package, degrees.to_wkt())[0].rings[0]
    x, y = transform(CRS.from_wkt(UTM), degrees, SQUARE[:, 0], SQUARE[:, 1])
    np.testing.assert_allclose(found, np.column_stack([x, y]))
    assert 14 < found[:, 0].mean() < 16
    assert 45 < found[:, 1].mean() < 46


@pytest.mark.parametrize("crs", ["", 'LOCAL_CS["site",UNIT["metre",1]]'])
def test_a_scene_without_a_listed_system_keeps_its_coordinates(tmp_path: Path, crs: str) -> None:
    path = tmp_path / "a.gpkg"
    write_geopackage(path, POLYGONS, crs)
    np.testing.assert_array_equal(read_geopackage(path, crs)[0].rings[0], SQUARE)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("code", [3, 1003, 2003, 3003, 0x80000003, 0xC0000003])
def test_every_byte_order_and_dimension_is_read(order: str, code: int) -> None:
    width = {3: 2, 1003: 3, 2003: 3, 3003: 4, 0x80000003: 3, 0xC0000003: 4}[code]
    corners = np.zeros((5, width), dtype=f"{order}f8")
    corners[:, :2] = np.vstack([SQUARE, SQUARE[:1]])
    data = struct.pack(f"{order}BIII", order == "<", code, 1, 5) + corners.tobytes()
    (found,) = polygons_of_wkb(data, "a")
    np.testing.assert_array_equal(found.rings[0], SQUARE)
    several = struct.pack(f"{order}BII", order == "<", 6 + code - 3, 2) + data + data
    assert len(polygons_of_wkb(several, "a")) == 2


@pytest.mark.parametrize("cut", [0, 1, 4, 8, 12, 30, 80])
def test_a_shape_that_is_cut_short_is_refused(cut: int) -> None:
    with refuses("file-damaged", DataError):
        polygons_of_wkb(polygon_to_wkb(POLYGONS[0])[:cut], "a")


def test_a_shape_that_promises_more_than_there_is_takes_no_memory() -> None:
    forged = struct.pack("<BIII", 1, 3, 1, 0xFFFFFFFF)
    with refuses("file-damaged", DataError):
        polygons_of_wkb(forged, "a")
    with refuses("file-damaged", DataError):
        polygons_of_wkb(struct.pack("<BII", 1, 6, 0xFFFFFFFF), "a")


def test_layers_of_points_are_passed_over_and_points_among_polygons_refused(package: Path) -> None:
    change(package, "UPDATE gpkg_geometry_columns SET geometry_type_name = 'POINT'")
    with refuses("no-polygons", DataError):
        read_geopackage(package, UTM)
    point = (b"GP\0\1" + struct.pack("<i", 32633) + struct.pack("<BIdd", 1, 1, 0, 0)).hex()
    change(
        package,
        "UPDATE gpkg_geometry_columns SET geometry_type_name = 'GEOMETRY'",
        f"INSERT INTO regions (geom, name) VALUES (x'{point}', 'mast')",
    )
    with refuses("invalid-region", DataError, match="'mast'"):
        read_geopackage(package, UTM)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("DROP TABLE gpkg_geometry_columns", "no-polygons"),
        ("DROP TABLE gpkg_spatial_ref_sys", "file-damaged"),
        ("UPDATE gpkg_geometry_columns SET column_name = 'x'", "file-damaged"),
        ("UPDATE gpkg_geometry_columns SET table_name = 'sqlite_master'", "wrong-format"),
        ("UPDATE regions SET geom = x'00'", "file-damaged"),
        ("DELETE FROM regions", "no-polygons"),
        (
            "UPDATE gpkg_spatial_ref_sys SET organization = 'x', definition = 'junk'",
            "grid-mismatch",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(package: Path, text: str, code: str) -> None:
    change(package, text)
    with refuses(code, DataError):
        read_geopackage(package, CRS.from_epsg(3857).to_wkt())


def test_views_and_virtual_tables_of_the_file_are_not_run(package: Path) -> None:
    change(package, "ALTER TABLE regions RENAME TO hidden")
    change(package, "CREATE VIEW regions AS SELECT fid, randomblob(9) AS geom, name FROM hidden")
    with refuses("wrong-format", DataError):
        read_geopackage(package, UTM)
    change(package, "DROP VIEW regions", "CREATE VIRTUAL TABLE regions USING rtree(id, a, b)")
    with refuses("wrong-format", DataError):
        read_geopackage(package, UTM)


def test_too_much_work_is_given_up(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geopackage, "MOST_WORK", -1)
    change(package, *(["INSERT INTO regions (geom, name) SELECT geom, name FROM regions"] * 10))
    with refuses("file-damaged", DataError):
        read_geopackage(package, UTM)


def test_other_files_and_files_in_use_are_refused(package: Path, tmp_path: Path) -> None:
    (tmp_path / "a.gpkg").write_text("{}")
    with refuses("wrong-format", DataError):
        read_geopackage(tmp_path / "a.gpkg", "")
    with refuses("file-not-readable", DataError):
        read_geopackage(tmp_path / "none.gpkg", "")
    package.with_name("regions.gpkg-wal").write_bytes(b"x")
    with refuses("file-busy", DataError):
        read_geopackage(package, "")


def test_reading_leaves_the_folder_as_it_was(package: Path) -> None:
    before = package.read_bytes()
    package.chmod(0o444)
    read_geopackage(package, UTM)
    assert package.read_bytes() == before
    assert [entry.name for entry in package.parent.iterdir()] == ["regions.gpkg"]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT load_extension('x')",
        "SELECT hex('x')",
        "PRAGMA user_version = 1",
        "DELETE FROM regions",
        "ATTACH 'x' AS other",
    ],
)
def test_nothing_but_reading_is_allowed(package: Path, text: str) -> None:
    with (
        geopackage._opened(package) as database,
        pytest.raises(sqlite3.Error, match=r"authori[sz]ed|prohibited"),
    ):
        database.execute(text)
