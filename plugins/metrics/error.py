"""Clustering error: the share of items outside the best matching of groups to classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class ClusteringError(Agreement):
    """Share of items in the wrong group, with each group matched to at most one class.

    The matching is the best of all one-to-one matchings (Hungarian method).
    """

    id, title = "error", "Clustering error"
    reference = "Kuhn (1955). The Hungarian method for the assignment problem."

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the share of items outside the best matching, with that matching."""
        wrong = table.wrong()
        return wrong / table.n, {"wrong": wrong, "matching": table.matching_names()}
