"""Spatial pyramid: histograms of a picture and of its quarters, compared level by level."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Kernel,
)
from coterie.core.numerics.features.rows import require_nonnegative
from coterie.core.numerics.similarity.inner_products import intersections
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class SpatialPyramid(Kernel):
    """Weighted histogram intersection over a picture, its 4 quarters, its 16 sixteenths, and so on.

    The columns are histograms of the same words: the whole picture first, then the parts of each
    finer level. With L the finest level, level 0 weighs 1/2^L and level l ≥ 1 weighs 1/2^(L−l+1):
    ¼, ¼, ½ for three levels. Dense; positive semi-definite.
    """

    id, title = "spatial-pyramid", "Spatial pyramid"
    reference = "Lazebnik, Schmid, Ponce (2006). Beyond bags of features. CVPR."

    class Params(Kernel.Params):
        """How fine the pyramid is."""

        levels: int = Field(
            3,
            ge=1,
            le=6,
            description="Number of levels; each has four times the parts of the one before.",
            json_schema_extra={"slider": [1, 4]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        require_nonnegative(X, "Histograms")
        weights = column_weights(data.d, params.levels)
        return Affinity(
            values=intersections(X * weights, check=tile_progress(context, data.n)),
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Spatial pyramid of {params.levels} levels",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-9)


def column_weights(d: int, levels: int) -> Floats:
    """Return the weight of each of d columns: by level, all parts of a level alike.

    >>> column_weights(5, 2).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5]
    >>> column_weights(21, 3)[[0, 1, 4, 5, 20]].tolist()
    [0.25, 0.25, 0.25, 0.5, 0.5]
    """
    parts = [4**level for level in range(levels)]
    words, over = divmod(d, sum(parts))
    if over or not words:
        raise DataError(
            f"A pyramid of {levels} levels has {' + '.join(map(str, parts))} parts, so the "
            f"columns must be a multiple of {sum(parts)}. Got {d}; change the number of levels.",
            code="columns-mismatch",
        )
    finest = levels - 1
    weights = [0.5**finest] + [0.5 ** (finest - level + 1) for level in range(1, levels)]
    return np.repeat(weights, [words * part for part in parts])
