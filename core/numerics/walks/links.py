"""Similarities as links from rows to columns, for rankings that follow them both ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats


def matrix_of(affinity: Affinity) -> Any:
    """Return what is stored where that is the matrix itself, else the dense product.

    >>> matrix_of(Affinity(values=np.eye(2))).shape
    (2, 2)
    """
    return affinity.to_dense() if affinity.factor is not None else affinity.stored


def to_targets(A: Any, weights: Floats) -> Floats:
    """Return Aᵀw: what each item receives when every item sends its weight along its links."""
    return np.asarray(A.T @ weights, dtype=np.float64)


def require_links(affinity: Affinity, A: Any) -> None:
    """Raise a clear error for negative similarities, or when there is no link at all."""
    least, most = float(A.min()), float(A.max())
    if not np.isfinite([least, most]).all():
        affinity.require_finite()
    if least < 0:
        raise DataError(
            f"Links need similarities of 0 or more. Got {least:.3g}; put "
            f"{well_known.GRAPH_THRESHOLD} or another kernel before this step.",
            code="negative-similarities",
            offer=(well_known.GRAPH_THRESHOLD,),
        )
    if most == 0:
        raise DataError(
            "No two items are linked: all similarities are 0. Widen the kernel, or choose another "
            "graph.",
            code="no-similarities",
        )
