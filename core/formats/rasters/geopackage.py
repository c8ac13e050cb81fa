"""Polygons as GeoPackage (OGC 12-128): an SQLite database that QGIS and ArcGIS read and write.

A file from elsewhere is opened read-only, and its schema is not trusted: an authoriser allows
reading tables and nothing else, views and virtual tables are refused, and sizes and work have
limits. See docs/adr/0011-geopackage-by-sqlite.md.
"""

from __future__ import annotations

import contextlib
import sqlite3
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.polygons import (
    Polygon,
    polygon_to_wkb,
    polygons_of_wkb,
    require_few_corners,
)
from coterie.core.io import clock
from coterie.core.io.atomic_write import writing_place
from coterie.core.model.arrays import Floats
from coterie.core.wording import size_in_words

APPLICATION = 0x47504B47  # "GPKG"
VERSION = 10300
MOST_BYTES = 1 << 30  # of a file
MOST_FEATURES = 100_000
MOST_LAYERS = 100
MOST_IN_A_CELL = 64 << 20
MOST_WORK = 10_000  # times ten thousand instructions of the database
NAMES = (
    *("name", "class", "class_name", "classname", "label", "landcover", "land_cover", "category"),
    *("klasse", "classe", "type", "title", "code", "id"),
)
_ENVELOPES = (0, 32, 48, 48, 64)  # bytes, by the number in the flags
_KINDS = ("POLYGON", "MULTIPOLYGON", "GEOMETRY", "SURFACE", "MULTISURFACE")
_ABOUT = {"regions": "Regions of interest", "classes": "Patches of a map of classes"}
OWN_SYSTEM = 100_000  # number of a reference system that EPSG does not list

_SCHEMA = """
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
  description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
  CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
"""


Feature = tuple[Polygon, tuple[Any, ...]]  # and its attributes


@dataclass(frozen=True)
class _Layer:
    table: str
    column: str
    system: int


# Writing


def write_geopackage(path: Path, polygons: Sequence[Polygon], crs: str) -> None:
    """Write polygons as the layer "regions", in the coordinate system `crs` (WKT; empty: none)."""
    named = [(polygon, (polygon.name,)) for polygon in polygons]
    write_features(path, "regions", {"name": "TEXT"}, named, crs)


def write_features(
    path: Path, layer: str, columns: Mapping[str, str], features: Sequence[Feature], crs: str
) -> None:
    """Write polygons with their attributes as a layer.

    Parameters
    ----------
    columns : of the attributes, with their SQL types
    crs : WKT; empty for none

    The file is written beside its place, which it takes when all of it is there.
    """
    beside = writing_place(path)
    beside.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(beside)) as database:
            _fill(database, layer, columns, features, crs)
        beside.replace(path)
    except sqlite3.Error as error:
        raise DataError(
            f"'{path.name}' cannot be written: {error}.", code="file-not-writable"
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def _fill(
    database: sqlite3.Connection,
    layer: str,
    columns: Mapping[str, str],
    features: Sequence[Feature],
    crs: str,
) -> None:
    # A journal in memory: a file that is cut short never takes the place of another.
    database.execute("PRAGMA journal_mode = MEMORY")
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.executescript(_SCHEMA)
    listed = "".join(f", {_quoted(name)} {kind}" for name, kind in columns.items())
    database.execute(
        f"CREATE TABLE {_quoted(layer)} "
        f"(fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POLYGON{listed})"
    )
    systems, number = _systems(crs)
    database.executemany("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", systems)
    corners = np.vstack([p.rings[0] for p, _ in features]) if features else np.zeros((0, 2))
    bounds = (*corners.min(axis=0), *corners.max(axis=0)) if len(corners) else (None,) * 4
    now = f"{clock.timestamp()[:19]}.000Z"
    edges = (None if b is None else float(b) for b in bounds)
    database.execute(
        "INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?, ?, ?, ?, ?, ?, ?)",
        (layer, layer, _ABOUT.get(layer, layer), now, *edges, number),
    )
    database.execute(
        "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'POLYGON', ?, 0, 0)",
        (layer, number),
    )
    names = ", ".join(_quoted(name) for name in columns)
    marks = ", ".join("?" * (len(columns) + 1))
    database.executemany(
        f"INSERT INTO {_quoted(layer)} (geom, {names}) VALUES ({marks})",
        ((_blob(polygon, number), *values) for polygon, values in features),
    )
    database.commit()


def _blob(polygon: Polygon, system: int) -> bytes:
    """A geometry as GeoPackages keep it: a head with its bounds, then well-known binary."""
    (left, bottom), (right, top) = polygon.rings[0].min(axis=0), polygon.rings[0].max(axis=0)
    little_with_bounds = 0b011
    head = struct.pack("<2sBBi", b"GP", 0, little_with_bounds, system)
    return head + struct.pack("<4d", left, right, bottom, top) + polygon_to_wkb(polygon)


def _systems(crs: str) -> tuple[list[tuple[Any, ...]], int]:
    """The reference systems that every GeoPackage lists, with ours, and the number of ours."""
    from rasterio.crs import CRS

    degrees = CRS.from_epsg(4326)
    listed = [
        ("Undefined cartesian", -1, "NONE", -1, "undefined", "undefined cartesian"),
        ("Undefined geographic", 0, "NONE", 0, "undefined", "undefined geographic"),
        ("WGS 84 geodetic", 4326, "EPSG", 4326, degrees.to_wkt(version="WKT1_GDAL"), "degrees"),
    ]
    if not crs:
        return listed, -1
    system = CRS.from_user_input(crs)
    code = system.to_epsg()
    number = int(code) if code else OWN_SYSTEM
    if number != 4326:
        text = system.to_wkt(version="WKT1_GDAL")
        name = text.split('"')[1] if '"' in text else "of the scene"
        listed.append((name, number, "EPSG" if code else "NONE", number, text, "of the scene"))
    return listed, number


# Reading


def read_geopackage(path: Path, crs: str) -> list[Polygon]:
    """Return the polygons of all layers, in the coordinate system `crs` (WKT; empty: as they are).

    The column "name", or "class", says what each is called.
    """
    try:
        with _opened(path) as database:
            layers = _layers(database, path)
            found: list[Polygon] = []
            for layer in layers:
                polygons = _polygons(database, layer, alone=len(layers) == 1)
                require_few_corners([*found, *polygons])
                found += _brought(polygons, _definition(database, layer.system), crs)
    except sqlite3.Error as error:
        raise DataError(
            f"'{path.name}' cannot be read as a GeoPackage ({error!s:.80}). "
            "It is damaged or needs write access; export it again.",
            code="file-damaged",
        ) from None
    if not found:
        raise DataError(f"'{path.name}' has no polygons. Choose another file.", code="no-polygons")
    return found


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database that can only be read, and runs nothing that the file brings along."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(100)
    except OSError as error:
        raise DataError(
            f"'{path.name}' cannot be read: {error.strerror}.", code="file-not-readable"
        ) from None
    if not head.startswith(b"SQLite format 3\0") or len(head) < 100:
        raise DataError(
            f"'{path.name}' is not a GeoPackage. Choose a GeoPackage or GeoJSON file.",
            code="wrong-format",
        )
    if size > MOST_BYTES:
        raise DataError(
            f"'{path.name}' has {size_in_words(size)}, too much for regions. "
            "Export the polygons alone.",
            code="file-too-large",
        )
    journal = path.with_name(f"{path.name}-wal")
    if journal.exists() and journal.stat().st_size:
        raise DataError(
            f"'{path.name}' is being changed by another program. Close it there first.",
            code="file-busy",
        )
    # Immutable: no lock, no journal, nothing is made beside the file.
    address = f"file:{pathname2url(str(path.absolute()))}?mode=ro&immutable=1"
    work = [0]

    def is_too_much() -> int:
        work[0] += 1
        return int(work[0] > MOST_WORK)

    with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_IN_A_CELL)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA cell_size_check = ON")
        database.set_progress_handler(is_too_much, 10_000)
        database.set_authorizer(_allowed)
        yield database


def _allowed(action: int, *_: Any) -> int:
    reads = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    return sqlite3.SQLITE_OK if action in reads else sqlite3.SQLITE_DENY


def _layers(database: sqlite3.Connection, path: Path) -> list[_Layer]:
    tables = {
        str(name).lower()
        for name, text in database.execute("SELECT name, sql FROM sqlite_master WHERE type='table'")
        if "virtual" not in str(text).lower().split("(")[0]
    }
    if "gpkg_geometry_columns" not in tables:
        raise DataError(
            f"'{path.name}' is a database without a layer of polygons. Choose another file.",
            code="no-polygons",
        )
    rows = database.execute(
        "SELECT table_name, column_name, srs_id, geometry_type_name FROM gpkg_geometry_columns"
    ).fetchmany(MOST_LAYERS)
    layers = [
        _Layer(str(table), str(column), system)
        for table, column, system, kind in rows
        if str(kind).upper() in _KINDS and isinstance(system, int)
    ]
    for layer in layers:
        if layer.table.lower() not in tables:
            raise DataError(
                f"The layer '{layer.table:.60}' of '{path.name}' is not a plain table. "
                "Export it as a separate layer.",
                code="wrong-format",
            )
    return layers


def _polygons(database: sqlite3.Connection, layer: _Layer, *, alone: bool) -> list[Polygon]:
    empty = database.execute(f"SELECT * FROM {_quoted(layer.table)} LIMIT 0")
    columns = {str(column[0]).lower(): str(column[0]) for column in empty.description}
    named = next((columns[name] for name in NAMES if name in columns), None)
    # Qualified by the table: an unknown column would be taken for a text.
    name = f"CAST(layer.{_quoted(named)} AS TEXT)" if named else "NULL"
    rows = database.execute(
        f"SELECT layer.{_quoted(layer.column)}, {name} FROM {_quoted(layer.table)} AS layer"
    ).fetchmany(MOST_FEATURES + 1)
    if len(rows) > MOST_FEATURES:
        raise DataError(
            f"The layer '{layer.table:.60}' has too many shapes for regions.", code="file-too-large"
        )
    found: list[Polygon] = []
    for number, (blob, called) in enumerate(rows):
        plain = f"region {number + 1}" if alone else f"{layer.table} {number + 1}"
        if isinstance(blob, bytes):  # a feature may have no shape
            found += polygons_of_wkb(_without_head(blob, layer), str(called or plain))
    return found


def _without_head(blob: bytes, layer: _Layer) -> bytes:
    flags = blob[3] if len(blob) >= 8 else 0
    envelope = flags >> 1 & 7
    if blob[:2] != b"GP" or len(blob) < 8 or envelope >= len(_ENVELOPES) or flags & 32:
        raise DataError(
            f"A shape in '{layer.table:.60}' is damaged or of an unknown kind.", code="file-damaged"
        )
    return blob[8 + _ENVELOPES[envelope] :]


def _definition(database: sqlite3.Connection, system: int) -> str:
    """What a layer's reference system is, as EPSG:… or WKT; empty when it is not defined."""
    row = database.execute(
        "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys "
        "WHERE srs_id = ?",
        (system,),
    ).fetchone()
    if system in (-1, 0) or row is None:
        return ""
    body, code, text = row
    return f"EPSG:{code}" if str(body).upper() == "EPSG" and isinstance(code, int) else str(text)


def _brought(polygons: list[Polygon], system: str, crs: str) -> list[Polygon]:
    return [Polygon(p.name, tuple(reprojected(r, system, crs) for r in p.rings)) for p in polygons]


def reprojected(corners: Floats, system: str, crs: str) -> Floats:
    """Return (m, 2) corners of one reference system in another; as they are when one is unknown.

    Parameters
    ----------
    system, crs : "EPSG:…" or WKT; empty when not known
    """
    if not system or not crs:
        return corners
    from rasterio.crs import CRS
    from rasterio.errors import RasterioError
    from rasterio.warp import transform

    try:
        known, wanted = CRS.from_user_input(system), CRS.from_user_input(crs)
        if known == wanted:
            return corners
        x, y = transform(known, wanted, corners[:, 0].tolist(), corners[:, 1].tolist())
    except (RasterioError, ValueError) as error:
        raise DataError(
            f"The coordinate system of the regions is not known ({error!s:.80}). "
            "Export them in the scene's coordinate system.",
            code="grid-mismatch",
        ) from None
    moved = np.column_stack([x, y])
    if not np.isfinite(moved).all():
        raise DataError(
            "The regions cannot be converted to the scene's coordinate system.",
            code="grid-mismatch",
        )
    return moved


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
