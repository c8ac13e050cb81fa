"""Landsat products: a folder of GeoTIFFs, and an MTL file with their scales and offsets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.products.landsat_metadata import (
    Groups,
    metadata_file,
    number,
    read_groups,
)
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster

NO_DATA = 0.0
# Centre of each band in nanometres, by the sensor.
_OLI = {1: 443, 2: 482, 3: 561, 4: 655, 5: 865, 6: 1609, 7: 2201, 8: 590, 9: 1373}
_OLI |= {10: 10895, 11: 12005}
_TM = {1: 485, 2: 560, 3: 660, 4: 830, 5: 1650, 6: 11450, 7: 2215, 8: 710}
_MSS = {1: 550, 2: 650, 3: 750, 4: 950}
_EARLY_MSS = {number + 3: centre for number, centre in _MSS.items()}  # of Landsat 1 to 3
_WAVELENGTHS = {1: _EARLY_MSS, 2: _EARLY_MSS, 3: _EARLY_MSS, 4: _TM, 5: _TM, 7: _TM}
PANCHROMATIC, THERMAL = "panchromatic", "thermal"
# How the metadata name a band: FILE_NAME_BAND_6_VCID_1, FILE_NAME_BAND_ST_B10.
_NAMED = re.compile(r"^FILE_NAME_BAND_((?:ST_B)?(\d+)(?:_VCID_(\d))?)$")
# Where the scales stand: those of a level-2 product before the level-1 ones that its MTL repeats.
_SCALES = (
    "LEVEL2_SURFACE_REFLECTANCE_PARAMETERS",
    "LEVEL1_RADIOMETRIC_RESCALING",
    "RADIOMETRIC_RESCALING",
    "LEVEL2_SURFACE_TEMPERATURE_PARAMETERS",
)
# Where the files of the product itself are named, by collection 2 and before it. The MTL of a
# level-2 product also names those of the level-1 product that it was made from.
_CONTENTS = ("PRODUCT_CONTENTS", "PRODUCT_METADATA")
_REFLECTANCE, _RADIANCE, _TEMPERATURE = "REFLECTANCE", "RADIANCE", "TEMPERATURE"
_SAID = {
    _REFLECTANCE: "Values are reflectance, by the factors of the metadata, not corrected for the "
    "height of the sun.",
    _RADIANCE: "Values are radiance in W/(m² sr µm): the metadata have no factors of reflectance.",
    "": "Values are the raw numbers of the files: the metadata have no factors.",
}
_LEVEL_2 = "Values are surface reflectance, by the factors of the metadata."


@dataclass(frozen=True)
class _Listed:
    """A band that the metadata name: by which key, in which file, and what it measures."""

    key: str
    name: str
    file: str
    role: str
    wavelength: float


def is_landsat(path: Path) -> bool:
    """Return whether `path` is a folder with an MTL file, or that file itself."""
    return metadata_file(path) is not None


def scene_of_landsat(path: Path) -> Scene:
    """Return the scene of a Landsat folder, in reflectance where its metadata have the factors.

    Value = number × MULT + ADD. Older metadata have factors of radiance, or none. Thermal bands
    (radiance; surface temperature in kelvin at level 2) and the panchromatic one, whose grid is
    finer, are read when they are named.
    """
    mtl = metadata_file(path)
    if mtl is None:
        raise DataError(f"'{path.name}' has no Landsat metadata (*_MTL.txt).", code="not-a-scene")
    groups = read_groups(mtl)
    listed = _listed(groups, mtl)
    there, notes = _with_files(listed, mtl)
    usual = [band for band in there if not band.role]
    if not usual:
        raise DataError(
            f"'{mtl.name}' names no band whose file is in its folder. Put the files of the product "
            "into one folder, or open one of them.",
            code="no-bands",
        )
    quantity = _quantity(groups, usual, mtl)
    said = _LEVEL_2 if quantity == _REFLECTANCE and _SCALES[0] in groups else _SAID[quantity]
    bands = tuple(_band(one, groups, (quantity,) if quantity else (), mtl) for one in usual)
    extra = [one for one in there if one.role]
    order = (_TEMPERATURE, _REFLECTANCE, _RADIANCE)
    others = tuple(_band(one, groups, order, mtl) for one in extra)
    with bounded_gdal(), open_raster(mtl.parent, bands[0].file) as source:
        high, wide = source.block_shapes[0]
        scene = Scene(
            path=str(mtl.parent.absolute()),
            bands=_own_no_data(bands, source),
            height=source.height,
            width=source.width,
            dtype=source.dtypes[0],
            crs=source.crs.to_wkt() if source.crs else "",
            transform=tuple(float(v) for v in tuple(source.transform)[:6]),
            block=(int(high), int(wide)),
            spare=tuple(
                zip((one.role for one in extra), _own_no_data(others, source), strict=True)
            ),
        )
    return replace(scene, notes=tuple(note for note in (said, *notes, scene.on_request) if note))


def _listed(groups: Groups, mtl: Path) -> list[_Listed]:
    every = {name: value for group in groups.values() for name, value in group.items()}
    contents = next((groups[name] for name in _CONTENTS if name in groups), every)
    wavelengths = _wavelengths(every)
    found = []
    for name, file in contents.items():
        if (named := _NAMED.match(name)) is None or not file:
            continue
        if Path(file).name != file:
            raise DataError(
                f"'{mtl.name}' names a file outside its folder: '{file:.80}'.",
                code="outside-folder",
            )
        key, digits, gain = named.groups()
        centre = wavelengths.get(int(digits), 0)
        role = THERMAL if centre > 5000 else PANCHROMATIC if digits == "8" else ""
        called = f"B{digits}" + (f" gain {gain}" if gain else "")
        found.append(_Listed(key, called, file, role, float(centre)))
    return sorted(found, key=lambda band: (int(re.sub(r"\D.*", "", band.name[1:])), band.key))


def _with_files(listed: list[_Listed], mtl: Path) -> tuple[list[_Listed], list[str]]:
    """The bands whose files are there, by their own names or as others renamed them, and notes."""
    files = {file.name: file for file in mtl.parent.iterdir() if file.is_file()}
    found, renamed, missing = [], [], []
    for band in listed:
        if band.file in files:
            found.append(band)
            continue
        ending = "_" + band.file.rpartition("_")[2].rpartition(".")[0]
        alike = [n for n in sorted(files) if _raster_stem(n).upper().endswith(ending.upper())]
        if len(alike) == 1:
            found.append(replace(band, file=alike[0]))
            renamed.append(alike[0])
        else:
            missing.append(band.name)
    notes = []
    if renamed:
        notes.append(
            f"The metadata have other names for the files; {renamed[0]} and the others were found "
            "by their endings."
        )
    if missing:
        notes.append(f"Left out, because the files are not in the folder: {', '.join(missing)}.")
    return found, notes


def _raster_stem(name: str) -> str:
    stem, _, ending = name.rpartition(".")
    return stem if ending.lower() in ("tif", "tiff") else ""


def _quantity(groups: Groups, bands: list[_Listed], mtl: Path) -> str:
    """What the numbers of all these bands can be brought to: reflectance, radiance or nothing."""
    for quantity in (_REFLECTANCE, _RADIANCE):
        if all(_factors(groups, band.key, quantity, mtl) is not None for band in bands):
            return quantity
    return ""


def _band(listed: _Listed, groups: Groups, quantities: Sequence[str], mtl: Path) -> Band:
    found = (_factors(groups, listed.key, quantity, mtl) for quantity in quantities)
    scale, offset = next((factors for factors in found if factors is not None), (1.0, 0.0))
    return Band(
        name=listed.name,
        file=listed.file,
        wavelength=listed.wavelength,
        scale=scale,
        offset=offset,
        nodata=NO_DATA,
    )


def _factors(groups: Groups, key: str, quantity: str, mtl: Path) -> tuple[float, float] | None:
    """Scale and offset of a band, None where the metadata do not have them."""
    for name in _SCALES:
        scales = groups.get(name, {})
        if (multiplied := scales.get(f"{quantity}_MULT_BAND_{key}")) is not None:
            added = scales.get(f"{quantity}_ADD_BAND_{key}", "0")
            return number(mtl, multiplied), number(mtl, added)
    return _from_limits(groups, key, mtl) if quantity == _RADIANCE else None


def _from_limits(groups: Groups, key: str, mtl: Path) -> tuple[float, float] | None:
    """Factors of radiance from what the least and the largest number stand for."""
    every = {name: value for group in groups.values() for name, value in group.items()}
    names = [f"RADIANCE_{end}IMUM_BAND_{key}" for end in ("MAX", "MIN")]
    names += [f"QUANTIZE_CAL_{end}_BAND_{key}" for end in ("MAX", "MIN")]
    if not all(name in every for name in names):
        return None
    most, least, top, bottom = (number(mtl, every[name]) for name in names)
    if top == bottom:
        return None
    scale = (most - least) / (top - bottom)
    return scale, least - scale * bottom


def _own_no_data(bands: tuple[Band, ...], source: object) -> tuple[Band, ...]:
    """The bands with the no-data value that the files themselves name, where they do."""
    own = getattr(source, "nodata", None)
    return bands if own is None else tuple(replace(band, nodata=float(own)) for band in bands)


def _wavelengths(every: Mapping[str, str]) -> Mapping[int, int]:
    """Where the bands of the sensor that took a scene are centred."""
    craft = re.search(r"\d", every.get("SPACECRAFT_ID", ""))
    satellite = int(craft.group()) if craft else 8
    if satellite in (4, 5) and every.get("SENSOR_ID", "").startswith("MSS"):
        return _MSS
    return _WAVELENGTHS.get(satellite, _OLI)
