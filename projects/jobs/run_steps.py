"""Computes the steps that are asked for: skips the fresh, fetches inputs, keeps failures."""

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
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.job import Failure
from coterie.projects.jobs.queue import STEPS, Needs, Queue, Task
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import refuse_off
from coterie.projects.recipe.keys import Computed, order_for, request_of
from coterie.projects.sources.attachments import FILE
from coterie.projects.store.results import Results


class ComputeStep(Task):
    """Computes one step or source, unless it is fresh."""

    priority = STEPS

    def __init__(self, name: str, runs: StepRuns) -> None:
        self.title = self.step = name
        self._runs = runs
        self._part: Source | Step | None = None
        self._use = ""

    def next(self, results: Results) -> Order | Needs | None:
        """Return the order; None when the step is fresh, switched off or gone."""
        name, runs, recipe = self.step, self._runs, self._runs.recipe
        if name not in recipe.names or name in recipe.switched_off() or runs.is_done(name):
            return None
        if runs.is_left_out(name) and name not in runs.asked:
            return None  # nothing is computed of it, and nobody looks at it
        part = recipe.find(name)
        given = part.of if isinstance(part, Step) else ()
        if left_out := tuple(of for of in given if runs.is_left_out(of)):
            runs.asked.update(left_out)
            return Needs(first=tuple(ComputeStep(of, runs) for of in left_out))
        if overtaken := runs.overtaken(name):
            return Needs(first=tuple(ComputeStep(other, runs) for other in overtaken))
        order = runs.order(name, recipe)
        for of, key in zip(given, order.inputs, strict=True):
            if not results.is_here(key):
                return Needs(keys=(key,), name=of)
        self._part, self._use = part, order.use
        runs.ordered[name] = part
        return order

    def take(self, answer: Finished | Failed) -> bool:
        """Keep the result, or why there is none."""
        if isinstance(answer, Finished):
            self._runs.take(self.step, self._part, self._use, answer)
        else:
            failure = Failure(
                self.step,
                answer.error,
                answer.traceback,
                self._use,
                offer=tuple(answer.offer),
                code=answer.code,
            )
            self._runs.fail(failure)
        return False

    def stop(self, error: CoterieError | None = None) -> None:
        """Keep why it could not be run; when it is cancelled, an earlier result stays."""
        self._runs.again.discard(self.step)
        self._runs.asked.discard(self.step)
        if error is not None:
            self._runs.fail(Failure(self.step, str(error), offer=error.offer, code=error.code))


class StepRuns:
    """What the steps are run with, and why some could not be computed.

    `computed` is emitted with a step that was computed, and whether its result is another than it
    was. `ordered` are the steps as they were when they were last sent to the engine.
    """

    computed: ClassVar[Signal] = Signal(str, bool)
    failed: ClassVar[Signal] = Signal(Failure)
    logged: ClassVar[Signal] = Signal(str)

    def __init__(
        self, queue: Queue, results: Results, edits: Edits, plugins: LoadedPlugins
    ) -> None:
        self._queue, self._results = queue, results
        self._edits, self._plugins = edits, plugins
        self._reread: set[str] = set()
        self.again: set[str] = set()  # steps that are computed once more to be watched
        self.asked: set[str] = set()  # steps to be computed though no other step needs them
        self._failures: dict[str, Failure] = {}
        self.ordered: dict[str, Source | Step] = {}
        self.unconfirmed: set[str] = set()
        self.places: dict[str, Path] = {}  # of sources that are read from a file in the project

    @property
    def recipe(self) -> Recipe:
        """The recipe as it is now."""
        return self._edits.recipe

    def begin(self, unconfirmed: Iterable[str] = ()) -> None:
        """Forget everything; `unconfirmed` are paths that the user must allow first."""
        self._reread.clear()
        self.again.clear()
        self.asked.clear()
        self._failures.clear()
        self.ordered.clear()
        self.unconfirmed = set(unconfirmed)
        self.places.clear()

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
        recipe = self.recipe
        for name in names:
            refuse_off(recipe, name)
        off = recipe.switched_off()
        wanted = recipe.ancestors(names or recipe.names)
        wanted = tuple(name for name in wanted if name not in off)
        self.asked.update(names)
        if reread:
            self.reread(source.name for source in recipe.sources if source.name in wanted)
        self._queue.add(*self.tasks(wanted, asked=False))
        self._queue.advance()

    def run_again(self, name: str) -> None:
        """Compute a step once more although it is up to date; its result stays as it is."""
        refuse_off(self.recipe, name)
        if self.is_done(name):
            self.again.add(name)
        self.run(name)

    def tasks(self, names: Iterable[str], *, asked: bool = True) -> tuple[Task, ...]:
        """Return what computes these steps; that they failed before is forgotten.

        Unless they are `asked` for, results that are not stored are computed as they are needed.
        """
        names = tuple(names)
        self.asked.update(name for name in names if asked)
        tasks = tuple(ComputeStep(name, self) for name in names)
        self._clear_failures(task.step for task in tasks)
        return tasks

    def order(self, name: str, recipe: Recipe) -> Order:
        """Return what the engine is to do for a step, or say why it cannot be done."""
        part = recipe.find(name)
        place = self.places.get(name)
        if isinstance(part, Source) and part.open in self.unconfirmed and place is None:
            raise ProjectFileError(
                f"The project reads '{part.open}', which is outside its folder. Allow "
                "this only if you trust the project.",
                code="not-allowed",
            )

        def fresh(of: str) -> str | None:
            return self._results.key(of) if self._results.is_fresh(of) else None

        order = order_for(name, recipe, self._plugins.catalogue, fresh)
        order = replace(order, again=name in self.again)
        inside = place is not None and isinstance(part, Source) and place.name == _name(part)
        return replace(order, path=str(place)) if inside else order

    def refresh(self) -> None:
        """Work out again which results are fresh; steps whose result was found did not fail."""
        self._clear_failures(self._results.refresh(self.recipe, self._plugins.catalogue))

    def take(self, name: str, part: Source | Step | None, use: str, message: Finished) -> None:
        """Keep what a step, as it was ordered, was computed to."""
        results, catalogue = self._results, self._plugins.catalogue
        if name not in self.recipe.names:
            return  # it was removed while it ran
        request = ""
        if isinstance(part, Source) and use in catalogue:
            request = request_of(part, catalogue.get(use))
        parts = dict(message.parts)
        if results.key(name) == message.key and FILE in results.parts(name):
            parts[FILE] = part_key(message.key, FILE)  # its file stays in the project
        news = results.take(name, Computed(message.key, parts, request))
        self._reread.discard(name)
        self.again.discard(name)
        self.asked.discard(name)
        self._clear_failures([name])
        for note in message.notes:
            self.logged.emit(f"{name}: {note}")
        self.refresh()
        self.computed.emit(name, news)

    def fail(self, failure: Failure) -> None:
        """Keep why a step failed; what depends on it is not run, the rest goes on."""
        if failure.step not in self.recipe.names:
            return  # it was removed while it ran
        self.again.discard(failure.step)
        self.asked.discard(failure.step)
        catalogue, use = self._plugins.catalogue, failure.component
        origin = catalogue.get(use).origin if use in catalogue else ""
        held = self._queue.drop_steps([s.name for s in self.recipe.dependents(failure.step)])
        self._failures[failure.step] = failure = replace(failure, origin=origin, held=held)
        self.failed.emit(failure)

    def overtaken(self, name: str) -> tuple[str, ...]:
        """Return what a step needs and must run again, because it was edited while it ran.

        What is not fresh for any other reason would not be after one more run either.
        """
        recipe, ordered = self.recipe, self.ordered
        needed = tuple(n for n in recipe.ancestors([name]) if n != name and not self.is_done(n))
        edited = any(n in ordered and ordered[n] != recipe.find(n) for n in needed)
        return needed if edited else ()

    def is_left_out(self, name: str) -> bool:
        """Return whether a step was computed before, and its result is not stored."""
        return self._results.left_out(name) is not None

    def is_done(self, name: str) -> bool:
        """Return whether a step need not be computed."""
        results = self._results
        if name in self.again:
            return False
        return name not in self._reread and results.is_fresh(name) and results.is_in_reach(name)

    def _clear_failures(self, names: Iterable[str]) -> None:
        """Forget that these steps failed."""
        for name in names:
            self._failures.pop(name, None)


def _name(source: Source) -> str:
    return Path(source.open).name
