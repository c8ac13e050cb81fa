"""Sentinel-2 products: a SAFE folder whose metadata say how numbers become reflectance."""

from __future__ import annotations

import re
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.products.plain_xml import parse_xml
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster

# Band ids as the metadata number them, and where each band is centred, in nanometres.
WAVELENGTHS = {
    "B01": 443.0,
    "B02": 490.0,
    "B03": 560.0,
    "B04": 665.0,
    "B05": 705.0,
    "B06": 740.0,
    "B07": 783.0,
    "B08": 842.0,
    "B8A": 865.0,
    "B09": 945.0,
    "B10": 1375.0,
    "B11": 1610.0,
    "B12": 2190.0,
}
NO_DATA = 0.0
_LARGEST_METADATA = 32 << 20
_FILE = re.compile(r"_(B\d[\dA])(?:_(\d\d)m)?\.(?:jp2|tif)$", re.IGNORECASE)


def is_sentinel2(path: Path) -> bool:
    """Return whether `path` is a SAFE folder, or the main metadata file in one."""
    return _metadata_file(path) is not None


def scene_of_sentinel2(path: Path, grid: int = 0) -> Scene:
    """Return the scene of a SAFE folder in reflectance, its bands on one grid.

    Parameters
    ----------
    grid : pixel size in metres of the grid (10, 20 or 60); 0 for that of the finest band

    Reflectance is (number + offset) / quantification, both from the product's metadata: since
    processing baseline 04.00 the offset is −1000. The number 0 stands for no data.
    """
    metadata = _metadata_file(path)
    if metadata is None:
        raise DataError(
            f"'{path.name}' has no Sentinel-2 metadata (MTD_MSI*.xml).", code="not-a-scene"
        )
    folder = metadata.parent
    quantification, offsets = _radiometry(metadata)
    files = _band_files(folder)
    if not files:
        raise DataError(
            f"'{folder.name}' holds no band images (…_B02.jp2). Download the product again.",
            code="no-bands",
        )
    sizes = {}
    with bounded_gdal():
        for name, file in files.items():
            with open_raster(folder, file) as source:
                sizes[name] = (abs(source.transform.a), source.height, source.width)
        finest = min(sizes, key=lambda name: sizes[name][0])
        with open_raster(folder, files[finest]) as source:
            crs = source.crs.to_wkt() if source.crs else ""
            a, b, c, d, e, f = tuple(source.transform)[:6]
            high, wide = source.block_shapes[0]
            dtype = source.dtypes[0]
    pixel, height, width = sizes[finest]
    factor = (grid or pixel) / pixel
    order = list(WAVELENGTHS)
    return Scene(
        path=str(folder.absolute()),
        bands=tuple(
            Band(
                name=name,
                file=files[name],
                wavelength=WAVELENGTHS[name],
                scale=1 / quantification,
                offset=offsets.get(order.index(name), 0.0) / quantification,
                nodata=NO_DATA,
            )
            for name in order
            if name in files
        ),
        height=round(height / factor),
        width=round(width / factor),
        dtype=dtype,
        crs=crs,
        transform=(a * factor, b, c, d, e * factor, f),
        block=(int(high), int(wide)),
    )


def _metadata_file(path: Path) -> Path | None:
    if path.is_file() and path.name.upper().startswith("MTD_MSI"):
        return path
    if path.is_dir():
        return next(iter(sorted(path.glob("MTD_MSI*.xml"))), None)
    return None


def _band_files(folder: Path) -> dict[str, str]:
    """The finest image of each band, relative to the folder."""
    found: dict[str, tuple[int, str]] = {}
    for file in sorted(folder.glob("GRANULE/*/IMG_DATA/**/*")):
        match = _FILE.search(file.name)
        if match is None:
            continue
        name, metres = match.group(1).upper(), int(match.group(2) or 0)
        known = found.get(name)
        if name in WAVELENGTHS and (known is None or metres < known[0]):
            found[name] = (metres, file.relative_to(folder).as_posix())
    return {name: file for name, (_, file) in found.items()}


def _radiometry(metadata: Path) -> tuple[float, dict[int, float]]:
    """The quantification value, and the offset of each band by its number."""
    root = parse_xml(metadata, _LARGEST_METADATA)
    quantification, offsets = 0.0, {}
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        try:
            if tag in ("QUANTIFICATION_VALUE", "BOA_QUANTIFICATION_VALUE"):
                quantification = float(element.text or "")
            elif tag in ("RADIO_ADD_OFFSET", "BOA_ADD_OFFSET"):
                offsets[int(element.get("band_id", ""))] = float(element.text or "")
        except ValueError:
            raise DataError(
                f"'{metadata.name}' has no number in {tag}. The product is damaged.",
                code="file-damaged",
            ) from None
    if not quantification > 0:
        raise DataError(
            f"'{metadata.name}' has no quantification value, so its numbers cannot be converted "
            "to reflectance. Download the product again.",
            code="file-damaged",
        )
    return quantification, offsets
