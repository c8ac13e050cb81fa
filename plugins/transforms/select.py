"""Keep chosen columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Model,
    Output,
    Transform,
)
from coterie.core.model.arrays import is_sparse


class Select(Transform):
    """Keep the named columns, in the order in which they are named.

    Sparse stays sparse. Of new items the columns of the same names are kept.
    """

    id, title = "select", "Select columns"

    class Params(Transform.Params):
        """Which columns."""

        columns: list[str] = Field(
            default_factory=list, description="Names of the columns to keep; empty: all."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the chosen columns, and the model that chooses them of new items."""
        context.check()
        wanted = list(dict.fromkeys(params.columns)) or list(data.columns)
        model = Model(title="Chosen columns", dataset=data, settings={"columns": wanted})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Keep the columns of these names."""
        context.check()
        features: Any = data.features
        if features is None or 0 in features.shape:
            data.clean_features()  # says what is wrong
        place = {name: j for j, name in enumerate(data.columns)}
        wanted = tuple(model.settings["columns"])
        unknown = [name for name in wanted if name not in place]
        if unknown:
            known = ", ".join(data.columns[:20]) + (", …" if data.d > 20 else "")
            raise DataError(
                f"'{data.title}' has no column '{unknown[0]}'. Its columns are: {known}.",
                code="unknown-column",
            )
        kept = features[:, [place[name] for name in wanted]]
        missing = ~np.isfinite(kept.data if is_sparse(kept) else kept)
        if missing.any():
            # Choosing columns is a way to be rid of missing values: those chosen may hold none.
            data.with_features(kept, wanted).clean_features()
        return data.with_features(kept, wanted)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
