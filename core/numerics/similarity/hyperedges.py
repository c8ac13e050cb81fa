"""Similarities of k items at a time: how well a flat shape fits, or how alike all pairs are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import Check
from coterie.core.numerics.similarity.triples import BLOCK, PATHS, entries


@dataclass(frozen=True, eq=False)
class Hyperedges:
    """The polynomial Σ w_e Π_{i ∈ e} x_i over sets e of k of n items.

    Attributes
    ----------
    n : number of items
    items : (k, t) positions of each set's items, all different
    weights : (t,) similarity of each set, not negative

    Examples
    --------
    >>> one = Hyperedges(4, np.array([[0], [1], [2], [3]]), np.array([8.0]))
    >>> one.degree, one.slopes(np.array([0.5, 0.5, 0.25, 0.0])).tolist()
    (4, [0.0, 0.0, 0.0, 0.5])
    """

    n: int
    items: Ints
    weights: Floats
    check: Check | None = None

    @property
    def degree(self) -> int:
        """Number of items in each set."""
        return len(self.items)

    def slopes(self, x: Floats) -> Floats:
        """Return the partial derivatives: of item i the sum of w Π x_j over its sets without it."""
        found = np.zeros(self.n)
        k = self.degree
        for start in range(0, len(self.weights), BLOCK):
            if self.check is not None:
                self.check()
            here = self.items[:, start : start + BLOCK]
            shares = x[here]
            # Products of those before and of those after, as dividing by a share of 0 is not on.
            before = np.ones_like(shares)
            after = np.ones_like(shares)
            for place in range(1, k):
                before[place] = before[place - 1] * shares[place - 1]
                after[k - 1 - place] = after[k - place] * shares[k - place]
            others = before * after * self.weights[start : start + BLOCK]
            for row, values in zip(here, others, strict=True):
                found += np.bincount(row, values, self.n)
        return found

    def degrees(self) -> Floats:
        """Return the total weight of the sets of each item."""
        return np.asarray(sum(np.bincount(row, self.weights, self.n) for row in self.items))

    def among(self, kept: NDArray[np.bool_]) -> Hyperedges:
        """Return the sets whose items are all kept; positions stay."""
        inside = kept[self.items].all(axis=0)
        return Hyperedges(self.n, self.items[:, inside], self.weights[inside], self.check)


def all_subsets(n: int, k: int) -> Ints:
    """Return the (k, C(n, k)) sets of k of n items, rising.

    >>> all_subsets(4, 3).T.tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    flat = np.fromiter(chain.from_iterable(combinations(range(n), k)), np.int64, comb(n, k) * k)
    return flat.reshape(-1, k).T


def items_for(most: int, k: int) -> int:
    """Return how many items have at most `most` sets of k.

    >>> items_for(10, 3), items_for(2_000_000, 3), items_for(2_000_000, 4)
    (5, 229, 84)
    """
    m = k - 1
    while comb(m + 1, k) <= most:
        m += 1
    return m


def flat_residuals(X: Floats, items: Ints, flat: int, *, check: Check | None = None) -> Floats:
    """Return, for each set, the root of the squared distances to the flat shape that fits it best.

    A line for `flat` = 1, a plane for 2: the shape through their mean along the directions in which
    they spread most. What is left is the sum of the other eigenvalues of their scatter, which are
    those of the k × k inner products of their differences from the mean.

    Parameters
    ----------
    X : (n, d) features
    items : (k, t) positions

    Examples
    --------
    >>> X = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.5, 0.5, 2]])
    >>> flat_residuals(X, np.array([[0, 1, 2, 3], [0, 1, 2, 4]]).T, 2).round(3).tolist()
    [0.0, 0.573]
    """
    k = len(items)
    result = np.empty(items.shape[1])
    size = max(1, BLOCK // (k * k))
    for start in range(0, items.shape[1], size):
        if check is not None:
            check()
        points = X[items[:, start : start + size].T]
        points = points - points.mean(axis=1, keepdims=True)
        spread = np.linalg.eigvalsh(points @ points.transpose(0, 2, 1))
        # The smallest of k is 0 but for rounding, as the differences sum to 0.
        left = np.maximum(spread[:, 1 : k - flat], 0.0).sum(axis=1)
        result[start : start + size] = np.sqrt(left)
    return result


def all_pair_products(affinity: Affinity, items: Ints, *, check: Check | None = None) -> Floats:
    """Return, for each set, the product of the similarities of all its pairs.

    >>> A = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 1.0], [0.5, 1.0, 0.0]])
    >>> all_pair_products(Affinity(values=A), np.array([[0], [1], [2]])).tolist()
    [0.25]
    """
    result = np.ones(items.shape[1])
    for start in range(0, items.shape[1], BLOCK):
        if check is not None:
            check()
        here = items[:, start : start + BLOCK]
        for i, j in combinations(range(len(items)), 2):
            result[start : start + BLOCK] *= entries(affinity, here[i], here[j])
    return result


def cliques(graph: Any, k: int, most: int, *, check: Check | None = None) -> Ints | None:
    """Return the (k, t) sets of k items of a sparse symmetric graph that are all joined.

    None when there are more than `most` of any size up to k, or too many ways to look at.

    >>> from scipy.sparse import csr_array
    >>> A = np.ones((4, 4)) - np.eye(4)
    >>> A[0, 3] = A[3, 0] = 0
    >>> cliques(csr_array(A), 3, 10).T.tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    from scipy.sparse import triu

    upper: Any = triu(graph, 1, format="csr")
    upper.sum_duplicates()
    upper.eliminate_zeros()
    upper.sort_indices()
    n = upper.shape[0]
    starts, ends = upper.indptr[:-1].astype(np.int64), upper.indptr[1:].astype(np.int64)
    codes = np.repeat(np.arange(n), ends - starts) * n + upper.indices
    found: Ints = np.arange(n)[None]
    while len(found) < k:
        if check is not None:
            check()
        last = found[-1]
        onward = ends[last] - starts[last]
        total = int(onward.sum())
        if total > PATHS * most:
            return None
        base = np.repeat(np.arange(found.shape[1]), onward)
        offsets = np.arange(total) - np.repeat(np.cumsum(onward) - onward, onward)
        ahead = upper.indices[starts[last][base] + offsets].astype(np.int64)
        joined = np.ones(total, dtype=bool)
        for row in found[:-1]:
            wanted = row[base] * n + ahead
            place = np.minimum(np.searchsorted(codes, wanted), max(0, len(codes) - 1))
            joined &= codes[place] == wanted if len(codes) else False
        found = np.vstack([found[:, base[joined]], ahead[joined][None]])
        if found.shape[1] > most:
            return None
    return found
