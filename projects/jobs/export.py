"""Has the engine write results to files, one after the other, when it is not computing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.errors import DataError
from coterie.projects.jobs.catalogue import PluginsAtHand
from coterie.projects.jobs.job import Failure, Job
from coterie.projects.jobs.run_steps import Runs
from coterie.projects.jobs.scheduler import Scheduler
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.toml import with_relative_paths, write_recipe
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.results import Results

RECIPE_WRITER = well_known.WRITER_RECIPE  # the one that needs to know more than the result


@dataclass(frozen=True)
class Export:
    """A result to be written to a file; `part` is empty for the main one."""

    name: str
    path: Path
    writer: str = ""
    part: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the list of jobs calls it."""
        return f"export of {self.name}{f'.{self.part}' if self.part else ''}"


class Exports:
    """The files that wait to be written. They are no steps: nothing depends on them.

    Asked of a session as `session.exports`. `exported` tells when a file is there, `failed` when
    there will be none.
    """

    exported: ClassVar[Signal] = Signal(object)
    failed: ClassVar[Signal] = Signal(Failure)

    def __init__(
        self,
        scheduler: Scheduler,
        results: Results,
        storage: Storage,
        runs: Runs,
        edits: Edits,
        plugins: PluginsAtHand,
    ) -> None:
        self._scheduler, self._results, self._storage = scheduler, results, storage
        self._runs, self._edits, self._plugins = runs, edits, plugins
        self._waiting: list[Export] = []
        self._writing: dict[int, Export] = {}
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)

    @property
    def pending(self) -> bool:
        """Whether files wait to be written."""
        return bool(self._waiting)

    def add(self, export: Export) -> None:
        """Have a step's newest result, or a part of it, written, or say why it cannot be.

        The ending of the path chooses the writer unless one is named.
        """
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        recipe.find(export.name)
        name = export.path.name
        method = catalogue.get(export.writer) if export.writer else catalogue.writer_for(name)
        if method is None:
            endings = sorted({e for d in catalogue.of_kind("writer") for e in d.claims})
            raise DataError(
                f"No writer is known for '{name}'. Choose a name that ends in "
                f"{', '.join(endings)}, or name the writer."
            )
        if self._results.key(export.name, export.part) is None:
            raise DataError(f"There is no result '{export.name}' to write yet. Run it first.")
        path, params = export.path.absolute(), dict(export.params)
        if method.name == RECIPE_WRITER and not params.get("recipe"):
            led_here = recipe.leading_to(export.name)
            params["recipe"] = write_recipe(with_relative_paths(led_here, path.parent))
        self._waiting.append(Export(export.name, path, method.name, export.part, params))
        self.advance()

    def clear(self) -> None:
        """Let nothing wait any more."""
        self._waiting.clear()

    def advance(self) -> None:
        """Start the next file, if the engine is free and the result is in the workspace."""
        if not self._waiting or self._scheduler.running is not None or self._runs.pending:
            return
        export = self._waiting[0]
        key = self._results.key(export.name, export.part)
        if key is None:
            self._waiting.pop(0)
            self.failed.emit(Failure(export.title, f"'{export.name}' is gone. Run it again."))
        elif key not in self._storage.workspace:
            self._results.bring(export.name, (key,))
        else:
            self._waiting.pop(0)
            order = Order(
                use=export.writer, params=dict(export.params), inputs=[key], path=str(export.path)
            )
            job = self._scheduler.run(export.title, order)
            if job.active:
                self._writing[job.number] = export

    def _on_finished(self, job: Job, message: Finished) -> None:
        if (export := self._writing.pop(job.number, None)) is not None:
            self.exported.emit(export.path)

    def _on_failed(self, job: Job, message: Failed) -> None:
        if (export := self._writing.pop(job.number, None)) is not None:
            self.failed.emit(Failure(export.title, message.error, message.traceback, job.component))

    def _on_cancelled(self, job: Job) -> None:
        self._writing.pop(job.number, None)
