"""What sweeps and cross-validations share: preparing inputs, and releasing results.

A trial is an ordinary run on the engine, under the same keys as any other, so what is computed
already is not computed again. What was new is discarded when it has been looked at.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Generic, Literal, TypeVar

from psygnal import Signal

from coterie.core.engine.messages import Failed, Finished, Request
from coterie.core.errors import CoterieError, RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.queue import TRIALS, Needs, Queue, Task
from coterie.projects.jobs.run_steps import StepRuns
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import check_inputs, refuse_off
from coterie.projects.store.results import Results

TrialState = Literal["running", "finished", "cancelled", "failed"]


@dataclass(frozen=True, eq=False)
class TrialTable:
    """What came of trials so far; `message` says why the whole failed."""

    state: TrialState = field(default="running", kw_only=True)
    message: str = field(default="", kw_only=True)

    @property
    def done(self) -> int:
        """How many trials have ended."""
        raise NotImplementedError


T = TypeVar("T", bound=TrialTable)


class TrialTask(Task, Generic[T]):
    """Trials one after the other: each a few orders, and an entry in the table.

    Attributes
    ----------
    who : needs what is computed first, as "the sweep"
    table : what came of them so far
    """

    priority = TRIALS
    quiet = True
    who: ClassVar[str]

    def __init__(
        self, steps: tuple[Step, ...], table: T, runs: StepRuns, tell: Callable[[T], None]
    ) -> None:
        self.table = table
        self._steps, self._runs, self._tell = steps, runs, tell
        self._recipe = runs.recipe
        self._results: Results | None = None
        self._asked = False
        self._made: list[str] = []

    @property
    def going_on(self) -> bool:
        """Whether there are trials left."""
        return self.table.state == "running"

    @abstractmethod
    def order(self, results: Results) -> Request | None:
        """Return the next order of a trial; None when none was needed to fill the table."""

    @abstractmethod
    def finished(self, message: Finished, results: Results) -> None:
        """Take in what the engine has computed for a trial."""

    @abstractmethod
    def failed(self, error: str) -> None:
        """Take in why an order of a trial failed."""

    def next(self, results: Results) -> Request | Needs | None:
        """Return the next order, once all is there that the trials work on."""
        self._results = results
        if (needs := self._needs(results)) is not None:
            return needs
        while self.going_on:
            if (order := self.order(results)) is not None:
                return order
        return None

    def take(self, answer: Finished | Failed) -> bool:
        """Take in what became of an order of a trial."""
        assert self._results is not None
        if isinstance(answer, Finished) and not answer.cached:
            self._made += [answer.key, *answer.parts.values()]
        if not self.going_on:
            self.let_go()
        elif isinstance(answer, Finished):
            self.finished(answer, self._results)
        else:
            self.failed(answer.error)
        return self.going_on

    def stop(self, error: CoterieError | None = None) -> None:
        """End the trials: what is found stays."""
        if error is not None:
            self.end("failed", str(error))
        else:
            self.end("cancelled")

    def end(self, state: TrialState, message: str = "") -> None:
        """End the trials, if they have not ended."""
        if self.going_on:
            self.let_go()
            self.tell(replace(self.table, state=state, message=message))

    def tell(self, table: T) -> None:
        """Report what came of the trials so far."""
        self.table = table
        self._tell(table)

    def let_go(self) -> None:
        """Discard what trials made, unless a person has started using some of it."""
        made, self._made = self._made, []
        if self._results is not None:
            self._results.discard(made)

    def _needs(self, results: Results) -> Needs | None:
        """Return what is to be computed or fetched first; an error when that has failed."""
        own = {step.name for step in self._steps}
        names = dict.fromkeys(of for step in self._steps for of in step.of if of not in own)
        lacking = [name for name in names if not results.is_fresh(name)]
        above = self._recipe.ancestors(lacking)
        if lacking and self._asked:
            failure = next((f for name in above if (f := self._runs.failure(name))), None)
            why = f" {failure.message}" if failure is not None else ""
            raise RecipeError(
                f"'{lacking[0]}', which {self.who} needs, was not computed.{why}",
                code="not-computed",
            )
        if lacking:
            self._asked = True
            return Needs(first=self._runs.tasks(above))
        for name in names:
            if (key := results.key(name)) and not results.is_here(key):
                return Needs(keys=(key,), name=name)
        return None


class Trials(Generic[T]):
    """One set of trials at a time; `changed` is emitted with the table when there is more in it.

    Nothing of the project changes. The session's `cancel` ends them; what is found stays.
    """

    changed: ClassVar[Signal] = Signal(TrialTable)

    def __init__(self, queue: Queue, runs: StepRuns, edits: Edits, plugins: LoadedPlugins) -> None:
        self._queue, self._runs = queue, runs
        self._edits, self._plugins = edits, plugins
        self._task: TrialTask[T] | None = None

    @property
    def table(self) -> T | None:
        """What came of the newest trials so far."""
        return None if self._task is None else self._task.table

    def _check(self, steps: Iterable[Step]) -> None:
        """Refuse steps that cannot be run in a trial."""
        for step in steps:
            refuse_off(self._edits.recipe, step.name)
            check_inputs(self._edits.recipe, self._plugins.catalogue, step)

    def _begin(self, task: TrialTask[T]) -> None:
        """Go about new trials, in the place of those under way."""
        if self._task is not None:
            self._queue.drop(self._task)
        self._task = task
        task.tell(task.table)
        self._queue.add(task)
        self._queue.advance()


def steps_between(recipe: Recipe, first: str, last: str) -> tuple[Step, ...]:
    """Return the steps from one to another that depends on it, both included, in order."""
    below = {first, *(step.name for step in recipe.dependents(first))}
    needed = set(recipe.ancestors([last]))
    return tuple(step for step in recipe.in_order() if step.name in below & needed)
