"""What partitions are judged by: the neighbours, density and local dimension of every item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.density.reachability import (
    EXACT_ITEMS,
    core_distances,
    exact_edges,
    neighbour_edges,
)
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.similarity.neighbours import Neighbours, nearest_neighbours
from coterie.core.numerics.similarity.tiles import Check

NEIGHBOURS = 15  # known of each item
JOINED = 10  # of those, joined in the graph
MOST_DIMENSIONS = 6.0  # beyond which a local density says little
CORE = 5  # items, itself included, that a mutual reachability reaches
PROBES = 3  # waves over the items, from which splits are sought, beside two main directions


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The items as a graph of neighbours.

    Attributes
    ----------
    X : (n, d) the items
    near : (n, k) nearest others of each, the nearest first
    source, target : (e,) both directions of each edge of the union of 10 nearest neighbours
    degrees : (n,) number of edges of each item
    log_density : (n,) by the distance to the tenth neighbour, up to a constant
    dimension : (n,) local dimension, by maximum likelihood
    probes : (n, 2 + PROBES) numbers that vary slowly over the items, to look for splits from
    variance : sum of the variances of the columns
    tree : (n − 1, 2) edges of the spanning tree by mutual reachability
    tree_lengths : (n − 1,) their lengths
    table : the columns, where there are categories among them
    """

    X: Floats
    near: Ints
    source: Ints
    target: Ints
    degrees: Floats
    log_density: Floats
    dimension: Floats
    probes: Floats
    variance: float
    tree: Ints
    tree_lengths: Floats
    table: MixedTable | None = None

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.X)

    @cached_property
    def spacing(self) -> Floats:
        """The mean length of the edges of the spanning tree at each item, as a logarithm."""
        ends = self.tree.T.ravel()
        sums = np.bincount(ends, np.tile(self.tree_lengths, 2), self.n)
        mean = sums / np.maximum(np.bincount(ends, minlength=self.n), 1)
        tiny = 1e-9 * float(np.median(self.tree_lengths)) + 1e-300
        return np.asarray(np.log(mean + tiny))


def surroundings_of(
    X: Floats, check: Check | None = None, table: MixedTable | None = None
) -> Surroundings:
    """Return the surroundings of the rows of X; at least 3 items."""
    from scipy.sparse import coo_array

    n = len(X)
    k = min(NEIGHBOURS, n - 1)
    found = nearest_neighbours(X, k, check=check)
    near, distances = found.indices, found.distances
    joined = min(JOINED, k)
    rows = np.repeat(np.arange(n), joined)
    directed = coo_array((np.ones(n * joined), (rows, near[:, :joined].ravel())), shape=(n, n))
    graph: Any = (directed + directed.T).tocsr()
    graph.sum_duplicates()
    degrees = np.diff(graph.indptr).astype(np.float64)
    positive = distances[distances > 0]
    least = 1e-6 * float(np.median(positive)) if len(positive) else 1.0
    away = np.maximum(distances, least)
    logs = np.log(away[:, -1:] / away[:, :-1]).sum(axis=1)
    dimension = np.clip((k - 2) / np.maximum(logs, 1e-9), 1.0, 8.0)
    power = min(float(X.shape[1]), MOST_DIMENSIONS)
    return Surroundings(
        X=X,
        near=near,
        source=np.repeat(np.arange(n), np.diff(graph.indptr)),
        target=graph.indices.astype(np.int64),
        degrees=degrees,
        log_density=-power * np.log(away[:, joined - 1]),
        dimension=dimension,
        probes=_probes(X),
        variance=float(X.var(axis=0).sum()) or 1.0,
        **_tree(X, found, check),
        table=table,
    )


def _tree(X: Floats, near: Neighbours, check: Check | None) -> dict[str, Any]:
    core = core_distances(near, min(CORE, len(X)))
    if len(X) <= EXACT_ITEMS:
        one, other, lengths = exact_edges(X, core, check=check)
    else:
        one, other, lengths = neighbour_edges(X, core, near, check=check)
    return {"tree": np.column_stack([one, other]), "tree_lengths": lengths}


def _probes(X: Floats) -> Array:
    """The two main directions, and waves along fixed directions: the same in any order of items."""
    centred = X - X.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    main = centred @ axes[:2].T
    # Which way a direction points is chance: the longer tail is ahead.
    main = main * np.where((main**3).sum(axis=0) < 0, -1.0, 1.0)
    spread = np.maximum(main.std(axis=0), 1e-300)
    scaled = main / spread
    if scaled.shape[1] < 2:
        scaled = np.column_stack([scaled, scaled[:, 0] ** 2])
    angles = 0.7 + 1.9 * np.arange(PROBES)
    turned = scaled @ np.stack([np.cos(angles), np.sin(angles)])
    waves = np.cos(2.2 * turned + angles)
    return np.column_stack([scaled, waves])
