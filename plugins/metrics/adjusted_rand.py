"""Adjusted Rand index: agreement on which pairs of items belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core import Ints, Metric, hookimpl
from coterie.core.agreement import Agreement
from coterie.core.contingency import Contingency


class AdjustedRand(Agreement):
    """Agreement on pairs of items, corrected for chance: 1 when the same, 0 when unrelated.

    Of all pairs, those that are together in both, compared with as many as groups of these sizes
    would share by chance.
    """

    id, title = "adjusted-rand", "Adjusted Rand index"
    reference = "Hubert, Arabie (1985). Comparing partitions. Journal of Classification 2."

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the index."""
        together = _pairs(table.counts)
        of_classes, of_groups = _pairs(table.counts.sum(axis=1)), _pairs(table.counts.sum(axis=0))
        expected = of_classes * of_groups / max(1.0, _pairs(np.array([table.n])))
        most = (of_classes + of_groups) / 2
        # Both are one group, or all groups single: they are the same, and nothing else could be.
        return 1.0 if most == expected else (together - expected) / (most - expected), {}


def _pairs(counts: Ints) -> float:
    """The pairs within sets of these sizes; as floats, for 10^10 items have 10^20."""
    sizes = counts.astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer the adjusted Rand index."""
    return [AdjustedRand]
