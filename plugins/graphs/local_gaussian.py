"""Local Gaussians: a walk along the shape of each neighbourhood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Graph, Ints
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.neighbours import (
    GOOD_RECALL,
    floored,
    nearest_neighbours,
    neighbour_graph,
    require_neighbours,
)


@dataclass(frozen=True)
class _Shapes:
    """The Gaussians around all items: in the space of the neighbours, not of the columns.

    With D_i the k × d differences of the neighbours of i from it, D_i D_iᵀ / k = V Λ Vᵀ.
    """

    bases: Floats
    """(n, m, k): the m leading eigenvectors, as rows."""
    values: Floats
    """(n, m): their eigenvalues λ, the local variances."""
    ridge: Floats
    """(n,): α, what is added to each direction."""


class LocalGaussian(Graph):
    """Directed p_ji ∝ N(x_j; x_i, C_i): item j steps to the neighbour that explains it best.

    C_i is the covariance of the neighbours of i around x_i, plus `regularisation` × its mean
    variance on the diagonal; rows sum to one. Works in the space of the k neighbours (low-rank
    identity), so many columns cost little; the determinant counts all directions. Sparse.
    """

    id, title = "local-gaussian", "Local Gaussians"
    reference = (
        "Chen, Liu, Tang (2008). Clustering via random walk hitting time on directed graphs. AAAI."
    )
    needs = ("dataset",)

    class Params(Graph.Params):
        """How local, and how round."""

        neighbours: int = Field(
            10,
            ge=1,
            description="Number of neighbours k, both of the local Gaussians and of the steps.",
            json_schema_extra={"slider": [2, 50]},
        )
        regularisation: float = Field(
            1.0,
            gt=0,
            description="Share of the mean local variance added to each direction; 0.01 is better "
            "for groups of different scale.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True},
        )
        include_self: bool = Field(False, description="Whether an item may stay where it is.")

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the row-stochastic digraph."""
        X = data.dense_features()
        context.check()
        require_neighbours(data.n, params.neighbours)
        found = nearest_neighbours(X, params.neighbours, recall=GOOD_RECALL, check=context.check)
        near = found.indices
        X = _in_range(X)
        shapes, raised = _shapes(X, near, params.regularisation, context)
        steps = np.column_stack([np.arange(data.n), near]) if params.include_self else near
        logs = np.empty(steps.shape)
        for rows in row_blocks(data.n, steps.shape[1] * near.shape[1] * data.d):
            context.progress(rows.start, data.n, "densities")
            logs[rows] = _log_densities(X, near, shapes, rows, steps[rows])
        logs -= logs.max(axis=1, keepdims=True)
        chances = np.exp(logs)
        chances /= chances.sum(axis=1, keepdims=True)
        note = f"Neighbourhoods of only duplicates, given the smallest width: {raised}."
        return Affinity(
            sparse=neighbour_graph(steps, chances, data.n),
            symmetric=False,
            title=f"Local Gaussians, {params.neighbours} neighbours",
            dataset=data,
            notes=(note, *found.notes) if raised else found.notes,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Neighbours, and a k × k basis for each item."""
        n, d, k = data.n, data.d, params.neighbours
        return Cost(
            bytes=n * (16 * k * k + 80 * k + 16 * d) + (64 << 20),
            seconds=n * n * (4e-11 * d + 2e-9) + n * (1e-8 * k**3 + 4e-9 * k * k * d),
        )


def _in_range(X: Floats) -> Floats:
    """The same items where fourth powers neither overflow nor vanish: the chances have no unit."""
    power = int(np.frexp(np.abs(X).max())[1])
    return X if abs(power) < 100 else np.ldexp(X, -power)


def _shapes(X: Floats, near: Ints, regularisation: float, context: Context) -> tuple[_Shapes, int]:
    n, k = near.shape
    d = X.shape[1]
    m = min(k, d)
    bases, values = np.empty((n, m, k)), np.empty((n, m))
    for rows in row_blocks(n, k * (d + k)):
        context.check()
        apart = X[near[rows]] - X[rows, None]
        local, vectors = np.linalg.eigh(apart @ apart.transpose(0, 2, 1) / k)
        values[rows] = np.maximum(local[:, ::-1][:, :m], 0.0)
        bases[rows] = vectors[:, :, ::-1].transpose(0, 2, 1)[:, :m]
    ridge, raised = floored(regularisation * values.sum(axis=1) / d)
    return _Shapes(bases, values, ridge), raised


def _log_densities(X: Floats, near: Ints, shapes: _Shapes, rows: slice, steps: Ints) -> Floats:
    """ln N(x_j; x_i, C_i) up to a constant, for j in `rows` and i in its `steps`.

    With y = x_j − x_i and C = UΛUᵀ + αI: yᵀC⁻¹y = ‖y‖²/α − Σ_l (v_lᵀDy)² / (kα(λ_l + α)), as
    u_l = Dᵀv_l / √(kλ_l); ln det C = Σ_l ln(λ_l + α) + (d − m) ln α.
    """
    k, d = near.shape[1], X.shape[1]
    y = X[rows, None] - X[steps]
    apart = X[near[steps]] - X[steps][:, :, None]
    along = np.einsum("jskd,jsd->jsk", apart, y)
    ridge = shapes.ridge[steps]
    spread = shapes.values[steps] + ridge[..., None]
    seen = np.einsum("jsmk,jsk->jsm", shapes.bases[steps], along) ** 2
    inside = (seen / (k * ridge[..., None] * spread)).sum(axis=2)
    outside = np.einsum("jsd,jsd->js", y, y) / ridge
    determinant = np.log(spread).sum(axis=2) + (d - spread.shape[2]) * np.log(ridge)
    return np.asarray(-0.5 * (np.maximum(outside - inside, 0.0) + determinant))
