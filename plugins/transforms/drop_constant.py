"""Drop the columns that say nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Model, Output, Transform
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.similarity.check_columns import require_columns


class DropConstant(Transform):
    """Leave out columns that have the same value for every item.

    Sparse stays sparse. Of new items the same columns are left out.
    """

    id, title = "drop-constant", "Drop constant columns"

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the columns that vary, and the model that keeps the same ones of new items."""
        X: Any = data.clean_features()
        context.check()
        least, most = X.min(axis=0), X.max(axis=0)
        if is_sparse(X):
            least, most = least.toarray().ravel(), most.toarray().ravel()
        kept = np.flatnonzero(least < most)
        if not len(kept):
            raise DataError(
                f"All {data.d} columns of '{data.title}' are constant, so none would be left. "
                "Check how the file was read.",
                code="constant-columns",
            )
        model = Model(
            title="Columns that vary",
            dataset=data,
            arrays={"kept": kept},
            settings={"columns": data.d},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Keep the columns that varied among the fitted items."""
        X: Any = data.clean_features()
        context.check()
        require_columns(data, int(model.settings["columns"]))
        kept = model.arrays["kept"]
        names = tuple(data.columns[int(j)] for j in kept)
        left = data.d - len(kept)
        changed = data.with_features(X[:, kept], names)
        note = f"Constant columns left out: {left}."
        return replace(changed, notes=(*data.notes, note)) if left else changed

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
