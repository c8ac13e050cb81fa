"""One artefact of the workspace: a folder of `.npy` and JSON files, named in a record."""

from __future__ import annotations

import json
import re
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError, WorkspaceError
from coterie.core.model.arrays import BAD_HEADER, Array, read_only
from coterie.core.model.artefacts import Artefact

# Below this an array is read rather than mapped: a map costs a file handle and a page.
_MAP_FROM = 1 << 16
RECORD = "record.json"
_PART = re.compile(r"[0-9]+\.(npy|json)")
# Of a record: a checksum of each part, and one of the record itself.
CHECKSUMS, CHECKSUM = "checksums", "checksum"
NEEDED = ("type", "version", "meta", "arrays", "strings", "dataset", "provenance")
_BLOCK = 1 << 20
DAMAGE = (*BAD_HEADER, FileNotFoundError, LookupError, TypeError, AttributeError, OverflowError)


class DamagedArtefactError(WorkspaceError):
    """A stored result is not what was written, so its step must run again."""

    code = "result-damaged"


def write_into(folder: Path, artefact: Artefact) -> None:
    """Write the parts of an artefact, and the record that names them last."""
    encoded = artefact.encoded
    arrays, strings = {}, {}
    for number, (name, array) in enumerate(encoded.arrays.items()):
        arrays[name] = f"{number}.npy"
        np.save(folder / arrays[name], np.asarray(array, order="C"), allow_pickle=False)
    for number, (name, texts) in enumerate(encoded.strings.items()):
        strings[name] = f"{number}.json"
        (folder / strings[name]).write_text(json.dumps(list(texts)), encoding="utf-8")
    record = {
        "key": artefact.key,
        "type": encoded.type,
        "version": encoded.version,
        "meta": encoded.meta,
        "arrays": arrays,
        "strings": strings,
        "dataset": artefact.dataset,
        "provenance": dict(artefact.provenance),
        "nbytes": encoded.nbytes,
        CHECKSUMS: {name: checksum_of_file(folder / name) for name in _parts(arrays, strings)},
    }
    (folder / RECORD).write_text(signed(record), encoding="utf-8")


def _parts(*named: dict[str, str]) -> Iterator[str]:
    for files in named:
        yield from files.values()


def signed(record: dict[str, Any]) -> str:
    """A record as it is written, with its checksum."""
    return json.dumps({**record, CHECKSUM: checksum_of(json.loads(json.dumps(record)))})


def checksum_of(record: dict[str, Any]) -> int:
    """Return the checksum of a record."""
    return zlib.crc32(json.dumps(record, sort_keys=True).encode())


def checksum_of_file(file: Path) -> int:
    """Return the checksum of the bytes of a file."""
    total = 0
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            total = zlib.crc32(block, total)
    return total


def part(folder: Path, name: str) -> Path:
    """Return the file of a part; a record from elsewhere must not name one outside its folder."""
    if not _PART.fullmatch(name):
        raise ValueError(f"'{name:.80}' is not part of it")
    return folder / name


def require_plain(folder: Path, named: list[Any]) -> None:
    """Refuse a folder that holds anything but the files of its record, each under one name."""
    for file in folder.iterdir():
        status = file.lstat()
        plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
        if not plain or file.name not in (RECORD, *named):
            raise DamagedArtefactError(damaged(folder.name, f"'{file.name:.40}' is not part of it"))


def mapped_array(file: Path) -> Array:
    """Return an array, mapped when it is large."""
    # Mapping, unlike reading, checks that the file holds what its header promises.
    mapped = np.lib.format.open_memmap(file, mode="r")
    if file.stat().st_size >= _MAP_FROM:
        return np.asarray(mapped)
    return read_only(np.array(mapped))


def read_texts(file: Path) -> tuple[str, ...]:
    """Return the texts of a part."""
    texts = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("its texts are not texts")
    return tuple(texts)


def size_of(folder: Path) -> int:
    """Return the bytes of all files of an artefact."""
    try:
        return sum(file.stat().st_size for file in folder.iterdir())
    except OSError:
        return 0


def write_error(why: OSError) -> str:
    """Say that an artefact could not be written."""
    return (
        f"The result could not be written to the workspace: {why.strerror or why}. "
        "Free some disk space and run the step again."
    )


def read_error(key: str, why: BaseException) -> str:
    """Say that an artefact could not be read this time."""
    reason = why.strerror if isinstance(why, OSError) and why.strerror else type(why).__name__
    return f"The stored result {key[:12]} cannot be read: {reason}. Try again."


def newer(key: str, why: DataError) -> str:
    """Say that a newer Coterie wrote an artefact."""
    return f"The result {key[:12]} cannot be read here. {why}"


def damaged(key: str, why: object) -> str:
    """Say that an artefact is not what was written."""
    return f"The stored result {key[:12]} is damaged ({why}). Run its step again."
