"""Cauchy kernel: a heavy-tailed similarity."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Field, Kernel

ROWS = 512  # worked out at once; after each such block the person may cancel
LARGEST = 1e150  # whose square is still a number


class Cauchy(Kernel):
    """Similarity 1 / (1 + ‖x − y‖² / scale²); slower to forget than a Gaussian.

    A mixture of Gaussian kernels of all widths, and so positive semi-definite as they are.
    """

    id, title = "cauchy", "Cauchy"
    reference = "Rasmussen, Williams (2006). Gaussian Processes for Machine Learning. MIT Press."

    class Params(Kernel.Params):
        """How fast similarity falls."""

        scale: float = Field(
            1.0,
            gt=0,
            description="Distance at which similarity halves.",
            json_schema_extra={"slider": [0.01, 10.0], "log": True, "unit": "feature units"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        context.check()
        X = data.dense_features() / params.scale
        if np.abs(X).max() > LARGEST:
            raise DataError(
                f"'{data.title}' has numbers too large to be squared. Scale the columns first."
            )
        X = X - X.mean(axis=0)  # distances stay; their rounding errors shrink
        n = len(X)
        squares = np.sum(X**2, axis=1)
        similar = np.empty((n, n))
        for start in range(0, n, ROWS):
            context.progress(start, n, "comparing items")
            rows = slice(start, start + ROWS)
            distances = squares[rows, None] + squares - 2 * X[rows] @ X.T
            similar[rows] = 1.0 / (1.0 + np.maximum(distances, 0.0))
        np.fill_diagonal(similar, 1.0)
        return Affinity(
            values=(similar + similar.T) / 2,
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Cauchy similarity, scale {params.scale:.4g}",
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Two n × n matrices."""
        n, d = data.n, data.d
        return Cost(
            bytes=16 * n * n + 24 * n * d,
            seconds=n * n * (1e-10 * d + 5e-9),
            alternatives=("use a sparse graph such as graph/knn",),
        )
