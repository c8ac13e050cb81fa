"""What kernels share that are a Gaussian of distances: precision, matrix and cost."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core.api.components import Cost
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field, Params
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.similarity.distances import gaussian_similarities
from coterie.core.numerics.similarity.tiles import SPARSER, tile_progress


class PrecisionParams(Params):
    """How many digits of a dense matrix are kept."""

    precision: Literal["double", "single"] = Field(
        "double",
        description="Single precision keeps seven digits and halves the memory.",
        json_schema_extra={"advanced": True},
    )

    @property
    def dtype(self) -> type[np.floating]:
        """The type of the numbers."""
        return np.float32 if self.precision == "single" else np.float64

    def cost(self, n: int, d: int) -> Cost:
        """One n × n matrix, working copies of d columns and a tile."""
        return Cost(
            bytes=np.dtype(self.dtype).itemsize * n * n + 32 * n * d + (4 << 20),
            seconds=n * n * (1e-10 * d + 5e-9),
            alternatives=SPARSER,
        )


def gaussian_affinity(
    X: Floats,
    sigma: float,
    params: PrecisionParams,
    context: Context,
    *,
    title: str,
    dataset: Dataset,
    notes: tuple[str, ...],
) -> Affinity:
    """Return exp(−‖x − y‖² / 2σ²) of all pairs of rows as the affinity of the items."""
    values = gaussian_similarities(
        X, sigma=sigma, dtype=params.dtype, check=tile_progress(context, len(X))
    )
    return Affinity(
        values=values,
        symmetric=True,
        nonnegative=True,
        positive_semidefinite=True,
        title=title,
        dataset=dataset,
        notes=notes,
        details={"sigma": sigma},
    )
