"""What sweeps and repetitions share: inputs that must be there first, and results that are let go.

A trial is an ordinary run on the engine, under the same keys as any other, so that what is computed
already is not computed again; what was new is discarded when it has been looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Generic, TypeVar

from psygnal import Signal

from coterie.core.engine.messages import Failed, Finished
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.jobs.background import Backstage
from coterie.projects.jobs.catalogue import PluginsAtHand
from coterie.projects.jobs.job import Job
from coterie.projects.jobs.run_steps import Runs
from coterie.projects.jobs.scheduler import Scheduler
from coterie.projects.jobs.trial_tables import TrialState, TrialTable
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import check_inputs, refuse_off
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.results import Results


@dataclass
class Needs:
    """What trials work on and is not part of them; `asked` once it was had computed."""

    recipe: Recipe
    names: tuple[str, ...]
    asked: bool = False

    @classmethod
    def of(cls, recipe: Recipe, chain: Iterable[Step]) -> Needs:
        """Return what the steps of a chain take that none of them gives."""
        steps = tuple(chain)
        own = {step.name for step in steps}
        names = dict.fromkeys(of for step in steps for of in step.of if of not in own)
        return cls(recipe, tuple(names))


@dataclass
class UnderWay:
    """Where trials are: the engine's job, and the keys of what is to be let go."""

    needs: Needs
    job: int = field(default=0, kw_only=True)
    made: list[str] = field(default_factory=list, kw_only=True)


N = TypeVar("N", bound=UnderWay)
T = TypeVar("T", bound=TrialTable)


class Trials(Generic[N, T]):
    """One set of trials at a time; `changed` tells the table whenever there is more in it.

    Nothing of the project changes. The session's `cancel` ends them; what is found stays.
    """

    changed: ClassVar[Signal] = Signal(TrialTable)
    who: ClassVar[str]  # needs what is computed first, as "the sweep"

    def __init__(
        self,
        scheduler: Scheduler,
        results: Results,
        storage: Storage,
        runs: Runs,
        backstage: Backstage,
        edits: Edits,
        plugins: PluginsAtHand,
    ) -> None:
        self._scheduler, self._results, self._storage = scheduler, results, storage
        self._runs, self._backstage = runs, backstage
        self._edits, self._plugins = edits, plugins
        self._now: N | None = None
        self.table: T | None = None
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)

    @property
    def pending(self) -> bool:
        """Whether trials are under way."""
        return self._now is not None

    def clear(self) -> None:
        """Stop: what is found stays."""
        if self._now is not None:
            self._end("cancelled")

    def advance(self) -> None:
        """Start the next run, if the engine is free."""
        raise NotImplementedError

    def _take_in(self, now: N, message: Finished) -> None:
        """Take in what the engine has computed for a trial."""
        raise NotImplementedError

    def _take_failure(self, now: N, error: str) -> None:
        """Take in why a run of a trial failed."""
        raise NotImplementedError

    def _check(self, steps: Iterable[Step]) -> None:
        """Refuse steps that cannot be run in a trial."""
        for step in steps:
            refuse_off(self._edits.recipe, step.name)
            check_inputs(self._edits.recipe, self._plugins.catalogue, step)

    def _begin(self, now: N, table: T) -> None:
        """Go about new trials, in the place of those under way."""
        self.clear()
        self._now = now
        self._tell(table)
        self._backstage.wake()

    def _ready(self, needs: Needs) -> bool:
        """Whether all is there; if not, it is computed or fetched.

        Raises a clear error when that has failed.
        """
        if self._runs.pending:
            return False
        lacking = [name for name in needs.names if not self._results.is_fresh(name)]
        if lacking and needs.asked:
            above = needs.recipe.ancestors(lacking)
            failure = next((f for n in above if (f := self._runs.failure(n))), None)
            why = f" {failure.message}" if failure is not None else ""
            raise RecipeError(f"'{lacking[0]}', which {self.who} needs, was not computed.{why}")
        if lacking:
            needs.asked = True
            self._runs.add(needs.recipe.ancestors(lacking))
            return False
        absent = [
            (name, key)
            for name in needs.names
            if (key := self._results.key(name)) and key not in self._storage.workspace
        ]
        for name, key in absent:
            self._results.bring(name, (key,))
        return not absent

    def _let_go(self, now: N) -> None:
        """Discard what trials made, unless a person has taken some of it up meanwhile."""
        made, now.made = now.made, []
        named = self._results.keys()
        doomed = [key for key in made if key not in named]
        if doomed:
            self._backstage.do_quietly(lambda: self._storage.let_go(doomed))

    def _end(self, state: TrialState, message: str = "") -> None:
        now, self._now = self._now, None
        if now is None or self.table is None:
            return
        self._let_go(now)
        self._tell(replace(self.table, state=state, message=message))

    def _tell(self, table: T) -> None:
        self.table = table
        self.changed.emit(table)

    def _on_finished(self, job: Job, message: Finished) -> None:
        now = self._now
        if now is None or job.number != now.job:
            return
        now.job = 0
        if not message.cached:
            now.made += [message.key, *message.parts.values()]
        self._take_in(now, message)

    def _on_failed(self, job: Job, message: Failed) -> None:
        now = self._now
        if now is not None and job.number == now.job:
            now.job = 0
            self._take_failure(now, message.error)

    def _on_cancelled(self, job: Job) -> None:
        if self._now is not None and job.number == self._now.job:
            self._end("cancelled")


def steps_between(recipe: Recipe, first: str, last: str) -> tuple[Step, ...]:
    """Return the steps from one to another that depends on it, both included, in order."""
    below = {first, *(step.name for step in recipe.dependents(first))}
    needed = set(recipe.ancestors([last]))
    return tuple(step for step in recipe.in_order() if step.name in below & needed)
