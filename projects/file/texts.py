"""Text in a project file: single texts, lists of texts, and JSON, all as UTF-8."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import h5py
import numpy as np

from coterie.core.errors import ProjectFileError
from coterie.projects.file.layout import ESCAPED
from coterie.projects.file.refusals import DamagedFileError, UnsafeFileError

# HDF5 keeps all attributes of an object within 64 KB.
MOST_ATTRIBUTE_CHARACTERS = 1000
MOST_TEXT_BYTES = 64 << 20
# Many entries of a hostile list may refer to one long text. We write each text once, so all the
# texts of a list fit into the bytes of the file that are no array's; reading in blocks bounds what
# is in memory before that shows.
_BLOCK_BYTES = 512 << 20
_LEAST_BLOCK, _MOST_BLOCK = 64, 1 << 16

_UTF8 = h5py.string_dtype("utf-8")


def write_text(group: h5py.Group, name: str, text: str) -> None:
    """Write one text as a scalar dataset."""
    if not is_plain(text):
        raise ProjectFileError(f"The {name} has characters that no text file can hold.")
    group.create_dataset(name, data=text, dtype=_UTF8)


def write_json(group: h5py.Group, name: str, value: Any) -> None:
    """Write `value` as one JSON text. NaN and Infinity are written as such, as JavaScript would."""
    text = json.dumps(value, ensure_ascii=False)
    # Half a character pair, as in undecodable file names, is no UTF-8; JSON can escape it.
    write_text(group, name, text if is_plain(text) else json.dumps(value))


def write_strings(
    group: h5py.Group, name: str, values: Sequence[str], shape: tuple[int, ...] | None = None
) -> h5py.Dataset:
    """Write a list of texts; should one not be plain UTF-8, all are written as JSON strings."""
    escaped = not all(map(is_plain, values))
    entries = np.empty(len(values), dtype=object)
    entries[:] = [json.dumps(value) for value in values] if escaped else values
    dataset = group.create_dataset(
        name, shape=entries.shape if shape is None else shape, dtype=_UTF8
    )
    if entries.size:
        dataset[...] = entries.reshape(dataset.shape)
    if escaped:
        dataset.attrs[ESCAPED] = "json"
    return dataset


def read_text(dataset: h5py.Dataset) -> str:
    """Return the one text of a scalar dataset."""
    if dataset.shape != ():
        raise DamagedFileError(dataset.name, "a list where one text should be")
    return _decoded(dataset, dataset[()])


def read_json(dataset: h5py.Dataset) -> Any:
    """Return the value of a JSON text; a name given twice in one object is refused."""
    text = read_text(dataset)
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(dataset.name, f"a text that is not JSON ({error})") from None


def read_object(dataset: h5py.Dataset) -> dict[str, Any]:
    """Return a JSON text that must be an object."""
    value = read_json(dataset)
    if not isinstance(value, dict):
        raise DamagedFileError(dataset.name, "JSON that is not an object")
    return value


def read_strings(dataset: h5py.Dataset, most: int) -> list[str]:
    """Return a list of texts, row by row; `most` is the number of bytes they can have in all."""
    step = min(max(_BLOCK_BYTES // max(most, 1), _LEAST_BLOCK), _MOST_BLOCK)
    total = 0
    values: list[str] = []
    for block in _blocks(dataset, step):
        total += sum(map(len, block))
        if total > most:
            raise UnsafeFileError(dataset.name, "more text than the file has bytes")
        values.extend(_decoded(dataset, raw) for raw in block)
    if dataset.attrs.get(ESCAPED) != "json":
        return values
    try:
        return [str(json.loads(value)) for value in values]
    except (ValueError, RecursionError):
        raise DamagedFileError(dataset.name, "a text that is not JSON") from None


def _blocks(dataset: h5py.Dataset, step: int) -> Iterator[list[bytes]]:
    if dataset.size == 0:
        return
    if dataset.shape == ():
        yield [dataset[()]]
        return
    for row in np.ndindex(dataset.shape[:-1]):
        for start in range(0, dataset.shape[-1], step):
            yield dataset[(*row, slice(start, start + step))].tolist()


def _decoded(dataset: h5py.Dataset, raw: bytes) -> str:
    if len(raw) > MOST_TEXT_BYTES:
        raise UnsafeFileError(dataset.name, f"a text of {len(raw)} bytes")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise DamagedFileError(dataset.name, "a text that is not UTF-8") from None


def fits_attribute(text: str) -> bool:
    """Return whether `text` may be an attribute rather than a dataset."""
    return len(text) <= MOST_ATTRIBUTE_CHARACTERS and is_plain(text)


def is_plain(text: str) -> bool:
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
