"""Project files as a confined process serves them; `projects/store/confined_file.py` asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coterie.core.errors import ProjectFileError, WorkspaceError
from coterie.core.io.artefact_folder import DamagedArtefactError
from coterie.core.io.platform.open_files import NO_FOLLOW
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.projects.sources.scene_paths import without_place
from coterie.projects.store.hdf5.content import Content
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.refusals import writing
from coterie.projects.store.hdf5.writing import LocalWriter


class ProjectService:
    """Opens one project file, and brings its artefacts into a folder; or writes one."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._file: ProjectFile | None = None
        self._found: WorkspaceArtefacts | None = None
        self._writer: LocalWriter | None = None
        self._target = Path()

    # Reading

    def open(self, path: str) -> dict[str, Any]:
        """Open a project and return all that is not an array."""
        self._file = file = ProjectFile.open(path)
        return {
            "header": asdict(file.header),
            "entries": [asdict(entry) for entry in file.entries.values()],
            "steps": file.steps,
            "left_out": {name: one.as_json() for name, one in file.left_out.items()},
            "recipe": file.recipe,
            "view": file.view,
        }

    def provenance(self, key: str) -> dict[str, Any]:
        """Return how an artefact came about."""
        return self._opened().provenance(key)

    def bring(self, key: str, inbox: str) -> None:
        """Write an artefact into the workspace `inbox`."""
        Workspace(Path(inbox)).write(self._opened().read(key))

    def _opened(self) -> ProjectFile:
        if self._file is None:
            raise ProjectFileError("No project is open.", code="project-file")
        return self._file

    # Saving

    def begin(
        self,
        target: str,
        content: Mapping[str, Any],
        previous: str | None,
        workspace: str,
        stored: list[str],
    ) -> None:
        """Begin a save; what is `stored` is copied from the previous file as it is."""
        self._target = Path(target)
        self._found = WorkspaceArtefacts(Workspace(Path(workspace)), frozenset(stored))
        told = {**content, "keys": tuple(content["keys"])}
        before = Path(previous) if previous is not None else None
        self._writer = LocalWriter(Content(**told), self._found.find, before)

    def condition(self, target: str) -> str:
        """See `saving.Writer`."""
        return self._begun().condition(Path(target))

    def plan(self) -> int:
        """See `saving.Writer`."""
        return self._begun().plan()

    def write(self, path: str) -> None:
        """Write the project to an empty file."""
        with writing(self._target):
            handle = os.open(path, os.O_RDWR | NO_FOLLOW)
            try:
                self._begun().write_to(handle, lambda stage: self._tell(0.0, stage))
            finally:
                os.close(handle)

    def verify(self, path: str) -> None:
        """See `saving.Writer`."""
        self._begun().verify_at(Path(path))

    def release(self) -> None:
        """Let go of the previous file."""
        self._begun().close()

    def damaged(self) -> list[str]:
        """Return the keys of results in the workspace that turned out to be damaged."""
        return self._found.damaged if self._found is not None else []

    def _begun(self) -> LocalWriter:
        if self._writer is None:
            raise ProjectFileError("No save was begun.", code="project-file")
        return self._writer


class WorkspaceArtefacts:
    """Finds the artefacts of a save in a workspace, every byte of them verified."""

    def __init__(self, workspace: Workspace, stored: frozenset[str]) -> None:
        self._workspace, self._stored = workspace, stored
        self._verified: set[str] = set()  # each is asked for twice in one save
        self.damaged: list[str] = []

    def find(self, key: str) -> Artefact | None:
        """Return an artefact that is about to be kept for good; None where the file has it."""
        if key in self._stored or key not in self._workspace:
            return None
        try:
            if key not in self._verified:
                self._workspace.verify(key)
                self._verified.add(key)
            return without_place(self._workspace.read(key))
        except DamagedArtefactError as error:
            self.damaged.append(key)
            raise WorkspaceError(
                f"The project was not saved. {error}", code="project-not-saved"
            ) from error
