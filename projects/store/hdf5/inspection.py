"""Looks through a project file before anything in it is trusted, without reading its arrays.

Everything here works on the low level of h5py: links are listed, never followed; a layout is
looked at before a shape (asking a virtual dataset for its shape opens the files it points to);
attributes are measured before they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o

from coterie.projects.store.hdf5 import shapes
from coterie.projects.store.hdf5.headers import Headers
from coterie.projects.store.hdf5.refusals import DamagedFileError, UnsafeFileError, reading

# Far above any real project: the deepest path we write has four steps, and 100,000 artefacts
# of five parts each would take minutes to look at in the window.
MOST_DEPTH = 8
MOST_OBJECTS = 500_000
MOST_ATTRIBUTES = 64
MOST_ATTRIBUTE_BYTES = 16 * 1024

_LINK_KINDS = {h5l.TYPE_SOFT: "a soft link", h5l.TYPE_EXTERNAL: "a link to another file"}

Kind = Literal["group", "array", "text"]


@dataclass(frozen=True, slots=True)
class Found:
    """One object of the file: where it is and what it says of itself.

    Attributes
    ----------
    path : from the root, without a leading slash; "" is the root
    nbytes : bytes once unpacked
    stored : bytes it takes in the file
    attributes : its attributes; every one a single number, truth value or text
    """

    path: str
    kind: Kind
    shape: tuple[int, ...] = ()
    nbytes: int = 0
    stored: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)


def inspect(file: h5py.File, size: int) -> dict[str, Found]:
    """Return every object of `file` by path, or refuse the file.

    Parameters
    ----------
    file : open for reading
    size : bytes of the file on disk; what is stored in it cannot be more
    """
    with reading("/"), Path(file.filename).open("rb") as stream:
        headers = Headers(stream, size)
        headers.check(headers.root(), "/")
        inspection = _Inspection(size, headers)
        inspection.group(file.id, "", depth=0)
        return inspection.found


class _Inspection:
    def __init__(self, size: int, headers: Headers) -> None:
        self.found: dict[str, Found] = {}
        self._size = size
        self._headers = headers
        self._stored = 0
        self._seen: set[int] = set()
        self._types = shapes.Types()

    def group(self, group: Any, path: str, depth: int) -> None:
        if depth > MOST_DEPTH:
            raise UnsafeFileError(f"/{path}", f"groups nested more than {MOST_DEPTH} deep")
        if len(self.found) + group.get_num_objs() > MOST_OBJECTS:
            raise UnsafeFileError(f"/{path}", f"more than {MOST_OBJECTS} objects")
        self.found[path] = Found(path, "group", attributes=attributes(group, path, self._types))
        for name, address in self._links(group, path):
            inner = f"{path}/{name}" if path else name
            if address in self._seen:
                # We give every object one name. A second one may be a loop, and is a way to make
                # a small file look endless.
                raise UnsafeFileError(
                    f"/{inner}", "a hard link to an object already seen, perhaps a loop"
                )
            self._seen.add(address)
            with reading(f"/{inner}"):
                self._headers.check(address, f"/{inner}")
                self._object(h5o.open(group, name.encode()), inner, depth + 1)

    def _links(self, group: Any, path: str) -> Iterator[tuple[str, int]]:
        links: list[tuple[bytes, int, int]] = []

        def note(name: bytes, info: Any) -> None:  # returning anything else would end the walk
            links.append((name, info.type, info.u))  # h5py uses one `info` for all

        group.links.iterate(note, info=True)
        for raw, kind, address in links:
            shown = f"/{path}/{raw.decode(errors='replace')}".replace("//", "/")
            try:
                name = raw.decode()
            except UnicodeDecodeError:
                raise UnsafeFileError(shown, "a name that is not UTF-8") from None
            if kind != h5l.TYPE_HARD:
                raise UnsafeFileError(shown, _LINK_KINDS.get(kind, "a link of an unknown kind"))
            yield name, address

    def _object(self, opened: Any, path: str, depth: int) -> None:
        if isinstance(opened, h5g.GroupID):
            self.group(opened, path, depth)
        elif isinstance(opened, h5d.DatasetID):
            found = self._dataset(opened, path)
            self._stored += found.stored
            if self._stored > self._size:
                raise UnsafeFileError(f"/{path}", "more stored data than the file has bytes")
            self.found[path] = found
        else:
            raise UnsafeFileError(f"/{path}", "neither a group nor a dataset but a stored type")

    def _dataset(self, dataset: Any, path: str) -> Found:
        kind, shape, stored = shapes.measure(dataset, path, self._size, self._types)
        about = attributes(dataset, path, self._types)
        nbytes = prod(shape) * kind.itemsize
        return Found(path, "text" if kind.kind == "S" else "array", shape, nbytes, stored, about)


def attributes(owner: Any, path: str, types: shapes.Types | None = None) -> dict[str, Any]:
    """Return the attributes of a group or dataset, each checked before it is read."""
    count = h5a.get_num_attrs(owner)
    if count == 0:
        return {}
    path = path.lstrip("/")
    if count > MOST_ATTRIBUTES:
        raise UnsafeFileError(f"/{path}", f"{count} attributes (at most {MOST_ATTRIBUTES})")
    types = types or shapes.Types()
    values: dict[str, Any] = {}
    for index in range(count):
        attribute = h5a.open(owner, index=index)
        try:
            name = attribute.name.decode()
        except UnicodeDecodeError:
            raise UnsafeFileError(f"/{path}", "an attribute name that is not UTF-8") from None
        where = f"attribute '{name}' of /{path}"
        with reading(where):
            values[name] = _attribute(attribute, where, types)
    return values


def _attribute(attribute: Any, where: str, types: shapes.Types) -> Any:
    stored = attribute.get_type()
    kind = types.check(stored, where)
    size = attribute.get_storage_size()
    if size != kind.itemsize:
        raise UnsafeFileError(where, "a value that is not a single number or text")
    if size > MOST_ATTRIBUTE_BYTES:
        raise UnsafeFileError(where, f"a value of {size} bytes")
    value = np.zeros((), dtype=kind)
    attribute.read(value, mtype=stored)
    if kind.kind != "S":
        return value.item()
    try:
        return value.item().decode()
    except UnicodeDecodeError:
        raise DamagedFileError(where, "a text that is not UTF-8") from None
