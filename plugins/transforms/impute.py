"""Fill in what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from coterie.core import (
    Array,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Model,
    Output,
    Transform,
)
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.features.neighbour_values import BLOCK_BYTES, filled_by_neighbours
from coterie.core.numerics.mixed.columns import column_of
from coterie.core.numerics.similarity.check_columns import require_columns


class Impute(Transform):
    """Replace missing values by what is usual in their column or among neighbours, or drop items.

    Infinite values count as missing. New items are filled with the values of the fitted ones. The
    neighbours of an item are near to it in the columns that are known of both, each divided by its
    deviation.
    """

    id, title = "impute", "Fill in missing values"

    class Params(Transform.Params):
        """How to treat missing values."""

        how: Literal["mean", "median", "neighbours", "drop"] = Field(
            "mean",
            description="Fill in the mean or the median of the column, the mean of the nearest "
            "items that have a value there, or drop the item.",
        )
        neighbours: int = Field(
            5,
            ge=1,
            description="For 'neighbours': how many of the nearest items are averaged.",
            json_schema_extra={"slider": [1, 25]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return data without missing values, and the model that fills in those of new items."""
        context.check()
        X, missing = _values(data)
        fill = np.zeros(data.d)
        if params.how != "drop":
            empty = np.flatnonzero(missing.all(axis=0))
            if len(empty):
                raise DataError(
                    f"Column '{data.columns[int(empty[0])]}' has no values at all, so there "
                    "is nothing to fill in. Leave it out with the transform 'select'.",
                    code="missing-values",
                )
            known = np.where(missing, np.nan, X)
            with np.errstate(over="ignore"):
                middle = np.nanmedian if params.how == "median" else np.nanmean
                fill = np.asarray(middle(known, axis=0), dtype=np.float64)
            if not np.isfinite(fill).all():
                raise DataError(
                    "The mean of a column overflows. Use the median instead.",
                    code="values-too-large",
                )
        elif missing.any(axis=1).all():
            raise DataError(
                f"Every item of '{data.title}' has a missing value, so none would be left. "
                "Fill in the mean or the median instead.",
                code="missing-values",
            )
        arrays = {"fill": fill}
        settings: dict[str, Any] = {"how": params.how}
        if params.how == "neighbours":
            # A model has only finite numbers.
            arrays |= {"items": np.where(missing, fill, X), "known": ~missing}
            settings |= {"neighbours": params.neighbours}
        model = Model(
            title="What is filled in, by column", dataset=data, arrays=arrays, settings=settings
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Fill in, or drop, as was fitted."""
        context.check()
        require_columns(data, len(model.arrays["fill"]))
        X, missing = _values(data)
        affected = missing.any(axis=1)
        if not affected.any():
            return data
        if model.settings["how"] == "drop":
            note = f"Items dropped because of missing values: {int(affected.sum()):,}."
            kept = data.take(np.flatnonzero(~affected))
            return replace(kept, notes=(*data.notes, note))
        note = f"Values filled in: {_cells(data, missing):,}, of {int(affected.sum()):,} items."
        values = np.where(missing, model.arrays["fill"], X)
        if model.settings["how"] == "neighbours":
            values = filled_by_neighbours(
                np.where(missing, np.nan, X),
                np.where(model.arrays["known"], model.arrays["items"], np.nan),
                np.asarray(model.arrays["fill"]),
                int(model.settings["neighbours"]),
                context.check,
            )
        filled = data.with_features(values)
        return replace(filled, notes=(*data.notes, note))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and a few working copies; of neighbours the distances of some items."""
        near = params.how == "neighbours"
        return Cost(
            bytes=(48 if near else 24) * data.n * data.d + (BLOCK_BYTES if near else 0),
            seconds=(1e-8 + 1e-9 * data.n * near) * data.n * data.d,
        )


def _cells(data: Dataset, missing: Array) -> int:
    """How many cells of the table are missing: a category is one cell, whatever encodes it."""
    names = {column.name for column in data.table}
    features: dict[str, list[int]] = {}
    for j in np.flatnonzero(missing.any(axis=0)).tolist():
        features.setdefault(column_of(data.columns[j], names) or data.columns[j], []).append(j)
    return sum(int(missing[:, places].any(axis=1).sum()) for places in features.values())


def _values(data: Dataset) -> tuple[Floats, Array]:
    """The dense features, and where they are missing."""
    values: Any = data.features
    if values is None or 0 in values.shape:
        data.clean_features()  # says what is wrong
    dense = np.asarray(values.toarray() if is_sparse(values) else values, dtype=np.float64)
    return dense, ~np.isfinite(dense)
