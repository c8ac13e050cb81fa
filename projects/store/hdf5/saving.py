"""Saves a project so, at every instant, the old or the new file is whole under its name.

docs/adr/0006-atomic-saving.md gives the reasons for the order of things here. Everything that
touches HDF5 is done by a `SaveWriter`, in this process or in a confined one.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from coterie.core.errors import ProjectFileError
from coterie.core.io.platform import durable
from coterie.core.wording import size_in_words
from coterie.projects.store.hdf5 import backups
from coterie.projects.store.hdf5.content import Content as Content
from coterie.projects.store.hdf5.content import Find, Stage
from coterie.projects.store.hdf5.refusals import short, writing
from coterie.projects.store.hdf5.temporary import TemporaryFile, remove_stale


class SaveWriter(Protocol):
    """Writes the HDF5 file of one save."""

    def condition(self, target: Path) -> str:
        """Return "" for a whole project at `target`, "damaged", or who wrote a newer one."""

    def plan(self) -> int:
        """Settle where each artefact comes from; return the bytes that may be needed."""

    def write(self, temporary: TemporaryFile, stage: Stage) -> None:
        """Write all of the project."""

    def verify(self, temporary: TemporaryFile) -> None:
        """Read back what was written, or raise."""

    def close(self) -> None:
        """Let go of all files."""


Begin = Callable[[TemporaryFile], SaveWriter]


def save_project(
    path: str | os.PathLike[str],
    content: Content,
    *,
    find: Find,
    previous: Path | None = None,
    stage: Stage = lambda name: None,
    versions: int = 1,
) -> None:
    """Write the project to `path`, and keep the file that was there as `.bak`.

    Parameters
    ----------
    find : gives an artefact by key, or None for one that `previous` holds; it is asked once to
        plan and once to write, so no more than one artefact need be in memory
    previous : the project file that was opened, from which other artefacts are copied as stored
    stage : called with the name of each stage before it begins
    versions : how many earlier versions to keep, `.bak` the last of them

    Raises
    ------
    ProjectFileError
        when it cannot be saved; the file at `path` is then as it was, unless the code is
        "saved-in-doubt"
    """

    def begin(_: TemporaryFile) -> SaveWriter:
        from coterie.projects.store.hdf5.writing import LocalWriter

        return LocalWriter(content, find, previous)

    save_by(path, begin, stage, versions=versions)


def save_by(
    path: str | os.PathLike[str],
    begin: Begin,
    stage: Stage = lambda name: None,
    *,
    versions: int = 1,
) -> None:
    """Save as `save_project` does, by the writer that `begin` makes for the temporary file."""
    target = Path(os.path.realpath(path))  # a link keeps pointing to its project
    with writing(target):
        _require_writable(target)
        remove_stale(target)
        stage("create")
        with ExitStack() as opened:
            temporary = TemporaryFile(target)
            opened.callback(temporary.discard)
            if target.exists():
                shutil.copymode(target, temporary.path)
            stage("plan")
            writer = begin(temporary)
            opened.callback(writer.close)
            backup = _backup(target, writer)
            _require_space(target, writer.plan())
            writer.write(temporary, stage)
            stage("sync")
            _sync(temporary)
            stage("verify")
            writer.verify(temporary)
            writer.close()  # Windows replaces no file that is open
            stage("back up")
            if backup == backups.backup_path(target):
                backups.make_room(target, versions)
            if backup is not None:
                backups.keep(target, backup)
            stage("replace")
            temporary.take_place_of(target)
            _make_last(target, stage)


def _make_last(target: Path, stage: Stage) -> None:
    """Wait until the new name is on the disk. From here on the project is saved."""
    try:
        stage("sync folder")
        durable.sync_folder(target.parent)
        stage("done")
    except OSError as error:
        raise ProjectFileError(
            f"'{target.name}' was saved, but the disk does not confirm it ({short(error)}). A "
            "power cut could bring the previous version back; save a copy to another disk.",
            code="saved-in-doubt",
        ) from error


def _backup(target: Path, writer: SaveWriter) -> Path | None:
    """Return the name under which the present file is kept; a damaged one drives out no good one.

    A file from a newer Coterie is not replaced: we would drop what we do not know.
    """
    if not target.exists():
        return None
    condition = writer.condition(target)
    if condition == "damaged":
        return target.with_name(f"{target.name}{backups.DAMAGED}")
    if condition:
        raise ProjectFileError(
            f"'{target.name}' was not saved: it is from a newer version of Coterie "
            f"({condition}), and saving could lose some of its contents. Save under "
            "another name.",
            code="newer-version",
        )
    return backups.backup_path(target)


def _require_writable(target: Path) -> None:
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "No such folder", str(target.parent))
    if target.is_dir():
        raise ProjectFileError(
            f"'{target.name}' was not saved: a folder with that name exists.",
            code="project-not-saved",
        )
    # Replacing a file asks the folder, not the file; its owner's wish is still to be respected.
    if target.exists() and not target.stat().st_mode & stat.S_IWUSR:
        raise ProjectFileError(
            f"'{target.name}' was not saved: it is marked read-only. Save under another "
            "name, or make it writable.",
            code="file-access",
        )


def _require_space(target: Path, needed: int) -> None:
    free = shutil.disk_usage(target.parent).free
    if needed > free:
        raise ProjectFileError(
            f"'{target.name}' was not saved: it may take {size_in_words(needed)} and the disk has "
            f"{size_in_words(free)} left. Free some space, or save it on another disk.",
            code="disk-full",
        )


def _sync(temporary: TemporaryFile) -> None:
    durable.sync(temporary.handle)
