"""Normalised mutual information: how much the groups tell about the classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from coterie.core import Field, Floats, Metric, hookimpl
from coterie.core.agreement import Agreement
from coterie.core.contingency import Contingency


class NMI(Agreement):
    """Normalised mutual information: 1 when groups and classes agree, 0 when unrelated.

    The mutual information of group and class, divided by the mean of their entropies.
    """

    id, title = "nmi", "Normalised mutual information"
    reference = "Strehl, Ghosh (2002). Cluster ensembles. JMLR 3."

    class Params(Agreement.Params):
        """Which mean, and what becomes of items in no group."""

        average: Literal["arithmetic", "geometric"] = Field(
            "arithmetic", description="Which mean of the two entropies to divide by."
        )

    def measure(self, table: Contingency, params: Params) -> tuple[float, Mapping[str, Any]]:
        """Return the information that the groups give on the classes, out of all there is."""
        shares = table.counts / table.n
        of_classes, of_groups = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
        information = max(0.0, of_classes + of_groups - _entropy(shares.ravel()))
        if params.average == "arithmetic":
            mean = (of_classes + of_groups) / 2
        else:
            mean = float(np.sqrt(of_classes * of_groups))
        if len(table.rows) == 1 and len(table.columns) == 1:
            value = 1.0  # one class, one group: they agree, though neither tells anything
        elif len(table.rows) == 1 or len(table.columns) == 1:
            value = 0.0  # exactly: two roundings, divided, would look like a little agreement
        else:
            value = min(1.0, information / mean) if mean > 0 else 0.0
        return value, {}


def _entropy(shares: Floats) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer normalised mutual information."""
    return [NMI]
