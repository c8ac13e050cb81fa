"""Mean and variance around each pixel of a picture or scene."""

from __future__ import annotations

from typing import Literal

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Field,
    Model,
    Output,
    ParameterError,
    Transform,
)
from coterie.core.formats.rasters.derived import with_derivation
from coterie.core.numerics.features.derived import SURROUNDINGS, with_surroundings
from coterie.core.numerics.features.picture_grid import grid_of, valid_of
from coterie.core.numerics.similarity.distances import require_squares


class LocalStatistics(Transform):
    """Mean and variance of each band over a small square around each pixel.

    Smooth surfaces such as cloud or water vary little, towns and forest much. The items are the
    pixels of one picture, row by row; beyond its border the picture is mirrored. Of a scene on disk
    they are computed window by window, as its pixels are read; pixels without data do not count.
    """

    id, title = "local-statistics", "Mean and variance around pixels"

    class Params(Transform.Params):
        """Over which square, and what is kept."""

        window: int = Field(
            3,
            ge=3,
            le=101,
            description="Side of the square, an odd number.",
            json_schema_extra={"slider": [3, 15], "unit": "pixels"},
        )
        statistics: Literal["both", "mean", "variance"] = Field(
            "both", description="Whether means, variances or both become columns."
        )
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
        """Return the pixels with their surroundings, and the model that does it again."""
        if params.window % 2 == 0:
            raise ParameterError(
                f"The square around a pixel must have an odd side. Got {params.window}; "
                f"choose {params.window - 1} or {params.window + 1}.",
                code="invalid-window",
            )
        model = Model(title="Square around a pixel", dataset=data, settings=params.as_json())
        if data.on_disk:
            return Output(with_derivation(data, SURROUNDINGS, model.settings), {"model": model})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Take the statistics of the picture whose pixels are `data`."""
        params = self.Params(**model.settings)
        X = data.dense_features()
        context.check()
        require_squares(X)
        grid = grid_of(data, params.height)
        made = with_surroundings(X, data.columns, params.as_json(), grid, valid_of(data))
        context.check()
        return data.with_features(*made)

    def reach(self, model: Model) -> int:
        """Half the square, so tiles of a scene are read with what is around them."""
        return int(model.settings["window"]) // 2

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Two columns for each band, twice; of a scene, nothing yet."""
        if data.on_disk:
            return Cost(bytes=1 << 20, seconds=0.01)
        cells = data.n * data.d
        return Cost(
            bytes=8 * 8 * cells, seconds=1e-7 * cells, alternatives=("select fewer bands first",)
        )
