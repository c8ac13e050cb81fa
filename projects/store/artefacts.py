"""Where a session's artefacts are: its workspace, and the project file it was opened from.

What touches the project file takes time: the session has it done in the background.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import ProjectFileError, WorkspaceError
from coterie.core.io.artefact_folder import DamagedArtefactError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.projects.sources.scene_paths import with_moved, with_place, without_place
from coterie.projects.store.file_mark import is_same, mark_of
from coterie.projects.store.flushing import Flushing
from coterie.projects.store.old_keys import TranslatedFile, is_of_0_1
from coterie.projects.store.opened_file import Opened
from coterie.projects.store.state import keys_of_step
from coterie.projects.store.work_folder import WorkFolder

if TYPE_CHECKING:
    from coterie.projects.store.confined_file import ConfinedFile, ConfinedWriter
    from coterie.projects.store.hdf5.content import Content
    from coterie.projects.store.hdf5.locking import ProjectLock
    from coterie.projects.store.hdf5.reading import ProjectFile
    from coterie.projects.store.hdf5.temporary import TemporaryFile


class Storage:
    """A workspace that is filled from a project file as artefacts are asked for.

    Parameters
    ----------
    confined : whether project files are parsed by another process, which may do nothing else
    """

    def __init__(self, root: Path, *, confined: bool = False) -> None:
        self.home = WorkFolder(root)
        self.folder = self.home.path
        self.workspace = Workspace(self.folder)
        self._flushing = Flushing(self.folder)
        self._confined = confined
        self._writer: ConfinedWriter | None = None  # of the file that was just saved
        self._file: ProjectFile | ConfinedFile | TranslatedFile | None = None
        self._lock: ProjectLock | None = None
        self._opened: Opened | None = None
        self._mark: tuple[int, ...] | None = None  # of the file when it was opened
        self._verified: set[str] = set()
        self._rewritten: set[str] = set()  # newer in the workspace than in the file
        # The files that may be read now: where the scenes of a project file are looked for.
        self.readable: Callable[[], Iterable[str]] = tuple
        self.versions = 1  # earlier ones of a project that are kept beside it
        # The default parameters of a method, by "kind/id"; none while no catalogue is known.
        self.defaults: Callable[[str], Mapping[str, Any]] = lambda name: {}

    @property
    def opened(self) -> Opened | None:
        """What the project file holds; None for a project that was never saved."""
        return self._opened

    def holds(self, key: str) -> bool:
        """Return whether an artefact is in the workspace or in the project file."""
        return key in self.workspace or (self._opened is not None and key in self._opened.entries)

    def parts_of(self, key: str) -> Mapping[str, str] | None:
        """Return the keys of the parts that were published beside an artefact that is held.

        None, when it turns out to be damaged.
        """
        if key in self.workspace:
            try:
                return dict(self.workspace.record(key)["provenance"].get("parts", {}))
            except WorkspaceError:
                return None
        steps = self._opened.steps.values() if self._opened is not None else ()
        return next((dict(step.get("parts", {})) for step in steps if step["key"] == key), {})

    def provenance_of(self, key: str) -> Mapping[str, Any]:
        """Return how an artefact came about, wherever it is; empty when it is nowhere."""
        if key in self.workspace:
            return dict(self.workspace.record(key)["provenance"])
        if self._file is not None and key in self._file.entries:
            return self._file.provenance(key)
        left = self._opened.left_out.values() if self._opened is not None else ()
        return next((dict(one.provenance) for one in left if one.key == key), {})

    def move_scene(self, old: Path, new: Path, keys: Iterable[str]) -> set[str]:
        """Let datasets know that the scene they are pixels of is elsewhere now.

        Returns the keys of those that it concerned. They keep their keys: nothing of what they
        hold has changed.
        """
        moved = set()
        for key in keys:
            found = self._dataset(key)
            told = found if found is None else with_moved(found, old, new)
            if told is not None and told is not found:
                if key in self.workspace:
                    self.workspace.restate(told)
                else:
                    self.workspace.write(told)
                moved.add(key)
        self._rewritten |= moved
        return moved

    def _dataset(self, key: str) -> Artefact | None:
        if key in self.workspace:
            found = self.workspace.read(key)
        elif self._file is not None and key in self._file.entries:
            if self._file.entries[key].type != "dataset":
                return None
            found = self._file.read(key)
        else:
            return None
        return found if found.encoded.type == "dataset" else None

    def open(
        self,
        path: Path,
        *,
        lock: bool = True,
        understand: Callable[[Opened], object] = lambda opened: None,
    ) -> Opened:
        """Open a project file; what was open before is closed, unless `understand` raises."""
        from coterie.projects.store.hdf5.locking import ProjectLock

        again = self._lock is not None and self._lock.path == Path(os.path.realpath(path))
        taken = ProjectLock.acquire(path) if lock and not again else None
        mark = mark_of(path)
        try:
            file, opened = self._look_into(path, understand)
        except BaseException:
            if taken is not None:
                taken.release()
            raise
        self._close_file(keep_lock=again)
        self._file, self._opened, self._mark = file, opened, mark
        self._rewritten = set()
        self._lock = self._lock if again else taken
        return opened

    def peek(self, path: Path) -> Opened:
        """Return what a project file holds; what is open stays so."""
        file, opened = self._look_into(path, lambda opened: None)
        file.close()
        return opened

    def keep_state(self, state: Mapping[str, Any]) -> None:
        """Autosave a state, and have the results that it names on the disk within seconds."""
        self.home.keep_state(state)
        self._flushing.note(key for step in state["steps"].values() for key in keys_of_step(step))

    def reserve(self, path: Path) -> None:
        """Hold the lock of a project file that is yet to be written."""
        from coterie.projects.store.hdf5.locking import ProjectLock

        taken = ProjectLock.acquire(path)
        self._close_file()
        self._lock = taken

    def bring(self, keys: Iterable[str]) -> None:
        """Copy artefacts, with the datasets they are about, from the file to the workspace."""
        for key in keys:
            found = None
            if key in self.workspace:
                dataset = self.workspace.record(key)["dataset"]
            elif self._file is not None and key in self._file.entries:
                found = self._file.read(key)
                dataset = found.dataset
            else:
                raise WorkspaceError(
                    f"The result {key[:12]} is missing from both the workspace and the "
                    "project. Run its step again.",
                    code="result-missing",
                )
            if dataset is not None:
                # First: who finds the artefact there takes it, with data or without.
                self.bring((dataset,))
            if found is not None:
                assert self._file is not None
                self._file.write_into(self.workspace, with_place(found, self.readable()), key)

    def let_go(self, keys: Iterable[str]) -> None:
        """Remove results from the workspace, but none of work that is being taken over."""
        spared = self.home.spared
        for key in keys:
            if key not in spared:
                self.workspace.discard(key)

    def make_room(self, keep: Iterable[str], quota: int | None) -> None:
        """Remove what nobody names from the workspace until it fits a quota.

        The steps of work that is being taken over name their results only when all are there.
        """
        self.workspace.evict({*keep, *self.home.spared}, quota)

    def save(self, path: Path, content: Content, *, overwrite: bool = False) -> Opened:
        """Save to a project file, and go on from that file.

        A file that another program has changed since it was opened is replaced only when
        `overwrite` says so.
        """
        from coterie.projects.store.hdf5.locking import ProjectLock

        path = path.absolute()
        previous = self._opened.path if self._opened is not None else None
        if previous is not None and mark_of(previous) != self._mark:
            if not overwrite and is_same(previous, path) and self._is_whole(previous):
                raise ProjectFileError(
                    f"'{path.name}' was changed by another program since it was opened here. Save "
                    "under another name to keep both, or overwrite it.",
                    code="project-changed",
                )
            self._take_out(content)
            previous = None
        held = self._lock is not None and self._lock.path == Path(os.path.realpath(path))
        taken = None if held else ProjectLock.acquire(path)
        try:
            self._take_out_translated()
            self._close_file(keep_lock=True)
            self._write(path, content, previous)
        except BaseException:
            if taken is not None:
                taken.release()
            if previous is not None:
                # It may be gone or damaged by now; why the save failed is what matters.
                with contextlib.suppress(ProjectFileError):
                    self._reopen(previous)
            raise
        if taken is not None:
            if self._lock is not None:
                self._lock.release()
            self._lock = taken
        self._rewritten = set()
        return self._reopen(path)

    def go_back_to(self, path: Path) -> str:
        """Open the project file of restored work; return why not, when that is not possible."""
        from coterie.projects.store.hdf5.locking import ProjectInUseError

        try:
            try:
                self.open(path)
            except ProjectInUseError:  # its results can be read all the same
                self.open(path, lock=False)
        except ProjectFileError as error:
            return str(error)
        return ""

    def close(self, *, remove: bool) -> None:
        """Close the file and give up the workspace; `remove` deletes it."""
        self._close_file()
        self._flushing.close()
        self.home.close(remove=remove)

    def forget_file(self) -> None:
        """Close the project file and stand for a project that was never saved."""
        self._close_file()
        self._opened = None

    def _write(self, path: Path, content: Content, previous: Path | None) -> None:
        """Copy what the previous file holds as it is stored there, which is much faster than
        packing it again; if that file is damaged now, take all from the workspace."""
        known = set(self._opened.entries if self._opened is not None else ()) - self._rewritten
        self._verified = set()  # each is asked for twice in one save
        try:
            self._write_once(path, content, frozenset(known), previous)
        except ProjectFileError as error:
            if not known or error.code == "saved-in-doubt":
                raise
            self._write_once(path, content, frozenset(), previous)

    def _write_once(
        self, path: Path, content: Content, known: frozenset[str], previous: Path | None
    ) -> None:
        from coterie.projects.store.hdf5 import saving

        if self._confined:
            from coterie.projects.store.confined_file import ConfinedWriter

            writers: list[ConfinedWriter] = []

            def begin(temporary: TemporaryFile) -> saving.SaveWriter:
                details = (content, self.workspace, known, previous)
                writers.append(ConfinedWriter(temporary, path, *details))
                return writers[0]

            try:
                saving.save_by(path, begin, versions=self.versions)
            except BaseException:
                for writer in writers:
                    writer.end()
                raise
            self._writer = writers[0]
            return
        saving.save_project(
            path,
            content,
            find=lambda key: None if key in known else self._find(key),
            previous=previous,
            versions=self.versions,
        )

    def _is_whole(self, path: Path) -> bool:
        """Whether a file can be opened as a project."""
        try:
            self._stored(path).close()
        except ProjectFileError:
            return False
        return True

    def _take_out(self, content: Content) -> None:
        """Bring what only the file holds, which is gone or changed on the disk but still open."""
        assert self._opened is not None
        named = {key for step in content.steps.values() for key in keys_of_step(step)}
        for key in (named | set(content.keys)) & set(self._opened.entries):
            # What cannot be read any more is missed when the project is written, with a sentence.
            with contextlib.suppress(ProjectFileError):
                self.bring((key,))
        self._rewritten |= set(self._opened.entries)

    def _take_out_translated(self) -> None:
        """Bring what has another key than in the file, where it cannot be copied from as stored."""
        if isinstance(self._file, TranslatedFile):
            self.bring(self._file.translated & set(self._file.entries))
            self._rewritten |= self._file.translated

    def _find(self, key: str) -> Artefact | None:
        """Return an artefact that is about to be kept for good, every byte of it verified.

        A damaged one is discarded, so running its step again helps.
        """
        if key not in self.workspace:
            return None
        try:
            if key not in self._verified:
                self.workspace.verify(key)
                self._verified.add(key)
            return without_place(self.workspace.read(key))
        except DamagedArtefactError as error:
            self.workspace.discard(key)
            raise WorkspaceError(
                f"The project was not saved. {error}", code="project-not-saved"
            ) from error

    def _reopen(self, path: Path) -> Opened:
        mark = mark_of(path)
        self._file, self._opened = self._look_into(path, lambda opened: None)
        self._mark = mark
        return self._opened

    def _look_into(
        self, path: Path, understand: Callable[[Opened], object]
    ) -> tuple[ProjectFile | ConfinedFile | TranslatedFile, Opened]:
        """Open a project file, which stays open unless something in it is wrong."""
        stored = self._stored(path)
        try:
            file = TranslatedFile(stored, self.defaults) if is_of_0_1(stored.recipe) else stored
            opened = Opened(
                path,
                file.header,
                dict(file.entries),
                file.steps,
                file.recipe,
                file.view,
                file.left_out,
            )
            understand(opened)
        except BaseException:
            stored.close()
            raise
        return file, opened

    def _stored(self, path: Path) -> ProjectFile | ConfinedFile:
        if self._confined:
            from coterie.projects.store.confined_file import ConfinedFile

            writer, self._writer = self._writer, None
            return writer.reader() if writer is not None else ConfinedFile(path, self.folder)
        from coterie.projects.store.hdf5.reading import ProjectFile

        return ProjectFile.open(path)

    def _close_file(self, *, keep_lock: bool = False) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None and not keep_lock:
            self._lock.release()
            self._lock = None
