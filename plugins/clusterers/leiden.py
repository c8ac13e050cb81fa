"""Leiden: communities of a graph, more tied within than by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
)
from coterie.core.numerics.density.density_params import density_result
from coterie.core.numerics.similarity.symmetry import is_symmetric


class Leiden(Clusterer):
    """Groups with more weight inside than chance would give them: large modularity.

    Best on a sparse graph of neighbours. The number of groups is found; a higher resolution gives
    more. Items without an edge stay in no group (label −1). Needs the package graspologic-native
    (coterie[large]).
    """

    id, title = "leiden", "Leiden communities"
    reference = "Traag, Waltman, van Eck (2019). From Louvain to Leiden. Scientific Reports 9."
    needs = ("affinity",)

    class Params(Clusterer.Params):
        """How fine."""

        resolution: float = Field(
            1.0,
            gt=0,
            description="More than 1 gives more and smaller groups, less gives fewer.",
            json_schema_extra={"slider": [0.01, 10.0], "log": True},
        )
        trials: int = Field(
            1,
            ge=1,
            description="Number of runs from different starts; the best is kept.",
            json_schema_extra={"slider": [1, 20], "advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Return the communities, and their modularity."""
        context.check()
        try:
            from graspologic_native import leiden
        except ImportError:
            raise DataError(
                "Leiden communities need the package graspologic-native, which is not installed. "
                "Install it with: pip install 'coterie[large]'.",
                code="missing-package",
            ) from None
        edges = _edges(affinity, context)
        labels = np.full(affinity.n, -1)
        quality = 0.0
        if edges:
            context.progress(1, 3, "communities")
            quality, found = leiden(
                edges,
                resolution=params.resolution,
                seed=context.seed % 2**32,
                trials=params.trials,
                iterations=2,
            )
            places = np.array([int(item) for item in found])
            labels[places] = list(found.values())
        context.progress(1, 1, "done")
        result = density_result(labels)
        result["details"]["modularity"] = float(quality)
        return Clustering(title="Leiden communities", dataset=affinity.dataset, **result)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A Python tuple for each edge."""
        stored = affinity.sparse.nnz if affinity.sparse is not None else affinity.n**2
        return Cost(
            bytes=150 * int(stored) + (16 << 20),
            seconds=2e-6 * float(stored) * params.trials,
            alternatives=("use a k-nearest-neighbour graph",),
        )


def _edges(affinity: Affinity, context: Context) -> list[tuple[str, str, float]]:
    """Each edge once, as the package wants it."""
    from scipy.sparse import coo_array, triu

    stored: Any = affinity.sparse if affinity.sparse is not None else affinity.to_dense()
    if not is_symmetric(stored, check=context.check):
        raise DataError(
            "Communities need symmetric similarities, and these are directed. Put "
            "graph/symmetrise before this step.",
            code="not-symmetric",
            offer=("graph/symmetrise",),
        )
    upper = coo_array(triu(stored, k=1))
    upper.eliminate_zeros()
    if upper.data.min(initial=0.0) < 0:
        raise DataError(
            f"Communities need similarities of 0 or more. Got {upper.data.min():.3g}; put "
            "graph/threshold or another kernel before this step.",
            code="negative-similarities",
            offer=("graph/threshold",),
        )
    names = [str(i) for i in range(affinity.n)]
    rows, columns = upper.coords
    ends = zip(rows.tolist(), columns.tolist(), upper.data.tolist(), strict=True)
    return [(names[i], names[j], float(weight)) for i, j, weight in ends]
