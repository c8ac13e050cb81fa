"""Adjusted Rand index: agreement on which pairs of items belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class AdjustedRand(Agreement):
    """Agreement on pairs of items, corrected for chance: 1 when the same, 0 when unrelated.

    Of all pairs, those that are together in both, compared with as many as groups of these sizes
    would share by chance.
    """

    id, title = "adjusted-rand", "Adjusted Rand index"
    reference = "Hubert, Arabie (1985). Comparing partitions. Journal of Classification 2."

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the index."""
        return table.adjusted_rand(), {}
