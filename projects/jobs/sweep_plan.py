"""What a sweep varies, the scores, and the table of results. Values only; nothing runs here."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.arrays import Array, read_only
from coterie.core.model.recipes import Recipe
from coterie.core.wording import counted
from coterie.projects.jobs.trials import TrialTable, steps_between
from coterie.projects.recipe.inputs import type_of

GROUPS = "groups"  # scores that need no metric: they are in the result itself
COHESIVENESS = "cohesiveness"
OWN_SCORES = {GROUPS: "Number of groups", COHESIVENESS: "Mean cohesiveness"}
LOWER_IS_BETTER = frozenset(
    {
        well_known.METRIC_ERROR,
        well_known.METRIC_GCE,
        well_known.METRIC_LCE,
        well_known.METRIC_BAYES_RISK,
    }
)
MOST_RUNS = 10_000


@dataclass(frozen=True)
class SweepAxis:
    """A parameter and the values it is to take; of the plan's step unless another is named."""

    parameter: str
    values: tuple[Any, ...]
    step: str = ""


@dataclass(frozen=True)
class SweepPlan:
    """Combinations of settings, and what they are judged by.

    Attributes
    ----------
    step : whose parameters vary; where those of several steps do, the first of these
    axes : one or two
    score : a metric as "metric/nmi", or "groups", or "cohesiveness"
    target : the step whose groups are scored: `step` itself, or one that depends on it
    more : further scores, noted beside the first
    """

    step: str
    axes: tuple[SweepAxis, ...]
    score: str
    target: str
    more: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps whose parameters vary, each once."""
        return tuple(dict.fromkeys(axis.step or self.step for axis in self.axes))

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each axis: the parameter, with its step where those of several vary."""
        several = len(self.steps) > 1
        return tuple(
            f"{axis.step or self.step}.{axis.parameter}" if several else axis.parameter
            for axis in self.axes
        )

    @property
    def scores(self) -> tuple[str, ...]:
        """All scores, that which decides first."""
        return (self.score, *self.more)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def count(self) -> int:
        """Number of combinations."""
        return math.prod(self.shape)

    def places(self) -> Iterator[tuple[int, ...]]:
        """Yield every combination, as a place in the table."""
        return itertools.product(*(range(extent) for extent in self.shape))

    def settings(self, place: tuple[int, ...]) -> dict[str, Any]:
        """Return the values of a combination by the names of the axes."""
        named = zip(self.names, self.axes, place, strict=True)
        return {name: axis.values[at] for name, axis, at in named}

    def params_of(self, step: str, place: tuple[int, ...]) -> dict[str, Any]:
        """Return the parameters of a step in a combination."""
        return {
            axis.parameter: axis.values[at]
            for axis, at in zip(self.axes, place, strict=True)
            if (axis.step or self.step) == step
        }

    def check(self, recipe: Recipe, catalogue: Catalogue) -> None:
        """Raise a clear error when the plan does not fit the recipe."""
        if not 1 <= len(self.axes) <= 2:
            raise RecipeError(
                f"A sweep varies one or two parameters. Got {len(self.axes)}.", code="invalid-sweep"
            )
        if len({(axis.step or self.step, axis.parameter) for axis in self.axes}) < len(self.axes):
            raise RecipeError(
                f"'{self.axes[0].parameter}' is varied twice. Choose two parameters.",
                code="invalid-sweep",
            )
        between = {step.name for step in steps_between(recipe, self.step, self.target)}
        for axis in self.axes:
            step = recipe.step(axis.step or self.step)
            method = catalogue.get(step.use)
            if step.name not in between and self.step in between:
                raise RecipeError(
                    f"'{step.name}' is not between '{self.step}' and '{self.target}', so varying "
                    f"it does not change the groups. Choose steps between these two.",
                    code="invalid-sweep",
                )
            if axis.parameter not in method.params.get("properties", {}):
                known = ", ".join(method.params.get("properties", {})) or "none"
                raise RecipeError(
                    f"{method.title} has no parameter '{axis.parameter}'. It has: {known}.",
                    code="invalid-sweep",
                )
            if not axis.values:
                raise RecipeError(
                    f"There are no values of '{axis.parameter}' to try.", code="invalid-sweep"
                )
        if self.count > MOST_RUNS:
            raise RecipeError(
                f"A sweep makes at most {MOST_RUNS:,} runs. Got {self.count:,}.",
                code="too-many-runs",
            )
        if self.target not in targets_of(recipe, catalogue, self.step):
            raise RecipeError(
                f"'{self.target}' has no groups that depend on '{self.step}'. Sweep a "
                "step that groups depend on.",
                code="groups-needed",
            )
        if unknown := [score for score in self.scores if score not in scores_of(catalogue)]:
            known = ", ".join(scores_of(catalogue))
            raise RecipeError(
                f"Unknown score '{unknown[0]}'. The scores are {known}.", code="unknown-score"
            )


@dataclass(frozen=True, eq=False)
class SweepTable(TrialTable):
    """The scores so far: NaN where there is none yet, or none to be had.

    Attributes
    ----------
    scores : of the plan's shape
    problems : why a combination has no score
    more : the further scores, each of the plan's shape
    loose : how many items are in no group, where there are any: most scores leave them out
    """

    plan: SweepPlan
    scores: Array
    problems: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    more: Mapping[str, Array] = field(default_factory=dict)
    loose: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    done: int = 0

    @classmethod
    def empty(cls, plan: SweepPlan) -> SweepTable:
        """Return the table before the first run."""
        unknown = read_only(np.full(plan.shape, np.nan))
        return cls(plan, unknown, more=dict.fromkeys(plan.more, unknown))

    @property
    def best(self) -> tuple[int, ...] | None:
        """The place of the best score, the first of equals; None when no score is better."""
        if self.plan.score == GROUPS or not np.isfinite(self.scores).any():
            return None
        lower = self.plan.score in LOWER_IS_BETTER
        at = np.nanargmin(self.scores) if lower else np.nanargmax(self.scores)
        return tuple(int(i) for i in np.unravel_index(at, self.plan.shape))

    def rows(self) -> Iterator[tuple[dict[str, Any], float, str]]:
        """Yield settings, score and remark of every combination."""
        for place in self.plan.places():
            yield self.plan.settings(place), float(self.scores[place]), self.remark(place)

    def remark(self, place: tuple[int, ...]) -> str:
        """Return why a combination has no score, or whom its score leaves out."""
        loose = self.loose.get(place, 0)
        return self.problems.get(place, "") or (
            f"{counted(loose, 'item')} in no group" if loose else ""
        )

    def write_csv(self, path: Path) -> None:
        """Write a row for each combination."""
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*self.plan.names, *self.plan.scores, "note"])
            for place in self.plan.places():
                found = (self.scores[place], *(more[place] for more in self.more.values()))
                shown = ("" if math.isnan(score) else repr(float(score)) for score in found)
                writer.writerow([*self.plan.settings(place).values(), *shown, self.remark(place)])


def targets_of(recipe: Recipe, catalogue: Catalogue, step: str) -> tuple[str, ...]:
    """Return the steps that give groups and depend on `step`, itself first; none that is off."""
    names = [step, *(below.name for below in recipe.dependents(step))]
    off = recipe.switched_off()
    return tuple(
        name
        for name in names
        if name not in off and type_of(recipe, catalogue, name) == "clustering"
    )


def scores_of(catalogue: Catalogue) -> dict[str, str]:
    """Return what groups can be scored by, with titles: metrics that need nothing else first."""
    metrics = {
        method.name: method.title
        for method in catalogue.of_kind("metric")
        if not method.refusal(["clustering"])
    }
    return {**metrics, **OWN_SCORES}


def spread(
    low: float, high: float, count: int, *, log: bool = False, whole: bool = False
) -> tuple[Any, ...]:
    """Return values evenly spread from `low` to `high`, or by equal factors; whole ones once each.

    >>> spread(1, 100, 3, log=True)
    (1.0, 10.0, 100.0)
    >>> spread(2, 4, 9, whole=True)
    (2, 3, 4)
    """
    if count < 1:
        raise RecipeError(
            f"A range must have at least one value. Got {count}.", code="invalid-sweep"
        )
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RecipeError("A range must start and end with a number.", code="invalid-sweep")
    if log and min(low, high) <= 0:
        raise RecipeError(
            f"A logarithmic range must be positive. Got {low:g} to {high:g}.", code="invalid-sweep"
        )
    if count > MOST_RUNS:
        raise RecipeError(
            f"A range may have at most {MOST_RUNS:,} values. Got {count:,}.", code="too-many-runs"
        )
    values = np.geomspace(low, high, count) if log else np.linspace(low, high, count)
    if whole:
        return tuple(dict.fromkeys(round(value) for value in values.tolist()))
    # A person who asks for tenths gets tenths; of factors, four digits say enough.
    digits = 4 if log else 12
    return tuple(dict.fromkeys(float(f"{value:.{digits}g}") for value in values))


def parse_axis(text: str, recipe: Recipe, catalogue: Catalogue, step: str) -> SweepAxis:
    """Read `parameter=low:high:count[:log]` or `parameter=value,value,…`.

    The parameter is one of `step` unless it is written with another, as `similarity.sigma`.
    """
    name, equals, written = text.partition("=")
    name, written = name.strip(), written.strip()
    of, dot, parameter = name.rpartition(".")
    if dot and of in recipe.names:
        return replace(parse_axis(f"{parameter}={written}", recipe, catalogue, of), step=of)
    if not (name and equals and written):
        raise RecipeError(
            "Write a parameter to vary as sigma=0.1:1:5, sigma=0.1:1:5:log or "
            f"rest=none,nearest. Got '{text}'.",
            code="invalid-sweep",
        )
    # Without a step, what is before the dot was meant to be one.
    schema = (
        catalogue.get(recipe.step(step or of or name).use)
        .params.get("properties", {})
        .get(name, {})
    )
    parts = written.split(":")
    whole_range = len(parts) in (3, 4) and parts[3:] in ([], ["log"], ["linear"])
    if whole_range or (len(parts) > 1 and takes_numbers_alone(schema)):
        try:
            low, high, count = float(parts[0]), float(parts[1]), int(parts[2])
        except (ValueError, IndexError):
            raise RecipeError(
                f"Write a range as low:high:count, in numbers. Got '{written}'.",
                code="invalid-sweep",
            ) from None
        whole = is_whole(schema)
        return SweepAxis(name, spread(low, high, count, log=parts[3:] == ["log"], whole=whole))
    return SweepAxis(name, tuple(parse_value(entry, schema) for entry in written.split(",")))


def parse_value(text: str, schema: Mapping[str, Any]) -> Any:
    """Return a typed value: a number where it reads as one, else true, false, or the word."""
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        raise RecipeError(f"Values must be finite. Got '{text}'.", code="invalid-sweep")
    return int(number) if number.is_integer() and is_whole(schema) else number


def takes_numbers_alone(schema: Mapping[str, Any]) -> bool:
    """Return whether a parameter takes numbers and no texts."""
    types = {option.get("type") for option in (schema, *schema.get("anyOf", ()))} - {None, "null"}
    texts = any("enum" in one or "const" in one for one in (schema, *schema.get("anyOf", ())))
    return bool(types) and types <= {"integer", "number"} and not texts


def is_whole(schema: Mapping[str, Any]) -> bool:
    """Return whether a parameter takes whole numbers alone."""
    options = [schema, *schema.get("anyOf", ())]
    types = {option.get("type") for option in options}
    return "integer" in types and "number" not in types
