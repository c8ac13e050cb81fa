"""Weights of columns as a person gives them, and columns as a cost counts them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.mixed.table import MixedTable


def column_weights(table: MixedTable, given: Mapping[str, float]) -> Floats:
    """Return (p + q,) weights, 1 where none is given; refuse names that are not columns.

    >>> from coterie.core.numerics.mixed.table import mixed_table
    >>> column_weights(mixed_table([[1.0, 2.0]], [[0]], [2], ["a", "b", "c"]), {"c": 2}).tolist()
    [1.0, 1.0, 2.0]
    """
    for name, weight in given.items():
        if name not in table.names:
            raise ParameterError(
                f"There is no column '{name:.80}' to weigh. "
                f"The columns are {', '.join(table.names):.200}.",
                code="unknown-column",
            )
        if not (np.isfinite(weight) and weight >= 0):
            raise ParameterError(
                f"The weight of column '{name:.80}' must be 0 or more. Got {weight!r:.40}.",
                code="parameter",
            )
    weights = np.array([float(given.get(name, 1.0)) for name in table.names])
    if not weights.sum() > 0:
        raise ParameterError(
            "All columns have weight 0. Give one of them a weight.", code="parameter"
        )
    return weights


def number_of_columns(data: Dataset) -> int:
    """Return about how many columns a method for mixed tables compares."""
    return max(1, data.d or len(data.table))
