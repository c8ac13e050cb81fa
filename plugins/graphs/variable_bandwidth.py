"""Variable bandwidth: a directed graph in which each item has its own width."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Graph, Ints
from coterie.core.model.arrays import SparseMatrix
from coterie.core.numerics.similarity.distances import row_blocks, squared_distances
from coterie.core.numerics.similarity.neighbours import (
    GOOD_RECALL,
    floored,
    nearest_neighbours,
    neighbour_graph,
    require_neighbours,
)

LARGEST_LOG = 600.0  # exp of more, summed over many items, is not a number
SAME = 1e-9  # distances by matrix products differ by rounding from those of the neighbours
MOST_SCORED = 2000  # items whose likelihood is taken; all others still make up their density


class VariableBandwidth(Graph):
    """Directed w_ij = h_i^−power · exp(−d² / 2h_i²), h_i the distance of i to its k-th neighbour.

    The kernel density estimate whose width follows the density. Keeping only the edges to the k
    nearest matters more than any other choice. With the bandwidth of the source the power cancels
    in transition probabilities and only changes degrees. Bandwidths of zero (duplicates) are raised
    to a thousandth of the median. "auto" takes the number of neighbours under which the density of
    each item, seen from all others, is largest (leave-one-out log-likelihood): an item that is left
    out sets nobody's width, and the widths are h / √d: most of a kernel is then as far away as
    the neighbours are. It says how dense the data are, not how many groups there are.
    """

    id, title = "variable-bandwidth", "Variable bandwidth"
    version = "2"  # "auto" leaves items out of the widths as well
    reference = (
        "Breiman, Meisel, Purcell (1977). Variable kernel estimates of multivariate densities. "
        "Technometrics 19(2)."
    )
    needs = ("dataset",)

    class Params(Graph.Params):
        """Which neighbours, and whose bandwidth."""

        neighbours: Annotated[int, Field(ge=1)] | Literal["auto"] = Field(
            10,
            description="Number of neighbours k that set the bandwidth and are kept; 'auto' takes "
            "the most likely.",
            json_schema_extra={"slider": [1, 50]},
        )
        keep: Literal["neighbours", "all"] = Field(
            "neighbours",
            description="Edges to the k nearest only (sparse), or to all other items (dense).",
        )
        power: Annotated[float, Field(ge=0)] | Literal["d"] = Field(
            "d",
            description="Power of the bandwidth; 'd', the number of columns, gives a density.",
            json_schema_extra={"advanced": True},
        )
        bandwidth: Literal["source", "target"] = Field(
            "source",
            description="Whether an edge uses the bandwidth of the item it leaves or of the item "
            "it reaches.",
            json_schema_extra={"advanced": True},
        )
        self_loops: bool = Field(
            False,
            description="Whether each item is joined to itself as well.",
            json_schema_extra={"advanced": True},
        )
        auto_most: int = Field(
            50,
            ge=2,
            le=1000,
            description="Largest number of neighbours that 'auto' tries.",
            json_schema_extra={"advanced": True, "only_if": {"neighbours": ["auto"]}},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the directed graph, sparse or dense."""
        X = data.dense_features()
        context.check()
        notes: list[str] = []
        details: dict[str, Any] = {}
        if params.neighbours == "auto":
            most = max(1, min(params.auto_most, data.n - 2))
            require_neighbours(data.n, most + 1)
            found = nearest_neighbours(X, most + 1, recall=GOOD_RECALL, check=context.check)
            likelihoods = loo_likelihoods(X, found.distances, context)
            k = int(likelihoods.argmax()) + 1
            details["loo_log_likelihood"] = likelihoods.tolist()
            have = "neighbour has" if k == 1 else "neighbours have"
            notes.append(f"{k} {have} the largest leave-one-out likelihood.")
            if k in (1, most) and most > 1:
                notes.append(
                    f"That is the end of the range tried, 1 to {most}: the likelihood is not "
                    "conclusive here, and another number may be better."
                )
        else:
            k = params.neighbours
            require_neighbours(data.n, k)
            found = nearest_neighbours(X, k, recall=GOOD_RECALL, check=context.check)
        notes += found.notes
        indices, distances = found.indices[:, :k], found.distances[:, :k]
        widths, raised = floored(distances[:, -1])
        if raised:
            notes.append(f"Bandwidths of zero (duplicates), raised to the floor: {raised}.")
        power = float(data.d) if params.power == "d" else params.power
        logs = -power * np.log(widths)
        # Powers of many columns leave the range of numbers; one factor for all changes nothing.
        shift = float(logs.max()) if np.abs(logs).max() > LARGEST_LOG else 0.0
        if shift:
            notes.append("All weights were divided by the largest, because they overflowed.")
        factors = np.exp(logs - shift)
        if params.keep == "neighbours":
            matrix: Any = _kept(indices, distances, widths, factors, params)
        else:
            matrix = _all(X, widths, factors, params, context)
        return Affinity(
            **{"sparse" if params.keep == "neighbours" else "values": matrix},
            symmetric=False,
            title=f"Variable bandwidth, {k} neighbours",
            dataset=data,
            notes=tuple(notes),
            details={"neighbours": k, **details},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The neighbours, or a dense n × n matrix; 'auto' looks at all pairs many times."""
        n, d = data.n, data.d
        k = params.auto_most if params.neighbours == "auto" else params.neighbours
        seconds = n * n * (4e-11 * d + 2e-9)
        if params.neighbours == "auto":
            seconds += 5e-9 * min(n, MOST_SCORED) * n * k
        return Cost(
            bytes=80 * n * k + 16 * n * d + (8 * n * n if params.keep == "all" else 0) + (64 << 20),
            seconds=seconds,
            alternatives=("keep the edges to the neighbours only",),
        )


def loo_likelihoods(X: Floats, distances: Floats, context: Context) -> Floats:
    """Return the leave-one-out log-likelihood of the density for k = 1 … distances.shape[1] − 1.

    The density of an item i is the mean over all other items j of N(x_i; x_j, h_j² I / d), h_j the
    distance of j to its k-th neighbour without i: to the next one where i is among them. Were i to
    set widths, the smallest k would always win, as mutual neighbours would be as near as their
    kernels are wide. And with h_j² alone most mass would be at the distance h_j √d, where in many
    columns there is nobody, so again the smallest would be the least bad. Worked out in logarithms:
    powers of h_j leave the range of numbers.

    References
    ----------
    Breiman, Meisel, Purcell (1977). Variable kernel estimates of multivariate densities.
    Technometrics 19(2).
    """
    n, d = X.shape
    most = distances.shape[1] - 1
    widths = np.array([floored(distances[:, k])[0] for k in range(most + 1)])
    heights = d * (0.5 * np.log(d) - np.log(widths))
    scored = np.linspace(0, n - 1, min(n, MOST_SCORED)).astype(np.int64)
    total = np.zeros(most)
    for rows in row_blocks(len(scored), n, 1 << 22):
        some = scored[rows]
        context.progress(rows.start, len(scored), "likelihood")
        squared = squared_distances(X[some], X, check=context.check)
        own = (np.arange(len(some)), some)
        for k in range(most):
            context.check()
            logs = squared * (-0.5 * d / widths[k] ** 2)
            logs += heights[k]
            # Where the item is among the k nearest of j, the width is that without it.
            which, of = np.nonzero(squared <= (distances[:, k] * (1 + SAME)) ** 2)
            later = squared[which, of] * (-0.5 * d / widths[k + 1, of] ** 2)
            logs[which, of] = later + heights[k + 1, of]
            logs[own] = -np.inf
            largest = logs.max(axis=1)
            logs -= largest[:, None]
            np.exp(logs, out=logs)
            total[k] += (largest + np.log(logs.sum(axis=1))).sum()
    constant = 0.5 * d * np.log(2 * np.pi) + np.log(n - 1)
    return np.asarray(total * (n / len(scored)) - n * constant)


def _kept(
    indices: Ints,
    distances: Floats,
    widths: Floats,
    factors: Floats,
    params: VariableBandwidth.Params,
) -> SparseMatrix:
    n = len(widths)
    if params.self_loops:
        indices = np.column_stack([np.arange(n), indices])
        distances = np.column_stack([np.zeros(n), distances])
    at = np.arange(n)[:, None] if params.bandwidth == "source" else indices
    weights = factors[at] * np.exp(-0.5 * (distances / widths[at]) ** 2)
    return neighbour_graph(indices, weights, n)


def _all(
    X: Floats,
    widths: Floats,
    factors: Floats,
    params: VariableBandwidth.Params,
    context: Context,
) -> Floats:
    values = squared_distances(X, check=context.check)
    for rows in row_blocks(*values.shape):
        context.check()
        block = values[rows]
        at: Any = (rows, None) if params.bandwidth == "source" else (None, slice(None))
        block /= widths[at]
        block /= widths[at]
        block *= -0.5
        np.exp(block, out=block)
        block *= factors[at]
    if not params.self_loops:
        np.fill_diagonal(values, 0.0)
    return values
