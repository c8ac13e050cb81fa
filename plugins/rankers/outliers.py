"""Outliers: items ordered by how unlike all others they are."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Ranker,
    Ranking,
)
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.density.tree import density_tree
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours

RESTART = 0.9  # large: what comes of more than two steps counts a thousandth


class Outliers(Ranker):
    """Order the items by how unlike all others they are, the most unlike first.

    Of data by the distance to the k-th neighbour, or by how much sparser it is at an item than in
    the densest part around it (GLOSH, 0 to 1). Of similarities by the sum of all degrees over the
    item's own, or by the squared distance from the middle of the joint embedding at a large restart
    probability. An order, not a verdict: some item is always the most unlike.
    """

    id, title = "outliers", "Outliers"
    reference = "Ramaswamy, Rastogi, Shim (2000). Efficient algorithms for mining outliers. SIGMOD."
    needs = ("dataset|affinity",)

    class Params(Ranker.Params):
        """What counts as unlike."""

        of_data: Literal["distance", "density"] = Field(
            "distance",
            description="For data: distance to the k-th neighbour, or sparseness compared with "
            "the neighbourhood.",
        )
        of_similarities: Literal["degree", "restart"] = Field(
            "degree",
            description="For similarities: 1 / degree, or the distance in the joint embedding at "
            "a large restart probability.",
        )
        neighbours: int = Field(
            10,
            ge=1,
            description="Number of neighbours k, for data; fewer when there are fewer items.",
            json_schema_extra={"slider": [1, 50]},
        )

    def compute(self, source: Dataset | Affinity, *, params: Params, context: Context) -> Ranking:
        """Return a score for each item, the largest for the most unlike."""
        context.check()
        if isinstance(source, Dataset):
            scores, notes = _of_data(source, params, context)
            measure, dataset = params.of_data, source
        else:
            scores, notes = _of_similarities(source, params.of_similarities), ()
            measure, dataset = params.of_similarities, source.dataset  # type: ignore[assignment]
        return Ranking(
            title=f"Outliers by {measure}",
            dataset=dataset,
            scores=scores,
            notes=notes,
            details={"measure": measure},
        )

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """Neighbours, or sums of the similarities."""
        n = source.n
        if isinstance(source, Affinity):
            size = int(source.sparse.nnz) if source.sparse is not None else n * n
            return Cost(bytes=32 * size + 64 * n, seconds=1e-8 * size)
        return Cost(
            bytes=n * (120 * max(15, params.neighbours) + 24 * source.d + 800) + (64 << 20),
            seconds=1e-5 * n + min(n * n, 20_000 * n) * (4e-11 * source.d + 4e-9),
        )


def _of_data(
    data: Dataset, params: Outliers.Params, context: Context
) -> tuple[Floats, tuple[str, ...]]:
    X = data.clean_features()
    k = min(params.neighbours, data.n - 1)
    if k == 0:
        return np.zeros(data.n), ()
    if params.of_data == "density":
        tree = density_tree(X, k + 1, check=context.check, progress=context.progress)
        return tree.groups(max(5, round(data.n**0.5))).outliers, tree.neighbours.notes
    near = nearest_neighbours(
        X, k, recall=GOOD_RECALL, check=context.check, progress=context.progress
    )
    return near.distances[:, -1], near.notes


def _of_similarities(affinity: Affinity, measure: str) -> Floats:
    """Vol / d, and times the share of time that a walk restarting at an item spends there.

    That share is r Σ_t (1 − r)^t (P^t)_ii; at a large r its first three terms are enough.
    """
    stored: Any = affinity.sparse if affinity.sparse is not None else affinity.to_dense()
    degrees = np.asarray(stored.sum(axis=1), dtype=np.float64).ravel()
    if stored.min() < 0:
        raise DataError(
            f"Degrees need similarities of 0 or more. Got {float(stored.min()):.3g}; put "
            "graph/threshold or another kernel before this step.",
            code="negative-similarities",
            offer=("graph/threshold",),
        )
    positive = degrees[degrees > 0]
    # Items without any similarity are the most unlike, by a number that can be shown.
    least = float(positive.min()) / 2 if len(positive) else 1.0
    degrees = np.where(degrees > 0, degrees, least)
    scores = degrees.sum() / degrees
    if measure == "restart":
        both = stored.multiply(stored.T) if is_sparse(stored) else stored * stored.T
        back = (both @ (1 / degrees)) / degrees
        stay = np.asarray(stored.diagonal()) / degrees
        go = 1 - RESTART
        scores = scores * RESTART * (1 + go * stay + go**2 * back)
    return np.asarray(scores)
