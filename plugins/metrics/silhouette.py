"""Silhouette: whether items are nearer to their own group than to the next one."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Ints,
    Metric,
    Score,
)
from coterie.core.model.group_names import group_name

_BLOCK_BYTES = 1 << 23  # distances held at once


class Silhouette(Metric):
    """Mean silhouette: near 1 when groups are tight and apart, below 0 when items are misplaced.

    With a the mean distance of an item to the others of its group, and b the smallest mean
    distance to another group, its silhouette is (b − a) / max(a, b); 0 for an item alone.
    Euclidean distances of the features of the items, or of the dataset that is given.
    """

    id, title = "silhouette", "Silhouette"
    reference = "Rousseeuw (1987). Silhouettes. J. Computational and Applied Mathematics 20."
    needs = ("clustering", "dataset?")

    class Params(Metric.Params):
        """What becomes of items in no group."""

        unassigned: Literal["exclude", "own-class"] = Field(
            "exclude", description="Leave items in no group out, or count them as a group."
        )

    def compute(
        self,
        clustering: Clustering,
        dataset: Dataset | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Score:
        """Return the mean silhouette of the items, and that of each group."""
        context.check()
        data = dataset if dataset is not None else clustering.dataset
        if data is None:
            raise DataError(
                "The groups have no features. Give the dataset as second input.",
                code="features-needed",
            )
        if data.n != clustering.n:
            raise DataError(
                f"The groups have {clustering.n} items, the dataset {data.n}. "
                "Take the dataset of the same items.",
                code="items-mismatch",
            )
        features = data.dense_features()
        labels = np.asarray(clustering.labels)
        loose = labels < 0
        counted = ~loose if params.unassigned == "exclude" else np.ones(len(labels), np.bool_)
        values, group = np.unique(labels[counted], return_inverse=True)
        if len(values) < 2:
            raise DataError(
                f"A silhouette needs at least two groups. There "
                f"{'is 1' if len(values) == 1 else 'are none'}.",
                code="too-few-groups",
            )
        each = silhouettes(features[counted], group, context)
        means = np.bincount(group, each) / np.bincount(group)
        notes = []
        if loose.any():
            done = "left out" if params.unassigned == "exclude" else "counted as a group"
            notes.append(f"{int(loose.sum())} items in no group {done}.")
        return Score(
            title="Silhouette",
            dataset=clustering.dataset,
            value=float(each.mean()),
            table=means[:, None],
            rows=tuple(group_name(int(value), clustering.names) for value in values),
            columns=("silhouette",),
            notes=tuple(notes),
            details={"items": len(each), "unassigned": params.unassigned},
        )

    def estimate(
        self, clustering: Clustering, dataset: Dataset | None = None, *, params: Params
    ) -> Cost:
        """All distances, but only some of them at a time."""
        data = dataset if dataset is not None else clustering.dataset
        d = data.d if data is not None else 1
        size = clustering.n * (max(1, clustering.k) + 2 * d) * 8
        return Cost(bytes=size + 4 * _BLOCK_BYTES, seconds=1e-9 * clustering.n**2 * (d + 5))


def silhouettes(features: Floats, group: Ints, context: Context) -> Floats:
    """Return the silhouette of each item, from all distances, block by block.

    Parameters
    ----------
    features : (n, d)
    group : (n,) group of each item, 0 to k − 1, none empty
    """
    # Silhouettes do not change with the scale; their squares must not overflow.
    scale = float(np.abs(features).max()) or 1.0
    X = features / scale
    X = X - X.mean(axis=0)
    squares = np.einsum("ij,ij->i", X, X)
    sizes = np.bincount(group).astype(np.float64)
    member = (group[:, None] == np.arange(len(sizes))).astype(np.float64)
    n = len(X)
    each = np.zeros(n)
    height = max(1, _BLOCK_BYTES // (8 * n))
    for start in range(0, n, height):
        context.progress(start, n, "distances")
        rows = slice(start, min(start + height, n))
        distances = squares[rows, None] + squares - 2 * (X[rows] @ X.T)
        np.sqrt(np.maximum(distances, 0.0, out=distances), out=distances)
        here = np.arange(rows.stop - rows.start)
        distances[here, here + start] = 0.0
        sums = distances @ member
        own = group[rows]
        within = sums[here, own] / np.maximum(sizes[own] - 1, 1)
        means = sums / sizes
        means[here, own] = np.inf
        nearest = means.min(axis=1)
        larger = np.maximum(within, nearest)
        with np.errstate(invalid="ignore"):
            score = np.where(larger > 0, (nearest - within) / larger, 0.0)
        each[rows] = np.where(sizes[own] > 1, score, 0.0)
    return each
