"""Virtual rasters (.vrt) that refer to files in their own folder, and to nothing else.

GDAL would open whatever a virtual raster names: files anywhere, addresses on the network, commands
in Python. So its text is read first, and only a list of known elements passes; each file that it
names must lie in its folder and be a raster that holds its own pixels.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from coterie.core.errors import DataError
from coterie.core.formats.products.plain_xml import parse_xml

_LARGEST = 16 << 20
_MOST_FILES = 2000
_SOURCES = {"SimpleSource", "ComplexSource", "AveragedSource"}
_ELEMENTS = _SOURCES | {
    *("VRTDataset", "VRTRasterBand", "SRS", "GeoTransform", "GCPList", "GCP", "BlockXSize"),
    *("BlockYSize", "Metadata", "MDI", "ColorInterp", "ColorTable", "Entry", "NoDataValue"),
    *("Description", "Offset", "Scale", "UnitType", "CategoryNames", "Category", "OverviewList"),
    *("SourceFilename", "SourceBand", "SourceProperties", "SrcRect", "DstRect", "NODATA"),
    *("ScaleOffset", "ScaleRatio", "LUT", "HideNoDataValue", "Histograms", "HistItem", "HistMin"),
    *("HistMax", "BucketCount", "IncludeOutOfRange", "Approximate", "HistCounts", "Exponent"),
    *("SrcMin", "SrcMax", "DstMin", "DstMax", "UseMaskBand", "MaskBand"),
}


def is_vrt(path: Path) -> bool:
    """Return whether a file is called like a virtual raster."""
    return path.suffix.lower() == ".vrt"


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the files that a virtual raster is made of, or say why it is not followed."""
    root = parse_xml(path, _LARGEST)
    if root.tag != "VRTDataset":
        raise DataError(
            f"'{path.name}' is not a virtual raster: its text begins with <{root.tag!s:.40}>.",
            code="file-damaged",
        )
    found: dict[Path, None] = {}
    for element in root.iter():
        _require_known(path, element)
        if element.tag == "SourceFilename":
            found[_inside(path, element)] = None
    if len(found) > _MOST_FILES:
        raise DataError(
            f"'{path.name}' is made of {len(found)} files, more than {_MOST_FILES}. Convert it "
            "to GeoTIFF.",
            code="file-too-large",
        )
    return tuple(found)


def _require_known(path: Path, element: ElementTree.Element) -> None:
    special = element.get("subClass", "VRTRasterBand")
    if element.tag in _ELEMENTS and special == "VRTRasterBand":
        return
    what = special if element.tag in _ELEMENTS else str(element.tag)
    raise DataError(
        f"'{path.name}' computes its pixels by <{what:.60}>, which is not supported. Convert it to "
        "GeoTIFF, such as with gdal_translate.",
        code="not-a-scene",
    )


def _inside(path: Path, element: ElementTree.Element) -> Path:
    named = (element.text or "").strip()
    relative = element.get("relativeToVRT", "0") == "1"
    folder = path.parent.resolve()
    # Links are followed before the place is judged; an address is not a place in any folder.
    plain = bool(named) and "://" not in named and not named.startswith(("/vsi", "<"))
    place = (
        (folder / named).resolve() if plain and (relative or Path(named).is_absolute()) else None
    )
    if place == path.resolve():
        raise DataError(
            f"'{path.name}' refers to itself, so it has no pixels. Make it again.",
            code="not-a-scene",
        )
    if place is None or not place.is_relative_to(folder):
        raise DataError(
            f"'{path.name}' refers to '{named:.80}', which is not in its folder and is not read. "
            "Put the files beside it, or convert it to GeoTIFF.",
            code="outside-folder",
        )
    if not place.is_file():
        raise DataError(
            f"'{path.name}' is made of '{named:.80}', which is missing. Put it in the same folder.",
            code="file-not-found",
        )
    if is_vrt(place):
        raise DataError(
            f"'{path.name}' refers to another virtual raster, '{place.name}', which is not "
            "supported. Convert one of them to GeoTIFF.",
            code="not-a-scene",
        )
    return place
