"""Works through the steps that wait to run: skips the fresh, fetches inputs, keeps failures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from psygnal import Signal

from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.errors import CoterieError, ProjectFileError
from coterie.core.model.artefacts import part_key
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.background import Backstage
from coterie.projects.jobs.catalogue import PluginsAtHand
from coterie.projects.jobs.job import Failure, Job
from coterie.projects.jobs.scheduler import Scheduler
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import refuse_off
from coterie.projects.recipe.keys import Computed, order_for, request_of
from coterie.projects.sources.attachments import FILE
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.results import Results


class Runs:
    """The queue of steps, and why some could not be computed.

    `changed` tells the names of steps whose status may differ now; `computed` a step that was
    computed, and whether its result is another than it was.
    """

    changed: ClassVar[Signal] = Signal(tuple)
    computed: ClassVar[Signal] = Signal(str, bool)
    failed: ClassVar[Signal] = Signal(Failure)
    logged: ClassVar[Signal] = Signal(str)

    def __init__(
        self,
        scheduler: Scheduler,
        results: Results,
        storage: Storage,
        backstage: Backstage,
        edits: Edits,
        plugins: PluginsAtHand,
    ) -> None:
        self._scheduler, self._results = scheduler, results
        self._storage, self._backstage = storage, backstage
        self._edits, self._plugins = edits, plugins
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)
        self._waiting: list[str] = []
        self._reread: set[str] = set()
        self._failures: dict[str, Failure] = {}
        self._ordered: dict[str, Source | Step] = {}
        self.unconfirmed: set[str] = set()
        self.places: dict[str, Path] = {}  # of sources that are read from a file in the project

    @property
    def pending(self) -> bool:
        """Whether steps wait to run."""
        return bool(self._waiting)

    def begin(self, unconfirmed: Iterable[str] = ()) -> None:
        """Forget everything; `unconfirmed` are paths that may not be read without asking."""
        self._waiting.clear()
        self._reread.clear()
        self._failures.clear()
        self._ordered.clear()
        self.unconfirmed = set(unconfirmed)
        self.places.clear()

    def is_waiting(self, name: str) -> bool:
        """Return whether a step waits to run."""
        return name in self._waiting

    def failure(self, name: str) -> Failure | None:
        """Return why a step failed, if it did."""
        return self._failures.get(name)

    def reread(self, sources: Iterable[str]) -> None:
        """Look at the files of these sources again when they run."""
        self._reread.update(sources)

    def run(self, *names: str, reread: bool = False) -> None:
        """Compute these steps (without names: all that are on) and what they need, unless fresh.

        `reread` looks at the sources' files again, in case they have changed.
        """
        recipe = self._edits.recipe
        for name in names:
            refuse_off(recipe, name)
        off = recipe.off()
        wanted = recipe.ancestors(names or recipe.names)
        wanted = tuple(name for name in wanted if name not in off)
        if reread:
            self.reread(source.name for source in recipe.sources if source.name in wanted)
        self.add(wanted)
        self.advance()

    def add(self, names: tuple[str, ...]) -> None:
        """Have steps wait to run."""
        self._forgive(names)
        self._waiting += [name for name in names if name not in self._waiting]
        self.changed.emit(names)

    def clear(self) -> None:
        """Let nothing wait any more."""
        names, self._waiting = tuple(self._waiting), []
        self.changed.emit(names)

    def advance(self) -> None:
        """Start the next step that waits, if the engine is free and its methods are known."""
        recipe = self._edits.recipe
        while (
            self._waiting
            and self._plugins.catalogue.methods
            and self._scheduler.running is None
            and not self._backstage.busy
        ):
            name = self._waiting[0]
            if name not in recipe.names or name in recipe.off() or self._is_done(name):
                self._waiting.remove(name)
                self.changed.emit((name,))
                continue
            if overtaken := self._overtaken(name, recipe):
                others = [other for other in self._waiting if other not in overtaken]
                self._waiting = [*overtaken, *others]
                self.changed.emit(overtaken)
                continue
            try:
                order = self.order(name, recipe)
            except CoterieError as error:
                self._waiting.remove(name)
                self._fail(Failure(name, str(error), offer=error.offer))
                continue
            absent = tuple(key for key in order.inputs if key not in self._storage.workspace)
            if absent:
                self._results.bring(name, absent)
                return
            self._waiting.remove(name)
            self._ordered[name] = recipe.find(name)
            self._scheduler.run(name, order)
            self.changed.emit((name,))

    def order(self, name: str, recipe: Recipe) -> Order:
        """Return what the engine is to do for a step, or say why it cannot be done."""
        part = recipe.find(name)
        place = self.places.get(name)
        if isinstance(part, Source) and part.open in self.unconfirmed and place is None:
            raise ProjectFileError(
                f"The project wants to read '{part.open}', which lies outside its folder. "
                "Allow that only if you trust the project."
            )

        def fresh(of: str) -> str | None:
            return self._results.key(of) if self._results.is_fresh(of) else None

        order = order_for(name, recipe, self._plugins.catalogue, fresh)
        inside = place is not None and isinstance(part, Source) and place.name == _name(part)
        return replace(order, path=str(place)) if inside else order

    def refresh(self) -> None:
        """Work out again which results are fresh; steps whose result was found did not fail."""
        self._forgive(self._results.refresh(self._edits.recipe, self._plugins.catalogue))

    def _forgive(self, names: Iterable[str]) -> None:
        """Forget that these steps failed."""
        for name in names:
            self._failures.pop(name, None)

    def _fail(self, failure: Failure) -> None:
        """Keep why a step failed; what depends on it is not run, the rest goes on."""
        blocked = {step.name for step in self._edits.recipe.dependents(failure.step)}
        held = tuple(name for name in self._waiting if name in blocked)
        self._waiting = [name for name in self._waiting if name not in blocked]
        self._failures[failure.step] = failure = replace(failure, held=held)
        self.changed.emit((failure.step,))
        self.failed.emit(failure)

    def _on_finished(self, job: Job, message: Finished) -> None:
        name, results = job.step, self._results
        if name not in self._edits.recipe.names:
            return  # no step, or one that was removed while it ran
        request, catalogue = "", self._plugins.catalogue
        part = self._ordered.get(name)
        if isinstance(part, Source) and job.component in catalogue:
            request = request_of(part, catalogue.get(job.component))
        parts = dict(message.parts)
        if results.key(name) == message.key and FILE in results.parts(name):
            parts[FILE] = part_key(message.key, FILE)  # its file stays in the project
        news = results.take(name, Computed(message.key, parts, request))
        self._reread.discard(name)
        self._forgive([name])
        for note in message.notes:
            self.logged.emit(f"{name}: {note}")
        self.refresh()
        self.computed.emit(name, news)

    def _on_failed(self, job: Job, message: Failed) -> None:
        if job.step not in self._edits.recipe.names:
            return
        catalogue = self._plugins.catalogue
        origin = catalogue.get(job.component).origin if job.component in catalogue else ""
        offer = tuple(message.offer)
        self._fail(
            Failure(job.step, message.error, message.traceback, job.component, origin, offer)
        )

    def _on_cancelled(self, job: Job) -> None:
        self.changed.emit((job.step,))

    def _overtaken(self, name: str, recipe: Recipe) -> tuple[str, ...]:
        """Return what a step needs and must run again, because it was edited while it ran.

        What is not fresh for any other reason would not be after one more run either.
        """
        needed = tuple(n for n in recipe.ancestors([name]) if n != name and not self._is_done(n))
        edited = any(n in self._ordered and self._ordered[n] != recipe.find(n) for n in needed)
        return needed if edited else ()

    def _is_done(self, name: str) -> bool:
        results = self._results
        return name not in self._reread and results.is_fresh(name) and results.is_in_reach(name)


def _name(source: Source) -> str:
    return Path(source.open).name
