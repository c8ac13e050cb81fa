"""Stability: whether one half of the items predicts the groups of the other."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Dataset, Field, Metric, Score
from coterie.core.numerics.partitions.contingency import contingency
from coterie.core.numerics.similarity.nearest import vote_of_nearest


class Stability(Metric):
    """How well the groups of one half of the items are predicted from those of the other.

    The items are split in two at random. Each item of the second half gets the group that most of
    its nearest neighbours in the first have; the adjusted Rand index with its own group is the
    stability of this split, and the mean over the splits the value. 1: neighbours always agree;
    about 0: the groups are not in the features. Labels are not needed. Items in no group are left
    out.
    """

    id, title = "stability", "Stability of the groups"
    reference = (
        "Landi, Mandelli, Lombardo (2021). reval: a Python package to determine best clustering "
        "solutions with stability-based relative clustering validation. Patterns 2(4)."
    )
    needs = ("clustering", "dataset?")

    class Params(Metric.Params):
        """How often, and by how many neighbours."""

        splits: int = Field(
            20, ge=1, description="Number of random halves.", json_schema_extra={"slider": [1, 100]}
        )
        neighbours: int = Field(
            5,
            ge=1,
            description="Number of nearest neighbours that vote.",
            json_schema_extra={"slider": [1, 25]},
        )

    def compute(
        self,
        clustering: Clustering,
        dataset: Dataset | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Score:
        """Return the mean index, and that of each split."""
        context.check()
        data = dataset if dataset is not None else clustering.dataset
        if data is None or data.features is None:
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
        labels = np.asarray(clustering.labels)
        inside = np.flatnonzero(labels >= 0)
        if len(inside) < 4 or len(np.unique(labels[inside])) < 2:
            raise DataError(
                "Stability needs at least four items in two groups or more.", code="too-few-groups"
            )
        X, y = data.dense_features()[inside], labels[inside]
        each = []
        for split in range(params.splits):
            context.progress(split, params.splits, "predicting halves")
            context.check()
            order = context.rng.permutation(len(inside))
            first, second = order[: len(order) // 2], order[len(order) // 2 :]
            predicted = vote_of_nearest(
                X[second], X[first], y[first], int(y.max()) + 1, params.neighbours, context.check
            )
            table = contingency(Clustering(labels=predicted), Clustering(labels=y[second]))
            each.append(table.adjusted_rand())
        left = clustering.n - len(inside)
        return Score(
            title=self.title,
            dataset=clustering.dataset,
            value=float(np.mean(each)),
            table=np.array([each]).T,
            rows=tuple(f"split {number}" for number in range(1, len(each) + 1)),
            columns=("adjusted Rand index",),
            notes=(f"Items in no group, left out: {left}.",) if left else (),
            details={
                "splits": params.splits,
                "deviation": float(np.std(each)),
                "items": len(inside),
            },
        )

    def estimate(
        self, clustering: Clustering, dataset: Dataset | None = None, *, params: Params
    ) -> Cost:
        """Distances between halves."""
        n = clustering.n
        d = dataset.d if dataset is not None else 10
        return Cost(
            bytes=24 * n * d + (64 << 20),
            seconds=params.splits * (1e-9 * n * n * d + 1e-3),
            alternatives=("lower the number of splits",),
        )
