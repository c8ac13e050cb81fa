"""What a classifier learns from: the labelled items of a sample, perhaps only the best of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Ranking


@dataclass(frozen=True, eq=False)
class Training:
    """Which items a classifier is trained on, and their groups.

    Attributes
    ----------
    items : (m,) positions in the sample, in rising order
    labels : (m,) group of each of them, from 0 to k − 1
    k : number of groups
    """

    items: Ints
    labels: Ints
    k: int

    def places(self, data: Dataset) -> dict[str, Ints]:
        """Return the rows and columns of the items in their scene, as far as these are known."""
        return {
            name: np.asarray(data.details[name])[self.items]
            for name in ("rows", "columns")
            if len(data.details.get(name, ())) == data.n
        }


def training_items(
    data: Dataset,
    clustering: Clustering,
    ranking: Ranking | None = None,
    *,
    top_per_cluster: int = 0,
) -> Training:
    """Choose the items to train on: all that are in a group, or the best-ranked of each group.

    Parameters
    ----------
    ranking : who comes first; needed when `top_per_cluster` is not 0
    top_per_cluster : how many of each group; 0 for all

    Examples
    --------
    >>> data = Dataset(features=np.arange(5.0)[:, None])
    >>> groups = Clustering(labels=np.array([0, 0, -1, 1, 1]))
    >>> ranking = Ranking(scores=np.array([1.0, 2.0, 9.0, 4.0, 3.0]))
    >>> training_items(data, groups, ranking, top_per_cluster=1).items.tolist()
    [1, 3]
    """
    if clustering.n != data.n:
        raise DataError(
            f"The groups have {clustering.n} items, the data {data.n}. "
            "Train on the data that was grouped.",
            code="items-mismatch",
        )
    labels = clustering.labels
    items = np.flatnonzero(labels >= 0)
    if len(items) == 0:
        raise DataError(
            "No item is in a group, so there is nothing to learn from. "
            "Choose a clustering that assigns some items.",
            code="no-groups",
        )
    if top_per_cluster:
        if ranking is None or ranking.order is None:
            raise DataError(
                f"The best {top_per_cluster} of each group can only be found with a ranking. "
                "Give a ranking as third input, or set top_per_cluster to 0.",
                code="ranking-needed",
            )
        if len(ranking.scores) != data.n:
            raise DataError(
                f"The ranking has {len(ranking.scores)} items, the data {data.n}. "
                "Rank the data that was grouped.",
                code="items-mismatch",
            )
        order = ranking.order[labels[ranking.order] >= 0]
        # Within each group, in the order of the ranking, the first few.
        grouped = order[np.argsort(labels[order], kind="stable")]
        starts = np.searchsorted(labels[grouped], np.arange(clustering.k))
        place = np.arange(len(grouped)) - starts[labels[grouped]]
        items = np.sort(grouped[place < top_per_cluster])
        if len(items) == 0:
            raise DataError(
                "The ranking lists no item that is in a group. Rank the whole set, or each group.",
                code="no-groups",
            )
    return Training(items, labels[items], int(labels.max()) + 1)
