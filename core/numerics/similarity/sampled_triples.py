"""All sets of k of as many items as can be compared, and what the other items would earn with them.

Leaving out single sets instead would count them as not alike: what then holds together best are
a few items all of whose sets happen to be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.dynamics.equilibria import FoundSet
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.hyperedges import (
    Hyperedges,
    all_pair_products,
    all_subsets,
    cliques,
    flat_residuals,
    items_for,
)
from coterie.core.numerics.similarity.triples import (
    BLOCK,
    Triples,
    all_triples,
    line_residuals,
    pair_products,
    triangles,
)

if TYPE_CHECKING:
    from coterie.core.api.context import Context

PAIRS = 2000  # or larger sets of a group's members, with which an item that joins is compared


def sets_of(n: int, items: Ints, weights: Floats, context: Context) -> Triples | Hyperedges:
    """Return the polynomial of sets of items; that of triples has shorter products."""
    kind = Triples if len(items) == 3 else Hyperedges
    return kind(n, items, weights, context.check)


def _subsets(n: int, k: int) -> Ints:
    return all_triples(n) if k == 3 else all_subsets(n, k)


def _of_members(group: FoundSet, k: int, context: Context) -> tuple[Ints, Floats]:
    """Sets of k members of a group and the products of their shares; of many, some at random."""
    from math import comb

    m = len(group.members)
    total = comb(m, k)
    if total <= 50 * PAIRS:
        places = np.stack(np.triu_indices(m, 1)) if k == 2 else all_subsets(m, k)
        together = group.shares[places].prod(axis=0)
        if total <= PAIRS:
            return places, together
        chosen = context.rng.choice(total, PAIRS, replace=False)
        kept = together[chosen]
        return places[:, chosen], kept * (together.sum() / kept.sum())
    # Too many to list: drawn at random, which stands for all of them.
    places = np.argsort(context.rng.random((PAIRS, m)), axis=1)[:, :k].T
    return places, group.shares[places].prod(axis=0) * (total / PAIRS)


class OnLines:
    """Items are alike when a line, or another flat shape, fits them."""

    def __init__(self, X: Floats, sigma: float, order: int = 3, flat: int = 1) -> None:
        self.X, self.sigma, self.order, self.flat = X, sigma, order, flat
        self.drawn = np.arange(len(X))
        self.notes: list[str] = []
        self.details: dict[str, Any] = {"from": "features"}
        self.triples: Triples | Hyperedges

    @classmethod
    def of(
        cls,
        data: Dataset,
        sigma: float | Literal["auto"],
        most: int,
        context: Context,
        *,
        fraction: float,
        order: int = 3,
        flat: int = 1,
        drawn: Ints | None = None,
    ) -> OnLines:
        """Draw items with at most `most` sets of `order`, and weigh these.

        The width "auto" is `fraction` of the median residual. `drawn` are items that were drawn
        before.
        """
        X = data.dense_features()
        require_squares(X)
        X = X - X.mean(axis=0)
        # In units of the extent: fourth powers of very large or small values leave the range.
        unit = float(np.abs(X).max(initial=0.0)) or 1.0
        lines = cls(X / unit, 1.0, order, flat)
        lines.drawn = _draw(data.n, items_for(most, order), context) if drawn is None else drawn
        items = lines.drawn[_subsets(len(lines.drawn), order)]
        residuals = lines.residuals(items, context)
        if sigma == "auto":
            median = float(np.median(residuals)) if len(residuals) else 0.0
            lines.sigma = fraction * median or 1.0
            lines.notes.append(
                f"Width σ = {lines.sigma * unit:.4g}, {fraction:g} of the median "
                f"residual {median * unit:.4g}."
                if median
                else "Every line fits, so every width gives the same result."
                if flat == 1
                else "Every shape fits, so every width gives the same result."
            )
        else:
            lines.sigma = max(sigma / unit, float(np.finfo(np.float64).tiny))
        lines.details["sigma"] = lines.sigma * unit
        weights = lines.weigh(residuals)
        kept = weights > 0
        lines.triples = sets_of(data.n, items[:, kept], weights[kept], context)
        return lines

    def residuals(self, items: Ints, context: Context) -> Floats:
        """Return how far each set of items is from the shape that fits it best."""
        if (self.order, self.flat) == (3, 1):
            return line_residuals(self.X, items, check=context.check)
        return flat_residuals(self.X, items, self.flat, check=context.check)

    def weigh(self, residuals: Floats) -> Floats:
        """Return exp(−r² / 2σ²)."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.exp(-0.5 * (residuals / self.sigma) ** 2))

    def payoffs(self, items: Ints, group: FoundSet, context: Context) -> Floats:
        """Return what each of `items` would earn in the group, over at most `PAIRS` sets of it."""
        others, together = _of_members(group, self.order - 1, context)
        result = np.empty(len(items))
        count = others.shape[1]
        height = max(1, BLOCK // max(1, count))
        for start in range(0, len(items), height):
            here = items[start : start + height]
            among = np.tile(group.members[others], len(here))
            sets = np.concatenate([np.repeat(here, count)[None], among])
            weights = self.weigh(self.residuals(sets, context))
            result[start : start + height] = weights.reshape(len(here), -1) @ together
        return result / self.order


class Similar:
    """Items are alike when all their pairs are."""

    def __init__(self, affinity: Affinity, order: int = 3) -> None:
        self.affinity, self.order = affinity, order
        self.drawn = np.arange(affinity.n)
        self.notes: list[str] = []
        self.details: dict[str, Any] = {"from": "similarities"}
        self.triples: Triples | Hyperedges

    @classmethod
    def of(
        cls,
        affinity: Affinity,
        most: int,
        context: Context,
        *,
        order: int = 3,
        drawn: Ints | None = None,
    ) -> Similar:
        """Draw items with at most `most` sets of `order`, and multiply the pairs of these.

        `drawn` are items that were drawn before.
        """
        require_items(affinity)
        if not affinity.symmetric:
            raise DataError(
                "Triples of items need symmetric similarities, and these are not. Make them "
                "symmetric with the graph step 'symmetrise'.",
                offer=(well_known.GRAPH_SYMMETRISE,),
                code="not-symmetric",
            )
        similar = cls(affinity, order)
        if drawn is not None:
            similar.drawn = drawn
        if affinity.sparse is not None:
            items, weights = similar._triangles(most, context)
            least = float(affinity.sparse.data.min(initial=0.0))
        else:
            if drawn is None:
                similar.drawn = _draw(affinity.n, items_for(most, order), context)
            items = similar.drawn[_subsets(len(similar.drawn), order)]
            products = pair_products if order == 3 else all_pair_products
            with np.errstate(over="ignore"):
                weights = products(affinity, items, check=context.check)
            least = float(weights.min(initial=0.0))
        if least < 0:
            raise DataError(
                "Triples of items need similarities of at least 0. Take similarities without "
                "negative values, such as those of a Gaussian kernel.",
                code="negative-similarities",
            )
        if not np.isfinite(weights).all():
            raise DataError(
                "Products of three similarities are too large. Scale them down.",
                code="values-too-large",
            )
        kept = weights > 0
        similar.triples = sets_of(affinity.n, items[:, kept], weights[kept], context)
        return similar

    def _triangles(self, most: int, context: Context) -> tuple[Ints, Floats]:
        """The triangles of a sparse graph, or of fewer and fewer of its items."""
        graph: Any = self.affinity.sparse
        if len(self.drawn) < self.affinity.n:
            graph = graph[self.drawn][:, self.drawn]
        while (found := self._joined(graph, most, context)) is None:
            self.drawn = np.sort(
                context.rng.permutation(self.drawn)[: max(2, len(self.drawn) * 3 // 4)]
            )
            whole: Any = self.affinity.sparse
            graph = whole[self.drawn][:, self.drawn]
        items, weights = found
        return self.drawn[items], weights

    def _joined(self, graph: Any, most: int, context: Context) -> tuple[Ints, Floats] | None:
        if self.order == 3:
            return triangles(graph, most, check=context.check)
        items = cliques(graph, self.order, most, check=context.check)
        if items is None:
            return None
        with np.errstate(over="ignore"):
            weights = all_pair_products(Affinity(sparse=graph), items, check=context.check)
        return items, weights

    def payoffs(self, items: Ints, group: FoundSet, context: Context) -> Floats:
        """Return what each of `items` would earn in the group: ⅓ Σ a_ij a_ik a_jk x_j x_k.

        Of more than three at a time, over at most `PAIRS` sets of members.
        """
        if self.order > 3:
            return self._sampled_payoffs(items, group, context)
        members, x = group.members, group.shares
        among = self.affinity.submatrix(members).to_dense() * np.outer(x, x)
        np.fill_diagonal(among, 0.0)
        result = np.empty(len(items))
        for block in row_blocks(len(items), self.affinity.n):
            context.check()
            to_members = self.affinity.rows(items[block])[:, members]
            result[block] = np.einsum("ij,ij->i", to_members @ among, to_members)
        return result / 6

    def _sampled_payoffs(self, items: Ints, group: FoundSet, context: Context) -> Floats:
        others, together = _of_members(group, self.order - 1, context)
        inner = self.affinity.submatrix(group.members)
        together = together * all_pair_products(inner, others, check=context.check)
        result = np.empty(len(items))
        for block in row_blocks(len(items), max(self.affinity.n, self.order * others.shape[1])):
            context.check()
            to_members = self.affinity.rows(items[block])[:, group.members]
            result[block] = to_members[:, others].prod(axis=1) @ together
        return result / self.order


def _draw(n: int, most: int, context: Context) -> Ints:
    context.progress(0, 1, "comparing items")
    if n <= most:
        return np.arange(n)
    return np.sort(context.rng.permutation(n)[:most])
