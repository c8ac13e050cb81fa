"""Runs the recipes that a plugin offers, and those of its samples, on a few items."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.api.parameters import parse_params
from coterie.core.api.templates import PLACES, SELECTED
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.nested_runs import DirectRuns, built_in_registry, built_in_runs
from coterie.core.errors import in_words
from coterie.core.io import clock
from coterie.core.model.recipes import Step
from coterie.core.model.subset import chosen_items
from coterie.core.testing.inputs import nouns_about, table
from coterie.core.testing.subjects import SEED
from coterie.core.testing.verdicts import Finding, Outcome

ITEMS = 40
CHOSEN = 20  # every second one
CHECK = ("recipe-runs", "its steps run, one after the other, on a few items")
ADVICE = "Name methods that are there, with inputs and parameters that they take."


@dataclass(frozen=True)
class Trial:
    """One thing that is tried: a check of a component, or the steps of a recipe."""

    name: str
    check: str
    promise: str
    find: Callable[[], Finding]


@dataclass(frozen=True)
class StepsTrial:
    """Steps that a plugin offers, and what to try them on."""

    name: str
    steps: tuple[Step, ...]
    begin: Callable[[], Mapping[str, Any]]
    registry: Registry

    def find(self) -> Finding:
        """Run the steps; whatever goes wrong is a finding."""
        began = clock.seconds()
        outcome: Outcome = "passed"
        what, trace, at = "", "", ""
        try:
            nouns = dict(self.begin())
            selected = list(range(0, 2 * CHOSEN, 2))
            for step in self.steps:
                at = step.name
                nouns[step.name] = self._run(step, nouns, selected)
        # A method may raise anything, SystemExit included.
        except BaseException as error:
            outcome, trace = "failed", traceback.format_exc()
            what = f"'{at}': {in_words(error)}" if at else in_words(error)
        took = round(clock.seconds() - began, 3)
        advice = ADVICE if outcome == "failed" else ""
        return Finding(self.name, *CHECK, outcome, what, advice, trace, took)

    def _run(self, step: Step, nouns: Mapping[str, Any], selected: list[int]) -> Any:
        own = step.use in self.registry.catalogue
        registry = self.registry if own else built_in_registry()
        params = {n: selected if value == SELECTED else value for n, value in step.params.items()}
        parse_params(registry.component(step.use).Params, params, step.use)
        runs = DirectRuns(lambda: registry)
        context = Context(seed=SEED, runs=built_in_runs())
        return runs(step.use, tuple(nouns[of] for of in step.of), params, context).main


def trials_of(registry: Registry) -> list[Trial]:
    """Return a trial for each recipe that the plugin offers, and for that of each sample."""
    return [Trial(steps.name, *CHECK, steps.find) for steps in steps_offered(registry)]


def steps_offered(registry: Registry) -> list[StepsTrial]:
    """Return the recipes that the plugin offers, and those of its samples."""
    found = [
        StepsTrial(f"recipe/{template.id}", template.in_order(), _usual, registry)
        for template in registry.catalogue.templates
    ]
    for sample in registry.catalogue.samples():
        if sample.recipe:
            made = _Made(registry, sample.name)
            found.append(StepsTrial(sample.name, sample.recipe, made, registry))
    return found


@dataclass(frozen=True)
class _Made:
    """The data of a sample."""

    registry: Registry
    use: str

    def __call__(self) -> Mapping[str, Any]:
        component = self.registry.component(self.use)
        params = parse_params(component.Params, {}, self.use)
        context = Context(seed=SEED, runs=built_in_runs())
        return {"data": component().compute(self.use, params=params, context=context)}


def _usual() -> Mapping[str, Any]:
    data = table(ITEMS)
    nouns = nouns_about(data)
    found = {place: nouns[kind] for place, kind in PLACES.items()}
    return {**found, "selection": chosen_items(data, np.arange(0, 2 * CHOSEN, 2))}
