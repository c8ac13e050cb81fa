"""Writes artefacts into groups and reads them back: each part a dataset or an attribute.

`core.model.encoding` gives every type the same parts, and upgrades those of older versions, so one
pair of functions serves them all.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import h5py
import numpy as np

from coterie.core.errors import ProjectFileError
from coterie.core.model.arrays import Array, read_only
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded
from coterie.projects.store.hdf5 import layout, numbers, texts
from coterie.projects.store.hdf5.inspection import attributes
from coterie.projects.store.hdf5.provenance import sound
from coterie.projects.store.hdf5.refusals import DamagedFileError


def write(group: h5py.Group, artefact: Artefact) -> None:
    """Write into an empty group, attributes first: a listing shows them before any data."""
    encoded = artefact.encoded
    shown = {layout.TYPE: encoded.type, layout.VERSION: encoded.version}
    if artefact.dataset is not None:
        shown[layout.DATASET] = artefact.dataset
    if encoded.type == "dataset":
        shown |= _source(artefact.provenance)
    rest: dict[str, Any] = {}
    for name, value in encoded.meta.items():
        ours = name in layout.RESERVED_ATTRIBUTES
        (rest if ours or not texts.fits_attribute(value) else shown)[name] = value
    for name, value in shown.items():
        texts.write_attribute(group, name, value)
    for name, array in encoded.arrays.items():
        _write_array(group, layout.part_path(name), array)
    for name, values in encoded.strings.items():
        texts.write_strings(group, layout.part_path(name), values)
    texts.write_json(group, layout.META, rest)
    texts.write_json(group, layout.PROVENANCE, dict(artefact.provenance))


def read(group: h5py.Group, key: str) -> Artefact:
    """Read all parts into memory; arrays come back read-only."""
    known = attributes(group.id, group.name)
    meta = {k: v for k, v in known.items() if k not in layout.RESERVED_ATTRIBUTES}
    encoded = Encoded(known[layout.TYPE], known[layout.VERSION], meta)
    provenance: dict[str, Any] = {}
    for path, part, about in _parts(group):
        if path == layout.META:
            meta.update(texts.read_json(part))
        elif path == layout.PROVENANCE:
            provenance = sound(texts.read_json(part))
        else:
            _read_part(encoded, layout.part_name(path), part, about)
    return Artefact(key, encoded, known.get(layout.DATASET), provenance)


def checksum(artefact: Artefact) -> int:
    """Return a number that changes with any part of an artefact, to compare before and after."""
    encoded = artefact.encoded
    plain = [encoded.type, encoded.version, artefact.dataset, sound(artefact.provenance)]
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


def _source(provenance: Mapping[str, Any]) -> dict[str, Any]:
    named = {name: provenance.get(name) for name in (layout.SOURCE, layout.SOURCE_SHA256)}
    return {k: v for k, v in named.items() if isinstance(v, str) and texts.fits_attribute(v)}


def _write_array(group: h5py.Group, path: str, array: Array) -> None:
    kind = array.dtype.kind
    if kind == "U":
        written = texts.write_strings(group, path, array.ravel().tolist())
        texts.write_attribute(written, layout.NUMPY_TYPE, "str")
        texts.write_attribute(written, layout.SHAPE, " ".join(map(str, array.shape)))
    elif kind in "mM":  # HDF5 has no dates that other programs read
        dataset = numbers.write(group, path, array.view(f"{array.dtype.byteorder}i8"))
        texts.write_attribute(dataset, layout.NUMPY_TYPE, array.dtype.str)
    elif kind in "biufc":
        numbers.write(group, path, array)
    else:
        raise ProjectFileError(
            f"'{layout.part_name(path)}' has the type {array.dtype}, which a project "
            "file cannot store. Use numbers or text.",
            code="project-not-saved",
        )


def _parts(group: h5py.Group, prefix: str = "") -> Iterator[tuple[str, Any, dict[str, Any]]]:
    for name, item in group.items():
        about = attributes(item.id, item.name)
        if isinstance(item, h5py.Group) and about.get(layout.TYPE) != texts.TEXT_LIST:
            yield from _parts(item, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", item, about


def _read_part(encoded: Encoded, name: str, part: Any, about: Mapping[str, Any]) -> None:
    numpy_type = about.get(layout.NUMPY_TYPE)
    if isinstance(part, h5py.Group) or part.dtype.kind == "S":
        entries = texts.read_strings(part, escaped=about.get(texts.ESCAPED) == "json")
        if numpy_type == "str":
            shape = tuple(map(int, str(about.get(layout.SHAPE)).split()))
            encoded.arrays[name] = read_only(np.array(entries, dtype=np.str_).reshape(shape))
        else:
            encoded.strings[name] = tuple(entries)
    elif numpy_type is not None:
        encoded.arrays[name] = numbers.read(part).view(_time_type(part, numpy_type))
    else:
        encoded.arrays[name] = numbers.read(part)


def _time_type(dataset: h5py.Dataset, name: Any) -> np.dtype[Any]:
    try:
        wanted = np.dtype(str(name))
    except (TypeError, ValueError, SyntaxError):  # numpy takes some texts for expressions
        wanted = np.dtype(object)
    if wanted.kind not in "mM" or dataset.dtype.kind != "i" or dataset.dtype.itemsize != 8:
        raise DamagedFileError(dataset.name, f"numbers that are to be {name!r:.40}")
    return wanted
