"""Density peaks: a group for each item that is dense and far from all denser ones."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Clusterer, Clustering, Context, Cost, DataError, Field

ROWS = 256  # looked at together; after each such block the person may cancel
PICTURES = 50  # how often the growing groups are shown


class DensityPeaks(Clusterer):
    """Groups grow from the items that are dense and unlike any denser one.

    The density of an item is the sum of its similarities. Every item follows the most similar one
    among those denser than itself; the k items with most density that are least like theirs follow
    nobody and lead a group each.
    """

    id, title = "density-peaks", "Density peaks"
    reference = (
        "Rodriguez, Laio (2014). Clustering by fast search and find of density peaks. "
        "Science 344(6191)."
    )
    curves = ("share of items in a group", "", "items in a group")

    class Params(Clusterer.Params):
        """How many groups, and what belongs to none."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 20]}
        )
        clutter: float = Field(
            0.0,
            ge=0,
            lt=1,
            description="Items with less than this share of their peak's density are in no group.",
            json_schema_extra={"slider": [0.0, 0.99], "advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Return the groups, shown as they grow from their peaks."""
        context.check()
        affinity.require_finite()
        if not affinity.n:
            raise DataError("There are no items to group. Open a file with at least one.")
        density = affinity.degrees() - affinity.diagonal()
        order = np.argsort(-density, kind="stable")
        denser, similar = _nearest_denser(affinity, order, context)
        unlike = similar.max() - similar
        unlike[order[0]] = np.inf  # nobody is denser
        positive = density - density.min() + np.finfo(float).tiny
        peaks = np.lexsort((np.argsort(order), -positive * unlike))[: min(params.k, affinity.n)]
        labels = _grow(order, denser, peaks, context)
        peak_density = density[peaks]
        if params.clutter:
            labels = np.where(density < params.clutter * peak_density[labels], -1, labels)
        return Clustering(
            labels=labels, cohesiveness=peak_density, details={"peaks": peaks.tolist()}
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Some rows of the similarities at a time, and all of them once."""
        n = affinity.n
        return Cost(bytes=24 * ROWS * n + 128 * n, seconds=5e-9 * n * n)


def _nearest_denser(
    affinity: Affinity, order: np.ndarray, context: Context
) -> tuple[np.ndarray, np.ndarray]:
    """The most similar item among the denser ones, and how similar; the densest has itself."""
    n = affinity.n
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    denser, similar = np.arange(n), np.full(n, -np.inf)
    for start in range(0, n, ROWS):
        context.progress(start, n, "finding denser neighbours")
        items = np.arange(start, min(start + ROWS, n))
        rows = np.where(rank < rank[items, None], affinity.rows(items), -np.inf)
        best = rows.argmax(axis=1)
        found = rows[np.arange(len(items)), best]
        denser[items] = np.where(np.isfinite(found), best, items)
        similar[items] = found
    if n > 1:
        similar[order[0]] = similar[order[1:]].min()
    else:
        similar[:] = 0.0
    return denser, similar


def _grow(order: np.ndarray, denser: np.ndarray, peaks: np.ndarray, context: Context) -> np.ndarray:
    """Give every item, the densest first, the group of the one it follows."""
    n = len(order)
    labels = np.full(n, -1, dtype=np.int64)
    labels[peaks] = np.arange(len(peaks))
    step = max(1, n // PICTURES)
    for done, item in enumerate(order, start=1):
        if labels[item] < 0:
            labels[item] = labels[denser[item]]
        if done % step == 0 or done == n:
            context.frame(done, objective=done / n, support=done, labels=labels)
    return labels
