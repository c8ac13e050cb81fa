"""Linear kernel: the inner product."""

from __future__ import annotations

from typing import Any

from coterie.core import Affinity, Context, Cost, Dataset, Kernel
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.inner_products import inner_products


class Linear(Kernel):
    """Similarity xᵀy: large for long vectors that point the same way.

    Kept as the factor X itself when there are fewer columns than items, so it needs no n × n
    matrix. Negative where vectors point apart.
    """

    id, title = "linear", "Linear"
    reference = "Schölkopf, Smola (2002). Learning with Kernels. MIT Press."

    def compute(self, data: Dataset, *, params: Kernel.Params, context: Context) -> Affinity:
        """Return X as factor, or the dense XXᵀ."""
        X = data.clean_features()
        context.check()
        form: dict[str, Any]
        if not is_sparse(X) and data.d < data.n:
            dense = data.dense_features()
            require_squares(dense)
            form = {"factor": dense, "nonnegative": bool((dense >= 0).all())}
        else:
            values = inner_products(X, check=context.check)
            form = {"values": values, "nonnegative": bool(values.min() >= 0)}
        return Affinity(
            **form,
            symmetric=True,
            positive_semidefinite=True,
            title="Linear similarity",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Kernel.Params) -> Cost:
        """A copy of the features, or one n × n matrix."""
        n, d = data.n, data.d
        return Cost(bytes=8 * n * min(n, d) + 8 * n * d, seconds=1e-9 * n * min(n, d))
