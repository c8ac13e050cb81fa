"""How the values of a column are spread, counted in chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.model.group_names import group_name
from coterie.core.model.results import Clustering
from coterie.gui.views.shown_items.columns import ItemColumn

_CHUNK = 1 << 18  # values: whoever works on a thread lets the window have its turn in between


@dataclass(frozen=True)
class Histogram:
    """How the values of a column are spread, for each group apart.

    `counts` has a row for each entry of `groups` (−1: unassigned, or all when nothing is grouped).
    """

    title: str
    edges: Array
    counts: Array
    groups: tuple[int, ...]
    names: tuple[str, ...]
    missing: int = 0
    categories: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()  # of the groups, as in a clustering
    dates: bool = False  # whether the edges are seconds since 1970


def histogram_of(
    column: ItemColumn, clustering: Clustering | None, most_bins: int = 40
) -> Histogram | None:
    """Return the distribution of a column in each group, None when it has none."""
    if column.kind in ("item", "text"):
        return None
    low, high, count = _extent(column)
    if column.names:
        edges = np.arange(len(column.names) + 1) - 0.5
    else:
        edges = _edges(low, high, count, most_bins)
    bins = len(edges) - 1
    k = 0 if clustering is None else int(clustering.labels.max(initial=-1)) + 1
    counts = np.zeros((k + 1) * bins, dtype=np.int64)
    sizes = np.zeros(k + 1, dtype=np.int64)
    total = 0
    for start, values, known in _parts(column):
        codes = np.full(len(values), -1)
        if clustering is not None:
            codes = clustering.labels[start : start + len(values)]
        total += len(values)
        sizes += np.bincount(codes + 1, minlength=k + 1)
        places = np.clip(np.searchsorted(edges, values[known], side="right") - 1, 0, bins - 1)
        counts += np.bincount((codes[known] + 1) * bins + places, minlength=len(counts))
    groups = tuple(int(group) - 1 for group in np.flatnonzero(sizes)) or (-1,)
    own = clustering.names if clustering is not None else ()
    names = tuple(group_name(group, own) for group in groups)
    return Histogram(
        column.title, edges, counts.reshape(k + 1, bins)[[group + 1 for group in groups]], groups,
        names if clustering is not None else ("all items",), total - count, tuple(column.names),
        clustering.colours if clustering is not None else (), column.kind == "date",
    )  # fmt: skip


def _parts(column: ItemColumn) -> Iterator[tuple[int, Array, Array]]:
    """Yield where a part begins, its values, and which of them are known."""
    for start in range(0, len(column.values), _CHUNK):
        values = column.values[start : start + _CHUNK].astype(float)
        yield start, values, (values >= 0) if column.names else np.isfinite(values)


def _extent(column: ItemColumn) -> tuple[float, float, int]:
    """The least and largest value that is known, and how many are."""
    low, high, count = np.inf, -np.inf, 0
    for _, values, known in _parts(column):
        low = min(low, float(values.min(initial=np.inf, where=known)))
        high = max(high, float(values.max(initial=-np.inf, where=known)))
        count += int(known.sum())
    return low, high, count


def _edges(low: float, high: float, count: int, most_bins: int) -> Array:
    if count == 0:
        return np.array([0.0, 1.0])
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    bins = int(np.clip(2 * np.cbrt(count), 5, most_bins))  # Rice's rule
    return np.linspace(low, high, bins + 1)
