"""Groups in words: a short rule over columns for each group, and what distinguishes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.descriptions.measures import CategoryMeasure, Measure

MOST_CONDITIONS = 3  # a longer rule is not read
MOST_COLUMNS = 100  # of those that differ most between the groups
MOST_ITEMS = 6000  # that rules are made from and scored on; more are sampled evenly
LEAST_GAIN = 0.01  # in F1: what one more condition must add
CONSTANT = 1e-8  # a deviation within groups, relative to the whole set's, that is rounding
HELD_OUT = 3  # every third item of a group scores the rule that the others made


@dataclass(frozen=True)
class Condition:
    """A column on one side of a threshold."""

    measure: Measure
    above: bool
    threshold: float

    @property
    def column(self) -> str:
        """The column's name."""
        return self.measure.name

    def __str__(self) -> str:
        say = self.measure.above if self.above else self.measure.below
        return say(self.threshold)


@dataclass(frozen=True)
class Rule:
    """Conditions that an item of a group meets.

    Attributes
    ----------
    coverage : share of the group's held-out items that meet them
    purity : share of the held-out items that meet them and are in the group; 0 if none does
    """

    conditions: tuple[Condition, ...]
    coverage: float
    purity: float

    @property
    def in_words(self) -> str:
        """The conditions; two on the same column as one range."""
        measures = dict.fromkeys(one.measure for one in self.conditions)
        return " and ".join(self._about(measure) for measure in measures)

    def _about(self, measure: Measure) -> str:
        own = [one for one in self.conditions if one.measure == measure]
        lows = [one.threshold for one in own if one.above]
        highs = [one.threshold for one in own if not one.above]
        if lows and highs:
            return measure.between(max(lows), min(highs))
        return measure.above(max(lows)) if lows else measure.below(min(highs))

    @property
    def fit(self) -> float:
        """The harmonic mean of coverage and purity (F1)."""
        both = self.coverage + self.purity
        return 2 * self.coverage * self.purity / both if both else 0.0

    @property
    def score_in_words(self) -> str:
        """How well they fit."""
        return f"{self.coverage:.0%} of the group, {self.purity:.0%} pure"

    def __str__(self) -> str:
        return f"{self.in_words}: {self.score_in_words}"


@dataclass(frozen=True)
class Effect:
    """How far a column's mean in a group is from its mean in the others, in deviations.

    Attributes
    ----------
    here, elsewhere : the two means
    """

    measure: Measure
    size: float
    here: float
    elsewhere: float

    @property
    def column(self) -> str:
        """The column's name."""
        return self.measure.name

    def __str__(self) -> str:
        return self.measure.difference(self.size, self.here, self.elsewhere)


@dataclass(frozen=True)
class GroupInWords:
    """What is said of one group.

    Attributes
    ----------
    rule : None where no rule could be made and scored: one group, too few items, no known values
    effects : the columns that set it off most, the largest difference first
    typical, border : positions of the items nearest to its mean, and of others that are nearest to
        another group
    """

    group: int
    size: int
    rule: Rule | None
    effects: tuple[Effect, ...]
    typical: tuple[int, ...]
    border: tuple[int, ...]


def groups_in_words(
    X: Floats, columns: Sequence[str | Measure], labels: Ints, *, shown: int = 3
) -> tuple[GroupInWords, ...]:
    """Return what can be said of each group from the columns alone.

    A rule is made greedily from two thirds of the items: of all conditions the one that raises F1,
    the harmonic mean of coverage and purity, most is added, while it raises it. The other third
    scores the rule. Missing values meet no condition. Memory: a few arrays of at most 6,000 items ×
    100 columns, and of the size of X.

    Parameters
    ----------
    X : (n, d), missing values as NaN
    columns : what each column is called, or what it stands for
    labels : (n,) groups from 0; −1 is in no group, and counts against a rule that it meets
    shown : effects, typical and border items of each group

    >>> X = np.r_[np.arange(6.0), np.arange(10.0, 16.0)][:, None]
    >>> first, _ = groups_in_words(X, ["weight"], np.repeat([0, 1], 6))
    >>> str(first.rule)
    'weight ≤ 7: 100% of the group, 100% pure'
    """
    X = np.where(np.isfinite(X), X, np.nan)
    k = int(labels.max(initial=-1)) + 1
    sizes = np.bincount(labels[labels >= 0], minlength=k)
    scaled, telling = _scaled(X, labels, k)
    kept = np.sort(np.argsort(-telling, kind="stable")[:MOST_COLUMNS])
    kept = kept[telling[kept] > 0]
    measures = [_measure(columns[column]) for column in kept]
    X = X[:, kept]
    rules = _rules(X, measures, labels, k)
    effects = [_effects(X, scaled[:, kept], measures, labels == group, shown) for group in range(k)]
    places = _places(np.nan_to_num(scaled[:, kept]), labels, k, shown)
    return tuple(
        GroupInWords(group, int(sizes[group]), rules[group], effects[group], *places[group])
        for group in range(k)
    )


def _measure(column: str | Measure) -> Measure:
    return Measure(column) if isinstance(column, str) else column


def _scaled(X: Floats, labels: Ints, k: int) -> tuple[Floats, Floats]:
    """Columns with mean 0 and deviation 1, and the share of each one's variance between groups."""
    known = np.isfinite(X)
    largest = np.where(known, np.abs(X), 0.0).max(axis=0, initial=0.0)
    X = X / np.where(largest > 0, largest, 1.0)  # squares of huge or tiny values stay in range
    counts = np.maximum(known.sum(axis=0), 1)
    centred = X - np.where(known, X, 0.0).sum(axis=0) / counts
    squares = np.where(known, centred, 0.0) ** 2
    deviation = np.sqrt(squares.sum(axis=0) / counts)
    scaled = np.divide(centred, deviation, out=np.zeros_like(X), where=deviation > 0)
    between = np.zeros(X.shape[1])
    for group in range(k):
        members = labels == group
        number = known[members].sum(axis=0)
        mean = np.nansum(scaled[members], axis=0) / np.maximum(number, 1)
        between += number * mean**2
    return scaled, between / counts


def _rules(X: Floats, measures: Sequence[Measure], labels: Ints, k: int) -> list[Rule | None]:
    if k == 0 or X.shape[1] == 0 or (k == 1 and (labels == 0).all()):
        return [None] * k
    n = len(X)
    some = np.arange(n) if n <= MOST_ITEMS else np.linspace(0, n - 1, MOST_ITEMS).astype(np.int64)
    held = np.zeros(len(some), dtype=bool)
    for group in range(-1, k):
        held[np.flatnonzero(labels[some] == group)[HELD_OUT - 1 :: HELD_OUT]] = True
    made, scored = some[~held], some[held]
    order = np.argsort(X[made], axis=0, kind="stable")  # missing values go last
    ordered = np.take_along_axis(X[made], order, axis=0)
    found: list[Rule | None] = []
    for group in range(k):
        conditions = _conditions(ordered, order, X[made], labels[made] == group)
        own = labels[scored] == group
        if not conditions or not own.any():
            found.append(None)
            continue
        met = np.ones(len(scored), dtype=bool)
        for column, above, threshold in conditions:
            met &= _meets(X[scored, column], above, threshold)
        both = int((met & own).sum())
        said = tuple(Condition(measures[column], above, at) for column, above, at in conditions)
        found.append(Rule(said, both / int(own.sum()), both / max(1, int(met.sum()))))
    return found


def _conditions(
    ordered: Floats, order: Ints, X: Floats, own: Array
) -> list[tuple[int, bool, float]]:
    """The conditions that raise F1 most, one after the other."""
    inside, found = np.ones(len(X), dtype=bool), list[tuple[int, bool, float]]()
    wanted = int(own.sum())
    best = 2 * wanted / (len(X) + wanted)
    # A threshold is between two neighbouring values that differ and are known.
    cut = np.isfinite(ordered[1:]) & (ordered[1:] > ordered[:-1])
    if not wanted or not cut.any():
        return []
    known = np.isfinite(ordered)
    while len(found) < MOST_CONDITIONS:
        count = np.cumsum(inside[order] & known, axis=0)
        hits = np.cumsum((inside & own)[order] & known, axis=0)
        below = 2 * hits[:-1] / (count[:-1] + wanted)
        above = 2 * (hits[-1] - hits[:-1]) / (count[-1] - count[:-1] + wanted)
        scores = np.where(cut, np.stack([below, above]), -1.0)
        side, place, column = map(int, np.unravel_index(int(np.argmax(scores)), scores.shape))
        if scores[side, place, column] < best + LEAST_GAIN:
            break
        best = float(scores[side, place, column])
        at = short_between(float(ordered[place, column]), float(ordered[place + 1, column]))
        found.append((column, bool(side), at))
        inside &= _meets(X[:, column], bool(side), at)
    return found


def _meets(values: Floats, above: bool, threshold: float) -> Array:
    met: Array = values > threshold if above else values <= threshold
    return met


def short_between(low: float, high: float) -> float:
    """Return a number with few digits in [low, high), near the middle; between whole numbers one.

    >>> short_between(3.141, 3.359)
    3.2
    >>> short_between(4.0, 8.0), short_between(1.0, 2.0)
    (6.0, 1.0)
    """
    middle = low + (high - low) / 2
    if low.is_integer() and high.is_integer() and low <= np.floor(middle) < high:
        return float(np.floor(middle))
    for digits in range(1, 16):
        short = float(f"{middle:.{digits}g}")
        if low <= short < high and abs(short - middle) <= (high - low) / 4:
            return short
    return middle if low <= middle < high else low


def _effects(
    X: Floats, Z: Floats, measures: Sequence[Measure], own: Array, shown: int
) -> tuple[Effect, ...]:
    """The largest differences between a group and all others, one of each column.

    Numbers are compared in pooled deviations, shares of categories in those of the whole set.
    """
    first, other = Z[own], Z[~own]
    if not len(first) or not len(other) or not Z.shape[1]:
        return ()
    moments = [_moments(rows) for rows in (first, other)]
    (mean, spread, count), (mean_o, spread_o, count_o) = moments
    pooled = np.sqrt((spread + spread_o) / np.maximum(count + count_o - 2, 1))
    apart = np.where((count > 0) & (count_o > 0), mean - mean_o, 0.0)
    # A column that is constant in both has no deviation but rounding to measure by.
    shares = np.array([isinstance(measure, CategoryMeasure) for measure in measures])
    size = apart / np.where((pooled > CONSTANT) & ~shares, pooled, 1.0)
    found: dict[str, Effect] = {}
    for column in np.argsort(-np.abs(size), kind="stable").tolist():
        measure = measures[column]
        if len(found) == shown or not size[column]:
            break
        if measure.name not in found:
            here, elsewhere = _mean(X[own, column]), _mean(X[~own, column])
            found[measure.name] = Effect(measure, float(size[column]), here, elsewhere)
    return tuple(found.values())


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def _moments(rows: Floats) -> tuple[Floats, Floats, Array]:
    count = np.isfinite(rows).sum(axis=0)
    mean = np.nansum(rows, axis=0) / np.maximum(count, 1)
    return mean, np.nansum((rows - mean) ** 2, axis=0), count


def _places(
    Z: Floats, labels: Ints, k: int, shown: int
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The items of each group nearest to its mean, and nearest to another group's."""
    means = np.full((k, Z.shape[1]), np.inf)
    for group in np.unique(labels[labels >= 0]).tolist():
        means[group] = Z[labels == group].mean(axis=0)
    present = np.isfinite(means).all(axis=1)
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for group in range(k):
        members = np.flatnonzero(labels == group)
        if not len(members) or not Z.shape[1]:
            found.append(((), ()))
            continue
        near = np.linalg.norm(Z[members] - means[group], axis=1)
        typical = tuple(members[np.argsort(near, kind="stable")[:shown]].tolist())
        others = [g for g in range(k) if g != group and present[g]]
        if not others:
            found.append((typical, ()))
            continue
        away = np.min([np.linalg.norm(Z[members] - means[g], axis=1) for g in others], axis=0)
        ahead = members[np.argsort(away - near, kind="stable")].tolist()
        border = tuple(item for item in ahead if item not in typical)[:shown]
        found.append((typical, border))
    return found
