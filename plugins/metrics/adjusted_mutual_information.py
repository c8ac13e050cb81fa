"""Adjusted mutual information: what groups say about classes, corrected for chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from coterie.core import Field
from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class AdjustedMutualInformation(Agreement):
    """Shared information of classes and groups, corrected for chance: 1 when the same.

    About 0 for groups that are unrelated to the classes, however many there are: normalised mutual
    information grows with their number.
    """

    id, title = "adjusted-mutual-information", "Adjusted mutual information"
    reference = (
        "Vinh, Epps, Bailey (2010). Information theoretic measures for clusterings comparison. "
        "JMLR 11."
    )

    class Params(Agreement.Params):
        """What the information is compared with."""

        average: Literal["arithmetic", "geometric", "max", "min"] = Field(
            "arithmetic", description="Mean of the two entropies that counts as full agreement."
        )

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the adjusted information."""
        from sklearn.metrics import adjusted_mutual_info_score

        counts = table.counts.ravel()
        classes, groups = (
            np.repeat(each.ravel(), counts) for each in np.indices(table.counts.shape)
        )
        value = adjusted_mutual_info_score(classes, groups, average_method=params.average)
        return float(value), {}
