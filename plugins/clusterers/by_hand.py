"""Groups by hand: items that a person merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    ParameterError,
)


class ByHand(Clusterer):
    """Groups chosen by hand: each is a list of items; all others are unassigned.

    Made from selections in the window. Graph transduction spreads such labels to all items, a
    classifier learns from them, and they can be compared with what a method found. Of an item that
    is listed twice the last group counts.
    """

    id, title = "by-hand", "Groups by hand"
    needs = ("dataset|affinity",)
    weighs_items = True

    class Params(Clusterer.Params):
        """The members and names of the groups."""

        groups: list[list[int]] = Field(
            default_factory=list,
            description="The items of each group, numbered from 0.",
        )
        names: list[str] = Field(
            default_factory=list, description="A name for each group; empty: numbers."
        )

    def compute(self, data: Dataset | Affinity, *, params: Params, context: Context) -> Clustering:
        """Return a label for the listed items."""
        context.check()
        if data.n == 0:
            raise DataError(
                "There are no items to group. Open a file with at least one item.",
                code="empty-data",
            )
        if isinstance(data, Dataset) and data.features is not None:
            data.clean_features()  # missing values are reported by the first step that meets them
        elif isinstance(data, Affinity):
            data.require_finite()
        if params.names and len(params.names) != len(params.groups):
            raise ParameterError(
                f"There must be a name for each of the {len(params.groups)} groups, or none. "
                f"Got {len(params.names)}.",
                code="invalid-parameters",
            )
        labels = np.full(data.n, -1, dtype=np.int64)
        twice = 0
        for group, members in enumerate(params.groups):
            items = np.array(members, dtype=np.int64)
            if len(items) and (items.min() < 0 or items.max() >= data.n):
                wrong = int(items.min() if items.min() < 0 else items.max())
                raise ParameterError(
                    f"There is no item at position {wrong}: there are {data.n}, from 0 to "
                    f"{data.n - 1}. Choose items of these data.",
                    code="unknown-item",
                )
            twice += int((labels[items] >= 0).sum())
            labels[items] = group
        notes = [f"{int((labels >= 0).sum())} of {data.n} items were assigned to groups by hand."]
        if twice:
            notes.append(f"{twice} of them in several groups: the last one counts.")
        dataset: Any = data if isinstance(data, Dataset) else data.dataset
        return Clustering(
            title="Groups by hand",
            dataset=dataset,
            labels=labels,
            names=tuple(params.names),
            notes=tuple(notes),
        )

    def estimate(self, data: Dataset | Affinity, *, params: Params) -> Cost:
        """A label for each item."""
        return Cost(bytes=32 * data.n, seconds=1e-8 * data.n)
