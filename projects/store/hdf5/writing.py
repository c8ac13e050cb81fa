"""Writes the HDF5 file of a save, and reads it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py

from coterie.core.errors import ProjectFileError
from coterie.core.io.clock import timestamp
from coterie.core.model.artefacts import Artefact
from coterie.core.version import VERSION
from coterie.projects.store.hdf5 import codecs, layout, texts
from coterie.projects.store.hdf5.codecs import checksum
from coterie.projects.store.hdf5.content import Content, Find, Stage
from coterie.projects.store.hdf5.disk import Disk
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.temporary import TemporaryFile

# Of the forms that every HDF5 library since 1.8 reads, the one that has checksums on what describes
# the data, so damage there is noticed before the library trips over it.
_VERSIONS = ("v108", "latest")

# HDF5's own bookkeeping: some KB for each artefact, and a start.
_OVERHEAD, _OVERHEAD_EACH = 1 << 20, 64 << 10

_UNVERIFIED = (
    "The project was not saved: reading it back gave different data. The disk may be "
    "failing; save to another disk."
)


class LocalWriter:
    """Writes in this process; see `saving.Writer` and `saving.save_project`."""

    def __init__(self, content: Content, find: Find, previous: Path | None) -> None:
        self._content, self._find = content, find
        self._opened = ExitStack()
        self._old = _opened(previous, self._opened)
        self._checksums: dict[str, int] = {}

    def condition(self, target: Path) -> str:
        """Return "" for a whole project at `target`, "damaged", or who wrote a newer one."""
        try:
            with ProjectFile.open(target) as present:
                header = present.header
        except ProjectFileError:
            return "damaged"
        return (header.writer or "a newer version") if header.read_only else ""

    def plan(self) -> int:
        """Settle where each artefact comes from; return the bytes that may be needed."""
        self._plan = _Plan(self._content, self._find, self._old)
        return self._plan.nbytes

    def write(self, temporary: TemporaryFile, stage: Stage) -> None:
        """Write all of the project."""
        self.write_to(temporary.handle, stage)

    def write_to(self, handle: int, stage: Stage) -> None:
        """Write all of the project to an open file."""
        self._checksums = _write(Disk(handle), self._content, self._plan, stage)

    def verify(self, temporary: TemporaryFile) -> None:
        """Read back what was written, or raise."""
        self.verify_at(temporary.path)

    def verify_at(self, path: Path) -> None:
        """Read back what was written, or raise."""
        _verify(path, self._plan, self._checksums)

    def close(self) -> None:
        """Let go of the previous file."""
        self._opened.close()


class _Plan:
    """Where each artefact of a project comes from, settled before a byte is written."""

    def __init__(self, content: Content, find: Find, old: ProjectFile | None) -> None:
        self.find = find
        self.old = old
        self.left_out = frozenset(one["key"] for one in content.left_out.values())
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

    def link(self, dataset: str | None) -> str | None:
        """Return which data an artefact is about, as far as they are stored."""
        return None if dataset in self.left_out else dataset

    def _settle(self, key: str) -> str | None:
        artefact = self.find(key)
        if artefact is not None:
            self.found.append(key)
            self.nbytes += artefact.encoded.nbytes + _OVERHEAD_EACH
            return self.link(artefact.dataset)
        if self.old is not None and key in self.old.entries:
            self.copied.append(key)
            self.nbytes += self.old.entries[key].stored + _OVERHEAD_EACH
            return self.link(self.old.entries[key].dataset)
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
            section = sections[plan.old.entries[key].path.split("/")[1]]
            plan.old.copy_into(section, key)
            if plan.old.entries[key].dataset in plan.left_out:
                del section[key].attrs[layout.DATASET]
            disk.check()
        for key in plan.found:
            stage("write")
            artefact = _again(plan.find, key)
            artefact = replace(artefact, dataset=plan.link(artefact.dataset))
            group = sections[layout.section(artefact.type)].create_group(key)
            codecs.write(group, artefact)
            checksums[key] = checksum(artefact)
            disk.check()
        texts.write_json(file, layout.STEPS, content.steps)
        if content.left_out:
            texts.write_json(file, layout.LEFT_OUT, content.left_out)
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
            _ = written.steps, written.left_out, written.recipe, written.view
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
