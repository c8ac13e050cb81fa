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
    Metric,
    Score,
)
from coterie.core.model.group_names import group_name
from coterie.core.numerics.partitions.silhouettes import BLOCK_BYTES, silhouettes


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
                "Choose groups of these items.",
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
        return Cost(bytes=size + 4 * BLOCK_BYTES, seconds=1e-9 * clustering.n**2 * (d + 5))
