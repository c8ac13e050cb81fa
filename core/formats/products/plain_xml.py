"""XML from strangers: no entities, which could fill the memory, and no more than a given size."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from coterie.core.errors import DataError


def parse_xml(path: Path, largest: int) -> ElementTree.Element:
    """Return the root of an XML file of at most `largest` bytes, or say what is wrong with it."""
    if path.stat().st_size > largest:
        raise DataError(
            f"'{path.name}' is too large to be the metadata of a product.", code="file-too-large"
        )
    text = path.read_bytes()
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise DataError(
            f"'{path.name}' declares entities, which is not allowed.", code="file-damaged"
        )
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise DataError(f"'{path.name}' is damaged: {error}.", code="file-damaged") from None
