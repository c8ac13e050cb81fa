"""Centre a kernel: as if the items' mean were the origin."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Affinity, Context, Cost, Graph
from coterie.core.numerics.similarity.affinity_ops import dense_copy, require_items, with_entries
from coterie.core.numerics.similarity.distances import row_blocks


class CentreKernel(Graph):
    """The kernel of the items minus their mean in feature space: row, column and overall mean out.

    K − 1/n 11ᵀK − 1/n K11ᵀ + 1/n² 11ᵀK11ᵀ. A factor stays a factor; a sparse kernel becomes dense.
    Half of the similarities become negative.
    """

    id, title = "centre-kernel", "Centre kernel"
    reference = (
        "Schölkopf, Smola, Müller (1998). Nonlinear component analysis as a kernel eigenvalue "
        "problem. Neural Computation 10(5)."
    )
    needs = ("affinity",)

    def compute(self, affinity: Affinity, *, params: Graph.Params, context: Context) -> Affinity:
        """Return the centred kernel."""
        context.check()
        require_items(affinity)
        if affinity.factor is not None:
            centred = affinity.factor - affinity.factor.mean(axis=0)
            return replace(affinity, factor=centred, nonnegative=False)
        matrix = dense_copy(affinity)
        columns = matrix.mean(axis=0)
        rows = columns if affinity.symmetric else matrix.mean(axis=1)
        overall = float(columns.mean())
        for part in row_blocks(*matrix.shape):
            context.check()
            block = matrix[part]
            # In one sum for each pair, so what was symmetric stays so to the last bit.
            block -= (rows[part, None] + columns[None, :]) - overall
        return with_entries(affinity, matrix, nonnegative=False)

    def estimate(self, affinity: Affinity, *, params: Graph.Params) -> Cost:
        """A dense n × n matrix."""
        n = affinity.n
        return Cost(
            bytes=8 * n * n + (16 << 20),
            seconds=1e-8 * n * n,
        )
