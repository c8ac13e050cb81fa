"""What a project file says about itself and its artefacts, without their arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.core.errors import ProjectFileError
from coterie.core.model.artefacts import is_key
from coterie.projects.store.hdf5 import layout
from coterie.projects.store.hdf5.refusals import DamagedFileError, UnsafeFileError

if TYPE_CHECKING:
    from coterie.projects.store.hdf5.inspection import Found


@dataclass(frozen=True)
class Header:
    """What a project file says of itself; `read_only` when a newer Coterie wrote more into it."""

    title: str
    created: str
    modified: str
    writer: str
    schema: int
    min_reader: int
    read_only: bool


@dataclass(frozen=True)
class ArtefactEntry:
    """An artefact in a project file, without its arrays.

    Attributes
    ----------
    kind : of a dataset, such as "table"; "" for anything else
    shape : of its main array, such as items × columns; () when it has none
    dataset : key of the dataset that it is about
    nbytes : what its arrays take in memory
    stored : what they take in the file
    value : of a metric
    path : within the file, such as "/results/<key>"
    """

    key: str
    type: str
    version: int
    title: str
    kind: str
    shape: tuple[int, ...]
    dataset: str | None
    nbytes: int
    stored: int
    value: float | None
    path: str


def header(name: str, attributes: Mapping[str, Any]) -> Header:
    """Return what the file `name` says of itself, or why it cannot be opened."""
    if attributes.get("format") != layout.FORMAT:
        raise ProjectFileError(
            f"'{name}' is an HDF5 file, but not a Coterie project. To cluster its "
            "contents, import it as data.",
            code="not-a-project",
        )
    schema, min_reader = attributes.get("schema"), attributes.get("min_reader")
    if not _is_count(schema) or not _is_count(min_reader):
        raise DamagedFileError("/", "no schema number")
    assert isinstance(schema, int)
    assert isinstance(min_reader, int)
    words = {word: attributes.get(word, "") for word in ("title", "created", "modified", "writer")}
    if not all(isinstance(word, str) for word in words.values()):
        raise DamagedFileError("/", "a title or date that is not text")
    if min_reader > layout.SCHEMA:
        raise ProjectFileError(
            f"'{name}' was written by {words['writer'] or 'a newer version of Coterie'} "
            f"with schema {schema}; this version reads up to {layout.SCHEMA}. Update "
            "Coterie.",
            code="newer-version",
        )
    return Header(**words, schema=schema, min_reader=min_reader, read_only=schema > layout.SCHEMA)


def artefact_parts(found: Mapping[str, Found]) -> dict[str, dict[str, Found]]:
    """Return, for each artefact's path, its objects by their place in it; "" is its group."""
    artefacts: dict[str, dict[str, Found]] = {}
    for path, item in found.items():
        section, _, rest = path.partition("/")
        if section not in layout.SECTIONS:
            continue
        if not rest:
            if item.kind != "group":
                raise DamagedFileError(f"/{section}", "no group")
            continue
        key, _, part = rest.partition("/")
        if not is_key(key):
            raise UnsafeFileError(f"/{section}/{key}", "a name that is not an artefact's key")
        artefacts.setdefault(f"/{section}/{key}", {})[part] = item
    return artefacts


def make_entries(artefacts: Mapping[str, Mapping[str, Found]]) -> dict[str, ArtefactEntry]:
    """Return the artefacts by key."""
    entries: dict[str, ArtefactEntry] = {}
    for path, parts in artefacts.items():
        entry = _entry(path, parts)
        if entry.key in entries:
            raise UnsafeFileError(path, "a key that is used twice")
        entries[entry.key] = entry
    return entries


def _entry(path: str, parts: Mapping[str, Found]) -> ArtefactEntry:
    _, section, key = path.split("/")
    attributes = parts[""].attributes
    encoding, version = attributes.get(layout.TYPE), attributes.get(layout.VERSION)
    if not isinstance(encoding, str) or not _is_count(version):
        raise DamagedFileError(path, "no encoding type and version")
    assert isinstance(version, int)
    if layout.section(encoding) != section:
        raise DamagedFileError(path, f"an artefact of type '{encoding:.40}' in this place")
    dataset = attributes.get(layout.DATASET)
    if dataset is not None and not is_key(dataset):
        raise UnsafeFileError(path, "a dataset that is not named by its key")
    value = attributes.get("value")
    return ArtefactEntry(
        key=key,
        type=encoding,
        version=version,
        title=str(attributes.get("title", "")),
        kind=str(attributes.get("kind", "")),
        shape=_main_shape(encoding, parts),
        dataset=dataset,
        nbytes=sum(part.nbytes for part in parts.values()),
        stored=sum(part.stored for part in parts.values()),
        value=float(value) if isinstance(value, int | float) else None,
        path=path,
    )


def _main_shape(encoding: str, parts: Mapping[str, Found]) -> tuple[int, ...]:
    for name in layout.main_parts(encoding):
        part = parts.get(name)
        if part is not None and part.kind != "group":
            return part.shape
        if f"{name}/{layout.STARTS}" in parts:  # a list of texts of very different lengths
            return _rows(parts[f"{name}/{layout.STARTS}"].shape)
        if f"{name}/indptr" in parts:  # sparse: its row pointers, and a name for each column
            rows = parts[f"{name}/indptr"].shape
            columns = parts["columns"].shape if "columns" in parts else (0,)
            return _rows(rows) + (columns if name == "features" else _rows(rows))
    return _rows(parts["indptr"].shape) * 2 if "indptr" in parts else ()


def _rows(indptr: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(max(0, extent - 1) for extent in indptr)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def is_step(step: object) -> bool:
    """Return whether `step` names the artefacts of one step."""
    if not isinstance(step, dict) or not is_key(step.get("key")):
        return False
    parts = step.get("parts", {})
    return isinstance(parts, dict) and all(is_key(key) for key in parts.values())
