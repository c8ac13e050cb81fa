"""Questions to the engine beside the runs: estimates, previews, the start of a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.engine.messages import Order
from coterie.core.errors import CoterieError
from coterie.core.model.arrays import Ints
from coterie.core.model.recipes import Step
from coterie.core.numerics.certificates.stated_groups import CLAIMING

if TYPE_CHECKING:
    from coterie.projects.jobs.run_steps import StepRuns
    from coterie.projects.jobs.scheduler import Scheduler
    from coterie.projects.recipe.editor import Edits
    from coterie.projects.store.artefacts import Storage
    from coterie.projects.store.results import Results


class Questions:
    """Available as `session.questions`.

    The answers come by `estimated(step, Cost or sentence)`,
    `step_previewed(step, StepPreview or sentence)`,
    `certified(step, certificate as JSON or sentence)` and
    `file_previewed(number, TablePreview or sentence)`.
    """

    def __init__(
        self, scheduler: Scheduler, runs: StepRuns, storage: Storage, edits: Edits, results: Results
    ) -> None:
        self._scheduler, self._runs, self._storage = scheduler, runs, storage
        self._edits, self._results = edits, results
        self.estimated = scheduler.estimated
        self.step_previewed = scheduler.step_previews.answered
        self.file_previewed = scheduler.previewed
        self.certified = scheduler.certifying.answered

    def estimate(self, name: str) -> None:
        """Ask what a step would take; the answer comes by `estimated`, once its inputs exist."""
        try:
            order = self._runs.order(name, self._edits.recipe)
        except CoterieError as error:
            self.estimated.emit(name, str(error))
            return
        if self._has_inputs(order):
            self._scheduler.estimate(name, order)

    def preview_step(self, name: str, params: Mapping[str, Any], items: int = 500) -> None:
        """Ask how a step would turn out with other parameters, on at most `items` items.

        The answer comes by `step_previewed`, once the step's inputs exist. While one is worked
        out, only the newest question waits.
        """
        try:
            changed = self._edits.recipe.changed(name, params=dict(params))
            order = self._runs.order(name, changed)
        except CoterieError as error:
            self.step_previewed.emit(name, str(error))
            return
        if self._has_inputs(order):
            self._scheduler.step_previews.ask(name, order, items)

    def certify(self, name: str, items: Ints, groups: str = "") -> None:
        """Ask whether items are a dominant set of the similarities of a step, as it was last run.

        When they are a group of the step `groups`, they are tested as that says of them.
        The answer comes by `certified`. While one is worked out, only the newest question waits.
        """
        key = self._results.key(name)
        if key is None or key not in self._storage.workspace:
            self.certified.emit(name, f"'{name}' has no similarities yet. Run it first.")
            return
        self._scheduler.certifying.ask(name, key, items, self._stated(groups))

    def _stated(self, groups: str) -> dict[str, Any]:
        """The result of a step whose groups are sets by a definition, and where it came from."""
        step = self._edits.recipe.find(groups) if groups else None
        if not isinstance(step, Step) or step.use not in CLAIMING:
            return {}
        keys = [self._results.key(one) for one in (groups, *step.of)]
        if any(key is None or key not in self._storage.workspace for key in keys):
            return {}
        params = dict(step.params)
        return {"result": keys[0], "method": step.use, "params": params, "inputs": keys[1:]}

    def preview_file(self, path: Path, reader: str, params: Mapping[str, Any]) -> int:
        """Ask for the first lines of a file as a reader takes them.

        The answer comes by `file_previewed`, with the number that is returned here; only the
        newest question is answered.
        """
        return self._scheduler.preview(Order(use=reader, params=dict(params), path=str(path)))

    def _has_inputs(self, order: Order) -> bool:
        return all(key in self._storage.workspace for key in order.inputs)
