"""Runs a step with many settings and keeps only the scores: the results are let go at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.engine.messages import Finished, Order
from coterie.core.errors import CoterieError, DataError
from coterie.core.model.arrays import read_only
from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.projects.jobs.sweep_plan import (
    COHESIVENESS,
    GROUPS,
    OWN_SCORES,
    SweepPlan,
    SweepTable,
)
from coterie.projects.jobs.trials import Needs, Trials, UnderWay, steps_between


@dataclass
class _UnderWay(UnderWay):
    """Where a sweep is: which combination, and which of its steps comes next."""

    plan: SweepPlan
    chain: tuple[Step, ...]
    places: list[tuple[int, ...]]
    keys: dict[str, str] = field(default_factory=dict)

    @property
    def next_step(self) -> Step | None:
        """The step to compute now; None when only the score is left."""
        return next((step for step in self.chain if step.name not in self.keys), None)


class Sweeps(Trials[_UnderWay, SweepTable]):
    """One sweep at a time. Asked of a session as `session.sweeps`."""

    changed: ClassVar[Signal] = Signal(SweepTable)
    who = "the sweep"

    def start(self, plan: SweepPlan) -> None:
        """Begin a sweep over the recipe as it is now, in the place of one under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        plan.check(recipe, catalogue)
        chain = steps_between(recipe, plan.step, plan.target)
        self._check(chain)
        now = _UnderWay(Needs.of(recipe, chain), plan, chain, list(plan.places()))
        self._begin(now, SweepTable.empty(plan))

    def advance(self) -> None:
        """Start the next run, if the engine is free."""
        while self._now is not None and self._scheduler.running is None:
            try:
                if not self._ready(self._now.needs):
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

    def _take_in(self, now: _UnderWay, message: Finished) -> None:
        step = now.next_step
        if step is not None:
            now.keys[step.name] = message.key
        else:
            self._score(now, message.key)

    def _score(self, now: _UnderWay, key: str) -> None:
        load, target = self._storage.workspace.load, now.keys[now.plan.target]
        try:
            noun = load(key)
            score = _score_in(noun, now.plan.score)
            loose = _loose(noun if key == target else load(target))
        except CoterieError as error:
            self._note(now, str(error))
            return
        if np.isfinite(score):
            self._next(now, score, loose=loose)
        else:
            self._note(now, "The score is no number.")

    def _take_failure(self, now: _UnderWay, error: str) -> None:
        if now.next_step is None and not self._has_scores():
            # What the score lacks, such as known classes, it will lack every time.
            self._end("failed", error)
        else:
            self._note(now, error)

    def _has_scores(self) -> bool:
        return self.table is not None and bool(np.isfinite(self.table.scores).any())

    def _note(self, now: _UnderWay, problem: str) -> None:
        self._next(now, float("nan"), problem)

    def _next(self, now: _UnderWay, score: float, problem: str = "", loose: int = 0) -> None:
        """Take the score of a combination in, let its results go, and turn to the next one."""
        table, place = self.table, now.places.pop(0)
        if table is None:
            return
        scores = np.array(table.scores)
        scores[place] = score
        problems: Mapping[tuple[int, ...], str] = table.problems
        if problem:
            problems = {**problems, place: problem}
        left = {**table.loose, place: loose} if loose else table.loose
        table = replace(table, scores=read_only(scores), problems=problems, loose=left)
        table = replace(table, done=table.done + 1)
        self._let_go(now)
        now.keys.clear()
        if now.places:
            self._tell(table)
        else:
            self.table = table
            self._end("finished")


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
            raise DataError("These groups have no cohesiveness. Choose another score.")
        return float(np.mean(noun.cohesiveness))
    raise DataError(f"Groups alone have no score '{score}'.")
