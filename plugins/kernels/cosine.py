"""Cosine similarity: the angle between two items, whatever their length."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Kernel
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.features.rows import unit_rows
from coterie.core.numerics.similarity.inner_products import inner_products


class Cosine(Kernel):
    """Similarity xᵀy / ‖x‖‖y‖: 1 for the same direction, 0 for right angles.

    Kept as the factor of unit vectors when there are fewer columns than items, so it needs no
    n × n matrix. An item of zeros has no direction: it is similar to none, not even itself.
    """

    id, title = "cosine", "Cosine"
    reference = "Salton, McGill (1983). Introduction to Modern Information Retrieval."

    def compute(self, data: Dataset, *, params: Kernel.Params, context: Context) -> Affinity:
        """Return the unit vectors as factor, or the dense matrix of their products."""
        data.clean_features()
        context.check()
        X, zeros = unit_rows(data.clean_features())
        form: dict[str, Any]
        if not is_sparse(X) and data.d < data.n:
            form = {"factor": X, "nonnegative": bool((np.asarray(X) >= 0).all())}
        else:
            values = inner_products(X, check=context.check)
            form = {"values": values, "nonnegative": bool(values.min() >= 0)}
        return Affinity(
            **form,
            symmetric=True,
            positive_semidefinite=True,
            title="Cosine similarity",
            dataset=data,
            notes=(f"Items with only zeros, similar to no other: {zeros}.",) if zeros else (),
        )

    def estimate(self, data: Dataset, *, params: Kernel.Params) -> Cost:
        """Two copies of the features, or one n × n matrix."""
        n, d = data.n, data.d
        return Cost(bytes=8 * n * min(n, d) + 16 * n * d, seconds=1e-9 * n * min(n, d))
