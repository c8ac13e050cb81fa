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
from coterie.core.numerics.similarity.check_columns import require_columns


class Impute(Transform):
    """Replace missing values by the mean or median of their column, or drop those items.

    Infinite values count as missing. New items are filled with the values of the fitted ones.
    """

    id, title = "impute", "Fill in missing values"

    class Params(Transform.Params):
        """How to treat missing values."""

        how: Literal["mean", "median", "drop"] = Field(
            "mean",
            description="Fill in the mean or the median of the column, or drop the item.",
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
                middle = np.nanmean if params.how == "mean" else np.nanmedian
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
        model = Model(
            title="What is filled in, by column",
            dataset=data,
            arrays={"fill": fill},
            settings={"how": params.how},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Fill in, or drop, as was fitted."""
        context.check()
        require_columns(data, len(model.arrays["fill"]))
        X, missing = _values(data)
        count, affected = int(missing.sum()), missing.any(axis=1)
        if not count:
            return data
        if model.settings["how"] == "drop":
            note = f"Items dropped, as they miss values: {int(affected.sum())}."
            kept = data.take(np.flatnonzero(~affected))
            return replace(kept, notes=(*data.notes, note))
        note = f"Values filled in: {count}, of {int(affected.sum())} items."
        filled = data.with_features(np.where(missing, model.arrays["fill"], X))
        return replace(filled, notes=(*data.notes, note))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)


def _values(data: Dataset) -> tuple[Floats, Array]:
    """The dense features, and where they are missing."""
    values: Any = data.features
    if values is None or 0 in values.shape:
        data.clean_features()  # says what is wrong
    dense = np.asarray(values.toarray() if is_sparse(values) else values, dtype=np.float64)
    return dense, ~np.isfinite(dense)
