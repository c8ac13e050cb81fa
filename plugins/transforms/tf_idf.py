"""Weigh words by how informative they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Field,
    Floats,
    Model,
    Output,
    Transform,
)
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.features.rows import require_nonnegative, unit_rows
from coterie.core.numerics.similarity.check_columns import require_columns


class TfIdf(Transform):
    """Word counts weighted by rarity: words that occur in every text count least.

    The weight of a word is ln((1 + n) / (1 + texts with it)) + 1. Rows are scaled to length 1
    unless set otherwise. Sparse stays sparse; new texts are weighed by the fitted rarity.
    """

    id, title = "tf-idf", "Weigh words (tf-idf)"
    reference = "Salton, Buckley (1988). Term-weighting approaches in automatic text retrieval."

    class Params(Transform.Params):
        """How counts and rows are treated."""

        damped: bool = Field(
            False,
            description="Use 1 + ln(count) instead of the count, which reduces the effect of "
            "repetition.",
        )
        normalise: bool = Field(
            True, description="Scale each row to length 1, so long texts do not count more."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the weighed counts, and the model that weighs those of new texts."""
        X: Any = data.clean_features()
        context.check()
        require_nonnegative(X.data if is_sparse(X) else X, "Word counts")
        texts = np.asarray((X > 0).sum(axis=0)).ravel()
        model = Model(
            title="Weight of each word",
            dataset=data,
            arrays={"weights": np.log((1.0 + data.n) / (1.0 + texts)) + 1.0},
            settings={"damped": params.damped, "normalise": params.normalise},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Weigh the counts of new texts."""
        X: Any = data.clean_features()
        context.check()
        weights = model.arrays["weights"]
        require_columns(data, len(weights))
        require_nonnegative(X.data if is_sparse(X) else X, "Word counts")
        if is_sparse(X):
            counts = X.data.astype(np.float64)
            counts = _damped(counts) if model.settings["damped"] else counts
            weighed: Any = type(X)((counts * weights[X.indices], X.indices, X.indptr), X.shape)
        else:
            counts = np.asarray(X, dtype=np.float64)
            weighed = (_damped(counts) if model.settings["damped"] else counts) * weights
        if model.settings["normalise"]:
            weighed, _ = unit_rows(weighed)
        return data.with_features(weighed)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)


def _damped(counts: Floats) -> Floats:
    """1 + ln(count), 0 for 0; counts below 1 are left as they are, as the logarithm falls under."""
    return np.where(counts > 1, 1.0 + np.log(np.maximum(counts, 1.0)), counts)
