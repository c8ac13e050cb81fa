"""Runs a step with many settings and keeps only the scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.engine.messages import Finished, Order
from coterie.core.errors import CoterieError, DataError
from coterie.core.model.arrays import Array, read_only
from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.projects.jobs.run_steps import StepRuns
from coterie.projects.jobs.sweep_plan import (
    COHESIVENESS,
    GROUPS,
    OWN_SCORES,
    SweepPlan,
    SweepTable,
)
from coterie.projects.jobs.trials import Trials, TrialTask, steps_between
from coterie.projects.store.results import Results


class Sweep(TrialTask[SweepTable]):
    """Computes each combination of a plan and scores it.

    `_keys` are of the steps of the present combination that are computed.
    """

    who = "the sweep"

    def __init__(
        self,
        plan: SweepPlan,
        steps: tuple[Step, ...],
        runs: StepRuns,
        tell: Callable[[SweepTable], None],
    ) -> None:
        super().__init__(steps, SweepTable.empty(plan), runs, tell)
        self._plan = plan
        self._places = list(plan.places())
        self._keys: dict[str, str] = {}
        self._parts: dict[str, list[str]] = {}  # all that the engine filed for a step
        self._found: dict[str, float] = {}  # scores of the present combination

    def order(self, results: Results) -> Order | None:
        """Return the order for the next step or the score; None when that was had at once."""
        plan, step = self._plan, self._next_step()
        self.title = f"sweep of {plan.step}: {plan.count - len(self._places) + 1} of {plan.count}"
        if step is None and self._wanted in OWN_SCORES:
            self._score(self._keys[plan.target], results)
            return None
        if step is None:
            return Order(use=self._wanted, inputs=[self._keys[plan.target]])
        params = {**step.params, **plan.params_of(step.name, self._places[0])}
        inputs = [self._keys.get(of) or results.key(of) or "" for of in step.of]
        return Order(use=step.use, params=params, inputs=inputs, seed=step.seed)

    def finished(self, message: Finished, results: Results) -> None:
        """Keep the key of a step, or take in the score."""
        step = self._next_step()
        if step is not None:
            self._keys[step.name] = message.key
            self._parts[step.name] = [message.key, *message.parts.values()]
        else:
            self._score(message.key, results)

    def failed(self, error: str) -> None:
        """Note why a combination has no score."""
        if self._next_step() is None and not np.isfinite(self.table.scores).any():
            # What the score lacks, such as known classes, it will lack every time.
            self.end("failed", error)
        elif self._next_step() is None and self._wanted != self._plan.score:
            self._take(float("nan"))
        else:
            self._next(error)

    def _next_step(self) -> Step | None:
        """Return the step to compute now; None when only the score is left."""
        return next((step for step in self._steps if step.name not in self._keys), None)

    def _score(self, key: str, results: Results) -> None:
        target = self._keys[self._plan.target]
        try:
            noun = results.load(key)
            score = _score_in(noun, self._wanted)
            loose = _loose(noun if key == target else results.load(target))
        except CoterieError as error:
            if self._wanted == self._plan.score:
                self._next(str(error))
            else:
                self._take(float("nan"))
            return
        if np.isfinite(score) or self._wanted != self._plan.score:
            self._take(score, loose)
        else:
            self._next("The score is not a number.")

    @property
    def _wanted(self) -> str:
        """The score that is to be had now."""
        return next(score for score in self._plan.scores if score not in self._found)

    def _take(self, score: float, loose: int = 0) -> None:
        """Take a score in; with the last one the combination is done."""
        self._found[self._wanted] = score
        if len(self._found) == len(set(self._plan.scores)):
            self._next(loose=loose)

    def _next(self, problem: str = "", loose: int = 0) -> None:
        """Note the scores of a combination, let its results go, and turn to the next one."""
        table, place = self.table, self._places.pop(0)
        scores = _with(table.scores, place, self._found.get(self._plan.score))
        more = {name: _with(old, place, self._found.get(name)) for name, old in table.more.items()}
        self._found.clear()
        problems = {**table.problems, place: problem} if problem else table.problems
        left = {**table.loose, place: loose} if loose else table.loose
        table = replace(table, scores=scores, more=more, problems=problems, loose=left)
        table = replace(table, done=table.done + 1)
        self._forget_what_changes(place)
        if self._places:
            self.tell(table)
        else:
            self.table = table
            self.end("finished")

    def _forget_what_changes(self, place: tuple[int, ...]) -> None:
        """Keep the results of steps that are the same in the next combination."""
        stays: dict[str, str] = {}
        if self._places:
            for step in self._steps:
                changes = self._plan.params_of(step.name, place) != self._plan.params_of(
                    step.name, self._places[0]
                )
                above = [of for of in step.of if any(of == one.name for one in self._steps)]
                if step.name in self._keys and not changes and all(of in stays for of in above):
                    stays[step.name] = self._keys[step.name]
        kept = {key for name in stays for key in self._parts.get(name, ())}
        again = [key for key in self._made if key in kept]
        self._made = [key for key in self._made if key not in kept]
        self.let_go()
        self._made, self._keys = again, stays


class Sweeps(Trials[SweepTable]):
    """One sweep at a time. Available as `session.sweeps`."""

    changed: ClassVar[Signal] = Signal(SweepTable)

    def start(self, plan: SweepPlan) -> None:
        """Begin a sweep over the recipe as it is now, in the place of one under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        plan.check(recipe, catalogue)
        steps = steps_between(recipe, plan.step, plan.target)
        self._check(steps)
        self._begin(Sweep(plan, steps, self._runs, self.changed.emit))


def _with(scores: Array, place: tuple[int, ...], score: float | None) -> Array:
    changed = np.array(scores)
    changed[place] = np.nan if score is None else score
    return read_only(changed)


def _loose(groups: Any) -> int:
    """How many items are in no group."""
    return int(np.count_nonzero(groups.labels < 0)) if isinstance(groups, Clustering) else 0


def _score_in(noun: Any, score: str) -> float:
    """The score that a metric or a clustering holds."""
    if not isinstance(noun, Clustering):
        return float(noun.value)
    if score == GROUPS:
        return float(len(np.unique(noun.labels[noun.labels >= 0])))
    if score == COHESIVENESS:
        if noun.cohesiveness is None or not len(noun.cohesiveness):
            raise DataError(
                "These groups have no cohesiveness. Choose another score.", code="unknown-score"
            )
        return float(np.mean(noun.cohesiveness))
    raise DataError(f"Groups alone have no score '{score}'.", code="unknown-score")
