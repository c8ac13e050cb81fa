"""Take chosen items."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    ParameterError,
    Transform,
)
from coterie.core.model.subset import chosen_items


class Take(Transform):
    """The items at chosen positions, or all others, as a new data set.

    They keep their order, names and known classes. Without positions all items are taken.
    """

    id, title = "take", "Take chosen items"
    chooses_items = True

    class Params(Transform.Params):
        """Which items."""

        items: list[int] = Field(
            default_factory=list,
            description="Item numbers, counted from 0; empty: all.",
        )
        leave_out: bool = Field(
            False, description="Take all items except these, for example to remove outliers."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Dataset:
        """Return the chosen items."""
        context.check()
        if data.n == 0:
            raise DataError(
                f"'{data.title}' is empty, so there is nothing to take.", code="empty-data"
            )
        if data.features is not None:
            data.clean_features()  # missing values are reported by the first step that meets them
        chosen = np.unique(np.array(params.items, dtype=np.int64))
        if len(chosen) and not (chosen[0] >= 0 and chosen[-1] < data.n):
            wrong = int(chosen[0] if chosen[0] < 0 else chosen[-1])
            raise ParameterError(
                f"There is no item at position {wrong}: '{data.title}' has {data.n} items, from 0 "
                f"to {data.n - 1}. Choose items of these data.",
                code="unknown-item",
            )
        if params.leave_out or not len(chosen):
            chosen = np.setdiff1d(np.arange(data.n), chosen)
        if not len(chosen):
            raise ParameterError(
                "No item would be left. Leave out fewer items.", code="nothing-left"
            )
        return chosen_items(data, chosen)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The items that are taken."""
        return Cost(bytes=16 * data.n * (data.d + 8), seconds=1e-7 * data.n)
