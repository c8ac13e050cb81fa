"""k-prototypes: groups around a mean of their numbers and the commonest of their categories.

A value that is missing adds nothing to the distance of its item from any prototype.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.mixed.table import MixedTable, indicators, standardised


@dataclass(frozen=True, eq=False)
class Prototypes:
    """One round.

    Attributes
    ----------
    labels : (n,) group of each item
    means : (k, p) in units of standardised numbers
    modes : (k, q) commonest categories
    weights : (p + q,) of the columns, of mean 1
    objective : distances of the items to their prototypes, summed; falls
    moved : share of the items that changed their group; not a number in the first round
    """

    labels: Ints
    means: Floats
    modes: Array
    weights: Floats
    objective: float
    moved: float


class PrototypeData:
    """A table prepared for k-prototypes.

    The distance of an item from a prototype is Σ w (x − m)² over its numbers and Σ w γ over the
    categories that differ. A standardised number has a mean squared distance of 1 from the mean
    of the table; γ of a column is such that the same holds of its mode: 1 / (1 − share of mode).

    Parameters
    ----------
    items : (n,) weights of the items, 1 unless given
    """

    def __init__(self, table: MixedTable, items: Floats | None = None) -> None:
        scaled, self.mean, self.deviation = standardised(table)
        scaled = np.where(self.deviation > 0, scaled, np.nan)
        self.table = table
        self.items = np.ones(table.n) if items is None else np.asarray(items, dtype=np.float64)
        self.known = (~np.isnan(scaled)).astype(np.float64)
        self.values = np.nan_to_num(scaled)
        self.coded = indicators(table)
        self.starts = np.cumsum([0, *table.levels])
        self.present = (table.codes >= 0).astype(np.float64)
        self.scale = np.zeros(table.q)
        for j in range(table.q):
            counts = self.items @ self.coded[:, self.starts[j] : self.starts[j + 1]]
            rest = 1 - counts.max(initial=0.0) / counts.sum() if counts.sum() > 0 else 0.0
            self.scale[j] = 1.0 / rest if rest > 1e-12 else 0.0

    def costs(self, means: Floats, modes: Array, weights: Floats) -> Floats:
        """Return (n, k) distances to the prototypes."""
        p = self.table.p
        number, category = weights[:p], weights[p:] * self.scale
        found = (
            (self.values**2) @ number[:, None]
            - 2 * self.values @ (number * means).T
            + self.known @ (number * means**2).T
        )
        chosen = np.zeros((self.coded.shape[1], len(modes)))
        for j in range(self.table.q):
            chosen[self.starts[j] + modes[:, j], np.arange(len(modes))] = category[j]
        found = found + (self.present @ category)[:, None] - self.coded @ chosen
        return np.maximum(found, 0.0)

    def centres(self, labels: Ints, k: int) -> tuple[Floats, Array]:
        """Return the mean and the modes of each group; of what nobody knows, 0."""
        own = np.zeros((k, self.table.n))
        own[labels, np.arange(self.table.n)] = self.items
        counts = own @ self.known
        means = (own @ self.values) / np.where(counts > 0, counts, 1.0)
        marks = own @ self.coded
        modes = np.zeros((k, self.table.q), dtype=np.int64)
        for j in range(self.table.q):
            modes[:, j] = marks[:, self.starts[j] : self.starts[j + 1]].argmax(axis=1)
        return means, modes

    def column_costs(self, labels: Ints, means: Floats, modes: Array) -> Floats:
        """Return (p + q,) the distances within groups by column, before any weight, as a mean."""
        away = (self.values - means[labels]) ** 2 * self.known
        differs = (self.table.codes != modes[labels]) & (self.table.codes >= 0)
        found = np.concatenate([self.items @ away, (self.items @ differs) * self.scale])
        known = self.items @ np.hstack([self.known, self.present])
        return np.asarray(found / np.where(known > 0, known, 1.0))


def new_costs(table: MixedTable, arrays: Mapping[str, Array]) -> Floats:
    """Return (n, k) distances of new items to fitted prototypes.

    `arrays` are those of a model: means and modes, the weights and scale of the columns, and the
    mean and deviation that the numbers were standardised by.
    """
    deviation = np.asarray(arrays["deviation"])
    scaled = (table.numbers - arrays["mean"]) / np.where(deviation > 0, deviation, 1.0)
    scaled = np.where(deviation > 0, scaled, np.nan)
    weights, p = np.asarray(arrays["weights"]), table.p
    means, modes = np.asarray(arrays["means"]), np.asarray(arrays["modes"])
    known = ~np.isnan(scaled)
    category = weights[p:] * np.asarray(arrays["scale"])
    found = np.empty((table.n, len(means)))
    for group, (mean, mode) in enumerate(zip(means, modes, strict=True)):
        away = np.where(known, scaled - mean, 0.0) ** 2
        differs = (table.codes != mode) & (table.codes >= 0)
        found[:, group] = away @ weights[:p] + differs @ category
    return found


def learned_weights(costs: Floats, exponent: float) -> Floats:
    """Return the column weights of mean 1 that are best for such distances within groups.

    Of all weights with Σ w^β = const they minimise Σ w^β D when w^β is used as the weight: those
    of W-k-means with β = `exponent`. A column in which groups are tight weighs more; constant
    columns get none.
    """
    used = costs > 1e-12
    weights = np.zeros(len(costs))
    if used.any():
        inverse = (1.0 / costs[used]) ** (1.0 / (exponent - 1.0))
        weights[used] = inverse / inverse.sum()
        weights[used] = weights[used] ** exponent
        weights *= len(costs) / weights.sum()
    return weights


def spread_start(data: PrototypeData, k: int, order: Ints, rng: np.random.Generator) -> Ints:
    """Return labels by items drawn far from each other (k-means++) as the first prototypes."""
    weights = np.ones(data.table.p + data.table.q)
    means, modes = data.centres(np.zeros(data.table.n, dtype=np.int64), 1)
    chosen: list[int] = []
    nearest: Any = None
    for _ in range(k):
        chance = data.items[order] if nearest is None else (data.items * nearest)[order]
        total = float(chance.sum())
        if total <= 0:
            chance = data.items[order]
            total = float(chance.sum())
        item = int(order[rng.choice(len(order), p=chance / total)])
        chosen.append(item)
        # What is missing of a chosen item is as in the whole.
        mean = np.where(data.known[item] > 0, data.values[item], means[0])[None]
        codes = data.table.codes[item]
        mode = np.where(codes >= 0, codes, modes[0])[None]
        away = data.costs(mean, mode, weights)[:, 0]
        nearest = away if nearest is None else np.minimum(nearest, away)
    items = np.array(chosen)
    mean = np.where(data.known[items] > 0, data.values[items], means[0])
    mode = np.where(data.table.codes[items] >= 0, data.table.codes[items], modes[0])
    return np.asarray(data.costs(mean, mode, weights).argmin(axis=1))


def rounds(
    data: PrototypeData,
    labels: Ints,
    k: int,
    *,
    exponent: float = 0.0,
    max_iterations: int = 300,
) -> Iterator[Prototypes]:
    """Yield each round: prototypes of the groups, then items to the nearest.

    Parameters
    ----------
    labels : of the start
    exponent : β > 1 learns the weights of the columns; 0 keeps them at 1
    """
    size = data.table.p + data.table.q
    weights: Floats = np.ones(size)
    moved = float("nan")
    for number in range(max_iterations):
        means, modes = data.centres(labels, k)
        if exponent and number:
            weights = learned_weights(data.column_costs(labels, means, modes), exponent)
        costs = data.costs(means, modes, weights)
        fresh = costs.argmin(axis=1)
        for group in np.flatnonzero(np.bincount(fresh, minlength=k) == 0):
            # A prototype that loses all its items takes the one farthest from its own.
            own = costs[np.arange(len(fresh)), fresh] * (np.bincount(fresh, minlength=k)[fresh] > 1)
            fresh[int(own.argmax())] = group
        changed = float((fresh != labels).mean())
        objective = float(data.items @ costs[np.arange(len(fresh)), fresh])
        yield Prototypes(fresh, means, modes, weights, objective, moved if not number else changed)
        if not changed and (number > 1 or not exponent):
            return
        labels = fresh
