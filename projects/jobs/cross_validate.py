"""Trains a recipe's classifier on many random subsets, and keeps only the accuracies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from psygnal import Signal

from coterie.core.engine.assess_scene import SAMPLE as SAMPLE_PART
from coterie.core.engine.messages import Finished, Judge, Order
from coterie.core.errors import CoterieError
from coterie.core.formats.maps.confusion_counts import Tally
from coterie.core.model.recipes import Step
from coterie.core.numerics.partitions.training import training_items
from coterie.projects.jobs.classify_scene import SceneChain, kept_place, scene_fields, truth_fields
from coterie.projects.jobs.cross_validate_plan import (
    SIZE,
    TOP,
    CrossValidationPlan,
    Place,
    sample_of,
)
from coterie.projects.jobs.cross_validate_results import CrossValidationTable, Repetition
from coterie.projects.jobs.run_steps import StepRuns
from coterie.projects.jobs.trials import Trials, TrialTask, steps_between
from coterie.projects.store.results import Results


class CrossValidation(TrialTask[CrossValidationTable]):
    """Computes each repetition of a plan and compares it with known classes.

    `_done` holds key and parts of each step of the present trial. Trials that differ only in the
    number of best-ranked pixels share all steps but the last.
    """

    who = "the cross-validation"

    def __init__(
        self,
        plan: CrossValidationPlan,
        chain: SceneChain,
        steps: tuple[Step, ...],
        runs: StepRuns,
        tell: Callable[[CrossValidationTable], None],
    ) -> None:
        super().__init__(steps, CrossValidationTable(plan), runs, tell)
        self._plan, self._chain, self._classifier = plan, chain, chain.steps[-1]
        self._places: list[Place] = list(plan.places())
        self._done: dict[str, tuple[str, Mapping[str, str]]] = {}

    def order(self, results: Results) -> Order | Judge:
        """Return the order for the next step, or for the comparison with the known classes."""
        plan, step = self._plan, self._next_step()
        self.title = f"cross-validation run {plan.count - len(self._places) + 1} of {plan.count}"
        if step is None:
            return self._comparison(results)
        repetition, size, top = self._places[0]
        params = dict(step.params)
        if step.name == sample_of(self._chain).name:
            params[SIZE] = plan.sizes[size]
        if step.name == self._classifier.name:
            params[TOP] = plan.tops[top]
        inputs = [self._key(of, results) for of in step.of]
        return Order(use=step.use, params=params, inputs=inputs, seed=step.seed + repetition)

    def finished(self, message: Finished, results: Results) -> None:
        """Keep the result of a step, or take in how good the classifier was."""
        step = self._next_step()
        if step is not None:
            self._done[step.name] = (message.key, dict(message.parts))
            return
        try:
            found = Repetition.of(_tally(message, results), self._trained(results))
        except CoterieError as error:
            self._next(str(error))
        else:
            self._next(found)

    def failed(self, error: str) -> None:
        """Note why a repetition could not be compared."""
        if self._next_step() is None and not self.table.found:
            # What is wrong with the scene or the mask will be wrong every time.
            self.end("failed", error)
        else:
            self._next(error)

    def _next_step(self) -> Step | None:
        """Return the step to compute now; None when only the comparison is left."""
        return next((step for step in self._steps if step.name not in self._done), None)

    def _comparison(self, results: Results) -> Judge:
        plan, chain = self._plan, self._chain
        models = [self._model(step, results) for step in chain.steps[:-1]]
        first = next((i for i, key in enumerate(models) if key), len(models))
        learnt = results.load(self._key(chain.steps[first].of[0], results))
        scene, truth = plan.scene, plan.truth
        if plan.own:
            place = self._runs.places.get(chain.source.name)
            scene, truth = (kept_place(path, chain.source, place) for path in (scene, truth))
        return Judge(
            **scene_fields(chain, scene, learnt.columns, plan.reader_params),
            **truth_fields(truth, plan.truth_classes),
            models=[*models, self._key(self._classifier.name, results)],
            sample=self._key(sample_of(chain).name, results) if plan.own else "",
            at_most=plan.at_most,
            seed=self._places[0][0],
        )

    def _key(self, name: str, results: Results) -> str:
        if name in self._done:
            return self._done[name][0]
        return results.key(name) or ""

    def _model(self, step: Step, results: Results) -> str:
        """Return the key of what a transform learnt; empty for one that learns nothing."""
        if step.name in self._done:
            return self._done[step.name][1].get("model", "")
        return results.key(step.name, "model") or ""

    def _trained(self, results: Results) -> int:
        """Return how many pixels the classifier learnt from."""
        nouns: list[Any] = [results.load(self._key(of, results)) for of in self._classifier.of]
        top = self._plan.tops[self._places[0][2]]
        return len(training_items(*nouns[:3], top_per_cluster=top).items)

    def _next(self, found: Repetition | str) -> None:
        """Take in what came of a trial, or why nothing did, and turn to the next one."""
        place, table = self._places.pop(0), self.table
        if isinstance(found, str):
            table = replace(table, problems={**table.problems, place: found})
        else:
            table = replace(table, found={**table.found, place: found})
        if not self._places:
            self.table = table
            if table.found:
                self.end("finished")
            else:
                self.end("failed", next(iter(table.problems.values()), ""))
            return
        if self._places[0][:2] == place[:2]:
            self._done.pop(self._classifier.name, None)
        else:
            self._done.clear()
            self.let_go()
        self.tell(table)


class CrossValidations(Trials[CrossValidationTable]):
    """One set of repetitions at a time. Available as `session.cross_validations`."""

    changed: ClassVar[Signal] = Signal(CrossValidationTable)

    def start(self, plan: CrossValidationPlan) -> None:
        """Begin with the recipe as it is now, in the place of what is under way."""
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        chain = plan.check(recipe, catalogue)
        steps = steps_between(recipe, sample_of(chain).name, chain.steps[-1].name)
        self._check(steps)
        self._begin(CrossValidation(plan, chain, steps, self._runs, self.changed.emit))


def _tally(message: Finished, results: Results) -> Tally:
    others = results.load(message.key)
    sampled = results.load(message.parts[SAMPLE_PART])
    counts = (np.asarray(score.table, dtype=np.int64) for score in (others, sampled))
    return Tally(others.rows, others.columns, *counts)
