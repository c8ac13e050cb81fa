"""Runs a recipe's classifier again and again on other samples, and keeps only how good it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.engine.assess_scene import JUDGE
from coterie.core.engine.assess_scene import SAMPLE as SAMPLE_PART
from coterie.core.engine.messages import Finished, Order
from coterie.core.errors import CoterieError
from coterie.core.formats.rasters.confusion_counts import Tally
from coterie.core.model.recipes import Step
from coterie.core.numerics.partitions.training import training_items
from coterie.projects.jobs.classify_scene import Chain, kept_place, scene_params, truth_params
from coterie.projects.jobs.cross_validate_plan import SIZE, TOP, Place, RepeatPlan, sample_of
from coterie.projects.jobs.cross_validate_results import RepeatTable, Repetition
from coterie.projects.jobs.trials import Needs, Trials, UnderWay, steps_between


@dataclass
class _UnderWay(UnderWay):
    """Where the repetitions are: which trial, and which of its steps comes next.

    `done` holds key and parts of each step of the present trial; what only the best-ranked pixels
    differ in shares all steps but the last.
    """

    plan: RepeatPlan
    chain: Chain
    steps: tuple[Step, ...]
    places: list[Place]
    done: dict[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)

    @property
    def next_step(self) -> Step | None:
        """The step to compute now; None when only the judgement is left."""
        return next((step for step in self.steps if step.name not in self.done), None)

    @property
    def classifier(self) -> Step:
        """The last step."""
        return self.chain.steps[-1]


class Repeats(Trials[_UnderWay, RepeatTable]):
    """One set of repetitions at a time. Asked of a session as `session.repeats`."""

    changed: ClassVar[Signal] = Signal(RepeatTable)
    who = "the repetition"

    def start(self, plan: RepeatPlan) -> None:
        """Begin with the recipe as it is now, in the place of what is under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        chain = plan.check(recipe, catalogue)
        steps = steps_between(recipe, sample_of(chain).name, chain.steps[-1].name)
        self._check(steps)
        now = _UnderWay(Needs.of(recipe, steps), plan, chain, steps, list(plan.places()))
        self._begin(now, RepeatTable(plan))

    def advance(self) -> None:
        """Start the next run, if the engine is free."""
        while self._now is not None and self._scheduler.running is None:
            now = self._now
            try:
                if not self._ready(now.needs):
                    return
                step = now.next_step
                order = self._judgement(now) if step is None else self._order(now, step)
            except CoterieError as error:
                self._end("failed", str(error))
                return
            number = now.plan.count - len(now.places) + 1
            title = f"repetition {number} of {now.plan.count}"
            now.job = self._scheduler.run(title, order, quiet=True).number

    def _order(self, now: _UnderWay, step: Step) -> Order:
        repetition, size, top = now.places[0]
        params = dict(step.params)
        if step.name == sample_of(now.chain).name:
            params[SIZE] = now.plan.sizes[size]
        if step.name == now.classifier.name:
            params[TOP] = now.plan.tops[top]
        inputs = [self._key(now, of) for of in step.of]
        return Order(use=step.use, params=params, inputs=inputs, seed=step.seed + repetition)

    def _judgement(self, now: _UnderWay) -> Order:
        plan, chain = now.plan, now.chain
        models = [self._model(now, step) for step in chain.steps[:-1]]
        first = next((i for i, key in enumerate(models) if key), len(models))
        learnt = self._storage.workspace.load(self._key(now, chain.steps[first].of[0]))
        scene, truth = plan.scene, plan.truth
        if plan.own:
            place = self._runs.places.get(chain.source.name)
            scene, truth = (kept_place(path, chain.source, place) for path in (scene, truth))
        params = {
            **scene_params(chain, scene, learnt.columns, plan.reader_params),
            **truth_params(truth, plan.truth_classes),
            "sample": self._key(now, sample_of(chain).name) if plan.own else "",
            "at_most": plan.at_most,
        }
        keys = [*models, self._key(now, now.classifier.name)]
        return Order(use=JUDGE, params=params, inputs=keys, seed=now.places[0][0])

    def _key(self, now: _UnderWay, name: str) -> str:
        if name in now.done:
            return now.done[name][0]
        return self._results.key(name) or ""

    def _model(self, now: _UnderWay, step: Step) -> str:
        """The key of what a transform learnt; empty for one that learns nothing, as a sample."""
        if step.name in now.done:
            return now.done[step.name][1].get("model", "")
        return self._results.key(step.name, "model") or ""

    def _take_in(self, now: _UnderWay, message: Finished) -> None:
        step = now.next_step
        if step is not None:
            now.done[step.name] = (message.key, dict(message.parts))
            return
        try:
            found = Repetition.of(self._tally(message), self._trained(now))
        except CoterieError as error:
            self._next(now, str(error))
        else:
            self._next(now, found)

    def _tally(self, message: Finished) -> Tally:
        workspace = self._storage.workspace
        others = workspace.load(message.key)
        sampled = workspace.load(message.parts[SAMPLE_PART])
        counts = (np.asarray(score.table, dtype=np.int64) for score in (others, sampled))
        return Tally(others.rows, others.columns, *counts)

    def _trained(self, now: _UnderWay) -> int:
        """How many pixels the classifier learnt from."""
        workspace = self._storage.workspace
        nouns: list[Any] = [workspace.load(self._key(now, of)) for of in now.classifier.of]
        top = now.plan.tops[now.places[0][2]]
        return len(training_items(*nouns[:3], top_per_cluster=top).items)

    def _take_failure(self, now: _UnderWay, error: str) -> None:
        if now.next_step is None and self.table is not None and not self.table.found:
            # What is wrong with the scene or the mask will be wrong every time.
            self._end("failed", error)
        else:
            self._next(now, error)

    def _next(self, now: _UnderWay, found: Repetition | str) -> None:
        """Take in what came of a trial, or why nothing did, and turn to the next one."""
        place, table = now.places.pop(0), self.table
        if table is None:
            return
        if isinstance(found, str):
            table = replace(table, problems={**table.problems, place: found})
        else:
            table = replace(table, found={**table.found, place: found})
        self.table = table
        if not now.places:
            if table.found:
                self._end("finished")
            else:
                self._end("failed", next(iter(table.problems.values()), ""))
            return
        if now.places[0][:2] == place[:2]:
            now.done.pop(now.classifier.name, None)
        else:
            now.done.clear()
            self._let_go(now)
        self._tell(table)
