"""A model that places new items beside those that have a place, by their features or columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.core.numerics.manifold.placing import NEAREST, mean_place, placed_beside
from coterie.core.numerics.mixed.columns import has_categories, layout_of, table_like, table_of
from coterie.core.numerics.mixed.gower import GowerScale, GowerSpace, gower_scale
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.ties import smallest
from coterie.core.numerics.similarity.tiles import Check, slices

MOST = 20_000  # items that a model keeps
BAND = 1 << 22  # distances at a time


def places_model(data: Dataset | None, places: Floats) -> dict[str, Model]:
    """Return the parts of an embedding of similarities: the model for new items of its data.

    Of a table as it was read, with categories or with missing cells, the columns are kept, to be
    compared by Gower's distance, which needs no scaling; of others the features. No model where the
    similarities are all that is known of the items.
    """
    if data is None or data.features is None or data.on_disk or is_sparse(data.features):
        return {}
    X = np.asarray(data.features, dtype=np.float64)
    if len(X) != len(places):
        return {}
    kept = np.arange(0, len(X), max(1, -(-len(X) // MOST)))
    own = {"places": np.asarray(places)[kept]}
    if np.isfinite(X).all() and not (has_categories(data) and is_default_encoding(data)):
        arrays: dict[str, Any] = {"features": X[kept], **own}
        return {"model": Model(title="Items and their places", dataset=data, arrays=arrays)}
    table = table_of(data)
    scale, some = gower_scale(table), table.take(kept)
    known = np.isfinite(some.numbers)  # a model has only finite numbers
    arrays = {"numbers": np.where(known, some.numbers, 0.0), "known": known, **own}
    arrays |= {"codes": some.codes, "least": scale.least, "spans": scale.spans}
    return {
        "model": Model(
            title="Items and their places",
            dataset=data,
            arrays=arrays,
            settings={"layout": layout_of(table)},
        )
    }


def places_of_new(model: Model, data: Dataset, check: Check | None = None) -> Floats:
    """Return a place for each new item: the mean of those of its nearest known items."""
    places = np.asarray(model.arrays["places"])
    if "features" not in model.arrays:
        return _placed_by_columns(model, data, places, check)
    known = np.asarray(model.arrays["features"])
    require_columns(data, known.shape[1])
    return placed_beside(data.dense_features(), known, places, check=check)


def _placed_by_columns(model: Model, data: Dataset, places: Floats, check: Check | None) -> Floats:
    layout, arrays = model.settings["layout"], model.arrays
    new = table_like(data, layout)
    numbers = np.where(arrays["known"], arrays["numbers"], np.nan)
    codes = np.asarray(arrays["codes"])
    known = MixedTable(numbers, codes, new.levels, new.number_names, new.category_names)
    least, spans = np.asarray(arrays["least"]), np.asarray(arrays["spans"])
    scale = GowerScale(least, spans, np.ones(new.p + new.q))
    nearest = min(NEAREST, known.n)
    result = np.empty((new.n, places.shape[1]))
    for rows in slices(new.n, side=max(1, BAND // known.n)):
        some = GowerSpace(new.take(np.arange(rows.start, rows.stop)), scale)
        away = np.nan_to_num(some.distances(known, check=check), nan=1.0)
        near = smallest(away, nearest)
        away = np.take_along_axis(away, near, axis=1)
        order = np.argsort(away, axis=1, kind="stable")
        near = np.take_along_axis(near, order, axis=1)
        result[rows] = mean_place(near, np.take_along_axis(away, order, axis=1), places)
    return result
