"""The files that the sources of a project read: permissions, locations, attachments."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import RecipeError
from coterie.core.model.artefacts import part_key
from coterie.core.model.recipes import Source
from coterie.projects.jobs.classify_scene import kept_place
from coterie.projects.recipe.toml import is_sample
from coterie.projects.sources.attachments import FILE, attached_artefact
from coterie.projects.sources.relink import MissingFile, require_same

if TYPE_CHECKING:
    from coterie.projects.jobs.background import BackgroundThread
    from coterie.projects.jobs.run_steps import StepRuns
    from coterie.projects.recipe.editor import Edits
    from coterie.projects.store.artefacts import Storage
    from coterie.projects.store.project import OpenProject
    from coterie.projects.store.results import Results


class SourceFiles:
    """Available as `session.files`."""

    def __init__(
        self,
        project: OpenProject,
        edits: Edits,
        results: Results,
        runs: StepRuns,
        storage: Storage,
        background: BackgroundThread,
    ) -> None:
        self._project, self._edits = project, edits
        self._results, self._runs = results, runs
        self._storage, self._background = storage, background
        storage.readable = self._readable

    def unconfirmed(self, name: str) -> str:
        """Return the path outside the project's folder that a source wants to read, if any."""
        part = self._edits.recipe.find(name)
        asks = isinstance(part, Source) and part.open in self._runs.unconfirmed
        return part.open if isinstance(part, Source) and asks else ""

    def confirm(self, name: str) -> None:
        """Allow a source to read the path that `unconfirmed` returns."""
        path = self.unconfirmed(name)
        if not path:
            return
        self._runs.unconfirmed.discard(path)
        self._runs.reread([name])  # the file may have changed since it was read
        place, keys = Path(path), self._dataset_keys(name)

        def done(moved: set[str]) -> None:
            self._results.forget(moved)
            if moved and name in self._edits.recipe.names:
                self._runs.run(name)

        # The results in a project file know the name of their scene, and not its path.
        self._background.do(
            f"confirm {name}", lambda: self._storage.move_scene(place, place, keys), done
        )

    def known_of(self, name: str) -> Future[MissingFile | None]:
        """Return what the file of a source can be known again by; None when it was never read."""
        key = self._results.key(name)
        return self._background.do(
            f"what is known of {name}",
            lambda: MissingFile.of(self._storage.provenance_of(key)) if key else None,
            lambda nothing: None,
        )

    def relink(self, name: str, path: Path) -> Future[Any]:
        """Let a source read its file where it is now, as one step that can be undone.

        A file with other bytes than the project was made with is refused, in the future that is
        returned. Results stay what they are.
        """
        part = self._source(name, "so there is no file to locate")
        new, key = Path(path).absolute(), self._results.key(name)
        old = self._runs.places.get(name, Path(part.open))
        keys = self._dataset_keys(name)

        def action() -> set[str]:
            if key and (lost := MissingFile.of(self._storage.provenance_of(key))) is not None:
                require_same(lost, new)
            return self._storage.move_scene(old, new, keys)

        def done(moved: set[str]) -> None:
            self._results.forget(moved)
            self._runs.places.pop(name, None)
            self._runs.unconfirmed.discard(str(new))
            recipe = self._edits.recipe
            if name not in recipe.names:
                return
            if str(new) != part.open:
                self._edits.replace(recipe.changed(name, open=str(new)), f"locate {new.name}")
            self._runs.run(name, reread=True)

        return self._background.do(f"locate file of {name}", action, done)

    def attach(self, name: str) -> Future[int]:
        """Keep the file of a source in the project, which then opens without it; returns its size.

        The file that was read must be there, and be the same.
        """
        part = self._source(name, "so there is no file to attach")
        key = self._results.key(name)
        if key is None:
            raise RecipeError(
                f"'{name}' has not been read yet. Run it, then attach its file.",
                code="not-computed",
            )
        path = self._runs.places.get(name, Path(part.open))

        def action() -> int:
            self._storage.bring((key,))
            made = attached_artefact(key, path, self._storage.provenance_of(key))
            self._storage.workspace.write(made)
            return made.encoded.nbytes

        def done(_: int) -> None:
            if self._results.key(name) == key:
                self._results.add_part(name, FILE, part_key(key, FILE))
                self._project.touch()

        return self._background.do(f"attach {name}", action, done)

    def is_attached(self, name: str) -> bool:
        """Return whether the file of a source is kept in the project."""
        return FILE in self._results.parts(name)

    def place_of(self, path: Path) -> Path:
        """Return where a source's file, or one beside it, is read: it may be in the project."""
        for source in self._edits.recipe.sources:
            inside = kept_place(path, source, self._runs.places.get(source.name))
            if inside != path:
                return inside
        return path

    def detach(self, name: str) -> None:
        """Keep the file of a source out of the project again, from the next save on."""
        if self.is_attached(name):
            self._results.drop_part(name, FILE)
            self._project.touch()

    def _source(self, name: str, so: str) -> Source:
        part = self._edits.recipe.find(name)
        if not isinstance(part, Source) or is_sample(part):
            raise RecipeError(f"'{name}' does not read a file, {so}.", code="no-data-file")
        return part

    def _dataset_keys(self, name: str) -> tuple[str, ...]:
        """The keys of a source and of all that depends on it."""
        names = (name, *(step.name for step in self._edits.recipe.dependents(name)))
        return tuple(key for n in names if (key := self._results.key(n)) is not None)

    def _readable(self) -> tuple[str, ...]:
        """The files of sources that may be read without asking."""
        sources = self._edits.recipe.sources
        opened = (source.open for source in sources if not is_sample(source))
        inside = (str(place) for place in self._runs.places.values())
        return (*inside, *(path for path in opened if path not in self._runs.unconfirmed))
