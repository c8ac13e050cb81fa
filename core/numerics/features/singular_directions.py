"""What the embedder and the transform along singular directions share."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.api.components import Cost
from coterie.core.api.context import Context
from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model, Spectrum
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares


def fit_directions(
    data: Dataset, components: int, context: Context
) -> tuple[Model, Spectrum, tuple[str, ...]]:
    """Return the leading singular directions, all their values, and what there is to note."""
    X: Any = data.clean_features()
    context.check()
    require_squares(X.data if is_sparse(X) else X)
    start = context.rng.normal(size=min(X.shape))
    axes, values = leading_directions(X, components, start=start)
    context.check()
    note = f"{data.n} items with {data.d} columns have {len(axes)} directions only."
    return (
        Model(title="Singular directions", dataset=data, arrays={"axes": axes}),
        Spectrum(title="Singular values", dataset=data, eigenvalues=values),
        (note,) if len(axes) < components else (),
    )


def project(model: Model, data: Dataset, context: Context) -> tuple[Floats, tuple[str, ...]]:
    """Return the coordinates of items along fitted directions, and the names of these."""
    X: Any = data.clean_features()
    context.check()
    axes = model.arrays["axes"]
    require_columns(data, axes.shape[1])
    return np.asarray(X @ axes.T), tuple(f"direction {j + 1}" for j in range(len(axes)))


def directions_cost(data: Dataset, components: int) -> Cost:
    """The directions and coordinates; of dense features also a working copy."""
    n, d = data.n, data.d
    k = min(components, n, d)
    dense = not is_sparse(data.features)
    stored = n * d if dense else int(getattr(data.features, "nnz", 0))
    return Cost(
        bytes=8 * (4 * (n + d) * k + (3 * n * d + 2 * min(n, d) ** 2 if dense else 0)),
        seconds=1e-8 * stored * (min(n, d) if dense else 4 * k),
    )
