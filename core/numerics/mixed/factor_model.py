"""Factors of mixed columns as a model for new items."""

from __future__ import annotations

import numpy as np

from coterie.core.api.components import Cost
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.mixed.columns import layout_of, table_like
from coterie.core.numerics.mixed.factors import Encoder, Factors
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.mixed.weights import number_of_columns


def factor_model(data: Dataset, table: MixedTable, factors: Factors, kept: int) -> Model:
    """Return the first directions, and how columns are encoded for them."""
    encoder = factors.encoder
    return Model(
        title="Directions of mixed columns",
        dataset=data,
        arrays={
            "axes": factors.axes[:kept],
            "mean": encoder.mean,
            "deviation": encoder.deviation,
            "shares": encoder.shares,
            "scale": encoder.scale,
        },
        settings={"layout": layout_of(table)},
    )


def new_coordinates(model: Model, data: Dataset) -> Floats:
    """Return the coordinates of new items."""
    table = table_like(data, model.settings["layout"])
    part = {name: np.asarray(array) for name, array in model.arrays.items()}
    encoder = Encoder(part["mean"], part["deviation"], part["shares"], part["scale"], table.levels)
    return np.asarray(encoder.encoded(table) @ np.asarray(model.arrays["axes"]).T)


def factor_cost(data: Dataset) -> Cost:
    """Return what finding the directions takes."""
    n, d = data.n, number_of_columns(data)
    return Cost(
        bytes=8 * (5 * n * d + 2 * min(n, d) ** 2) + (1 << 20),
        seconds=1e-8 * n * d * min(n, d),
    )
