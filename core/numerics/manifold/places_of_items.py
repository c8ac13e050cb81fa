"""A model that places new items beside those that have a place, by their features."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.manifold.placing import placed_beside
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.tiles import Check

MOST = 20_000  # items that a model keeps


def places_model(data: Dataset | None, places: Floats) -> dict[str, Model]:
    """Return the parts of an embedding of similarities: the model for new items of its data.

    None where the items have no features in numbers, or some are missing; then the similarities are
    all that is known of them.
    """
    if data is None or data.features is None or data.on_disk or is_sparse(data.features):
        return {}
    X = np.asarray(data.features, dtype=np.float64)
    if len(X) != len(places) or not np.isfinite(X).all():
        return {}
    kept = np.arange(0, len(X), max(1, -(-len(X) // MOST)))
    arrays = {"features": X[kept], "places": np.asarray(places)[kept]}
    return {"model": Model(title="Items and their places", dataset=data, arrays=arrays)}


def places_of_new(model: Model, data: Dataset, check: Check | None = None) -> Floats:
    """Return a place for each new item: the mean of those of its nearest known items."""
    known = np.asarray(model.arrays["features"])
    require_columns(data, known.shape[1])
    X, places = data.dense_features(), np.asarray(model.arrays["places"])
    return placed_beside(X, known, places, check=check)
