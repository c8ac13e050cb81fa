"""Accuracy: the share of items in the group matched to their class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class MatchedAccuracy(Agreement):
    """Share of items in the right group, with each group matched to at most one class.

    The matching of groups to classes is the best of all one-to-one matchings; it is reported, with
    each class's producer's accuracy (share of the class found) and user's accuracy (share of the
    group that is right).
    """

    id, title = "accuracy", "Accuracy"
    reference = "Congalton (1991). A review of assessing the accuracy of classifications. RSE 37."

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the share, with the matching and each class's own accuracies."""
        rows, columns = table.matching()
        hits = table.counts[rows, columns]
        classes = [table.rows[row] for row in rows]
        of_class, of_group = table.counts.sum(axis=1)[rows], table.counts.sum(axis=0)[columns]
        return float(hits.sum() / table.n), {
            "matching": table.matching_names(),
            "producer": dict(zip(classes, (hits / of_class).tolist(), strict=True)),
            "user": dict(zip(classes, (hits / of_group).tolist(), strict=True)),
        }
