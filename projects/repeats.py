"""Runs a recipe's classifier again and again on other samples, and keeps only how good it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.engine.judging import JUDGE
from coterie.core.engine.judging import SAMPLE as SAMPLE_PART
from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.errors import CoterieError
from coterie.core.partitions.training import training_items
from coterie.core.rasters.tallies import Tally
from coterie.core.recipes import Step
from coterie.projects.backstage import Backstage
from coterie.projects.edits import Edits
from coterie.projects.jobs import Job
from coterie.projects.maps import Chain, kept_place, scene_params, truth_params
from coterie.projects.planning import check_inputs, refuse_off
from coterie.projects.plugins_at_hand import PluginsAtHand
from coterie.projects.repeat_plans import SIZE, TOP, Place, RepeatPlan, sample_of
from coterie.projects.repeat_tables import RepeatState, RepeatTable, Repetition
from coterie.projects.results import Results
from coterie.projects.runs import Runs
from coterie.projects.scheduler import Scheduler
from coterie.projects.storage import Storage
from coterie.projects.trials import Needs, Trials, steps_between


@dataclass
class _UnderWay:
    """Where the repetitions are: which trial, and which of its steps comes next.

    `done` holds key and parts of each step of the present trial; what only the best-ranked pixels
    differ in shares all steps but the last.
    """

    plan: RepeatPlan
    chain: Chain
    steps: tuple[Step, ...]
    places: list[Place]
    needs: Needs
    job: int = 0
    done: dict[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    @property
    def next_step(self) -> Step | None:
        """The step to compute now; None when only the judgement is left."""
        return next((step for step in self.steps if step.name not in self.done), None)

    @property
    def classifier(self) -> Step:
        """The last step."""
        return self.chain.steps[-1]


class Repeats:
    """One set of repetitions at a time; `changed` tells the table whenever there is one more.

    Asked of a session as `session.repeats`; the session's `cancel` ends them. Nothing of the
    project changes.
    """

    changed: ClassVar[Signal] = Signal(RepeatTable)

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
        self._runs = runs
        self._trials = Trials(results, storage, runs, backstage)
        self._now: _UnderWay | None = None
        self.table: RepeatTable | None = None
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)

    @property
    def pending(self) -> bool:
        """Whether repetitions are under way."""
        return self._now is not None

    def start(self, plan: RepeatPlan) -> None:
        """Begin with the recipe as it is now, in the place of what is under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        chain = plan.check(recipe, catalogue)
        steps = steps_between(recipe, sample_of(chain).name, chain.steps[-1].name)
        for step in steps:
            refuse_off(recipe, step.name)
            check_inputs(recipe, catalogue, step)
        self.clear()
        needs = Needs.of(recipe, steps)
        self._now = _UnderWay(plan, chain, steps, list(plan.places()), needs)
        self._tell(RepeatTable(plan))
        self._backstage.wake()

    def clear(self) -> None:
        """Stop: what is judged stays."""
        if self._now is not None:
            self._end("cancelled")

    def advance(self) -> None:
        """Start the next run, if the engine is free."""
        while self._now is not None and self._scheduler.running is None:
            now = self._now
            try:
                if not self._trials.ready(now.needs, "the repetition"):
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

    def _on_finished(self, job: Job, message: Finished) -> None:
        now = self._now
        if now is None or job.number != now.job:
            return
        now.job = 0
        if not message.cached:
            now.made += [message.key, *message.parts.values()]
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

    def _on_failed(self, job: Job, message: Failed) -> None:
        now = self._now
        if now is None or job.number != now.job:
            return
        now.job = 0
        if now.next_step is None and self.table is not None and not self.table.found:
            # What is wrong with the scene or the mask will be wrong every time.
            self._end("failed", message.error)
        else:
            self._next(now, message.error)

    def _on_cancelled(self, job: Job) -> None:
        if self._now is not None and job.number == self._now.job:
            self._end("cancelled")

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

    def _let_go(self, now: _UnderWay) -> None:
        made, now.made = now.made, []
        self._trials.let_go(made)

    def _end(self, state: RepeatState, message: str = "") -> None:
        now, self._now = self._now, None
        if now is None or self.table is None:
            return
        self._let_go(now)
        self._tell(replace(self.table, state=state, message=message))

    def _tell(self, table: RepeatTable) -> None:
        self.table = table
        self.changed.emit(table)
