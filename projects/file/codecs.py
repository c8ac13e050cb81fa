"""Writes artefacts into groups and reads them back; a codec for each encoding type and version.

The plain codec serves every type there is, because `core.encoding` gives them all the same parts.
A type or a version that comes to need a shape of its own registers one in `CODECS`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import h5py
import numpy as np

from coterie.core.arrays import Array, read_only
from coterie.core.artefacts import Artefact
from coterie.core.encoding import Encoded
from coterie.core.errors import ProjectFileError
from coterie.projects.file import layout, texts
from coterie.projects.file.refusals import DamagedFileError

# Small enough to unpack in a millisecond, large enough that HDF5's index of chunks stays short.
CHUNK_BYTES = 1 << 20
# Similarities hardly pack tighter at higher levels, and take a third longer (bench/README.md).
GZIP_LEVEL = 2


@dataclass(frozen=True)
class Stored:
    """The group of one artefact in an open file.

    Attributes
    ----------
    key : of the artefact
    group : holds its parts
    attributes : of the group, as inspected
    most_text : bytes that its lists of texts can have
    """

    key: str
    group: h5py.Group
    attributes: Mapping[str, Any]
    most_text: int


class Codec(Protocol):
    """Writes one artefact into its empty group, or reads it from there."""

    def write(self, group: h5py.Group, artefact: Artefact) -> None: ...

    def read(self, stored: Stored) -> Artefact: ...


class PlainCodec:
    """Every part of an artefact as a dataset or an attribute of its own."""

    def write(self, group: h5py.Group, artefact: Artefact) -> None:
        """Write attributes first, so that a listing shows them before any data."""
        encoded = artefact.encoded
        attributes, meta = _divided(encoded.meta)
        group.attrs[layout.TYPE] = encoded.type
        group.attrs[layout.VERSION] = encoded.version
        if artefact.dataset is not None:
            group.attrs[layout.DATASET] = artefact.dataset
        for name in (layout.SOURCE, layout.SOURCE_SHA256):
            value = artefact.provenance.get(name)
            if encoded.type == "dataset" and isinstance(value, str) and _fits_attribute(value):
                group.attrs[name] = value
        for name, value in attributes.items():
            group.attrs[name] = value
        for name, array in encoded.arrays.items():
            _write_array(group, layout.part_path(name), array)
        for name, values in encoded.strings.items():
            texts.write_strings(group, layout.part_path(name), values)
        texts.write_json(group, layout.META, meta)
        texts.write_json(group, layout.PROVENANCE, dict(artefact.provenance))

    def read(self, stored: Stored) -> Artefact:
        """Read all parts into memory; arrays come back read-only."""
        known = stored.attributes
        meta = {k: v for k, v in known.items() if k not in layout.RESERVED_ATTRIBUTES}
        encoded = Encoded(known[layout.TYPE], known[layout.VERSION], meta)
        provenance: dict[str, Any] = {}
        for path, dataset in _parts(stored.group):
            if path == layout.META:
                meta.update(texts.read_object(dataset))
            elif path == layout.PROVENANCE:
                provenance = texts.read_object(dataset)
            elif h5py.check_string_dtype(dataset.dtype) is None:
                encoded.arrays[layout.part_name(path)] = _read_array(dataset)
            elif dataset.attrs.get(layout.NUMPY_TYPE) == "str":
                entries = texts.read_strings(dataset, stored.most_text)
                array = np.array(entries, dtype=np.str_).reshape(dataset.shape)
                encoded.arrays[layout.part_name(path)] = read_only(array)
            else:
                entries = texts.read_strings(dataset, stored.most_text)
                encoded.strings[layout.part_name(path)] = tuple(entries)
        return Artefact(stored.key, encoded, known.get(layout.DATASET), provenance)


# (encoding type, encoding version) → codec; what is not listed is plain. An old version that was
# kept differently gets its own entry here, and is read for ever.
CODECS: dict[tuple[str, int], Codec] = {}
_PLAIN = PlainCodec()


def codec(encoding_type: str, version: int) -> Codec:
    """Return the codec of an encoding."""
    return CODECS.get((encoding_type, version), _PLAIN)


def chunk_shape(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return chunks of whole rows, or of parts of one row, of about `CHUNK_BYTES`."""
    budget = max(1, CHUNK_BYTES // itemsize)
    chunk: list[int] = []
    for axis, extent in enumerate(shape):
        row = prod(shape[axis + 1 :])
        step = min(extent, max(1, budget // row))
        chunk.append(step)
        budget = max(1, budget // step)
    return tuple(chunk)


def _write_array(group: h5py.Group, path: str, array: Array) -> None:
    kind = array.dtype.kind
    if kind == "U":
        dataset = texts.write_strings(group, path, array.ravel().tolist(), array.shape)
        dataset.attrs[layout.NUMPY_TYPE] = "str"
    elif kind in "mM":  # HDF5 has no dates that other programs read
        dataset = _write_numbers(group, path, array.view(f"{array.dtype.byteorder}i8"))
        dataset.attrs[layout.NUMPY_TYPE] = array.dtype.str
    elif kind in "biufc":
        _write_numbers(group, path, array)
    else:
        raise ProjectFileError(
            f"'{layout.part_name(path)}' holds {array.dtype}, which a project file cannot keep. "
            "Use numbers or text."
        )


def _write_numbers(group: h5py.Group, path: str, array: Array) -> h5py.Dataset:
    packing: dict[str, Any] = {}
    if array.size and array.ndim:  # filters work on chunks; scalars and empty arrays have none
        packing = {
            "chunks": chunk_shape(array.shape, array.dtype.itemsize),
            "compression": "gzip",
            "compression_opts": GZIP_LEVEL,
            "shuffle": True,
            "fletcher32": True,
        }
    return group.create_dataset(path, data=array, **packing)


def _read_array(dataset: h5py.Dataset) -> Array:
    array = np.empty(dataset.shape, dtype=dataset.dtype)
    if array.size:
        dataset.read_direct(array)
    name = dataset.attrs.get(layout.NUMPY_TYPE)
    if name is not None:
        array = array.view(_time_type(dataset, name))
    return read_only(array)


def _time_type(dataset: h5py.Dataset, name: Any) -> np.dtype[Any]:
    try:
        wanted = np.dtype(str(name))
    except (TypeError, ValueError):
        wanted = np.dtype(object)
    if wanted.kind not in "mM" or dataset.dtype.kind != "i" or dataset.dtype.itemsize != 8:
        raise DamagedFileError(dataset.name, f"numbers that are to be {name!r:.40}")
    return wanted


def _parts(group: h5py.Group, prefix: str = "") -> Iterator[tuple[str, h5py.Dataset]]:
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            yield from _parts(item, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", item


def _divided(meta: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is shown as attributes, and what goes into the JSON text."""
    attributes: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for name, value in meta.items():
        reserved = name in layout.RESERVED_ATTRIBUTES
        (rest if reserved or not _fits_attribute(value) else attributes)[name] = value
    return attributes, rest


def _fits_attribute(value: Any) -> bool:
    if isinstance(value, str):
        return texts.fits_attribute(value)
    if isinstance(value, int):  # truth values included
        return -(2**63) <= value < 2**63
    return isinstance(value, float)


def checksum(artefact: Artefact) -> int:
    """Return a number that changes with any part of an artefact, to compare before and after."""
    encoded = artefact.encoded
    plain = [encoded.type, encoded.version, artefact.dataset, dict(artefact.provenance)]
    listed = {name: list(values) for name, values in encoded.strings.items()}
    shapes = {name: (array.dtype.kind, array.shape) for name, array in encoded.arrays.items()}
    total = zlib.crc32(json.dumps([*plain, encoded.meta, listed, shapes], sort_keys=True).encode())
    for _, array in sorted(encoded.arrays.items()):
        total = zlib.crc32(_comparable(array), total)
    return total


def _comparable(array: Array) -> bytes | memoryview:
    if array.dtype.kind == "U":
        return json.dumps(array.tolist()).encode()  # numpy pads texts, by what is longest
    if array.dtype.kind in "fc" and array.dtype.itemsize > (8 if array.dtype.kind == "f" else 16):
        array = array.astype("f8" if array.dtype.kind == "f" else "c16")  # has undefined padding
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
