"""Poisson kernel: similarity of items described by counts."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.density_kernels import relative_densities, require_counts
from coterie.core.numerics.similarity.tiles import dense_cost


class Poisson(Kernel):
    """How likely the counts of one item are under Poisson rates that are the counts of another.

    w_ij = Π_c Poisson(x_ic; x_jc + s), each row divided by its largest entry, which changes no walk
    along the similarities. Not symmetric: use it with methods for directed graphs, or put
    graph/symmetrise after it. Dense.
    """

    id, title = "poisson", "Poisson"
    reference = "Silverman (1986). Density Estimation for Statistics and Data Analysis."

    class Params(Kernel.Params):
        """What is added to the rates."""

        smoothing: float = Field(
            0.5,
            gt=0,
            description="Smoothing s, added to every count, so a count of 0 does not rule out "
            "others.",
            json_schema_extra={"slider": [0.01, 5.0], "log": True, "unit": "counts"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities, from each row's counts to each column's rates."""
        X = data.dense_features()
        context.check()
        require_counts(X, "Poisson kernels")
        rates = X + params.smoothing
        logs, totals = np.log(rates).T, rates.sum(axis=1)

        def log_density(rows: Floats) -> Floats:
            found = rows @ logs
            found -= totals
            found -= gammaln(rows + 1).sum(axis=1)[:, None]
            return np.asarray(found)

        return Affinity(
            values=relative_densities(data.n, log_density, X, context.check),
            symmetric=False,
            nonnegative=True,
            title=f"Poisson similarity, s = {params.smoothing:g}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, and three copies of the features."""
        return dense_cost(data.n, 3 * data.d, 1e-10)
