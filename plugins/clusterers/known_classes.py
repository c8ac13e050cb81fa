"""The known classes of the items, as groups that a classifier can learn from."""

from __future__ import annotations

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, DataError, Dataset


class KnownClasses(Clusterer):
    """The known classes as groups: drawn regions, a mask, or a column of a table.

    A classifier learns from them, graph transduction spreads them to the other items, and
    dominant sets can be constrained by them. Items without a known class are in no group.
    """

    id, title = "known-classes", "Known classes"
    needs = ("dataset",)
    weighs_items = True

    class Params(Clusterer.Params):
        """There is nothing to choose."""

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the class of each item as its group."""
        context.check()
        if data.features is not None:
            data.clean_features()  # missing values are reported by the first step that meets them
        if data.n == 0:
            raise DataError(
                "There are no items to group. Open a file with at least one item.",
                code="empty-data",
            )
        if data.truth is None or not (data.truth >= 0).any():
            raise DataError(
                f"'{data.title}' has no known classes. Draw regions and sample from them, name a "
                "mask, or choose a column of classes.",
                code="known-classes-needed",
            )
        labels = np.asarray(data.truth, dtype=np.int64)
        there = np.unique(labels[labels >= 0])
        order = np.full(int(there.max()) + 1, -1, dtype=np.int64)
        order[there] = np.arange(len(there))
        names = data.truth_names
        known = int((labels >= 0).sum())
        return Clustering(
            title="Known classes",
            dataset=data,
            labels=np.where(labels >= 0, order[np.maximum(labels, 0)], -1),
            names=tuple(names[i] for i in there) if len(names) > int(there.max()) else (),
            notes=(f"{known} of {data.n} items have a known class.",),
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A label for each item."""
        return Cost(bytes=32 * data.n, seconds=1e-8 * data.n)
