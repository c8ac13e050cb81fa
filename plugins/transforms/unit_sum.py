"""Bring each row to sum 1."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.core import Context, Cost, Dataset, Model, Output, Transform
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.features.rows import require_nonnegative, unit_sum_rows


class UnitSum(Transform):
    """Divide each row by its sum: counts become shares.

    For histograms and word counts, which it asks to be non-negative. A row of zeros stays zero.
    Sparse stays sparse.
    """

    id, title = "unit-sum", "Rows sum to 1"

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the divided rows; the model needs nothing of the fitted items."""
        model = Model(title="Rows divided by their sum", dataset=data)
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Divide each row of `data` by its sum."""
        X: Any = data.clean_features()
        context.check()
        require_nonnegative(X.data if is_sparse(X) else X, "Rows to scale to sum 1")
        rows, zeros = unit_sum_rows(X)
        note = f"Rows of zeros, left as they are: {zeros}."
        changed = data.with_features(rows)
        return replace(changed, notes=(*data.notes, note)) if zeros else changed

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
