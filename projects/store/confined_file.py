"""A project file that another process opens, checks and reads; this one parses nothing of it.

That process may read the project file, and fill one folder of the workspace: the inbox. What it
puts there is looked at before it is moved among the results. When it dies, the call fails with a
sentence, and the next one starts another.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from coterie.core.errors import CoterieError, ProjectFileError
from coterie.core.io.confined.process import ConfinedProcess, ReaderLostError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact, is_key
from coterie.projects.confined_services import PROJECTS
from coterie.projects.store.hdf5.content import Content, Stage
from coterie.projects.store.hdf5.entries import ArtefactEntry, Header, is_step
from coterie.projects.store.left_out import LeftOut

if TYPE_CHECKING:
    from coterie.projects.store.hdf5.temporary import TemporaryFile

# Seconds that a process may be silent: a busy machine, and a disk of 5 MB a second.
_PATIENCE, _BYTES_A_SECOND = 120.0, 5e6

# What comes of taking an answer apart that is not what it should be.
_NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)

T = TypeVar("T")


class ConfinedFile:
    """A project file that is open in a confined process; as `hdf5.reading.ProjectFile`."""

    def __init__(
        self,
        path: Path,
        folder: Path,
        process: ConfinedProcess | None = None,
        inbox: Workspace | None = None,
    ) -> None:
        """Open `path`; what is read of it goes through a folder within `folder`.

        A `process` that wrote the file can go on to read it, with its inbox.
        """
        self.path = path
        self._inbox = inbox or _new_inbox(folder)
        self._process = process
        try:
            told = self._open()
            self.header, self.entries, self.steps = _described(told)
            self.recipe, self.view = str(told["recipe"]), dict(told["view"])
            self.left_out = {
                str(name): LeftOut.from_json(one) for name, one in told["left_out"].items()
            }
        except BaseException as error:
            self.close()
            if isinstance(error, _NONSENSE) and not isinstance(error, CoterieError):
                raise _nonsense(path) from error
            raise

    def provenance(self, key: str) -> dict[str, Any]:
        """Return how the artefact `key` came about."""
        found = self._ask(lambda process: process.call("provenance", patience=_PATIENCE, key=key))
        if not isinstance(found.value, dict):
            raise _nonsense(self.path)
        return found.value

    def read(self, key: str) -> Artefact:
        """Return the artefact `key`, its arrays mapped from the inbox."""
        if key not in self._inbox:
            patience = _PATIENCE + self.entries[key].nbytes / _BYTES_A_SECOND
            inbox = str(self._inbox.folder)
            self._ask(
                lambda process: process.call("bring", patience=patience, key=key, inbox=inbox)
            )
        return self._inbox.read(key)

    def write_into(self, workspace: Workspace, artefact: Artefact, stored: str) -> None:
        """Move an artefact that was read from the inbox into a workspace."""
        workspace.take_over(artefact, self._inbox, stored)

    def close(self) -> None:
        """End the process, and remove what nobody took."""
        if self._process is not None:
            self._process.close()
            self._process = None
        shutil.rmtree(self._inbox.folder, ignore_errors=True)

    def _open(self) -> Any:
        require_file(self.path)
        size = self.path.stat().st_size
        if self._process is None or not self._process.alive:
            self._process = ConfinedProcess(
                PROJECTS, self.path.name, read=[self.path], write=[self._inbox.folder]
            )
        patience = _PATIENCE + size / _BYTES_A_SECOND
        return _for_project(
            lambda: self._call("open", patience=patience, path=str(self.path)), self.path
        ).value

    def _call(self, method: str, **values: Any) -> Any:
        assert self._process is not None
        return self._process.call(method, **values)

    def _ask(self, question: Callable[[ConfinedProcess], T]) -> T:
        """Ask the process, or another one when it is gone; the file must be the same."""
        if self._process is not None and not self._process.alive:
            self._process.close()
            told = self._open()
            try:
                _, entries, _ = _described(told)
            except _NONSENSE as error:
                raise _nonsense(self.path) from error
            if entries != self.entries:
                raise ProjectFileError(
                    f"'{self.path.name}' was changed by another program while it was open. Save "
                    "this project under another name, and open the file again.",
                    code="project-changed",
                )
        process = self._process
        if process is None:
            raise ProjectFileError(f"'{self.path.name}' is closed.", code="project-file")
        return _for_project(lambda: question(process), self.path)


class ConfinedWriter:
    """Writes the HDF5 file of a save in a confined process; as `hdf5.saving.Writer`.

    Parameters
    ----------
    workspace : where the artefacts are
    stored : keys of those that are copied from the previous file as they are
    """

    def __init__(
        self,
        temporary: TemporaryFile,
        target: Path,
        content: Content,
        workspace: Workspace,
        stored: frozenset[str],
        previous: Path | None,
    ) -> None:
        self._workspace = workspace
        self._target = target
        self._inbox = _new_inbox(workspace.folder)
        target = Path(os.path.realpath(target))
        read = [workspace.folder, target]
        read += [previous] if previous is not None else []
        self._process = ConfinedProcess(PROJECTS, target.name, read=read, write=[temporary.path])
        self._ask(
            "begin",
            target=str(target),
            content=asdict(content),
            previous=None if previous is None else str(previous),
            workspace=str(workspace.folder),
            stored=sorted(stored),
        )

    def condition(self, target: Path) -> str:
        """See `saving.Writer`."""
        return str(self._ask("condition", target=str(target)))[:200]

    def plan(self) -> int:
        """See `saving.Writer`."""
        self._nbytes = int(self._ask("plan"))
        return self._nbytes

    def write(self, temporary: TemporaryFile, stage: Stage) -> None:
        """See `saving.Writer`."""
        self._ask("write", lambda _, name: stage(name), path=str(temporary.path))

    def verify(self, temporary: TemporaryFile) -> None:
        """See `saving.Writer`."""
        self._ask("verify", path=str(temporary.path))

    def close(self) -> None:
        """Let go of the previous file; the process lives on, for `reader`, until `end`."""
        if self._process.alive:
            self._ask("release")

    def reader(self) -> ConfinedFile:
        """Return the file that was written, read by the same process.

        It may read that file by its new name: it is the same file.
        """
        return ConfinedFile(self._target, self._workspace.folder, self._process, self._inbox)

    def end(self) -> None:
        """End the process."""
        self._process.close()
        shutil.rmtree(self._inbox.folder, ignore_errors=True)

    def _ask(
        self, method: str, report: Callable[[float, str], None] | None = None, **values: Any
    ) -> Any:
        patience = _PATIENCE + getattr(self, "_nbytes", 0) / _BYTES_A_SECOND
        try:
            return _for_project(
                lambda: self._process.call(method, patience=patience, report=report, **values),
                self._target,
                "was not saved",
            ).value
        except CoterieError:
            with contextlib.suppress(CoterieError, TypeError):
                for key in self._process.call("damaged", patience=_PATIENCE).value:
                    self._workspace.discard(str(key))
            self.end()
            raise


def _new_inbox(folder: Path) -> Workspace:
    return Workspace(Path(tempfile.mkdtemp(prefix="incoming-", dir=folder)))


def require_file(path: Path) -> None:
    """Raise a clear error unless there is a file to open."""
    if not path.exists():
        raise ProjectFileError(
            f"'{path}' does not exist. It may have been moved or renamed.", code="file-not-found"
        )


def _for_project(question: Callable[[], T], path: Path, what: str = "cannot be opened") -> T:
    try:
        return question()
    except ReaderLostError as error:
        raise ProjectFileError(
            f"'{path.name}' {what}. {error} Open its backup, '{path.name}.bak', if there is one.",
            code=error.code,
        ) from error


def _described(
    told: Mapping[str, Any],
) -> tuple[Header, dict[str, ArtefactEntry], dict[str, Any]]:
    """Return header, artefacts and steps; a hostile file may have had a hand in them."""
    header = Header(**told["header"])
    entries = {}
    for one in told["entries"]:
        entry = ArtefactEntry(**{**one, "shape": tuple(int(side) for side in one["shape"])})
        if not is_key(entry.key) or not (entry.dataset is None or is_key(entry.dataset)):
            raise ValueError("a key that is not one")
        if not all(isinstance(count, int) for count in (entry.nbytes, entry.stored, entry.version)):
            raise TypeError("a size that is not one")
        entries[entry.key] = entry
    steps = dict(told["steps"])
    if not all(is_step(step) for step in steps.values()):
        raise ValueError("a step without its key")
    return header, entries, steps


def _nonsense(path: Path) -> ProjectFileError:
    return ProjectFileError(
        f"'{path.name}' is damaged and cannot be opened. Open its backup, '{path.name}.bak', if "
        "there is one.",
        code="file-damaged",
    )
