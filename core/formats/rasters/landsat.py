"""Landsat products: a folder of GeoTIFFs, and an MTL file with their scales and offsets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster

NO_DATA = 0.0
# Centre of each band in nanometres, by the sensor.
_OLI = {1: 443, 2: 482, 3: 561, 4: 655, 5: 865, 6: 1609, 7: 2201, 8: 590, 9: 1373}
_TM = {1: 485, 2: 560, 3: 660, 4: 830, 5: 1650, 7: 2215, 8: 710}
_MSS = {1: 550, 2: 650, 3: 750, 4: 950}
_EARLY_MSS = {number + 3: centre for number, centre in _MSS.items()}  # of Landsat 1 to 3
_WAVELENGTHS = {1: _EARLY_MSS, 2: _EARLY_MSS, 3: _EARLY_MSS, 4: _TM, 5: _TM, 7: _TM}
PANCHROMATIC = 8
# Where the scales of reflectance stand: those of a level-2 product before the level-1 ones that
# its MTL repeats.
_SCALES = (
    "LEVEL2_SURFACE_REFLECTANCE_PARAMETERS",
    "LEVEL1_RADIOMETRIC_RESCALING",
    "RADIOMETRIC_RESCALING",
)
# Where the files of the product itself are named, by collection 2 and before it. The MTL of a
# level-2 product also names those of the level-1 product that it was made from.
_CONTENTS = ("PRODUCT_CONTENTS", "PRODUCT_METADATA")
_LARGEST = 1 << 20


def is_landsat(path: Path) -> bool:
    """Return whether `path` is a folder with an MTL file, or that file itself."""
    return _mtl(path) is not None


def scene_of_landsat(path: Path) -> Scene:
    """Return the scene of a Landsat folder in reflectance.

    Value = number × REFLECTANCE_MULT + REFLECTANCE_ADD. The reflectance of level-1 products is not
    corrected for the height of the sun. The panchromatic band is left out: its grid is finer.
    """
    mtl = _mtl(path)
    if mtl is None:
        raise DataError(f"'{path.name}' has no Landsat metadata (*_MTL.txt).", code="not-a-scene")
    groups = _groups(mtl)
    every = {name: value for group in groups.values() for name, value in group.items()}
    scales = next((groups[name] for name in _SCALES if name in groups), {})
    contents = next((groups[name] for name in _CONTENTS if name in groups), every)
    wavelengths = _wavelengths(every)
    bands = []
    for number in range(1, 12):
        file = contents.get(f"FILE_NAME_BAND_{number}", "")
        scale = scales.get(f"REFLECTANCE_MULT_BAND_{number}")
        if not file or scale is None or number == PANCHROMATIC:
            continue
        if Path(file).name != file:
            raise DataError(
                f"'{mtl.name}' names a file outside its folder: '{file:.80}'.",
                code="outside-folder",
            )
        offset = scales.get(f"REFLECTANCE_ADD_BAND_{number}", "0")
        bands.append(
            Band(
                name=f"B{number}",
                file=file,
                wavelength=float(wavelengths.get(number, 0)),
                scale=_number(mtl, scale),
                offset=_number(mtl, offset),
                nodata=NO_DATA,
            )
        )
    if not bands:
        raise DataError(
            f"'{mtl.name}' names no bands with a scale of reflectance (REFLECTANCE_MULT_BAND_…). "
            "Open the folder's GeoTIFFs one by one instead.",
            code="no-bands",
        )
    with bounded_gdal(), open_raster(mtl.parent, bands[0].file) as source:
        high, wide = source.block_shapes[0]
        return Scene(
            path=str(mtl.parent.absolute()),
            bands=tuple(bands),
            height=source.height,
            width=source.width,
            dtype=source.dtypes[0],
            crs=source.crs.to_wkt() if source.crs else "",
            transform=tuple(float(v) for v in tuple(source.transform)[:6]),
            block=(int(high), int(wide)),
        )


def _wavelengths(every: Mapping[str, str]) -> Mapping[int, int]:
    """Where the bands of the sensor that took a scene are centred."""
    craft = re.search(r"\d", every.get("SPACECRAFT_ID", ""))
    number = int(craft.group()) if craft else 8
    if number in (4, 5) and every.get("SENSOR_ID", "").startswith("MSS"):
        return _MSS
    return _WAVELENGTHS.get(number, _OLI)


def _mtl(path: Path) -> Path | None:
    if path.is_file() and path.name.upper().endswith("_MTL.TXT"):
        return path
    if path.is_dir():
        found = (f for f in sorted(path.iterdir()) if f.name.upper().endswith("_MTL.TXT"))
        return next(found, None)
    return None


def _groups(mtl: Path) -> dict[str, dict[str, str]]:
    """The innermost groups of an MTL file, each with its names and values."""
    if mtl.stat().st_size > _LARGEST:
        raise DataError(
            f"'{mtl.name}' is too large to be the metadata of a scene.", code="file-too-large"
        )
    groups: dict[str, dict[str, str]] = {}
    inside: list[str] = []
    for line in mtl.read_text(encoding="utf-8", errors="replace").splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            continue
        if name == "GROUP":
            inside.append(value)
        elif name == "END_GROUP":
            inside = inside[:-1]
        elif inside:
            groups.setdefault(inside[-1], {})[name] = value.strip('"')
    return groups


def _number(mtl: Path, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(
            f"'{mtl.name}' has '{text:.40}' instead of a number.", code="file-damaged"
        ) from None
