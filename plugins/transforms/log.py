"""Logarithms of columns that spread over orders of magnitude."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Field, Model, Output, Transform


class Log(Transform):
    """Replace each value x by log(1 + x), so amounts are compared by their ratios.

    Made for incomes, counts, sizes: most values are small and a few are very large. Zero stays
    zero. With signs kept, a negative value −x becomes −log(1 + x).
    """

    id, title = "log", "Logarithm"

    class Params(Transform.Params):
        """Which columns, and what becomes of negative values."""

        columns: list[str] = Field(
            default_factory=list, description="Columns to change; empty: all."
        )
        negative: Literal["refuse", "keep sign"] = Field(
            "refuse",
            description="Refuse negative values, or take the logarithm of their absolute value "
            "and keep the sign.",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the logarithms, and the model that takes them of new items."""
        context.check()
        unknown = [name for name in params.columns if name not in data.columns]
        if unknown:
            raise DataError(
                f"'{data.title}' has no column of numbers '{unknown[0]:.80}'. Its features are: "
                f"{', '.join(data.columns[:20])}.",
                code="unknown-column",
            )
        model = Model(
            title="Columns whose logarithm is taken",
            dataset=data,
            settings={"columns": list(params.columns), "negative": params.negative},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Take the logarithms of the columns of these names."""
        X = np.array(data.dense_features())
        context.check()
        wanted = set(model.settings["columns"]) or set(data.columns)
        chosen = [j for j, name in enumerate(data.columns) if name in wanted]
        if model.settings["negative"] == "refuse" and (X[:, chosen] < 0).any():
            at = next(j for j in chosen if (X[:, j] < 0).any())
            raise DataError(
                f"Column '{data.columns[at]:.80}' has negative values, the least "
                f"{X[:, at].min():.4g}. Leave it out of 'columns', or set 'negative' to "
                "'keep sign'.",
                code="negative-values",
            )
        X[:, chosen] = np.sign(X[:, chosen]) * np.log1p(np.abs(X[:, chosen]))
        return data.with_features(X)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=3e-8 * data.n * data.d)
