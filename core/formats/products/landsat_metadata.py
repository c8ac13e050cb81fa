"""The metadata of Landsat products: MTL files of every collection, as text or XML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.products.plain_xml import parse_xml

Groups = Mapping[str, Mapping[str, str]]
_LARGEST = 1 << 20
_ENDINGS = ("_MTL.TXT", "_MTL.XML")
# How the first MTL files called what later ones call otherwise: the band's number came last or
# first, and that of Landsat 7's second thermal band was 62.
_RENAMED = (
    (re.compile(r"^BAND(\d+)_FILE_NAME$"), "FILE_NAME_BAND_"),
    (re.compile(r"^LMAX_BAND(\d+)$"), "RADIANCE_MAXIMUM_BAND_"),
    (re.compile(r"^LMIN_BAND(\d+)$"), "RADIANCE_MINIMUM_BAND_"),
    (re.compile(r"^QCALMAX_BAND(\d+)$"), "QUANTIZE_CAL_MAX_BAND_"),
    (re.compile(r"^QCALMIN_BAND(\d+)$"), "QUANTIZE_CAL_MIN_BAND_"),
)
_VCID = {"61": "6_VCID_1", "62": "6_VCID_2"}


def metadata_file(path: Path) -> Path | None:
    """Return the MTL file that `path` is, or that a folder has; the text before the XML."""
    if path.is_file():
        return path if path.name.upper().endswith(_ENDINGS) else None
    if not path.is_dir():
        return None
    found = [file for file in sorted(path.iterdir()) if file.name.upper().endswith(_ENDINGS)]
    return min(found, key=lambda file: file.suffix.lower() != ".txt", default=None)


def read_groups(mtl: Path) -> Groups:
    """Return the innermost groups of an MTL file, each with its names and values."""
    if mtl.stat().st_size > _LARGEST:
        raise DataError(
            f"'{mtl.name}' is too large to be the metadata of a scene.", code="file-too-large"
        )
    return _of_xml(mtl) if mtl.suffix.lower() == ".xml" else _of_text(mtl)


def number(mtl: Path, text: str) -> float:
    """Return a value of the metadata as a number."""
    try:
        return float(text)
    except ValueError:
        raise DataError(
            f"'{mtl.name}' has '{text:.40}' instead of a number.", code="file-damaged"
        ) from None


def _of_text(mtl: Path) -> Groups:
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
            groups.setdefault(inside[-1], {})[_modern(name)] = value.strip('"')
    return groups


def _of_xml(mtl: Path) -> Groups:
    groups: dict[str, dict[str, str]] = {}
    for group in parse_xml(mtl, _LARGEST):
        values = groups.setdefault(str(group.tag), {})
        for element in group:
            values[_modern(str(element.tag))] = (element.text or "").strip().strip('"')
    return groups


def _modern(name: str) -> str:
    for old, new in _RENAMED:
        if (found := old.match(name)) is not None:
            return new + _VCID.get(found.group(1), found.group(1))
    return name
