"""Has the engine write results to files, after the steps that wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.engine.messages import Finished, Order
from coterie.core.errors import DataError
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.job import Failure
from coterie.projects.jobs.queue import FileTask, Needs, Queue
from coterie.projects.jobs.run_steps import StepRuns
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.toml import with_relative_paths, write_recipe
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


class WriteResult(FileTask):
    """Writes one result to a file."""

    def __init__(self, export: Export, exports: Exports) -> None:
        super().__init__(export.title, exports.failed.emit, export.writer)
        self._export, self._exports = export, exports
        self._computed_again = False

    def next(self, results: Results) -> Order | Needs:
        """Return the order, once the result is in the workspace."""
        export, runs = self._export, self._exports.runs
        if runs.is_left_out(export.name) and not (export.part or self._computed_again):
            self._computed_again = True
            return Needs(first=runs.tasks((export.name,)))
        key = results.key(export.name, export.part)
        if key is None:
            raise DataError(
                f"The result of '{export.name}' is missing. Run it again.", code="result-missing"
            )
        if not results.is_here(key):
            return Needs(keys=(key,), name=export.name)
        params = dict(export.params)
        return Order(use=export.writer, params=params, inputs=[key], path=str(export.path))

    def written(self, answer: Finished) -> None:
        """Report the file."""
        self._exports.exported.emit(self._export.path)


class Exports:
    """Writes results to files. Available as `session.exports`.

    `exported` is emitted with the path of each file, `failed` when there will be none.
    """

    exported: ClassVar[Signal] = Signal(object)
    failed: ClassVar[Signal] = Signal(Failure)

    def __init__(
        self, queue: Queue, results: Results, edits: Edits, plugins: LoadedPlugins, runs: StepRuns
    ) -> None:
        self._queue, self._results, self.runs = queue, results, runs
        self._edits, self._plugins = edits, plugins

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
                f"No writer supports '{name}'. Choose a name ending in "
                f"{', '.join(endings)}, or choose a writer.",
                code="wrong-extension",
            )
        lacking = self._results.key(export.name, export.part) is None
        if lacking and (export.part or not self.runs.is_left_out(export.name)):
            raise DataError(
                f"'{export.name}' has no result yet. Run it first.", code="not-computed"
            )
        path, params = export.path.absolute(), dict(export.params)
        if method.name == RECIPE_WRITER and not params.get("recipe"):
            led_here = recipe.leading_to(export.name)
            params["recipe"] = write_recipe(with_relative_paths(led_here, path.parent))
        export = Export(export.name, path, method.name, export.part, params)
        self._queue.add(WriteResult(export, self))
        self._queue.advance()
