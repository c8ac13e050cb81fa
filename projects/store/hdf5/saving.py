"""Saves a project so, at every instant, the old or the new file is whole under its name.

docs/adr/0006-atomic-saving.md gives the reasons for the order of things here.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py

from coterie.core.errors import ProjectFileError
from coterie.core.io.clock import timestamp
from coterie.core.io.platform import durable
from coterie.core.model.artefacts import Artefact
from coterie.core.version import VERSION
from coterie.core.wording import size_in_words
from coterie.projects.store.hdf5 import codecs, layout, texts
from coterie.projects.store.hdf5.codecs import checksum
from coterie.projects.store.hdf5.disk import Disk
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.refusals import writing
from coterie.projects.store.hdf5.temporary import TemporaryFile, remove_stale, temporary_path

BACKUP = ".bak"
DAMAGED = ".damaged"

# Of the forms that every HDF5 library since 1.8 reads, the one that has checksums on what describes
# the data, so damage there is noticed before the library trips over it.
_VERSIONS = ("v108", "latest")

# HDF5's own bookkeeping: some KB for each artefact, and a start.
_OVERHEAD, _OVERHEAD_EACH = 1 << 20, 64 << 10

_UNVERIFIED = (
    "The project was not saved: reading it back gave different data. The disk may be "
    "failing; save to another disk."
)

Find = Callable[[str], Artefact | None]
Stage = Callable[[str], None]


@dataclass(frozen=True)
class Content:
    """What a project consists of, its artefacts by key.

    Attributes
    ----------
    created : when the project was begun, as ISO 8601
    recipe : TOML
    steps : step name → {"key": …, "parts": {…}}
    view : what the window shows
    keys : artefacts to keep; those that `steps` names, and the datasets of all, come by themselves
    """

    title: str
    created: str
    recipe: str
    steps: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()


def save_project(
    path: str | os.PathLike[str],
    content: Content,
    *,
    find: Find,
    previous: Path | None = None,
    stage: Stage = lambda name: None,
) -> None:
    """Write the project to `path`, and keep the file that was there as `.bak`.

    Parameters
    ----------
    find : gives an artefact by key, or None for one that `previous` holds; it is asked once to
        plan and once to write, so no more than one artefact need be in memory
    previous : the project file that was opened, from which other artefacts are copied as stored
    stage : called with the name of each stage before it begins

    Raises
    ------
    ProjectFileError
        when it cannot be saved; the file at `path` is then as it was
    """
    target = Path(os.path.realpath(path))  # a link keeps pointing to its project
    with writing(target):
        _require_writable(target)
        remove_stale(target)
        stage("plan")
        backup = _backup(target)
        with ExitStack() as opened:
            old = _opened(previous, opened)
            plan = _Plan(content, find, old)
            _require_space(target, plan.nbytes)
            stage("create")
            temporary = TemporaryFile(target)
            opened.callback(temporary.discard)
            if target.exists():
                shutil.copymode(target, temporary.path)
            checksums = _write(Disk(temporary.handle), content, plan, stage)
            stage("sync")
            _sync(temporary)
            stage("verify")
            _verify(temporary.path, plan, checksums)
            if old is not None:
                old.close()  # Windows replaces no file that is open
            stage("back up")
            if backup is not None:
                _keep(target, backup)
            stage("replace")
            temporary.take_place_of(target)
            stage("sync folder")
            durable.sync_folder(target.parent)
            stage("done")


class _Plan:
    """Where each artefact of a project comes from, settled before a byte is written."""

    def __init__(self, content: Content, find: Find, old: ProjectFile | None) -> None:
        self.find = find
        self.old = old
        self.found: list[str] = []
        self.copied: list[str] = []
        self.nbytes = _OVERHEAD
        waiting = list(dict.fromkeys([*content.keys, *_step_keys(content.steps)]))
        seen = set(waiting)
        while waiting:
            dataset = self._settle(waiting.pop(0))
            if dataset is not None and dataset not in seen:
                seen.add(dataset)
                waiting.append(dataset)

    def _settle(self, key: str) -> str | None:
        artefact = self.find(key)
        if artefact is not None:
            self.found.append(key)
            self.nbytes += artefact.encoded.nbytes + _OVERHEAD_EACH
            return artefact.dataset
        if self.old is not None and key in self.old.entries:
            self.copied.append(key)
            self.nbytes += self.old.entries[key].stored + _OVERHEAD_EACH
            return self.old.entries[key].dataset
        raise ProjectFileError(
            f"The project was not saved: its result {key[:12]}… is missing from memory "
            "and from the opened file. Run its step again, then save.",
            code="result-missing",
        )


def _write(disk: Disk, content: Content, plan: _Plan, stage: Stage) -> dict[str, int]:
    """Write all of the project; return the checksum of every artefact that was not copied."""
    checksums: dict[str, int] = {}
    with h5py.File(disk, "w", libver=_VERSIONS) as file:
        _write_header(file, content)
        sections = {name: file.create_group(name) for name in layout.SECTIONS}
        for key in plan.copied:
            assert plan.old is not None
            stage("copy")
            plan.old.copy_into(sections[plan.old.entries[key].path.split("/")[1]], key)
            disk.check()
        for key in plan.found:
            stage("write")
            artefact = _again(plan.find, key)
            group = sections[layout.section(artefact.type)].create_group(key)
            codecs.write(group, artefact)
            checksums[key] = checksum(artefact)
            disk.check()
        texts.write_json(file, layout.STEPS, content.steps)
        texts.write_text(file, layout.RECIPE, content.recipe)
        texts.write_json(file, layout.VIEW, content.view)
        stage("flush")
    disk.check()
    return checksums


def _write_header(file: h5py.File, content: Content) -> None:
    header = {
        "format": layout.FORMAT,
        "schema": layout.SCHEMA,
        "min_reader": layout.MIN_READER,
        "writer": f"coterie {VERSION}",
        "title": content.title,
        "created": content.created,
        "modified": timestamp(),
    }
    for name, value in header.items():
        if not texts.fits_attribute(value):
            raise ProjectFileError(
                f"The project was not saved: its {name} is longer than "
                f"{texts.MOST_ATTRIBUTE_CHARACTERS} characters or not plain text. Shorten it.",
                code="project-not-saved",
            )
        texts.write_attribute(file, name, value)


def _verify(path: Path, plan: _Plan, checksums: Mapping[str, int]) -> None:
    """Open what was written as any reader would, and read back all that is new in it."""
    try:
        with ProjectFile.open(path) as written:
            same = {*plan.found, *plan.copied} == set(written.entries) and all(
                checksum(written.read(key)) == expected for key, expected in checksums.items()
            )
            _ = written.steps, written.recipe, written.view
    except ProjectFileError as error:
        raise ProjectFileError(_UNVERIFIED, code="project-not-saved") from error
    if not same:
        raise ProjectFileError(_UNVERIFIED, code="project-not-saved")


def _opened(previous: Path | None, opened: ExitStack) -> ProjectFile | None:
    """Return the previous file; None when it cannot be opened, in case it is not needed."""
    if previous is None:
        return None
    try:
        return opened.enter_context(ProjectFile.open(previous))
    except ProjectFileError:
        return None


def _backup(target: Path) -> Path | None:
    """Return the name under which the present file is kept; a damaged one drives out no good one.

    A file from a newer Coterie is not replaced: we would drop what we do not know.
    """
    if not target.exists():
        return None
    try:
        with ProjectFile.open(target) as present:
            header = present.header
    except ProjectFileError:
        return target.with_name(f"{target.name}{DAMAGED}")
    if header.read_only:
        raise ProjectFileError(
            f"'{target.name}' was not saved: it is from a newer version of Coterie "
            f"({header.writer}), and saving could lose some of its contents. Save under "
            "another name.",
            code="newer-version",
        )
    return target.with_name(f"{target.name}{BACKUP}")


def _keep(target: Path, backup: Path) -> None:
    """Give the present file a second name, the backup's; it stays whole under its own."""
    second = temporary_path(target)
    try:
        try:
            os.link(target, second)
        except OSError:  # a disk without hard links
            shutil.copy2(target, second)
            durable.sync_path(second)
        second.replace(backup)
    finally:
        # Renaming one name of a file to another name of the same file leaves both.
        second.unlink(missing_ok=True)


def _step_keys(steps: Mapping[str, Any]) -> Iterator[str]:
    for step in steps.values():
        yield step["key"]
        yield from step.get("parts", {}).values()


def _again(find: Find, key: str) -> Artefact:
    artefact = find(key)
    if artefact is None:
        raise ProjectFileError(
            f"The project was not saved: its result {key[:12]}… disappeared during the "
            "save. Save again.",
            code="result-missing",
        )
    return artefact


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
