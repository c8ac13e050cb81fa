"""Keep the items of some classes, or those that fulfil a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from coterie.core import (
    Array,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    ParameterError,
    Transform,
)
from coterie.core.model.query import matching
from coterie.core.model.query_columns import DatasetColumns, class_names
from coterie.core.model.subset import chosen_items


class Keep(Transform):
    """Keep the items of chosen known classes, or those that meet a condition.

    They keep their order and names; classes without items are dropped. A condition
    compares columns, those that are only information too, the known class by the name of its
    column or `truth`, and the item's name as `item`. New items are all kept: which of them are
    wanted is another question.
    """

    id, title = "keep", "Keep classes or items"
    chooses_items = True

    class Params(Transform.Params):
        """Which items."""

        classes: list[str] = Field(
            default_factory=list, description="Names of the known classes to keep; empty: all."
        )
        where: str = Field(
            "",
            description='Condition on the columns, such as width > 2 and species == "setosa"; '
            "empty: none.",
        )
        leave_out: bool = Field(
            False, description="Keep all items except these, for example to remove a class."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Dataset:
        """Return the items that are kept."""
        context.check()
        if data.n == 0:
            raise DataError(
                f"'{data.title}' is empty, so there is nothing to keep.", code="empty-data"
            )
        if (data.features is not None and not data.table) or data.on_disk:
            data.clean_features()  # missing values are reported by the first step that meets them
        wanted = np.ones(data.n, dtype=bool)
        if params.classes:
            wanted &= _of_classes(data, params.classes)
        if params.where.strip():
            wanted &= matching(params.where, DatasetColumns(data), data.n)
        if params.leave_out and (params.classes or params.where.strip()):
            wanted = ~wanted
        if not wanted.any():
            raise ParameterError(
                f"None of the {data.n} items of '{data.title}' would be left. "
                "Choose other classes, or a wider condition.",
                code="nothing-left",
            )
        return _known_classes(chosen_items(data, np.flatnonzero(wanted)))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The items that are kept."""
        return Cost(bytes=16 * data.n * (data.d + 8), seconds=1e-7 * data.n)


def _of_classes(data: Dataset, classes: Sequence[str]) -> Array:
    if data.truth is None:
        raise DataError(
            f"'{data.title}' has no known classes to choose from. "
            "Choose a column of classes when reading it, or give a condition.",
            code="known-classes-needed",
        )
    names = class_names(data)
    unknown = [name for name in classes if name not in names]
    if unknown:
        listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        raise ParameterError(
            f"'{data.title}' has no class '{unknown[0]:.60}'. Its classes are: {listed}.",
            code="unknown-class",
        )
    return np.isin(data.truth, [code for code, name in enumerate(names) if name in classes])


def _known_classes(data: Dataset) -> Dataset:
    """The same items, without the classes that none of them is in."""
    if data.truth is None or not (data.truth >= 0).any():
        return data
    names, known = class_names(data), np.unique(data.truth[data.truth >= 0])
    truth = np.where(data.truth < 0, -1, np.searchsorted(known, data.truth))
    return replace(data, truth=truth, truth_names=tuple(names[code] for code in known))
