"""Works through the steps that wait to run: skips the fresh, fetches inputs, keeps failures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from psygnal import Signal

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.messages import Order
from coterie.core.errors import CoterieError, ProjectFileError
from coterie.core.recipes import Recipe, Source, Step
from coterie.projects.backstage import Backstage
from coterie.projects.jobs import Failure
from coterie.projects.planning import order_for
from coterie.projects.results import Results
from coterie.projects.scheduler import Scheduler
from coterie.projects.storage import Storage


class Runs:
    """The queue of steps, and why some could not be computed.

    `changed` tells the names of steps whose status may differ now.
    """

    changed: ClassVar[Signal] = Signal(tuple)
    failed: ClassVar[Signal] = Signal(Failure)
    logged: ClassVar[Signal] = Signal(str)

    def __init__(
        self, scheduler: Scheduler, results: Results, storage: Storage, backstage: Backstage
    ) -> None:
        self._scheduler = scheduler
        self._results = results
        self._storage = storage
        self._backstage = backstage
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

    def ordered(self, name: str) -> Source | Step | None:
        """Return a step or source as it was when it was last run; it may have been edited since."""
        return self._ordered.get(name)

    def forgive(self, names: Iterable[str]) -> None:
        """Forget that these steps failed."""
        for name in names:
            self._failures.pop(name, None)

    def reread(self, sources: Iterable[str]) -> None:
        """Look at the files of these sources again when they run."""
        self._reread.update(sources)

    def add(self, names: tuple[str, ...]) -> None:
        """Have steps wait to run."""
        self.forgive(names)
        self._waiting += [name for name in names if name not in self._waiting]
        self.changed.emit(names)

    def clear(self) -> None:
        """Let nothing wait any more."""
        names, self._waiting = tuple(self._waiting), []
        self.changed.emit(names)

    def done(self, name: str) -> None:
        """Take note that a step was computed."""
        self._reread.discard(name)
        self._failures.pop(name, None)

    def fail(self, failure: Failure, recipe: Recipe) -> None:
        """Keep why a step failed; what depends on it is not run, the rest goes on."""
        self._failures[failure.step] = failure
        blocked = {step.name for step in recipe.dependents(failure.step)}
        self._waiting = [name for name in self._waiting if name not in blocked]
        self.changed.emit((failure.step,))
        self.failed.emit(failure)

    def advance(self, recipe: Recipe, catalogue: Catalogue) -> None:
        """Start the next step that waits, if the engine is free and its methods are known."""
        while (
            self._waiting
            and catalogue.methods
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
                order = self.order(name, recipe, catalogue)
            except CoterieError as error:
                self._waiting.remove(name)
                self.fail(Failure(name, str(error)), recipe)
                continue
            absent = tuple(key for key in order.inputs if key not in self._storage.workspace)
            if absent:
                self.bring(name, absent)
                return
            self._waiting.remove(name)
            self._ordered[name] = recipe.find(name)
            self._scheduler.run(name, order)
            self.changed.emit((name,))

    def order(self, name: str, recipe: Recipe, catalogue: Catalogue) -> Order:
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

        order = order_for(name, recipe, catalogue, fresh)
        inside = place is not None and isinstance(part, Source) and place.name == _name(part)
        return replace(order, path=str(place)) if inside else order

    def bring(self, name: str, keys: tuple[str, ...]) -> None:
        """Copy artefacts from the project file to the workspace, in the background."""
        what = " ".join(keys)
        if self._backstage.is_doing(what):
            return

        def action() -> str:
            try:
                self._storage.bring(keys)
            except CoterieError as error:
                return str(error)
            return ""

        def then(problem: str) -> None:
            if problem:
                self._results.drop(name)
                self.logged.emit(f"{name}: {problem}")
            self.changed.emit((name,))

        self._backstage.do(what, action, then)

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
