"""Keep GDAL to the file that was named: no network, no references to other files.

A scene may come from anybody. Its metadata can name a file of overviews anywhere, and the overviews
beside it can be a description of other files. Both are refused before a pixel is read. NetCDF files
that keep their values elsewhere are refused by `self_contained`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError

# Drivers that ask servers, or collect the files that an index names.
NETWORK_DRIVERS = (
    *("HTTP", "WMS", "WMTS", "WCS", "PLMOSAIC", "EEDA", "EEDAI", "DAAS"),
    *("STACIT", "STACTA", "GTI", "OGCAPI", "NGW", "TileDB"),
)
# A name that no address has: GDAL's network file systems open this one alone.
OFFLINE = {"CPL_VSIL_CURL_ALLOWED_FILENAME": "none", "GDAL_HTTP_TIMEOUT": "1"}
# What GDAL opens beside a file by itself, by any driver.
BESIDE = (".ovr", ".OVR", ".msk", ".aux", ".rrd")
# TIFF of either byte order, BigTIFF, and Erdas Imagine.
_HOLDS_PIXELS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"EHFA_HEADER_TAG")


def skip_network_drivers() -> None:
    """Leave the drivers that ask servers out of those that GDAL registers in this process.

    It matters before the first file is opened, and does nothing afterwards.
    """
    skipped = os.environ.get("GDAL_SKIP", "").split()
    missing = [name for name in NETWORK_DRIVERS if name not in skipped]
    if missing:
        os.environ["GDAL_SKIP"] = " ".join([*skipped, *missing])


def require_confined(place: Path) -> None:
    """Refuse a file that keeps its pixels elsewhere; it has not been opened yet."""
    names = {place.name + ending for ending in BESIDE} | {place.stem + ending for ending in BESIDE}
    for name in sorted(names - {place.name}):
        other = place.with_name(name)
        if other.is_file() and not _beginning(other).startswith(_HOLDS_PIXELS):
            raise _refusal(
                place, f"the file '{name}' beside it is not a raster that holds its own pixels"
            )


def require_own_overviews(place: Path, source: Any) -> None:
    """Refuse an open raster whose metadata name a file of overviews; GDAL looks there later."""
    named = source.tags(ns="OVERVIEWS").get("OVERVIEW_FILE", "")
    if named:
        raise _refusal(place, f"its metadata name '{named:.80}' as its overviews")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(16)
    except OSError:
        return b""  # what cannot be read is not a raster either


def _refusal(place: Path, why: str) -> DataError:
    return DataError(
        f"'{place.name}' refers to something outside the file, which is not followed: {why}. "
        "Convert it to a GeoTIFF that holds its own pixels.",
        code="outside-folder",
    )
