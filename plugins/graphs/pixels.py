"""Pixels: join those of a picture that are near and alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Dataset,
    Field,
    Floats,
    Graph,
    Ints,
)
from coterie.core.model.arrays import SparseMatrix
from coterie.core.numerics.features.picture_grid import grid_of
from coterie.core.numerics.similarity.distances import gaussian_in_place, require_squares


class Pixels(Graph):
    """Sparse graph of a picture's pixels: joined when close in the picture and similar in colour.

    w = exp(−‖F_i − F_j‖² / 2σ_I²) · exp(−‖X_i − X_j‖² / 2σ_X²) for pixels at most `radius` apart,
    F the features (grey value, colours or bands, from 0 to 1) and X the place. About πr² edges for
    each pixel; zero diagonal. The items are the pixels of one picture, row by row.
    """

    id, title = "pixels", "Pixels of a picture"
    reference = "Shi, Malik (2000). Normalized cuts and image segmentation. IEEE PAMI 22(8)."
    needs = ("dataset",)

    class Params(Graph.Params):
        """Which pixels are close, and which are similar."""

        sigma_intensity: float = Field(
            0.1,
            gt=0,
            description="Width σ_I of the similarity of intensities.",
            json_schema_extra={"slider": [1e-3, 1.0], "log": True, "unit": "intensity"},
        )
        sigma_position: float = Field(
            4.0,
            gt=0,
            description="Width σ_X of the similarity of positions.",
            json_schema_extra={"slider": [0.5, 50.0], "log": True, "unit": "pixels"},
        )
        radius: float = Field(
            5.0,
            ge=1,
            le=100,
            description="Pixels farther apart than this are not joined.",
            json_schema_extra={"slider": [1, 20], "unit": "pixels"},
        )
        height: int = Field(
            0,
            ge=0,
            description="Rows of the picture; 0: taken from the data.",
            json_schema_extra={"unit": "pixels", "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the sparse, symmetric graph."""
        X = data.dense_features()
        context.check()
        require_squares(X)
        height, width = grid_of(data, params.height)
        place = np.arange(data.n).reshape(height, width)
        picture = X.reshape(height, width, data.d)
        offsets = _half_disc(params.radius, height, width)
        rows, columns, weights = [], [], []
        for done, (down, right) in enumerate(offsets):
            context.progress(done, len(offsets), "edges")
            here = (slice(0, height - down), slice(max(0, -right), width - max(0, right)))
            there = (slice(down, height), slice(max(0, right), width - max(0, -right)))
            apart = picture[here] - picture[there]
            squared = np.einsum("hwd,hwd->hw", apart, apart)
            alike = gaussian_in_place(squared, params.sigma_intensity)
            alike *= math.exp(-(down**2 + right**2) / 2 / params.sigma_position**2)
            rows.append(place[here].ravel())
            columns.append(place[there].ravel())
            weights.append(alike.ravel())
        return Affinity(
            sparse=_both_ways(rows, columns, weights, data.n),
            symmetric=True,
            title=f"Pixels of a {height} × {width} picture",
            dataset=data,
            details={"height": height, "width": width},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """All edges, twice while they are put in order."""
        edges = int(data.n * 3.2 * params.radius**2)
        return Cost(
            bytes=60 * edges,
            seconds=1e-7 * edges,
            alternatives=("choose a smaller radius", "use a smaller picture"),
        )


def _half_disc(radius: float, height: int, width: int) -> list[tuple[int, int]]:
    """Steps to the pixels within the radius that come later in the picture.

    >>> _half_disc(1.0, 9, 9)
    [(0, 1), (1, 0)]
    """
    reach = int(radius)
    return [
        (down, right)
        for down in range(min(reach, height - 1) + 1)
        for right in range(-min(reach, width - 1), min(reach, width - 1) + 1)
        if (down > 0 or right > 0) and down**2 + right**2 <= radius**2
    ]


def _both_ways(
    rows: list[Ints], columns: list[Ints], weights: list[Floats], n: int
) -> SparseMatrix:
    from scipy.sparse import coo_array

    if not rows:
        return coo_array((n, n)).tocsr()
    i, j, w = np.concatenate(rows), np.concatenate(columns), np.concatenate(weights)
    half: Any = coo_array((w, (i, j)), shape=(n, n)).tocsr()
    both: SparseMatrix = (half + half.T).tocsr()
    both.eliminate_zeros()
    return both
