"""Multinomial kernel: similarity of items by the shares of their counts."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.density_kernels import relative_densities, require_counts
from coterie.core.numerics.similarity.tiles import dense_cost


class Multinomial(Kernel):
    """How likely the counts of one item are when drawn with the shares of another.

    w_ij ∝ Π_c p_jc^x_ic with p_jc = (x_jc + s) / Σ_c (x_jc + s), each row divided by its largest
    entry, which changes no walk along the similarities. Only shares matter of the second item, so
    long and short texts can be alike. Not symmetric: use it with methods for directed graphs, or
    put graph/symmetrise after it. Dense.
    """

    id, title = "multinomial", "Multinomial"
    reference = "Zhai, Lafferty (2004). A study of smoothing methods for language models. ACM TOIS."

    class Params(Kernel.Params):
        """What is added to the counts, and how sharply likelihood counts."""

        smoothing: float = Field(
            0.5,
            gt=0,
            description="Smoothing s, added to every count, so a count of 0 does not rule out "
            "others.",
            json_schema_extra={"slider": [0.01, 5.0], "log": True, "unit": "counts"},
        )
        per_count: bool = Field(
            False,
            description="Use the likelihood per count instead of that of all counts, which is "
            "dominated by the item itself for long texts.",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities, from each row's counts to each column's shares."""
        X = data.dense_features()
        context.check()
        require_counts(X, "Multinomial kernels")
        shares = X + params.smoothing
        logs = np.log(shares / shares.sum(axis=1, keepdims=True)).T

        def log_density(rows: Floats) -> Floats:
            found = np.asarray(rows @ logs)
            if params.per_count:
                found /= np.maximum(rows.sum(axis=1), 1.0)[:, None]
            return found

        return Affinity(
            values=relative_densities(data.n, log_density, X, context.check),
            symmetric=False,
            nonnegative=True,
            title=f"Multinomial similarity, s = {params.smoothing:g}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, and three copies of the features."""
        return dense_cost(data.n, 3 * data.d, 1e-10)
