"""Numbers of groups, and labels in an order that does not depend on how they were found."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.api.parameters import Field, Params
from coterie.core.errors import DataError
from coterie.core.model.arrays import Ints


class CountParams(Params):
    """How many groups, when a criterion may choose the number."""

    k: int = Field(
        0,
        ge=0,
        description="Number of groups; 0: the one with the smallest Bayesian information "
        "criterion.",
        json_schema_extra={"slider": [0, 20]},
    )
    most_groups: int = Field(
        10,
        ge=1,
        description="Largest number of groups that is tried.",
        json_schema_extra={"only_if": {"k": [0]}, "advanced": True},
    )


def require_groups(k: int, n: int) -> None:
    """Raise a clear error when there are fewer items than groups.

    >>> require_groups(3, 2)
    Traceback (most recent call last):
    coterie.core.errors.DataError: Parameter 'k' is 3, but there are only 2 items. Choose fewer...
    """
    if n == 0:
        raise DataError(
            "There are no items to group. Open a file with at least one item.", code="empty-data"
        )
    if k > n:
        items = "is only 1 item" if n == 1 else f"are only {n} items"
        raise DataError(
            f"Parameter 'k' is {k}, but there {items}. Choose fewer groups.", code="too-many-groups"
        )


def settled_order(rows: Any) -> Ints:
    """Return the items in an order that depends on what they are, and not on where they stand.

    Who draws items at random draws from this order, so the same items give the same groups
    however a file happens to list them. Equal rows may stand either way round.

    Parameters
    ----------
    rows : (n,) or (n, d) numbers that describe the items, dense or sparse

    Examples
    --------
    >>> rows = np.array([[3.0, 1.0], [0.0, 5.0], [2.0, 2.0]])
    >>> rows[settled_order(rows)].tolist() == rows[::-1][settled_order(rows[::-1])].tolist()
    True
    """
    if rows.ndim == 2:
        # The rows projected on a direction in which no table is likely to be constant.
        rows = rows @ np.cos(np.arange(1.0, rows.shape[1] + 1))
    return np.argsort(np.asarray(rows), kind="stable")


def by_size(labels: Ints) -> Ints:
    """Return the labels renumbered from the largest group to the smallest, −1 left as it is.

    Equal sizes go by their first item, so the numbers say nothing of how they were found.

    >>> by_size(np.array([7, 2, 2, -1])).tolist()
    [1, 0, 0, -1]
    """
    values, first, inverse, counts = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -counts))
    order = order[values[order] >= 0]
    number = np.full(len(values), -1, dtype=np.int64)
    number[order] = np.arange(len(order))
    return np.asarray(number[inverse])
