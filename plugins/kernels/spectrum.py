"""Spectrum kernel: runs of characters that two texts share."""

from __future__ import annotations

from coterie.core import Affinity, Context, Cost, Dataset, Field, Kernel
from coterie.core.numerics.features.counts import count_runs, require_content, require_texts
from coterie.core.numerics.similarity.inner_products import inner_products


class SpectrumKernel(Kernel):
    """Similarity Σ over runs of p characters (p-mers): count in one text × count in the other.

    Knows no words and no language, and so separates languages. Long texts are similar to
    everything: normalise afterwards (graph `normalise-kernel`). Dense; positive semi-definite.
    """

    id, title = "spectrum", "Spectrum (p-mers)"
    reference = "Leslie, Eskin, Noble (2002). The spectrum kernel. Pac. Symp. Biocomputing."

    class Params(Kernel.Params):
        """How long the runs are."""

        length: int = Field(
            2,
            ge=1,
            le=50,
            description="Number of characters p in a run.",
            json_schema_extra={"slider": [1, 8], "unit": "characters"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n inner products of counts."""
        context.check()
        counts, runs = count_runs(require_texts(data), params.length, check=context.check)
        require_content(data, counts, f"run of {params.length} characters")
        return Affinity(
            values=inner_products(counts, check=context.check),
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Shared runs of {params.length} characters",
            dataset=data,
            details={"runs": len(runs)},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix and the counts."""
        n, letters = data.n, sum(map(len, data.texts))
        return Cost(
            bytes=8 * n * n + 64 * letters + (8 << 20),
            seconds=1e-7 * n * n + 1e-6 * letters,
        )
