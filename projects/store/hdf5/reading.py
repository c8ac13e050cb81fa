"""An open project file: what is in it at once, its arrays when they are asked for."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

import h5py

from coterie.core.errors import ProjectFileError
from coterie.core.io.platform.memory import physical_memory
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.wording import size_in_words
from coterie.projects.store.hdf5 import codecs, inspection, layout, texts
from coterie.projects.store.hdf5.entries import (
    ArtefactEntry,
    artefact_parts,
    header,
    is_step,
    make_entries,
)
from coterie.projects.store.hdf5.provenance import sound
from coterie.projects.store.hdf5.refusals import DamagedFileError, reading
from coterie.projects.store.left_out import LeftOut
from coterie.projects.store.target_file import HDF5_BEGINNING

_OLDEST_FORMAT = 2  # of the superblock; HDF5 1.8 brought it


class ProjectFile:
    """A project file open for reading; use it in a `with` statement, or close it."""

    def __init__(self, path: Path, file: h5py.File, size: int) -> None:
        """Take over an open file; `open` is what callers want."""
        self.path = path
        self._file = file
        # Said first, so a foreign file is called foreign rather than unsafe.
        self.header = header(path.name, inspection.attributes(file.id, ""))
        self._found = inspection.inspect(file, size)
        self._parts = artefact_parts(self._found)
        self.entries: Mapping[str, ArtefactEntry] = MappingProxyType(make_entries(self._parts))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> ProjectFile:
        """Open the project at `path` and look through it; no array is read.

        Raises
        ------
        ProjectFileError
            when it is not a project file, is damaged, unsafe, or from a newer Coterie
        """
        path = Path(path)
        size = _size(path)
        with reading("/"):
            if not h5py.is_hdf5(path):
                raise ProjectFileError(
                    f"'{path.name}' is not a Coterie project: it is not an HDF5 file, "
                    f"or its start is damaged. Choose a file ending in {layout.SUFFIX}.",
                    code="not-a-project",
                )
        with reading("/"):
            _require_new_format(path)
        file = _opened(path)
        try:
            with reading("/"):
                return cls(path, file, size)
        except BaseException:
            file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was read from it stays."""
        self._file.close()

    @cached_property
    def steps(self) -> dict[str, Any]:
        """The step names of the recipe, each with {"key": …, "parts": {…}}."""
        steps = self._json(layout.STEPS)
        for name, step in steps.items():
            if not is_step(step):
                raise DamagedFileError(f"/{layout.STEPS}", f"no key for the step '{name}'")
        return steps

    @cached_property
    def left_out(self) -> dict[str, LeftOut]:
        """The steps whose results are not stored, as they are quickly computed again."""
        stored = self._json(layout.LEFT_OUT) if layout.LEFT_OUT in self._found else {}
        try:
            return {name: LeftOut.from_json(value) for name, value in stored.items()}
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DamagedFileError(f"/{layout.LEFT_OUT}", "no result that was left out") from error

    @cached_property
    def recipe(self) -> str:
        """The recipe as TOML text."""
        with reading(f"/{layout.RECIPE}"):
            return texts.read_text(self._text(layout.RECIPE))

    @cached_property
    def view(self) -> dict[str, Any]:
        """What the window showed; empty when the file has none."""
        return self._json(layout.VIEW) if layout.VIEW in self._found else {}

    def unknown_members(self) -> list[str]:
        """Return the names at the root that this Coterie has no use for."""
        known = {"", *layout.SECTIONS, *layout.TEXTS}
        return [path for path in self._found if "/" not in path and path not in known]

    def provenance(self, key: str) -> dict[str, Any]:
        """Return how the artefact `key` came about, as far as it is well-formed."""
        return sound(self.stored_provenance(key))

    def stored_provenance(self, key: str) -> dict[str, Any]:
        """Return what the file says of how the artefact `key` came about, whatever its types.

        Of one that is left out, too.
        """
        if key not in self.entries:
            for one in self.left_out.values():
                if one.key == key:
                    return dict(one.provenance)
        path = self._entry(key).path
        found = self._parts[path].get(layout.PROVENANCE)
        return self._json(found.path) if found is not None else {}

    def read(self, key: str) -> Artefact:
        """Read the artefact `key` with all its arrays into memory."""
        entry = self._entry(key)
        most = physical_memory()
        if most is not None and entry.nbytes > most:
            raise ProjectFileError(
                f"'{entry.title or entry.type}' needs {size_in_words(entry.nbytes)} of memory, "
                "more than this machine has. Open the project on a larger one.",
                code="out-of-memory",
            )
        with reading(entry.path):
            return codecs.read(self._file[entry.path], key)

    def write_into(self, workspace: Workspace, artefact: Artefact, stored: str) -> None:
        """Write an artefact that was read, under the key `stored`, into a workspace."""
        workspace.write(artefact)

    def copy_into(self, section: h5py.Group, key: str) -> None:
        """Copy the artefact `key` as it is stored, without unpacking it, into another file."""
        entry = self._entry(key)
        with reading(entry.path):
            self._file.copy(self._file[entry.path], section, name=key)

    def _entry(self, key: str) -> ArtefactEntry:
        try:
            return self.entries[key]
        except KeyError:
            raise ProjectFileError(
                f"'{self.path.name}' holds no artefact {key[:12]}….", code="result-missing"
            ) from None

    def _text(self, path: str) -> h5py.Dataset:
        found = self._found.get(path)
        if found is None or found.kind != "text":
            raise DamagedFileError(f"/{path}", "no text")
        return self._file[path]

    def _json(self, path: str) -> dict[str, Any]:
        with reading(f"/{path}"):
            return texts.read_json(self._text(path))


def is_hdf5(path: Path) -> bool:
    """Return whether a file begins as HDF5 does."""
    return bool(h5py.is_hdf5(path))


def _size(path: Path) -> int:
    try:
        status = path.stat()
    except FileNotFoundError:
        raise ProjectFileError(
            f"'{path}' does not exist. It may have been moved or renamed.", code="file-not-found"
        ) from None
    except OSError as error:
        raise ProjectFileError(
            f"'{path}' cannot be opened: {error.strerror}.", code="file-access"
        ) from error
    # Opening a pipe would wait for ever.
    if not stat.S_ISREG(status.st_mode):
        raise ProjectFileError(
            f"'{path}' is not a file. Choose a file ending in {layout.SUFFIX}.",
            code="not-a-project",
        )
    if status.st_size == 0:
        raise ProjectFileError(
            f"'{path.name}' is empty. Open its backup, '{path.name}.bak'.", code="file-damaged"
        )
    if not os.access(path, os.R_OK):
        raise ProjectFileError(
            f"You do not have permission to read '{path}'. Check its permissions.",
            code="file-access",
        )
    return status.st_size


def _require_new_format(path: Path) -> None:
    """Refuse the format before HDF5 1.8, which has no checksums, before the library opens it."""
    with path.open("rb") as stream:
        beginning = stream.read(len(HDF5_BEGINNING) + 1)
    if beginning[:-1] != HDF5_BEGINNING or beginning[-1] < _OLDEST_FORMAT:
        raise ProjectFileError(
            f"'{path.name}' is not a Coterie project: it is HDF5 in a form that Coterie does not "
            f"write. Choose a file ending in {layout.SUFFIX}.",
            code="not-a-project",
        )


def _opened(path: Path) -> h5py.File:
    try:
        # HDF5's own lock fails on some network disks. Nothing edits a project in place, and
        # `locking` keeps two windows apart.
        return h5py.File(path, "r", locking=False)
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        what = "is truncated" if "truncated" in str(error) else "is damaged and cannot be opened"
        raise ProjectFileError(
            f"'{path.name}' {what}. Open its backup, '{path.name}.bak', if there is one.",
            code="file-damaged",
        ) from error
