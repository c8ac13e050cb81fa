"""Bring each row to length 1."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Context, Cost, Dataset, Model, Output, Transform
from coterie.core.numerics.features.rows import unit_rows


class UnitNorm(Transform):
    """Divide each row by its Euclidean length: only its direction is left.

    A row of zeros stays zero. Sparse stays sparse.
    """

    id, title = "unit-norm", "Rows of length 1"

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the divided rows; the model needs nothing of the fitted items."""
        model = Model(title="Rows divided by their length", dataset=data)
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Divide each row of `data` by its length."""
        X = data.clean_features()
        context.check()
        rows, zeros = unit_rows(X)
        note = f"Rows of zeros, left as they are: {zeros}."
        changed = data.with_features(rows)
        return replace(changed, notes=(*data.notes, note)) if zeros else changed

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
