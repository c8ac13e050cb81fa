"""Text in a project file: attributes, single texts, lists of texts, and JSON, all as UTF-8.

No text is of HDF5's "variable length" kind: those are in a heap of the file that has no checksum,
where damage can make the library loop for ever and one long text can be referred to a million
times. A fixed length costs nothing once packed; a list whose lengths differ too much for that is
kept as one run of bytes and where each text starts in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import h5py
import numpy as np

from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5 import numbers
from coterie.projects.store.hdf5.layout import STARTS
from coterie.projects.store.hdf5.refusals import DamagedFileError
from coterie.projects.store.hdf5.shapes import MOST_TEXT_BYTES

# HDF5 keeps all attributes of an object within 64 KB.
MOST_ATTRIBUTE_CHARACTERS = 1000

# On a list of texts: its entries are JSON strings, as some are more than UTF-8 can say.
ESCAPED = "escaped"
# A group that is a list of texts of very different lengths, and what it holds.
TEXT_LIST, BYTES = "text-list", "utf8"

# Padding is packed to nothing, but has to be written and read.
_MOST_PADDING, _SMALL, _WIDE = 8, 1 << 20, 1 << 16


def write_attribute(owner: Any, name: str, value: Any) -> None:
    """Write one attribute, a text or a number, of a group or dataset."""
    if isinstance(value, str):
        raw = value.encode()
        owner.attrs.create(name, np.bytes_(raw), dtype=_text_type(len(raw)))
    else:
        owner.attrs[name] = value


def fits_attribute(value: object) -> bool:
    """Return whether `value` may be an attribute rather than go into JSON."""
    if isinstance(value, str):
        return len(value) <= MOST_ATTRIBUTE_CHARACTERS and _is_plain(value)
    if isinstance(value, int):  # truth values included
        return -(2**63) <= value < 2**63
    return isinstance(value, float)


def write_text(group: h5py.Group, name: str, text: str) -> None:
    """Write one text as a scalar dataset."""
    if not _is_plain(text):
        raise ProjectFileError(
            f"The {name} has characters that cannot be stored as text.", code="project-not-saved"
        )
    raw = text.encode()
    if len(raw) > MOST_TEXT_BYTES:
        raise ProjectFileError(
            f"The {name} has {len(raw)} bytes, more than a project file can store.",
            code="project-not-saved",
        )
    group.create_dataset(name, data=np.bytes_(raw), dtype=_text_type(len(raw)))


def write_json(group: h5py.Group, name: str, value: Any) -> None:
    """Write `value` as one JSON text. NaN and Infinity are written as such, as JavaScript would."""
    text = json.dumps(value, ensure_ascii=False)
    # Half a character pair, as in undecodable file names, is not UTF-8; JSON can escape it.
    write_text(group, name, text if _is_plain(text) else json.dumps(value))


def write_strings(group: h5py.Group, name: str, values: Sequence[str]) -> Any:
    """Write a list of texts; return the dataset or group that holds it."""
    entries, escaped = _encoded(values)
    total = sum(map(len, entries))
    width = max(map(len, entries), default=0)
    if width > _WIDE or width * len(entries) > max(_SMALL, _MOST_PADDING * total):
        written = group.create_group(name)
        write_attribute(written, "encoding-type", TEXT_LIST)
        write_attribute(written, "encoding-version", 1)
        starts = np.cumsum([0, *map(len, entries)], dtype=np.int64)
        numbers.write(written, BYTES, np.frombuffer(b"".join(entries), dtype=np.uint8))
        numbers.write(written, STARTS, starts)
    else:
        written = numbers.write(group, name, np.array(entries, dtype=_text_type(width)))
    if escaped:
        write_attribute(written, ESCAPED, "json")
    return written


def read_text(dataset: h5py.Dataset) -> str:
    """Return the one text of a scalar dataset."""
    if dataset.shape != ():
        raise DamagedFileError(dataset.name, "a list where one text should be")
    return _decoded(dataset.name, [dataset[()]])[0]


def read_json(dataset: h5py.Dataset) -> dict[str, Any]:
    """Return the object that a JSON text describes; a name given twice is refused."""
    text = read_text(dataset)
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(dataset.name, f"a text that is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise DamagedFileError(dataset.name, "JSON that is not an object")
    return value


def read_strings(stored: h5py.Dataset | h5py.Group, *, escaped: bool) -> list[str]:
    """Return a list of texts."""
    if isinstance(stored, h5py.Group):
        raw = numbers.read(stored[BYTES]).tobytes()
        starts = numbers.read(stored[STARTS]).tolist()
        if starts[0] != 0 or starts[-1] != len(raw) or sorted(starts) != starts:
            raise DamagedFileError(stored.name, "texts with invalid offsets")
        entries = [raw[a:b] for a, b in pairwise(starts)]
    else:
        entries = numbers.read(stored).ravel().tolist()
    values = _decoded(stored.name, entries)
    if not escaped:
        return values
    try:
        return [str(json.loads(value)) for value in values]
    except (ValueError, RecursionError):
        raise DamagedFileError(stored.name, "a text that is not JSON") from None


def _text_type(width: int) -> np.dtype[Any]:
    kind: np.dtype[Any] = h5py.string_dtype("utf-8", max(1, width))
    return kind


def _encoded(values: Sequence[str]) -> tuple[list[bytes], bool]:
    """Return the texts as UTF-8; should one not be plain, all as JSON strings."""
    escaped = not all(map(_is_plain, values))
    return [(json.dumps(value) if escaped else value).encode() for value in values], escaped


def _decoded(where: str, entries: Sequence[bytes]) -> list[str]:
    try:
        return [entry.decode() for entry in entries]
    except UnicodeDecodeError:
        raise DamagedFileError(where, "a text that is not UTF-8") from None


def _is_plain(text: str) -> bool:
    """Return whether HDF5 can hold `text`: it ends texts at NUL, and keeps only valid UTF-8."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name is given twice")
    return value
