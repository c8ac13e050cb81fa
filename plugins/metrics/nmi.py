"""Normalised mutual information: how much the groups say about the classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core import Field
from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Average, Contingency


class NMI(Agreement):
    """Normalised mutual information: 1 when groups and classes agree, 0 when unrelated.

    The mutual information of group and class, divided by the mean of their entropies.
    """

    id, title = "nmi", "Normalised mutual information"
    reference = "Strehl, Ghosh (2002). Cluster ensembles. JMLR 3."

    class Params(Agreement.Params):
        """Which mean, and what becomes of items in no group."""

        average: Average = Field(
            "arithmetic", description="Which mean of the two entropies to divide by."
        )

    def measure(self, table: Contingency, params: Params) -> tuple[float, Mapping[str, Any]]:
        """Return the information that the groups give on the classes, out of all there is."""
        return table.information(params.average), {}
