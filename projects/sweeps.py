"""Runs a step with many settings and keeps only the scores: the results are let go at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.arrays import read_only
from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.errors import CoterieError, DataError
from coterie.core.recipes import Recipe, Step
from coterie.core.results import Clustering
from coterie.projects.backstage import Backstage
from coterie.projects.edits import Edits
from coterie.projects.jobs import Job
from coterie.projects.planning import check_inputs, refuse_off
from coterie.projects.plugins_at_hand import PluginsAtHand
from coterie.projects.results import Results
from coterie.projects.runs import Runs
from coterie.projects.scheduler import Scheduler
from coterie.projects.storage import Storage
from coterie.projects.sweep_plans import (
    COHESIVENESS,
    GROUPS,
    OWN_SCORES,
    SweepPlan,
    SweepTable,
)
from coterie.projects.trials import Needs, Trials, steps_between


@dataclass
class _UnderWay:
    """Where a sweep is: which combination, and which of its steps comes next."""

    plan: SweepPlan
    recipe: Recipe
    chain: tuple[Step, ...]
    places: list[tuple[int, ...]]
    needs: Needs
    job: int = 0
    keys: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    @property
    def next_step(self) -> Step | None:
        """The step to compute now; None when only the score is left."""
        return next((step for step in self.chain if step.name not in self.keys), None)


class Sweeps:
    """One sweep at a time; `changed` tells the table whenever there is one more score.

    Asked of a session as `session.sweeps`; the session's `cancel` ends a sweep. Nothing of the
    project changes.
    """

    changed: ClassVar[Signal] = Signal(SweepTable)

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
        self._backstage, self._edits, self._plugins = backstage, edits, plugins
        self._trials = Trials(results, storage, runs, backstage)
        self._now: _UnderWay | None = None
        self.table: SweepTable | None = None
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)

    @property
    def pending(self) -> bool:
        """Whether a sweep is under way."""
        return self._now is not None

    def start(self, plan: SweepPlan) -> None:
        """Begin a sweep over the recipe as it is now, in the place of one under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        plan.check(recipe, catalogue)
        chain = steps_between(recipe, plan.step, plan.target)
        for step in chain:
            refuse_off(recipe, step.name)
            check_inputs(recipe, catalogue, step)
        self.clear()
        needs = Needs.of(recipe, chain)
        self._now = _UnderWay(plan, recipe, chain, list(plan.places()), needs)
        self._tell(SweepTable.empty(plan))
        self._backstage.wake()

    def clear(self) -> None:
        """Stop: what is scored stays."""
        if self._now is not None:
            self._end("cancelled")

    def advance(self) -> None:
        """Start the next run, if the engine is free."""
        while self._now is not None and self._scheduler.running is None:
            try:
                if not self._trials.ready(self._now.needs, "the sweep"):
                    return
            except CoterieError as error:
                self._end("failed", str(error))
                return
            self._go_on(self._now)

    def _go_on(self, now: _UnderWay) -> None:
        """Start the next run of a combination, or score it at once."""
        step = now.next_step
        try:
            order = self._score_order(now) if step is None else self._order(now, step)
        except CoterieError as error:
            self._note(now, str(error))
            return
        if order is None:
            self._score(now, now.keys[now.plan.target])
            return
        number = now.plan.count - len(now.places) + 1
        title = f"sweep of {now.plan.step}: {number} of {now.plan.count}"
        now.job = self._scheduler.run(title, order, quiet=True).number

    def _order(self, now: _UnderWay, step: Step) -> Order:
        params = dict(step.params)
        if step.name == now.plan.step:
            params |= now.plan.settings(now.places[0])
        inputs = [now.keys.get(of) or self._results.key(of) or "" for of in step.of]
        return Order(use=step.use, params=params, inputs=inputs, seed=step.seed)

    def _score_order(self, now: _UnderWay) -> Order | None:
        if now.plan.score in OWN_SCORES:
            return None
        return Order(use=now.plan.score, inputs=[now.keys[now.plan.target]])

    def _on_finished(self, job: Job, message: Finished) -> None:
        now = self._now
        if now is None or job.number != now.job:
            return
        now.job = 0
        if not message.cached:
            now.made += [message.key, *message.parts.values()]
        step = now.next_step
        if step is not None:
            now.keys[step.name] = message.key
        else:
            self._score(now, message.key)

    def _score(self, now: _UnderWay, key: str) -> None:
        try:
            score = _score_in(self._storage.workspace.load(key), now.plan.score)
        except CoterieError as error:
            self._note(now, str(error))
            return
        if np.isfinite(score):
            self._next(now, score)
        else:
            self._note(now, "The score is no number.")

    def _on_failed(self, job: Job, message: Failed) -> None:
        now = self._now
        if now is not None and job.number == now.job:
            now.job = 0
            if now.next_step is None and not self._has_scores():
                # What the score lacks, such as known classes, it will lack every time.
                self._end("failed", message.error)
            else:
                self._note(now, message.error)

    def _on_cancelled(self, job: Job) -> None:
        if self._now is not None and job.number == self._now.job:
            self._end("cancelled")

    def _has_scores(self) -> bool:
        return self.table is not None and bool(np.isfinite(self.table.scores).any())

    def _note(self, now: _UnderWay, problem: str) -> None:
        self._next(now, float("nan"), problem)

    def _next(self, now: _UnderWay, score: float, problem: str = "") -> None:
        """Take the score of a combination in, let its results go, and turn to the next one."""
        table, place = self.table, now.places.pop(0)
        if table is None:
            return
        scores = np.array(table.scores)
        scores[place] = score
        problems: Mapping[tuple[int, ...], str] = table.problems
        if problem:
            problems = {**problems, place: problem}
        table = replace(table, scores=read_only(scores), problems=problems, done=table.done + 1)
        self._let_go(now)
        now.keys.clear()
        if now.places:
            self._tell(table)
        else:
            self.table = table
            self._end("finished")

    def _let_go(self, now: _UnderWay) -> None:
        made, now.made = now.made, []
        self._trials.let_go(made)

    def _end(self, state: Any, message: str = "") -> None:
        now, self._now = self._now, None
        if now is None or self.table is None:
            return
        self._let_go(now)
        self._tell(replace(self.table, state=state, message=message))

    def _tell(self, table: SweepTable) -> None:
        self.table = table
        self.changed.emit(table)


def _score_in(noun: Any, score: str) -> float:
    """The score that a metric or a clustering holds."""
    if not isinstance(noun, Clustering):
        return float(noun.value)
    if score == GROUPS:
        return float(len(np.unique(noun.labels[noun.labels >= 0])))
    if score == COHESIVENESS:
        if noun.cohesiveness is None or not len(noun.cohesiveness):
            raise DataError("These groups have no cohesiveness. Choose another score.")
        return float(np.mean(noun.cohesiveness))
    raise DataError(f"Groups alone have no score '{score}'.")
