"""Kernel PCA and k-means: groups along the widest directions of the feature space."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Context,
    Cost,
    Curve,
    DataError,
    Field,
    Floats,
    Output,
)
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.eigenpairs import leading_eigenpairs
from coterie.core.numerics.spectral.grouping import (
    GroupParams,
    Spectral,
    grouped,
    pairs_for,
    spectral_cost,
)
from coterie.core.numerics.spectral.spectra import require_undirected, suggested_groups


class KPCASpectral(Clusterer):
    """Items projected by kernel PCA, Z = E Λ^½, and grouped there by k-means.

    Rows of Z have the inner products of the kernel as nearly as so few columns can. Uncentred, the
    eigenvalues count groups that are far apart in feature space; centred, the first of them is
    lost. Directions with negative eigenvalues, which an indefinite kernel has, are left out.
    """

    id, title = "kpca-spectral", "Kernel PCA and k-means"
    curves = (
        Curve(
            "objective",
            "sum of squares",
            "Squared distances of the items to their centres in the space of eigenvectors, "
            "summed; falls within each start.",
        ),
        Curve("support", "", "Number of items in a group."),
    )
    reference = (
        "Schölkopf, Smola, Müller (1998). Nonlinear component analysis as a kernel eigenvalue "
        "problem. Neural Computation 10(5)."
    )

    class Params(GroupParams):
        """How many groups, in how many directions."""

        components: int = Field(
            0,
            ge=0,
            description="Number of directions in which items are grouped; 0: as many as groups.",
            json_schema_extra={"slider": [0, 20]},
        )
        centre: bool = Field(
            False,
            description="Whether to move the origin to the mean of the items in feature space.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups, with the spectrum and the projection."""
        context.progress(0, 3, "eigenvectors")
        require_items(affinity)
        require_undirected(affinity, check=context.check)
        matrix = _centred(affinity, context.check) if params.centre else affinity
        pairs = max(pairs_for(affinity, params.k), params.components)
        found = leading_eigenpairs(matrix, pairs, check=context.check)
        positive = found.values > 1e-12 * max(float(np.abs(found.values).max(initial=0.0)), 1e-300)
        if not positive.any():
            raise DataError(
                "The similarities have no positive eigenvalue, so there is nothing to project "
                "onto. Use a kernel that is not zero or constant.",
                code="no-similarities",
            )
        kept = found.first(int(positive.sum()))
        roots = np.sqrt(kept.values)
        context.progress(2, 3, "grouping")
        spectral = Spectral(
            affinity=affinity,
            title="Kernel PCA and k-means",
            items=np.arange(affinity.n),
            values=found.values,
            suggested=min(affinity.n, suggested_groups(found.values) + int(params.centre)),
            rows=lambda k: (kept.vectors * roots)[:, : params.components or k],
            details={"solver": found.how, "residual": found.residual, "centred": params.centre},
        )
        return grouped(
            spectral, params.k, discretise="kmeans", restarts=params.restarts, context=context
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A copy of dense similarities where they are centred or few, and some vectors."""
        return spectral_cost(affinity, max(params.k, params.components))


def _centred(affinity: Affinity, check: Check) -> Any:
    """HAH with H = 1 − 11ᵀ/n: of a factor by its columns, of a sparse matrix by products."""
    check()
    n = affinity.n
    if affinity.factor is not None:
        return Affinity(factor=affinity.factor - affinity.factor.mean(axis=0))
    means = np.asarray(affinity.degrees(), dtype=np.float64) / n
    if affinity.values is not None:
        return affinity.values - means - means[:, None] + means.mean()
    from scipy.sparse.linalg import LinearOperator

    def product(x: Floats) -> Floats:
        flat = np.asarray(x)
        after = affinity.matvec(flat - flat.mean(axis=0))
        return np.asarray(after - after.mean(axis=0))

    operator: Any = LinearOperator((n, n), matvec=product, matmat=product, dtype=np.float64)
    return operator
