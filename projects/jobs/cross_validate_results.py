"""The results of a cross-validation: accuracies, with their means, deviations and intervals."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.formats.maps.confusion_counts import Tally, standing_for
from coterie.core.model.arrays import Floats
from coterie.core.numerics.partitions.accuracy import Accuracy, accuracy_of, merged_rows
from coterie.core.numerics.partitions.repetitions import (
    Difference,
    Spread,
    difference_of,
    spread_of,
)
from coterie.projects.jobs.cross_validate_plan import ALL, CrossValidationPlan, Place
from coterie.projects.jobs.trials import TrialTable

OVERALL, KAPPA = "overall", "kappa"
OF_CLASS = {"producers": "producer's", "users": "user's", "iou": "IoU"}


@dataclass(frozen=True, eq=False)
class Repetition:
    """One trial: what was learnt, what its groups stand for, and how good that is.

    Attributes
    ----------
    trained : pixels that the classifier learnt from
    groups : how many there were
    matching : for each group that was found, its name and the known class it stands for
    """

    trained: int
    groups: int
    matching: tuple[tuple[str, str], ...]
    accuracy: Accuracy

    @classmethod
    def of(cls, tally: Tally, trained: int) -> Repetition:
        """Judge counts: each group for the class that it stands for."""
        into = standing_for(tally)
        square = merged_rows(tally.others, into, len(tally.truths))
        found = np.flatnonzero((tally.others + tally.sampled).sum(axis=1))
        return cls(
            trained=trained,
            groups=len(tally.names) - 1,
            matching=tuple((tally.names[g], tally.truths[into[g]]) for g in found.tolist()),
            accuracy=accuracy_of(square, tally.truths),
        )

    @cached_property
    def measures(self) -> dict[str, float]:
        """Every number by its name: "overall", "kappa", then "iou cloud" and the like."""
        found = self.accuracy
        kinds = (found.producers, found.users, found.intersection_over_union())
        each = {
            f"{kind} {name}": float(value)
            for kind, values in zip(OF_CLASS, kinds, strict=True)
            for name, value in zip(found.names, values.tolist(), strict=True)
        }
        return {OVERALL: found.overall, KAPPA: found.kappa, **each}

    def measure(self, name: str) -> float:
        """Return a number by its name."""
        return self.measures[name]


@dataclass(frozen=True, eq=False)
class CrossValidationTable(TrialTable):
    """The repetitions so far.

    Attributes
    ----------
    problems : why a trial has no result
    """

    plan: CrossValidationPlan
    found: Mapping[Place, Repetition] = field(default_factory=dict)
    problems: Mapping[Place, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Number of trials that came to an end."""
        return len(self.found) + len(self.problems)

    @property
    def classes(self) -> tuple[str, ...]:
        """The known classes, as soon as there is one result."""
        return next((one.accuracy.names for one in self.found.values()), ())

    @property
    def measures(self) -> tuple[str, ...]:
        """What is measured: overall accuracy, kappa, and three numbers for each class."""
        first = next(iter(self.found.values()), None)
        return tuple(first.measures) if first is not None else (OVERALL, KAPPA)

    def values(self, measure: str, size: int, top: int) -> Floats:
        """Return a measure in every repetition of a size and top (by number), NaN for none."""
        places = ((r, size, top) for r in range(self.plan.times))
        found = (self.found.get(place) for place in places)
        return np.array([np.nan if one is None else one.measure(measure) for one in found])

    def spread(self, measure: str, size: int, top: int) -> Spread:
        """Return mean and scatter of a measure, its interval within what the measure can be."""
        found = spread_of(self.values(measure, size, top))
        lowest = -1.0 if measure == KAPPA else 0.0  # the others are shares
        low, high = np.clip((found.low, found.high), lowest, 1.0)
        return replace(found, low=float(low), high=float(high))

    def trained(self, size: int, top: int) -> float:
        """Return how many pixels were learnt from, on the mean."""
        counts = [one.trained for (_, s, t), one in self.found.items() if (s, t) == (size, top)]
        return float(np.mean(counts)) if counts else float("nan")

    def difference(self, measure: str, size: int, top: int) -> Difference | None:
        """Return how much better the best-ranked are than all pixels of the same samples."""
        if ALL not in self.plan.tops or self.plan.tops[top] == ALL:
            return None
        every = self.plan.tops.index(ALL)
        return difference_of(self.values(measure, size, top), self.values(measure, size, every))

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield every size and top, by their numbers."""
        for size in range(len(self.plan.sizes)):
            for top in range(len(self.plan.tops)):
                yield size, top

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON; what is not a number is null."""
        plan = self.plan
        return {
            "state": self.state,
            "scene": plan.scene.name,
            "truth": plan.truth.name,
            "step": plan.step,
            "times": plan.times,
            "judged_by": plan.at_most or "all known pixels outside the sample",
            "classes": list(self.classes),
            "means": [self._mean_json(size, top) for size, top in self.cells()],
            "repetitions": [self._one_json(place, one) for place, one in self.found.items()],
            "problems": [
                {**self._place_json(place), "problem": said}
                for place, said in self.problems.items()
            ],
        }

    def _mean_json(self, size: int, top: int) -> dict[str, Any]:
        plan = self.plan
        found: dict[str, Any] = {
            "size": plan.sizes[size],
            "top": plan.tops[top],
            "trained": _plain(self.trained(size, top)),
        }
        for measure in self.measures:
            spread = self.spread(measure, size, top)
            found[measure] = {
                "n": spread.n,
                "mean": _plain(spread.mean),
                "sd": _plain(spread.deviation),
                "low_95": _plain(spread.low),
                "high_95": _plain(spread.high),
            }
        if (more := self.difference(OVERALL, size, top)) is not None:
            found["overall_more_than_all"] = {
                "mean": _plain(more.mean),
                "low_95": _plain(more.low),
                "high_95": _plain(more.high),
                "p": _plain(more.p),
            }
        return found

    def _place_json(self, place: Place) -> dict[str, Any]:
        repetition, size, top = place
        plan = self.plan
        return {"repetition": repetition, "size": plan.sizes[size], "top": plan.tops[top]}

    def _one_json(self, place: Place, one: Repetition) -> dict[str, Any]:
        return {
            **self._place_json(place),
            "trained": one.trained,
            "groups": one.groups,
            "matching": dict(one.matching),
            "counts": one.accuracy.counts.tolist(),
            **{measure: _plain(one.measure(measure)) for measure in self.measures},
        }

    def write_means(self, path: Path) -> None:
        """Write a row for each size and top as CSV: mean, sd and 95% interval of each measure."""
        endings = ("mean", "sd", "low_95", "high_95")
        head = [f"{measure} {ending}" for measure in self.measures for ending in endings]
        more = [f"overall more than all {ending}" for ending in ("mean", "low_95", "high_95", "p")]
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["size", "top", "repetitions", "trained", *head, *more])
            for size, top in self.cells():
                spreads = [self.spread(measure, size, top) for measure in self.measures]
                n = self.spread(OVERALL, size, top).n
                row: list[Any] = [self.plan.sizes[size], self.plan.tops[top], n]
                row.append(_cell(self.trained(size, top)))
                for one in spreads:
                    row += map(_cell, (one.mean, one.deviation, one.low, one.high))
                found = self.difference(OVERALL, size, top)
                if found is not None:
                    row += map(_cell, (found.mean, found.low, found.high, found.p))
                else:
                    row += [""] * len(more)
                writer.writerow(row)

    def write_each(self, path: Path) -> None:
        """Write a row for each repetition as CSV, with what each group stood for."""
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            head = ["repetition", "size", "top", "trained", "groups"]
            writer.writerow([*head, *self.measures, "matching", "note"])
            for place in self.plan.places():
                numbers = list(self._place_json(place).values())
                one = self.found.get(place)
                if one is not None:
                    values = [_cell(one.measure(measure)) for measure in self.measures]
                    said = "; ".join(f"{group} = {name}" for group, name in one.matching)
                    writer.writerow([*numbers, one.trained, one.groups, *values, said, ""])
                elif place in self.problems:
                    blank = [""] * (len(self.measures) + 3)
                    writer.writerow([*numbers, *blank, self.problems[place]])


def measure_in_words(measure: str) -> str:
    """Return what a measure is called.

    >>> measure_in_words("producers cloud"), measure_in_words("overall")
    ("cloud: producer's accuracy", 'Overall accuracy')
    """
    if measure == OVERALL:
        return "Overall accuracy"
    if measure == KAPPA:
        return "Kappa"
    kind, _, name = measure.partition(" ")
    return f"{name}: {OF_CLASS[kind]}" + ("" if kind == "iou" else " accuracy")


def _plain(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _cell(value: float) -> str:
    return f"{value:.6g}" if isfinite(value) else ""
