"""Minimum cut: parts with as little similarity between them as can be."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Ints,
    ParameterError,
)
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.global_cut import minimum_cut
from coterie.core.numerics.spectral.spectra import require_nonnegative, require_undirected
from coterie.core.wording import counted


class MinimumCut(Clusterer):
    """Cut the graph where the sum of similarities between two parts is least, until there are k.

    The cut of each part is the smallest there is, found exactly; the part with the cheapest cut is
    cut next. Single items at the edge are often cut off first, as they have the fewest links: what
    normalised cuts were invented against. For undirected graphs with similarities of 0 or more.
    """

    id, title = "minimum-cut", "Minimum cut"
    curves = (
        Curve("objective", "cut", "Sum of the similarities that this cut separates."),
        Curve("support", "parts", "Number of parts so far."),
    )
    reference = "Wu, Leahy (1993). An optimal graph theoretic approach to data clustering. PAMI 15."

    class Params(Clusterer.Params):
        """How many parts."""

        k: int = Field(
            2,
            ge=1,
            description="Number of groups.",
            json_schema_extra={"slider": [1, 20]},
        )
        min_size: int = Field(
            1,
            ge=1,
            description="Parts smaller than this are set aside: their items are in no group and "
            "do not count.",
            json_schema_extra={"slider": [1, 50], "unit": "items"},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Return the parts."""
        context.check()
        require_items(affinity)
        require_undirected(affinity, check=context.check)
        require_nonnegative(affinity, check=context.check)
        n = affinity.n
        if params.k > n:
            raise ParameterError(
                f"Parameter 'k' is {params.k}, but there is only {counted(n, 'item')}. "
                f"Set k to {n} or less.",
                code="too-many-groups",
            )
        run = _Run(affinity, params, context)
        parts = run.cut()
        labels = np.full(n, -1, dtype=np.int64)
        for number, part in enumerate(parts):
            labels[part] = number
        left = int((labels < 0).sum())
        notes = []
        if len(parts) < params.k:
            notes.append(f"Groups made: {len(parts)} instead of {params.k}; no part can be cut.")
        if left:
            notes.append(f"Items cut off in parts smaller than {params.min_size}: {left}.")
        return Clustering(
            title="Minimum cut",
            dataset=affinity.dataset,
            labels=by_size(labels),
            notes=tuple(notes),
            details={"cuts": run.costs, "unassigned": left},
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Three n × n matrices, and n³ steps for the first cut."""
        n = affinity.n
        return Cost(
            bytes=32 * n * n,
            seconds=2e-9 * n**3 + 5e-6 * n * n,
            alternatives=("use clusterer/ncut",),
        )


class _Run:
    """Cuts parts in two, the cheapest cut first."""

    def __init__(self, affinity: Affinity, params: MinimumCut.Params, context: Context) -> None:
        self.affinity, self.params, self.context = affinity, params, context
        self.costs: list[float] = []

    def cut(self) -> list[Ints]:
        """Return the parts that were made."""
        parts: list[Ints] = [np.arange(self.affinity.n)]
        cuts = [self._best(parts[0])]
        while len(parts) < self.params.k:
            at = int(np.argmin([cost for cost, _ in cuts]))
            cost, side = cuts[at]
            if not np.isfinite(cost):
                break
            part = parts.pop(at)
            cuts.pop(at)
            self.costs.append(cost)
            for piece in (part[side], part[~side]):
                if len(piece) >= self.params.min_size:
                    parts.append(piece)
                    cuts.append(self._best(piece))
            self.context.progress(len(parts), self.params.k, "cutting")
            self.context.frame(len(self.costs), objective=cost, support=len(parts))
        return parts

    def _best(self, part: Ints) -> tuple[float, np.ndarray]:
        if len(part) < max(2, self.params.min_size + 1):
            return np.inf, np.zeros(len(part), dtype=bool)
        similar = self.affinity.submatrix(part).to_dense()
        return minimum_cut(similar, self.context.check)
