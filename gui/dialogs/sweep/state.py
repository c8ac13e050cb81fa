"""A sweep as a person sets it up and reads it. Knows no widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from coterie.core import well_known
from coterie.core.errors import RecipeError
from coterie.core.model.arrays import Array
from coterie.gui.dialogs.trials.state import TrialsState
from coterie.gui.toolkit.forms.fields import FormField, fields_of
from coterie.gui.toolkit.forms.values import shown_value, word_for
from coterie.projects.jobs.sweep_figure import write_sweep
from coterie.projects.jobs.sweep_plan import (
    LOWER_IS_BETTER,
    SweepAxis,
    SweepPlan,
    SweepTable,
    parse_value,
    scores_of,
    spread,
    targets_of,
)

if TYPE_CHECKING:
    from coterie.projects.session import Session

Way = Literal["evenly", "by factors", "list"]
WAYS: tuple[Way, ...] = ("evenly", "by factors", "list")
_COUNT, _MOST_WHOLE = 7, 9
_PREFERRED = (well_known.METRIC_NMI, well_known.METRIC_SILHOUETTE)
_KINDS = ("number", "integer", "choice", "boolean")


@dataclass(frozen=True)
class AxisChoice:
    """One parameter and how its values are chosen; no parameter means no such axis."""

    parameter: str = ""
    way: Way = "evenly"
    low: float = 0.0
    high: float = 1.0
    count: int = _COUNT
    text: str = ""


class SweepState(TrialsState[SweepTable]):
    """What is varied, what it is scored by, and what came of it."""

    kept, failing = "the scores", "could not be scored"

    def __init__(self, session: Session, step: str) -> None:
        super().__init__(session)
        self.step = step
        recipe, catalogue = session.recipe, session.catalogue
        self.title = catalogue.get(recipe.step(step).use).title
        self.scores = scores_of(catalogue)
        self.score = self._first_score()
        self.targets = targets_of(recipe, catalogue, step)
        self.target = self.targets[0] if self.targets else ""
        self.fields = self._fields_of(step)
        """What can be varied: parameters of the step, and of others as "step.parameter"."""
        names = self._by_interest()
        for other in self._others():
            for name, field in self._fields_of(other).items():
                self.fields[f"{other}.{name}"] = replace(field, title=f"{other}: {field.title}")
        self.axes = [self.choice_of(names[0]) if names else AxisChoice(), AxisChoice()]
        self._started: SweepPlan | None = None
        self.adopted: tuple[int, ...] | None = None

    # Setting it up

    @property
    def why_not(self) -> str:
        """Why there is nothing to sweep, or nothing."""
        if not self.targets:
            return (
                f"No groups depend on '{self.step}', so there is nothing to score. Add "
                "a clustering method first."
            )
        return "" if self.fields else f"{self.title} has no parameter to vary."

    def choice_of(self, parameter: str) -> AxisChoice:
        """Return a sensible range for a parameter: the slider's, or around the present value."""
        if not parameter:
            return AxisChoice()
        field = self.fields[parameter]
        if field.kind in ("choice", "boolean"):
            values = field.choices if field.kind == "choice" else (False, True)
            return AxisChoice(parameter, "list", text=", ".join(map(_typed, values)))
        low, high = field.slider or self._around(field)
        if parameter.rpartition(".")[2] == "k":
            low, high = 2, max(high, 2)  # fewer are no groups, and 0 often means: find out
        if field.kind == "integer":
            low, high = round(low), round(min(high, low + _MOST_WHOLE - 1))
            return AxisChoice(parameter, "evenly", low, high, int(high - low) + 1)
        return AxisChoice(parameter, "by factors" if field.log else "evenly", low, high)

    def set_axis(self, at: int, choice: AxisChoice) -> None:
        """Choose what one of the two axes varies."""
        self.axes[at] = choice

    def planned(self) -> int:
        """Return the number of combinations, or say what is wrong with the plan."""
        return self.plan().count

    def plan(self) -> SweepPlan:
        """Return the plan, or say what is wrong with it."""
        if self.why_not:
            raise RecipeError(self.why_not, code="groups-needed")
        axes = tuple(self._axis(choice) for choice in self.axes if choice.parameter)
        varied = {axis.step for axis in axes}
        in_order = [one.name for one in self._session.recipe.in_order() if one.name in varied]
        first = in_order[0] if in_order else self.step
        plan = SweepPlan(first, axes, self.score, self.target)
        plan.check(self._session.recipe, self._session.catalogue)
        return plan

    # Running it

    def start(self) -> None:
        """Begin."""
        self.adopted = None
        self._started = self.plan()
        self._session.sweeps.start(self._started)

    def take(self, table: SweepTable) -> None:
        """Take in a table, unless it is of another sweep."""
        if self.step in table.plan.steps or table.plan == self._started:
            self.table = table

    # What is seen

    def best_in_words(self, table: SweepTable) -> str:
        """Return the best score so far, and with what settings it came."""
        if (best := table.best) is None:
            return ""
        word = "lowest" if table.plan.score in LOWER_IS_BETTER else "best"
        left = f" ({table.remark(best)})" if table.remark(best) else ""
        return f"{word} {table.scores[best]:.4g} with {self.in_words(best)}{left}"

    def in_words(self, place: tuple[int, ...]) -> str:
        """Return the settings of a cell."""
        if self.table is None:
            return ""
        settings = self.table.plan.settings(place)
        return ", ".join(f"{name} = {_short(value)}" for name, value in settings.items())

    def headers(self) -> tuple[list[str], list[str]]:
        """Return the words above the columns and beside the rows."""
        if self.table is None:
            return [], []
        axes = self.table.plan.axes
        rows = [_short(value) for value in axes[0].values]
        columns = [_short(value) for value in axes[1].values] if len(axes) > 1 else ["score"]
        return columns, rows

    def shares(self) -> Array:
        """Return each score between 0, the worst, and 1, the best, as rows × columns; NaN: none."""
        if self.table is None:
            return np.zeros((0, 0))
        scores = self.table.scores.reshape(self.table.plan.shape[0], -1)
        known = scores[np.isfinite(scores)]
        if not known.size:
            return np.full(scores.shape, np.nan)
        span = float(np.ptp(known)) or 1.0
        shares: Array = np.asarray((scores - known.min()) / span)
        return 1 - shares if self.table.plan.score in LOWER_IS_BETTER else shares

    def place(self, row: int, column: int) -> tuple[int, ...]:
        """Return the place in the table of a cell."""
        one = self.table is not None and len(self.table.plan.axes) == 1
        return (row,) if one else (row, column)

    @property
    def curve(self) -> tuple[Array, Array] | None:
        """Values and scores when one number was varied, for a line."""
        if self.table is None or len(self.table.plan.axes) != 1:
            return None
        values = self.table.plan.axes[0].values
        if any(isinstance(value, bool | str) or value is None for value in values):
            return None
        return np.array(values, dtype=float), np.asarray(self.table.scores)

    @property
    def log(self) -> bool:
        """Whether the varied number goes by factors."""
        return self.axes[0].way == "by factors"

    def adopt(self, place: tuple[int, ...]) -> bool:
        """Give the steps the settings of a cell, as one edit; return whether that was one."""
        session, table = self._session, self.table
        if table is None or not set(table.plan.steps) <= set(session.recipe.names):
            return False
        self.adopted = place
        recipe = session.recipe
        for step in table.plan.steps:
            params = {**recipe.step(step).params, **table.plan.params_of(step, place)}
            if params != dict(recipe.step(step).params):
                recipe = recipe.changed(step, params=params)
        if recipe is session.recipe:
            return False
        of = f" of {self.step}" if table.plan.steps == (self.step,) else ""
        session.edits.replace(recipe, f"set {self.in_words(place)}{of}")
        return True

    def write_figure(self, path: Path) -> None:
        """Write the scores as a map or a curve, on white paper."""
        if self.table is not None:
            write_sweep(self.table, self.scores[self.table.plan.score], path)

    # Inside

    def _axis(self, choice: AxisChoice) -> SweepAxis:
        field = self.fields[choice.parameter]
        if choice.way == "list":
            entries = [entry for entry in choice.text.split(",") if entry.strip()]
            by_word = {_typed(value): value for value in field.choices}
            values = tuple(
                by_word.get(entry.strip(), parse_value(entry, field.schema)) for entry in entries
            )
        else:
            values = spread(
                choice.low,
                choice.high,
                choice.count,
                log=choice.way == "by factors",
                whole=field.kind == "integer",
            )
        for value in values:
            if problem := field.problem(value):
                raise RecipeError(problem, code="invalid-sweep")
        step, _, parameter = choice.parameter.rpartition(".")
        return SweepAxis(parameter, values, step or self.step)

    def _fields_of(self, step: str) -> dict[str, FormField]:
        session = self._session
        method = session.catalogue.get(session.recipe.step(step).use)
        return {
            field.name: field
            for field in fields_of(method.params, method.defaults)
            if field.kind in _KINDS
        }

    def _others(self) -> list[str]:
        """Other steps on the way to the groups, the nearest to them first."""
        recipe, off = self._session.recipe, self._session.recipe.switched_off()
        known = self._session.catalogue
        way = {*recipe.ancestors([self.target]), self.target} if self.target else set()
        return [
            one.name
            for one in reversed(recipe.in_order())
            if one.name in way - {self.step} and one.name not in off and one.use in known
        ]

    def _around(self, field: FormField) -> tuple[float, float]:
        of, _, _ = field.title.partition(": ")
        step = of if of in self._others() else self.step
        value: Any = self._session.recipe.step(step).params.get(field.name, field.default)
        if not isinstance(value, int | float) or isinstance(value, bool):
            value = 1
        low, high = (2, 10) if field.kind == "integer" else (value / 4, value * 4)
        if low == high:
            low, high = 0.0, 1.0
        if field.limits.low is not None:
            low = max(low, field.limits.low + (1e-3 if field.limits.low_open else 0))
        if field.limits.high is not None:
            high = min(high, field.limits.high - (1e-3 if field.limits.high_open else 0))
        return float(low), float(max(low, high))

    def _by_interest(self) -> list[str]:
        """Parameters, those that an author gave a slider first, the advanced last."""

        def rank(field: FormField) -> tuple[bool, bool, bool]:
            return field.advanced, field.slider is None, field.kind in ("choice", "boolean")

        return [field.name for field in sorted(self.fields.values(), key=rank)]

    def _first_score(self) -> str:
        session = self._session
        sources = session.recipe.sources
        data = session.results.artefact(sources[0].name) if sources else None
        known = getattr(data, "truth", None) is not None
        wanted = _PREFERRED if known else _PREFERRED[1:]
        return next((score for score in wanted if score in self.scores), next(iter(self.scores)))


def _typed(value: Any) -> str:
    """A value as it is typed in a list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else word_for(value)


def _short(value: Any) -> str:
    """A value as it stands beside a row."""
    return f"{value:.4g}" if isinstance(value, float) else shown_value(value)


def with_way(choice: AxisChoice, way: Way) -> AxisChoice:
    """Return the choice with another way to spread; a range by factors begins above zero."""
    low = choice.low
    if way == "by factors" and low <= 0:
        low = choice.high / 100 if choice.high > 0 else 0.01
    return replace(choice, way=way, low=low)
