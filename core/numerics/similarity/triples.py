"""Similarities of three items at a time: how well they fit a line, or how alike all of them are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import Check

BLOCK = 1 << 17  # triples worked on at a time: a few milliseconds
PATHS = 64  # for each triangle that is wanted, so many paths may be looked at


@dataclass(frozen=True, eq=False)
class Triples:
    """The polynomial Σ w_t x_i x_j x_k over triples t = {i, j, k} of n items.

    Attributes
    ----------
    n : number of items
    items : (3, t) positions of each triple's items, all different
    weights : (t,) similarity of each triple, not negative

    Examples
    --------
    >>> one = Triples(3, np.array([[0], [1], [2]]), np.array([6.0]))
    >>> one.slopes(np.array([0.5, 0.25, 0.25])).tolist()
    [0.375, 0.75, 0.75]
    """

    n: int
    items: Ints
    weights: Floats
    check: Check | None = None

    degree = 3

    def slopes(self, x: Floats) -> Floats:
        """Return the partial derivatives ∂_i = Σ over the triples of i of w_t x_j x_k."""
        found = np.zeros(self.n)
        for start in range(0, len(self.weights), BLOCK):
            if self.check is not None:
                self.check()
            i, j, k = self.items[:, start : start + BLOCK]
            w = self.weights[start : start + BLOCK]
            xi, xj, xk = x[i], x[j], x[k]
            wxi = w * xi
            found += np.bincount(i, w * xj * xk, self.n)
            found += np.bincount(j, wxi * xk, self.n)
            found += np.bincount(k, wxi * xj, self.n)
        return found

    def degrees(self) -> Floats:
        """Return the total weight of the triples of each item."""
        return np.asarray(sum(np.bincount(row, self.weights, self.n) for row in self.items))

    def among(self, kept: NDArray[np.bool_]) -> Triples:
        """Return the triples whose items are all kept; positions stay."""
        inside = kept[self.items].all(axis=0)
        return Triples(self.n, self.items[:, inside], self.weights[inside], self.check)


def all_triples(n: int) -> Ints:
    """Return the (3, n(n−1)(n−2)/6) triples i < j < k of n items.

    >>> all_triples(4).T.tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    if n < 3:
        return np.zeros((3, 0), dtype=np.int64)
    j, k = np.triu_indices(n, 1)
    # The pairs (j, k) with j > i are those from some place on, as they are sorted by j.
    first = np.searchsorted(j, np.arange(1, n))
    counts = len(j) - first
    i = np.repeat(np.arange(n - 1), counts)
    place = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    return np.stack([i, j[place], k[place]])


def line_residuals(X: Floats, items: Ints, *, check: Check | None = None) -> Floats:
    """Return, for each triple, the root of the squared distances to the line that fits it best.

    The line through their mean along which they spread most leaves the smaller eigenvalue of their
    scatter: with T its trace and M the product of both eigenvalues, 2M / (T + √(T² − 4M)).

    Parameters
    ----------
    X : (n, d) features
    items : (3, t) positions

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 3.0]])
    >>> line_residuals(X, np.array([[0, 0], [1, 2], [2, 3]])).round(4).tolist()
    [0.0, 1.4142]
    """
    result = np.empty(items.shape[1])
    for start in range(0, items.shape[1], BLOCK):
        if check is not None:
            check()
        i, j, k = items[:, start : start + BLOCK]
        u, v = X[j] - X[i], X[k] - X[i]
        uu, vv, uv = (np.einsum("ij,ij->i", *pair) for pair in ((u, u), (v, v), (u, v)))
        trace = 2 * (uu + vv - uv) / 3
        product = np.maximum(uu * vv - uv * uv, 0.0) / 3
        root = np.sqrt(np.maximum(trace * trace - 4 * product, 0.0))
        smaller = np.divide(2 * product, trace + root, out=np.zeros_like(trace), where=trace > 0)
        result[start : start + BLOCK] = np.sqrt(smaller)
    return result


def pair_products(affinity: Affinity, items: Ints, *, check: Check | None = None) -> Floats:
    """Return, for each triple, the product of the similarities of its three pairs.

    >>> A = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 1.0], [0.5, 1.0, 0.0]])
    >>> pair_products(Affinity(values=A), np.array([[0], [1], [2]])).tolist()
    [0.25]
    """
    result = np.empty(items.shape[1])
    for start in range(0, items.shape[1], BLOCK):
        if check is not None:
            check()
        i, j, k = items[:, start : start + BLOCK]
        product = entries(affinity, i, j) * entries(affinity, j, k)
        result[start : start + BLOCK] = product * entries(affinity, i, k)
    return result


def triangles(graph: Any, most: int, *, check: Check | None = None) -> tuple[Ints, Floats] | None:
    """Return the triangles i < j < k of a sparse symmetric graph and the products of their edges.

    Every path i–j–k with i < j < k is looked at once, in blocks. None when there are more than
    `most` triangles, or so many paths that it would take too long to see.

    >>> from scipy.sparse import csr_array
    >>> A = csr_array(np.array([[0, 1, 2, 0], [1, 0, 3, 0], [2, 3, 0, 1], [0, 0, 1, 0.0]]))
    >>> items, weights = triangles(A, 10)
    >>> items.T.tolist(), weights.tolist()
    ([[0, 1, 2]], [6.0])
    """
    from scipy.sparse import triu

    upper: Any = triu(graph, 1, format="csr")
    upper.sum_duplicates()
    upper.sort_indices()
    n = upper.shape[0]
    sources = np.repeat(np.arange(n), np.diff(upper.indptr))
    targets = upper.indices.astype(np.int64)
    codes = sources * n + targets
    onward = np.diff(upper.indptr)[targets]
    ends = np.cumsum(onward)
    total = int(ends[-1]) if len(ends) else 0
    if total > PATHS * most:
        return None
    found: list[Ints] = [np.zeros((3, 0), dtype=np.int64)]
    weights: list[Floats] = [np.zeros(0)]
    count = 0
    for start in range(0, total, BLOCK):
        if check is not None:
            check()
        paths = np.arange(start, min(start + BLOCK, total))
        edge = np.searchsorted(ends, paths, side="right")
        i, j = sources[edge], targets[edge]
        second = upper.indptr[j] + paths - (ends[edge] - onward[edge])
        k = targets[second]
        wanted = i * n + k
        closing = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
        closed = codes[closing] == wanted
        count += int(closed.sum())
        if count > most:
            return None
        found.append(np.stack([i, j, k])[:, closed])
        weights.append((upper.data[edge] * upper.data[second] * upper.data[closing])[closed])
    return np.concatenate(found, axis=1), np.concatenate(weights)


def entries(affinity: Affinity, i: Ints, j: Ints) -> Floats:
    """Return the similarities of pairs, one after another.

    >>> entries(Affinity(values=np.array([[0.0, 0.5], [0.5, 0.0]])), np.array([0]), np.array([1]))
    array([0.5])
    """
    if affinity.factor is not None:
        return np.asarray(np.einsum("ij,ij->i", affinity.factor[i], affinity.factor[j]))
    return np.asarray(affinity.stored[i, j], dtype=np.float64).ravel()
