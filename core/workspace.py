"""The workspace: a folder of computed artefacts that every process maps read-only.

Each artefact is a folder named by its key, holding `.npy` files and one `record.json`. It is
written under another name and renamed when complete, so that what is there is whole.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core.arrays import Array
from coterie.core.artefacts import Artefact, is_key
from coterie.core.dataset import Dataset
from coterie.core.encoding import Encoded, decode
from coterie.core.errors import CoterieError, WorkspaceError

# Below this an array is read rather than mapped: a map costs a file handle and a page.
_MAP_FROM = 1 << 16
_RECORD = "record.json"


class Workspace:
    """The artefacts in one folder.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from coterie.core import Dataset
    >>> from coterie.core.encoding import encode
    >>> workspace = Workspace(Path(tempfile.mkdtemp()))
    >>> key = "0" * 64
    >>> workspace.write(Artefact(key, encode(Dataset(title="two", features=np.eye(2)))))
    >>> workspace.load(key).n
    2
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._artefacts = folder / "artefacts"
        try:
            self._artefacts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkspaceError(
                f"The workspace folder '{folder}' cannot be made: {error.strerror}. "
                "Free some disk space or check its permissions."
            ) from error

    def __contains__(self, key: object) -> bool:
        return is_key(key) and (self._artefacts / str(key) / _RECORD).exists()

    def keys(self) -> Iterator[str]:
        """Yield the keys of all complete artefacts."""
        for folder in self._artefacts.iterdir():
            if folder.name in self:
                yield folder.name

    def write(self, artefact: Artefact) -> None:
        """Write an artefact; one that is already there is left as it is."""
        if artefact.key in self:
            return
        try:
            temporary = Path(tempfile.mkdtemp(prefix="writing-", dir=self._artefacts))
            try:
                _write_into(temporary, artefact)
                temporary.rename(self._folder(artefact.key))
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                if artefact.key not in self:  # else another process was faster: just as good
                    raise
        except OSError as error:
            raise WorkspaceError(
                f"The result could not be written to the workspace: {error.strerror or error}. "
                "Free some disk space and run the step again."
            ) from error

    def read(self, key: str) -> Artefact:
        """Return an artefact with its large arrays mapped, not loaded."""
        record = self.record(key)
        folder = self._folder(key)
        try:
            encoded = Encoded(
                type=record["type"],
                version=record["version"],
                meta=record["meta"],
                arrays={name: _array(folder / file) for name, file in record["arrays"].items()},
                strings={
                    name: tuple(json.loads((folder / file).read_text(encoding="utf-8")))
                    for name, file in record["strings"].items()
                },
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise WorkspaceError(_damaged(key, error)) from error
        os.utime(folder / _RECORD)  # what was used last is evicted last
        return Artefact(key, encoded, record["dataset"], record["provenance"])

    def record(self, key: str) -> dict[str, Any]:
        """Return what is known of an artefact without its arrays."""
        try:
            record = json.loads((self._folder(key) / _RECORD).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise WorkspaceError(
                f"The artefact {key[:12]} is not in the workspace. Run its step again."
            ) from None
        except (OSError, ValueError) as error:
            raise WorkspaceError(_damaged(key, error)) from error
        if not isinstance(record, dict):
            raise WorkspaceError(_damaged(key, "no record"))
        return record

    def load(self, key: str) -> Any:
        """Return the noun of an artefact, with the dataset it is about."""
        artefact = self.read(key)
        dataset: Dataset | None = None
        if artefact.dataset is not None and artefact.dataset in self:
            dataset = self.load(artefact.dataset)
        try:
            return decode(artefact.encoded, dataset)
        except CoterieError as error:
            raise WorkspaceError(_damaged(key, error)) from error

    def discard(self, key: str) -> None:
        """Remove one artefact."""
        folder = self._folder(key)
        if folder.exists():
            # Renamed first, so that a half-removed artefact is never taken for a whole one.
            doomed = Path(tempfile.mkdtemp(prefix="removing-", dir=self._artefacts))
            folder.rename(doomed / key)
            shutil.rmtree(doomed, ignore_errors=True)

    def nbytes(self) -> int:
        """Return the bytes that all artefacts take on disk."""
        return sum(_size(folder) for folder in self._artefacts.iterdir())

    def evict(self, keep: Collection[str], quota: int | None = None) -> list[str]:
        """Remove the least recently used artefacts not in `keep`, until the rest fits `quota`.

        The default quota is a fifth of the free disk.
        """
        if quota is None:
            quota = shutil.disk_usage(self.folder).free // 5
        by_age = sorted(self.keys(), key=lambda key: (self._folder(key) / _RECORD).stat().st_mtime)
        total = self.nbytes()
        evicted = []
        for key in by_age:
            if total <= quota:
                break
            if key not in keep:
                total -= _size(self._folder(key))
                self.discard(key)
                evicted.append(key)
        return evicted

    def _folder(self, key: str) -> Path:
        if not is_key(key):
            raise WorkspaceError(f"'{key}' is not the key of an artefact.")
        return self._artefacts / key


def _write_into(folder: Path, artefact: Artefact) -> None:
    encoded = artefact.encoded
    arrays, strings = {}, {}
    for number, (name, array) in enumerate(encoded.arrays.items()):
        arrays[name] = f"{number}.npy"
        np.save(folder / arrays[name], np.ascontiguousarray(array), allow_pickle=False)
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
    }
    (folder / _RECORD).write_text(json.dumps(record), encoding="utf-8")


def _array(file: Path) -> Array:
    mapped: Literal["r"] | None = "r" if file.stat().st_size >= _MAP_FROM else None
    return np.asarray(np.load(file, mmap_mode=mapped, allow_pickle=False))


def _size(folder: Path) -> int:
    try:
        return sum(file.stat().st_size for file in folder.iterdir())
    except OSError:
        return 0


def _damaged(key: str, why: object) -> str:
    return f"The artefact {key[:12]} in the workspace is damaged ({why}). Run its step again."
