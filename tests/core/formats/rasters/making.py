"""Small rasters for tests, written by rasterio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from rasterio.transform import Affine

from coterie.core.model.arrays import Array

UTM = "EPSG:32633"


def corner(west: float = 500_000, north: float = 5_000_000, metres: float = 10) -> Affine:
    """Where the upper left corner lies, and how large pixels are."""
    return Affine(metres, 0, west, 0, -metres, north)


def cube(bands: int = 3, height: int = 40, width: int = 50, seed: int = 0) -> Array:
    """Whole numbers from 1, so that 0 can stand for no data."""
    return np.random.default_rng(seed).integers(1, 1000, (bands, height, width)).astype(np.uint16)


def write(path: Path, values: Array, **profile: Any) -> Path:
    """Write bands × height × width as a GeoTIFF, or as the driver that is named."""
    bands, height, width = values.shape
    given = {
        "driver": "GTiff",
        "count": bands,
        "height": height,
        "width": width,
        "dtype": str(values.dtype),
        "crs": UTM,
        "transform": corner(),
        **profile,
    }
    if given["crs"] is None:
        del given["crs"], given["transform"]
    with rasterio.open(path, "w", **given) as target:
        target.write(values)
    return path


SENTINEL = """<?xml version="1.0" encoding="UTF-8"?>
<n1:Level-{level}_User_Product xmlns:n1="https://psd-15.sentinel2.eo.esa.int/PSD/x.xsd">
  <n1:General_Info><Product_Image_Characteristics>
    <{quantity}QUANTIFICATION_VALUE unit="none">{quantification}</{quantity}QUANTIFICATION_VALUE>
    {offsets}
  </Product_Image_Characteristics></n1:General_Info>
</n1:Level-{level}_User_Product>
"""


def write_safe(folder: Path, *, offset: int = -1000, level: str = "1C") -> dict[str, Array]:
    """A SAFE folder with a band of 10, 20 and 60 m each; return their numbers."""
    images = folder / "GRANULE" / "L1C_T33" / "IMG_DATA"
    images.mkdir(parents=True)
    numbers = {}
    for name, metres in (("B02", 10), ("B11", 20), ("B01", 60)):
        side = 120 // (metres // 10)
        numbers[name] = cube(1, side, side, seed=metres) + 1000
        place = images
        if level == "2A":
            place = images / f"R{metres}m"
            place.mkdir()
        write(
            place / f"T33_20240101_{name}{f'_{metres}m' if level == '2A' else ''}.jp2",
            numbers[name],
            driver="JP2OpenJPEG",
            transform=corner(metres=metres),
            QUALITY="100",
            REVERSIBLE="YES",
        )
    tag = "BOA_ADD_OFFSET" if level == "2A" else "RADIO_ADD_OFFSET"
    offsets = "".join(f'<{tag} band_id="{i}">{offset}</{tag}>' for i in range(13))
    text = SENTINEL.format(
        level=level,
        quantity="BOA_" if level == "2A" else "",
        quantification=10_000,
        offsets=offsets if offset else "",
    )
    (folder / f"MTD_MSIL{level}.xml").write_text(text, encoding="utf-8")
    return numbers


def write_landsat(folder: Path) -> Array:
    """A Landsat 8 level-2 folder of two bands; return their numbers.

    As in real ones, the MTL also names files and scales of the level-1 product it was made from.
    """
    folder.mkdir()
    numbers = cube(2)
    lines = ["GROUP = LANDSAT_METADATA_FILE", "  GROUP = PRODUCT_CONTENTS"]
    for i, band in enumerate(numbers):
        name = f"LC08_SR_B{i + 4}.TIF"
        write(folder / name, band[None])
        lines.append(f'    FILE_NAME_BAND_{i + 4} = "{name}"')
    lines += ["  END_GROUP = PRODUCT_CONTENTS", "  GROUP = IMAGE_ATTRIBUTES"]
    lines += ['    SPACECRAFT_ID = "LANDSAT_8"', "  END_GROUP = IMAGE_ATTRIBUTES"]
    lines += ["  GROUP = LEVEL1_PROCESSING_RECORD", '    PROCESSING_LEVEL = "L1TP"']
    lines += [f'    FILE_NAME_BAND_{i} = "LC08_L1TP_B{i}.TIF"' for i in (1, 4, 5)]
    lines.append("  END_GROUP = LEVEL1_PROCESSING_RECORD")
    for group, scale in (
        ("LEVEL2_SURFACE_REFLECTANCE_PARAMETERS", "2.75e-05"),
        ("LEVEL1_RADIOMETRIC_RESCALING", "9.0"),
    ):
        lines.append(f"  GROUP = {group}")
        for i in (4, 5):
            lines.append(f"    REFLECTANCE_MULT_BAND_{i} = {scale}")
            lines.append(f"    REFLECTANCE_ADD_BAND_{i} = -0.2")
        lines.append(f"  END_GROUP = {group}")
    lines += ["END_GROUP = LANDSAT_METADATA_FILE", "END"]
    (folder / "LC08_MTL.txt").write_text("\n".join(lines), encoding="utf-8")
    return numbers
