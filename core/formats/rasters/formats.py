"""What a raster file says of itself: bands, names, wavelengths, scales, no-data, place."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError, no_file
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.tie_points import tie_points_of
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster

# What GDAL appends to the names of ENVI's bands: (665.0), (0.665 Micrometers).
_WAVE = re.compile(r"\s*\([-+\d.eE]+(?:\s+\w+)?\)$")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def scene_of(path: Path, nodata: float | None = None) -> Scene:
    """Return the scene in a file or product folder, found out by its name and header.

    Parameters
    ----------
    nodata : the number that stands for no data, where the file does not say

    Sentinel-2 folders and Landsat folders are described by their metadata files, Envisat products
    by their headers, `.npy` cubes by their shape, everything else by GDAL. The rasters of any other
    folder are stacked. An archive is unpacked into the cache folder.
    """
    from coterie.core.formats.products.archives import is_archive
    from coterie.core.formats.products.band_files import has_band_files, scene_of_folder
    from coterie.core.formats.products.envisat import is_envisat, scene_of_envisat
    from coterie.core.formats.products.landsat import is_landsat, scene_of_landsat
    from coterie.core.formats.products.sentinel2 import is_sentinel2, scene_of_sentinel2
    from coterie.core.formats.rasters.numpy_scenes import scene_of_cube

    path = path.absolute()
    if not path.exists():
        raise no_file(path)
    if is_archive(path):
        scene = _scene_of_archive(path)
    elif is_sentinel2(path):
        scene = scene_of_sentinel2(path)
    elif is_landsat(path):
        scene = scene_of_landsat(path)
    elif has_band_files(path):
        scene = scene_of_folder(path, scene_of_file)
    elif path.is_dir():
        raise DataError(
            f"The folder '{path.name}' is not a scene: it has no rasters, and no metadata of "
            "Sentinel-2 (MTD_MSI*) or Landsat (*_MTL.txt). Choose a file in it, or the folder of "
            "the product.",
            code="not-a-scene",
        )
    elif path.suffix.lower() in (".npy", ".npz"):
        scene = scene_of_cube(path)
    elif is_envisat(path):
        scene = scene_of_envisat(path)
    else:
        scene = scene_of_file(path)
    if nodata is not None:
        bands = (replace(band, nodata=float(nodata)) for band in scene.bands)
        scene = replace(scene, bands=tuple(bands))
    return scene


def _scene_of_archive(path: Path) -> Scene:
    """The scene in an archive: its files are named within it, whatever folder they are read in."""
    from coterie.core.formats.products.archives import product_in, unpacked

    home = unpacked(path)
    product = product_in(home)
    try:
        scene = scene_of(product)
    except DataError as error:
        if error.code != "not-a-scene" or product.name not in str(error):
            raise
        raise DataError(
            f"'{path.name}' holds no scene: no rasters, and no metadata of Sentinel-2 (MTD_MSI*) "
            "or Landsat (*_MTL.txt). Choose the archive of a product.",
            code="not-a-scene",
        ) from None
    place = Path(scene.path)

    def inside(band: Band) -> Band:
        return replace(band, file=(place / band.file).relative_to(home).as_posix())

    return replace(
        scene,
        path=str(path),
        bands=tuple(inside(band) for band in scene.bands),
        spare=tuple((role, inside(band)) for role, band in scene.spare),
    )


def scene_of_file(path: Path) -> Scene:
    """Return the scene in one file that GDAL reads."""
    pixels = _pixels_of(path)
    with bounded_gdal(), open_raster(pixels) as source:
        if source.count:
            return _described(pixels, source, "")
        parts = [_variable(name) for name in source.subdatasets]
    return _of_variables(pixels, [part for part in parts if part])


def files_beside(path: Path) -> tuple[Path, ...]:
    """Return the other files that a scene is made of when it is opened by one of them."""
    from coterie.core.formats.products.landsat import is_landsat
    from coterie.core.formats.products.sentinel2 import is_sentinel2
    from coterie.core.formats.products.vrt import files_of, is_vrt

    if is_vrt(path):
        return files_of(path)
    if is_sentinel2(path) or is_landsat(path):
        files = sorted({band.file for band in scene_of(path).bands})
        return tuple(path.parent / file for file in files)
    if path.suffix.lower() == ".hdr":
        return (_pixels_of(path),)
    headers = (path.with_suffix(".hdr"), path.with_name(f"{path.name}.hdr"))
    return tuple(header for header in headers if header.is_file())


def _pixels_of(path: Path) -> Path:
    """An ENVI header stands for the file of pixels beside it, whatever that ends in."""
    if path.suffix.lower() != ".hdr":
        return path
    for ending in ("", ".dat", ".img", ".bsq", ".bil", ".bip", ".raw", ".bin"):
        if (pixels := path.with_suffix(ending)).is_file():
            return pixels
    if (pixels := path.with_name(path.name[: -len(".hdr")])).is_file():
        return pixels
    raise DataError(
        f"There is no file of pixels beside the header '{path.name}'. Put it in the same folder.",
        code="file-not-found",
    )


def _described(path: Path, source: Any, part: str) -> Scene:
    """The scene of an open file, or of one variable in it."""
    _require_whole(path, source)
    bands = tuple(_band(source, i, part) for i in range(1, source.count + 1))
    high, wide = source.block_shapes[0]
    transform = tuple(source.transform)[:6]
    return Scene(
        path=str(path.absolute()),
        bands=_with_own_names(bands),
        height=source.height,
        width=source.width,
        dtype=_common_type(source, path),
        crs=source.crs.to_wkt() if source.crs else "",
        transform=tuple(float(v) for v in transform),
        block=(int(high), int(wide)),
        ties=None if source.crs else tie_points_of(source),
    )


def _require_whole(path: Path, source: Any) -> None:
    """Refuse a file that ends before its pixels do: its header alone does not show it."""
    nbytes = path.stat().st_size if path.is_file() else 0
    if source.driver == "GTiff":
        needed = max((_end_of(source, i) for i in range(1, min(source.count, 16) + 1)), default=0)
    elif source.driver == "ENVI" and not source.compression:
        import numpy as np

        each = np.dtype(source.dtypes[0]).itemsize
        needed = source.count * source.height * source.width * each
    else:
        return
    if nbytes and needed > nbytes:
        raise DataError(
            f"'{path.name}' is incomplete: it has {nbytes:,} bytes, and its pixels need "
            f"{needed:,}. Download or copy it again.",
            code="file-damaged",
        )


def _end_of(source: Any, band: int) -> int:
    """Where the last block of a band of a GeoTIFF ends, as far as it is in the file at all."""
    high, wide = source.block_shapes[band - 1]
    across, down = -(-source.width // wide) - 1, -(-source.height // high) - 1
    places = [(across, down), (0, 0), (across // 2, down // 2), (0, down), (across, down // 2)]
    ends = []
    for x, y in places:
        words = [f"BLOCK_{what}_{x}_{y}" for what in ("OFFSET", "SIZE")]
        offset, size = (source.get_tag_item(word, "TIFF", bidx=band) for word in words)
        if offset and size:  # blocks of nothing but no data may be left out
            ends.append(int(offset) + int(size))
    return max(ends, default=0)


def _band(source: Any, i: int, part: str) -> Band:
    tags = {**source.tags(i), **source.tags(i, ns="IMAGERY")}
    description = source.descriptions[i - 1] or ""
    name = description or (part if source.count == 1 else "") or f"band {i}"
    nodata = source.nodatavals[i - 1]
    # What is not a number is never valid: it needs no number to stand for it.
    known = nodata is not None and not math.isnan(nodata)
    return Band(
        name=_WAVE.sub("", name).strip() or f"band {i}",
        part=part,
        index=i,
        wavelength=_wavelength(tags, source, i),
        scale=_sound(source.scales[i - 1], 1.0),
        offset=_sound(source.offsets[i - 1], 0.0),
        nodata=float(nodata) if known else None,
    )


def _sound(value: Any, otherwise: float) -> float:
    return float(value) if value is not None and math.isfinite(value) else otherwise


def _wavelength(tags: dict[str, str], source: Any, i: int) -> float:
    """In nanometres, from where ENVI, GDAL and others keep it; 0 when nowhere."""
    lower = {name.lower(): str(value) for name, value in tags.items()}
    if central := lower.get("central_wavelength_um"):
        return _nanometres(central, "um")
    if "wavelength" in lower:
        units = lower.get("wavelength_units", "")
        return _nanometres(lower["wavelength"], units)
    header = {name.lower(): value for name, value in source.tags(ns="ENVI").items()}
    if listed := header.get("wavelength"):
        values = _NUMBER.findall(listed)
        if len(values) >= i:
            return _nanometres(values[i - 1], header.get("wavelength_units", ""))
    return 0.0


def _nanometres(text: str, units: str) -> float:
    found = _NUMBER.search(text)
    if found is None:
        return 0.0
    value = float(found.group())
    # No band is at 15 nm, and none given in micrometres is at 100.
    micro = units.lower().startswith(("um", "µm", "micro")) or (not units and value < 100)
    return round(value * 1000 if micro else value, 3)


def _common_type(source: Any, path: Path) -> str:
    types = {str(t) for t in source.dtypes}
    if any("complex" in t or t.startswith("c") for t in types):
        raise DataError(
            f"'{path.name}' holds complex numbers. Convert it to their magnitude first.",
            code="complex-numbers",
        )
    import numpy as np

    return str(np.result_type(*types))


def _variable(name: str) -> str:
    """The variable that a subdataset's address ends in: NETCDF:"/a/b.nc":red."""
    return name.rpartition(":")[2] if name.upper().startswith("NETCDF:") else ""


def _of_variables(path: Path, parts: list[str]) -> Scene:
    """The scene made of all variables of a NetCDF file that share the largest grid."""
    scenes = []
    for part in parts:
        with bounded_gdal(), open_raster(path, part=part) as source:
            scenes.append(_described(path, source, part))
    if not scenes:
        raise DataError(
            f"'{path.name}' has no raster variables. Convert it to GeoTIFF.",
            code="no-bands",
        )
    largest = max(scenes, key=lambda scene: scene.n)
    same = [s for s in scenes if (s.height, s.width) == (largest.height, largest.width)]
    bands = tuple(band for scene in same for band in scene.bands)
    return replace(largest, bands=_with_own_names(bands))


def _with_own_names(bands: tuple[Band, ...]) -> tuple[Band, ...]:
    """Names that differ: columns of a sample are called after them."""
    seen: dict[str, int] = {}
    named = []
    for band in bands:
        seen[band.name] = count = seen.get(band.name, 0) + 1
        named.append(band if count == 1 else replace(band, name=f"{band.name} {count}"))
    return tuple(named)
