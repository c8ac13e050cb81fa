"""The open project: where it is stored, and how it is created, opened, saved and restored.

What is done is autosaved by the workspace: `touch` writes all that a crash must not cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from psygnal import Signal

from coterie.core.errors import ProjectFileError, WorkspaceError
from coterie.core.io import clock
from coterie.core.model.recipes import Recipe
from coterie.projects.recipe.defaults import recipe_to_open
from coterie.projects.sources.attachments import FILE, take_out, take_out_again
from coterie.projects.sources.moved_scenes import moved_scenes
from coterie.projects.store.changed_file import differences
from coterie.projects.store.keeping import Keep
from coterie.projects.store.restoring import Adoption
from coterie.projects.store.state import ProjectState

if TYPE_CHECKING:
    from coterie.projects.jobs.background import BackgroundThread
    from coterie.projects.jobs.catalogue import LoadedPlugins
    from coterie.projects.jobs.run_steps import StepRuns
    from coterie.projects.recipe.editor import Edits
    from coterie.projects.recipe.keys import Computed
    from coterie.projects.selection import Selection
    from coterie.projects.store.artefacts import Storage
    from coterie.projects.store.opened_file import Opened
    from coterie.projects.store.results import Results


class OpenProject:
    """Available as `session.project`.

    `make_way` stops what is done for the present project before another takes its place.
    """

    opened: ClassVar[Signal] = Signal()  # another project, or a new one; `changed` follows
    changed: ClassVar[Signal] = Signal()  # the recipe, or anything else that is saved with it
    saved: ClassVar[Signal] = Signal(object)
    reached: ClassVar[Signal] = Signal(tuple)  # steps whose results are in reach again
    logged: ClassVar[Signal] = Signal(str)

    def __init__(
        self,
        edits: Edits,
        plugins: LoadedPlugins,
        results: Results,
        runs: StepRuns,
        storage: Storage,
        background: BackgroundThread,
        selection: Selection,
        make_way: Callable[[], None],
    ) -> None:
        self._edits, self._plugins = edits, plugins
        self._results, self._runs = results, runs
        self._storage, self._background = storage, background
        self._selection, self._make_way = selection, make_way
        self._created = clock.timestamp()
        self.keep: Keep = "quick"  # of the results between data and groups, those that are stored
        self._begun_at_once = 0
        self._asked_to_begin = 0
        self.path: Path | None = None
        self.modified = False
        edits.then = self.touch
        storage.defaults = self._defaults_of

    def _defaults_of(self, name: str) -> Mapping[str, Any]:
        catalogue = self._plugins.catalogue
        return catalogue.get(name).defaults if name in catalogue else {}

    @property
    def versions(self) -> int:
        """How many earlier versions of a saved project are kept beside it."""
        return self._storage.versions

    @versions.setter
    def versions(self, count: int) -> None:
        self._storage.versions = max(1, count)

    @property
    def title(self) -> str:
        """What the project is called."""
        return ProjectState(self._edits.recipe, path=self.path).title

    def touch(self) -> None:
        """Note that something changed that is to be saved: it is autosaved before this returns."""
        self.modified = True
        self._runs.refresh()
        self.autosave()
        self.changed.emit()

    def autosave(self) -> None:
        """Write what is needed to restore the project after a crash."""
        try:
            self._storage.keep_state(self._state().for_state())
        except WorkspaceError as error:
            self.logged.emit(str(error))

    def open(self, what: str | Path) -> Future[Opened] | None:
        """Open a sample, a recipe, a project or a data file by its name.

        Opening a project takes a while, and its failure is in the future that is returned.
        """
        path = Path(what).absolute()
        if path.name.endswith(".coterie.h5"):
            return self.open_file(path)
        self.load_recipe(recipe_to_open(str(what), self._plugins.catalogue))
        return None

    def load_recipe(self, recipe: Recipe) -> None:
        """Begin a new project with this recipe."""
        recipe.check()
        self._begun_at_once += 1
        self._asked_to_begin += 1
        self._background.do_quietly(self._storage.forget_file)
        self._begin(ProjectState(recipe, modified=bool(recipe.sources)))

    def open_file(self, path: Path, *, lock: bool = True) -> Future[Opened]:
        """Open a project file; the recipe is there when the future is done and `pump` was called.

        What is open stays open when the file turns out to be wrong.
        """
        before = self._begun_at_once
        self._asked_to_begin += 1

        found: dict[str, Path] = {}
        inside: dict[str, Path] = {}

        def action() -> Opened:
            opened = self._storage.open(path, lock=lock, understand=ProjectState.from_file)
            kept = ProjectState.from_file(opened)
            found.update(moved_scenes(self._storage, kept))
            inside.update(take_out(self._storage, kept.with_files(found)))
            return opened

        def done(opened: Opened) -> None:
            if self._begun_at_once == before:  # else a recipe was loaded while the file was opened
                self._begin(ProjectState.from_file(opened).with_files(found))
                self._runs.places.update(inside)
                for name, place in found.items():
                    self.logged.emit(f"{name}: its file was moved; found it at '{place}'.")

        return self._background.do(str(path), action, done)

    def reserve(self, path: Path) -> Future[None]:
        """Keep the place where the project is to be saved from being taken by another window."""
        return self._background.do(
            str(path), lambda: self._storage.reserve(path), lambda nothing: nothing
        )

    def save(self, path: Path | None = None, *, overwrite: bool = False) -> Future[Opened]:
        """Save the project; `saved` is emitted when done.

        A file that another program changed since is replaced only if `overwrite` says so.
        """
        if path is None and self.path is None:
            raise ProjectFileError(
                "The project has no file yet. Use Save as to choose one.", code="project-not-saved"
            )
        target = Path(path or self.path or "").absolute()
        kept, history = self._state(), self._edits.history
        named, noted = history.named, history.noted
        fresh = frozenset(filter(self._results.is_fresh, kept.computed))
        keep = self.keep

        def done(opened: Opened) -> None:
            if self._edits.history is not history:
                return  # another project was begun while this one was written
            self.path = target
            # A step that was running goes on while the file is written.
            self._results.leave_out(opened.left_out)
            now = self._state()
            edited = now.recipe is not kept.recipe or history.named is not named
            edited = edited or history.noted != noted
            self.modified = edited or _news(kept.computed, now.computed)
            self.autosave()
            self.saved.emit(target)
            self.changed.emit()

        def write() -> Opened:
            # Now, as the file that holds some of it may have been opened since.
            stored, left_out = self._results.to_save(kept, fresh, keep)
            content = replace(kept, computed=stored, left_out=left_out)
            return self._storage.save(target, content.for_file(target), overwrite=overwrite)

        return self._background.do(str(target), write, done)

    def compare_with_file(self) -> Future[list[str]]:
        """Compare with the file as it is now; the answer is one sentence for each difference."""
        path, kept = self.path, self._state()
        if path is None:
            raise ProjectFileError("The project has no file yet.", code="project-not-saved")
        return self._background.do(
            f"compare {path}",
            lambda: differences(kept, ProjectState.from_file(self._storage.peek(path))),
            lambda found: None,
        )

    def recover(self, folder: Path) -> Future[ProjectState]:
        """Restore the work of a session that ended without closing.

        Its results may have to be copied: the work is there when the future is done, which reports
        a failure too. If another project is opened before that, the work stays where it is.
        """
        self._asked_to_begin += 1
        asked = self._asked_to_begin
        adoption = Adoption(self._storage.home, folder, ProjectState.from_state)
        recovered: Future[ProjectState] = Future()

        def done(_: None) -> None:
            try:
                if self._asked_to_begin != asked:
                    raise WorkspaceError(
                        "Another project was opened in the meantime. Coterie offers to "
                        "restore this work at the next start.",
                        code="work-in-use",
                    )
                adoption.keep()
            except WorkspaceError as error:
                adoption.leave()
                recovered.set_exception(error)
                return
            self._begun_at_once += 1
            self._go_on_with(adoption.meaning)
            self._background.do(f"clear {folder}", adoption.clear, lambda nothing: nothing)
            recovered.set_result(adoption.meaning)

        taking = self._background.do(str(folder), adoption.take, done)
        taking.add_done_callback(lambda taken: _pass_failure(taken, recovered))
        return recovered

    def _go_on_with(self, kept: ProjectState) -> None:
        """Take over restored work."""
        if (path := kept.path) is not None:
            # First, as the artefacts that nobody had looked at are in the project file alone.
            self._background.do(str(path), lambda: self._storage.go_back_to(path), self._on_back)
        self._begin(kept)
        if any(FILE in computed.parts for computed in kept.computed.values()):
            self._background.do(
                "kept files", lambda: take_out_again(self._storage, kept), self._on_taken_out
            )

    def _on_back(self, problem: str) -> None:
        if problem:
            self.logged.emit(f"Some of the restored work is missing: {problem}")
        self.autosave()
        self.reached.emit(self._edits.recipe.names)

    def _on_taken_out(self, places: dict[str, Path]) -> None:
        self._runs.places.update(places)
        self._results.forget(self._results.keys())
        self.reached.emit(tuple(places))

    def _begin(self, kept: ProjectState) -> None:
        """Take over a project, in the place of the present one."""
        self._make_way()
        self._edits.begin(kept.recipe, kept.view)
        self._results.begin(kept.computed, kept.left_out)
        self._runs.begin(kept.unconfirmed)
        self.path, self._created, self.modified = kept.path, kept.created, kept.modified
        self._selection.set_size(0)
        self._runs.refresh()
        self.autosave()
        self.opened.emit()
        self.changed.emit()

    def _state(self) -> ProjectState:
        return ProjectState(
            self._edits.recipe,
            self._results.computed(self._edits.recipe.names),
            self.path,
            self._created,
            self._edits.kept_view,
            self.modified,
            frozenset(self._runs.unconfirmed),
            self._results.all_left_out(self._edits.recipe),
        )


def _news(before: Mapping[str, Computed], now: Mapping[str, Computed]) -> bool:
    """Whether a result came or changed; one that was left out of the file does not count."""
    return any(before.get(name) != one for name, one in now.items())


def _pass_failure(taken: Future[None], recovered: Future[ProjectState]) -> None:
    error = taken.exception()
    if error is not None:
        recovered.set_exception(error)
