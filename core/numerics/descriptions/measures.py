"""What a column of numbers stands for when groups are described: a number, a date, a category."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.model.columns import CODED, WORDED, Column, dates_in_words
from coterie.core.model.dataset import Dataset

MOST_CATEGORIES = 30  # of one column that are described; the most frequent ones


@dataclass(frozen=True)
class Measure:
    """A column that conditions and differences are said of; this one is of plain numbers.

    >>> Measure("weight").above(2.5), Measure("weight").difference(-1.25, 0, 0)
    ('weight > 2.5', 'weight lower (1.2 SD)')
    """

    name: str

    @property
    def title(self) -> str:
        """The head of a line with its means."""
        return self.name

    def mean(self, value: float) -> str:
        """Return a mean of its values as a text; nothing for none."""
        return f"{value:.4g}" if np.isfinite(value) else ""

    def value(self, value: float) -> str:
        """Return the value of one item as a text."""
        return self._value(value) if np.isfinite(value) else ""

    def above(self, threshold: float) -> str:
        """Say that values are larger than the threshold."""
        return f"{self.name} > {self._value(threshold)}"

    def below(self, threshold: float) -> str:
        """Say that values are at most the threshold."""
        return f"{self.name} ≤ {self._value(threshold)}"

    def between(self, low: float, high: float) -> str:
        """Say that values are larger than one threshold and at most the other."""
        return f"{self._value(low)} < {self.name} ≤ {self._value(high)}"

    def difference(self, size: float, here: float, elsewhere: float) -> str:
        """Say how a group differs: by deviations, from its mean and that of all others."""
        del here, elsewhere
        return f"{self.name} {'higher' if size > 0 else 'lower'} ({abs(size):.1f} SD)"

    def _value(self, value: float) -> str:
        return number_in_words(value)


@dataclass(frozen=True)
class DateMeasure(Measure):
    """Seconds since 1970.

    >>> DateMeasure("joined").below(86400.0)
    'joined ≤ 1970-01-02'
    """

    def mean(self, value: float) -> str:
        """Return the day of a mean."""
        return self._value(value)

    def _value(self, value: float) -> str:
        return dates_in_words(np.array([value]), timed=False)[0]


@dataclass(frozen=True)
class CategoryMeasure(Measure):
    """Whether a category is that of an item: 1 or 0.

    Attributes
    ----------
    category : the one that 1 stands for
    other : the only other one, if there is only one

    >>> CategoryMeasure("sex", "male", "female").below(0)
    'sex is female'
    >>> CategoryMeasure("island", "Dream").difference(1.9, 1.0, 0.25)
    'island is Dream (100%, elsewhere 25%)'
    """

    category: str
    other: str = ""

    @property
    def title(self) -> str:
        """The head of a line with its shares."""
        return f"{self.name} is {self.category}"

    def mean(self, value: float) -> str:
        """Return a share of the items."""
        return f"{value:.0%}" if np.isfinite(value) else ""

    def value(self, value: float) -> str:
        """Say whether an item is of the category."""
        return ("yes" if value > 0 else "no") if np.isfinite(value) else ""

    def above(self, threshold: float) -> str:
        """Say that items are of the category."""
        del threshold
        return f"{self.name} is {self.category}"

    def below(self, threshold: float) -> str:
        """Say that items are not of the category."""
        del threshold
        return f"{self.name} is {self.other or f'not {self.category}'}"

    def between(self, low: float, high: float) -> str:
        """Say that items are of the category; there is nothing between two values."""
        del high
        return self.above(low)

    def difference(self, size: float, here: float, elsewhere: float) -> str:
        """Say how common the category is in a group and in the others."""
        if size < 0 and self.other:
            return f"{self.name} is {self.other} ({1 - here:.0%}, elsewhere {1 - elsewhere:.0%})"
        return f"{self.name} is {self.category} ({here:.0%}, elsewhere {elsewhere:.0%})"


@dataclass(frozen=True)
class StepMeasure(Measure):
    """Steps of a scale, the least first.

    >>> StepMeasure("size", ("S", "M", "L")).above(0)
    'size is M or more'
    """

    steps: tuple[str, ...]

    def value(self, value: float) -> str:
        """Return the step of an item."""
        known = np.isfinite(value) and 0 <= value < len(self.steps)
        return self.steps[int(value)] if known else ""

    def above(self, threshold: float) -> str:
        """Say that items are at a higher step."""
        first = min(int(np.floor(threshold)) + 1, len(self.steps) - 1)
        return f"{self.name} is {self.steps[first]}" + " or more" * (first < len(self.steps) - 1)

    def below(self, threshold: float) -> str:
        """Say that items are at most at a step."""
        last = max(int(np.floor(threshold)), 0)
        return f"{self.name} is {self.steps[last]}" + " or less" * (last > 0)

    def between(self, low: float, high: float) -> str:
        """Say that items are between two steps."""
        first = min(int(np.floor(low)) + 1, len(self.steps) - 1)
        last = max(int(np.floor(high)), 0)
        if first == last:
            return f"{self.name} is {self.steps[first]}"
        return f"{self.name} is {self.steps[first]} to {self.steps[last]}"


def number_in_words(value: float) -> str:
    """Return a threshold as people read it.

    >>> number_in_words(-12345.0), number_in_words(2008.0)
    ('−12,345', '2008')
    """
    # No separator in four digits: they may be a year.
    return f"{value:{',' if abs(value) >= 10_000 else ''}.6g}".replace("-", "−")


def measured(data: Dataset) -> tuple[Floats, tuple[Measure, ...]]:
    """Return the numbers that groups of these items are described by, and what they stand for.

    A typed column is described as the table has it, whatever its encoding; without typed columns
    the features are.
    """
    columns: list[Floats] = []
    measures: list[Measure] = []
    for column in data.table:
        if column.role == "feature" and column.type not in WORDED:
            for values, measure in _of_column(column):
                columns.append(values)
                measures.append(measure)
    if columns:
        return np.column_stack(columns), tuple(measures)
    return np.asarray(data.features, dtype=float), tuple(map(Measure, data.columns))


def _of_column(column: Column) -> list[tuple[Floats, Measure]]:
    if column.type not in CODED:
        kind = DateMeasure if column.type == "date" else Measure
        return [(np.asarray(column.values, dtype=float), kind(column.name))]
    codes = np.where(column.missing, np.nan, np.asarray(column.values, dtype=float))
    if column.type == "ordered":
        return [(codes, StepMeasure(column.name, column.categories))]
    present = np.bincount(column.values[column.values >= 0], minlength=len(column.categories))
    common: Array = np.argsort(-present, kind="stable")[:MOST_CATEGORIES]
    common = common[present[common] > 0]
    if len(common) == 2:  # one says it all
        named = [(int(common[0]), column.categories[int(common[1])])]
    else:
        named = [(code, "") for code in sorted(common.tolist())]
    return [
        (
            np.where(np.isnan(codes), np.nan, (codes == code).astype(float)),
            CategoryMeasure(column.name, column.categories[code], other),
        )
        for code, other in named
    ]
