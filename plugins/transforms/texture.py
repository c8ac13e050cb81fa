"""Texture: what bars of every direction and size a picture has around each pixel."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Model,
    Output,
    Transform,
)
from coterie.core.numerics.features.oriented import filter_bank, texture_of
from coterie.core.numerics.features.picture_grid import as_items, grid_of


class Texture(Transform):
    """Oriented filters of a picture: how strong bars of each direction and size are at each pixel.

    Six directions × five sizes of differences of offset Gaussians, as segmentation by normalised
    cuts uses them. The items are the pixels of one picture, row by row; filtered is its
    brightness, the mean of the columns, or one column.
    """

    id, title = "texture", "Texture of a picture"
    reference = (
        "Malik, Perona (1990). Preattentive texture discrimination with early vision mechanisms. "
        "J. Opt. Soc. Am. A 7(5)."
    )

    class Params(Transform.Params):
        """Which filters, and what is kept of them."""

        orientations: int = Field(
            6,
            ge=1,
            le=36,
            description="Number of directions, evenly spread over half a turn.",
            json_schema_extra={"slider": [1, 12]},
        )
        scales: int = Field(
            5,
            ge=1,
            le=12,
            description="Number of sizes, each √2 times the one before.",
            json_schema_extra={"slider": [1, 8]},
        )
        smallest: float = Field(
            1.0,
            ge=0.5,
            le=50,
            description="Width σ of the finest bars.",
            json_schema_extra={"slider": [0.5, 10.0], "log": True, "unit": "pixels"},
        )
        smoothing: float = Field(
            2.0,
            ge=0,
            le=10,
            description=(
                "Average the strength over this many widths of the bar; 0: the filter's own "
                "response, with its sign."
            ),
            json_schema_extra={"slider": [0.0, 5.0], "unit": "widths"},
        )
        column: str = Field("", description="Column to be filtered; empty: the mean of all.")
        keep: Literal["append", "replace"] = Field(
            "append", description="Whether the columns are kept before the new ones, or replaced."
        )
        height: int = Field(
            0,
            ge=0,
            description="Rows of the picture; 0: taken from the data.",
            json_schema_extra={"unit": "pixels", "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the pixels with their texture, and the model that filters another picture."""
        if data.on_disk:
            # The filters are given by their gains and fade slowly: an answer depends, a little,
            # on pixels as far away as the picture goes, and of a window it would be another.
            raise DataError(
                f"The texture of '{data.title}' cannot be computed window by window, because "
                "every filter needs the whole picture. Use mean and variance around pixels "
                "(transform/local-statistics) instead.",
                offer=("transform/local-statistics",),
                code="scene-on-disk",
            )
        model = Model(title="Oriented filters", dataset=data, settings=params.as_json())
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Filter the picture whose pixels are `data`."""
        params = self.Params(**model.settings)
        X = data.dense_features()
        context.check()
        grid = grid_of(data, params.height)
        largest = float(np.abs(X).max())
        if largest > 1e150:
            raise DataError(
                f"The values of '{data.title}' are too large to filter. Got {largest:.4g}; "
                "scale them first.",
                code="values-too-large",
            )
        filters = filter_bank(params.orientations, params.scales, params.smallest)
        added = texture_of(
            _filtered(data, X, params.column).reshape(grid),
            filters,
            smoothing=params.smoothing,
            check=lambda done: context.progress(done, len(filters), "filtering"),
        )
        features = as_items(np.stack(list(added)))
        names = tuple(f"{f.angle / np.pi * 180:.3g}° σ {f.width:.3g}" for f in filters)
        if params.keep == "replace":
            return data.with_features(features, names)
        return data.with_features(np.hstack([X, features]), (*data.columns, *names))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A column for each filter, twice, and transforms of the picture with a margin."""
        filters = filter_bank(params.orientations, params.scales, params.smallest)
        columns = data.d + 2 * len(filters)
        try:
            height, width = grid_of(data, params.height)
        except DataError:  # reported when it runs
            height, width = data.n, 1
        margin = 2 * max(f.halo for f in filters)
        padded = (height + margin) * (width + margin)
        return Cost(
            bytes=8 * data.n * columns + 64 * padded,
            seconds=1e-7 * padded * len(filters),
            alternatives=("choose fewer orientations or scales", "use a smaller picture"),
        )


def _filtered(data: Dataset, X: Floats, column: str) -> Floats:
    """The one value of each pixel that is filtered."""
    if not column:
        return np.asarray(X.mean(axis=1))
    if column not in data.columns:
        known = ", ".join(data.columns[:20]) + (", …" if data.d > 20 else "")
        raise DataError(
            f"'{data.title}' has no column '{column}'. Its columns are: {known}.",
            code="unknown-column",
        )
    return X[:, data.columns.index(column)]
