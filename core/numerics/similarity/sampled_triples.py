"""All triples of as many items as can be compared, and what the other items would earn with them.

Leaving out single triples instead would count them as not alike: what then holds together best are
a few items all of whose triples happen to be there.
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
from coterie.core.numerics.similarity.triples import (
    BLOCK,
    Triples,
    all_triples,
    items_for,
    line_residuals,
    pair_products,
    triangles,
)

if TYPE_CHECKING:
    from coterie.core.api.context import Context

PAIRS = 2000  # of a group's members, against which an item that joins is compared


class OnLines:
    """Three items are alike when a line fits them."""

    def __init__(self, X: Floats, sigma: float) -> None:
        self.X, self.sigma = X, sigma
        self.drawn = np.arange(len(X))
        self.notes: list[str] = []
        self.details: dict[str, Any] = {"from": "features"}
        self.triples: Triples

    @classmethod
    def of(
        cls,
        data: Dataset,
        sigma: float | Literal["auto"],
        most: int,
        context: Context,
        *,
        fraction: float,
    ) -> OnLines:
        """Draw items with at most `most` triples, and weigh these.

        The width "auto" is `fraction` of the median residual.
        """
        X = data.dense_features()
        require_squares(X)
        X = X - X.mean(axis=0)
        # In units of the extent: fourth powers of very large or small values leave the range.
        unit = float(np.abs(X).max(initial=0.0)) or 1.0
        lines = cls(X / unit, 1.0)
        lines.drawn = _draw(data.n, items_for(most), context)
        items = lines.drawn[all_triples(len(lines.drawn))]
        residuals = line_residuals(lines.X, items, check=context.check)
        if sigma == "auto":
            median = float(np.median(residuals)) if len(residuals) else 0.0
            lines.sigma = fraction * median or 1.0
            lines.notes.append(
                f"Width σ = {lines.sigma * unit:.4g}, {fraction:g} of the median "
                f"residual {median * unit:.4g}."
                if median
                else "Every line fits, so every width gives the same result."
            )
        else:
            lines.sigma = max(sigma / unit, float(np.finfo(np.float64).tiny))
        lines.details["sigma"] = lines.sigma * unit
        weights = lines.weigh(residuals)
        kept = weights > 0
        lines.triples = Triples(data.n, items[:, kept], weights[kept], context.check)
        return lines

    def weigh(self, residuals: Floats) -> Floats:
        """Return exp(−r² / 2σ²)."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.exp(-0.5 * (residuals / self.sigma) ** 2))

    def payoffs(self, items: Ints, group: FoundSet, context: Context) -> Floats:
        """Return what each of `items` would earn in the group, over at most `PAIRS` pairs of it."""
        j, k = np.triu_indices(len(group.members), 1)
        together = group.shares[j] * group.shares[k]
        if len(j) > PAIRS:
            chosen = context.rng.choice(len(j), PAIRS, replace=False)
            whole = together.sum()
            j, k, together = j[chosen], k[chosen], together[chosen]
            together *= whole / together.sum()
        result = np.empty(len(items))
        height = max(1, BLOCK // max(1, len(j)))
        for start in range(0, len(items), height):
            here = items[start : start + height]
            pairs = np.tile(group.members[np.stack([j, k])], len(here))
            triples = np.concatenate([np.repeat(here, len(j))[None], pairs])
            residuals = line_residuals(self.X, triples, check=context.check)
            result[start : start + height] = self.weigh(residuals).reshape(len(here), -1) @ together
        return result / 3


class Similar:
    """Three items are alike when all three pairs are."""

    def __init__(self, affinity: Affinity) -> None:
        self.affinity = affinity
        self.drawn = np.arange(affinity.n)
        self.notes: list[str] = []
        self.details: dict[str, Any] = {"from": "similarities"}
        self.triples: Triples

    @classmethod
    def of(cls, affinity: Affinity, most: int, context: Context) -> Similar:
        """Draw items with at most `most` triples, and multiply the pairs of these."""
        require_items(affinity)
        if not affinity.symmetric:
            raise DataError(
                "Triples of items need symmetric similarities, and these are not. Make them "
                "symmetric with the graph step 'symmetrise'.",
                offer=(well_known.GRAPH_SYMMETRISE,),
                code="not-symmetric",
            )
        similar = cls(affinity)
        if affinity.sparse is not None:
            items, weights = similar._triangles(most, context)
            least = float(affinity.sparse.data.min(initial=0.0))
        else:
            similar.drawn = _draw(affinity.n, items_for(most), context)
            items = similar.drawn[all_triples(len(similar.drawn))]
            with np.errstate(over="ignore"):
                weights = pair_products(affinity, items, check=context.check)
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
        similar.triples = Triples(affinity.n, items[:, kept], weights[kept], context.check)
        return similar

    def _triangles(self, most: int, context: Context) -> tuple[Ints, Floats]:
        """The triangles of a sparse graph, or of fewer and fewer of its items."""
        graph: Any = self.affinity.sparse
        while (found := triangles(graph, most, check=context.check)) is None:
            self.drawn = np.sort(
                context.rng.permutation(self.drawn)[: max(2, len(self.drawn) * 3 // 4)]
            )
            whole: Any = self.affinity.sparse
            graph = whole[self.drawn][:, self.drawn]
        items, weights = found
        return self.drawn[items], weights

    def payoffs(self, items: Ints, group: FoundSet, context: Context) -> Floats:
        """Return what each of `items` would earn in the group: ⅓ Σ a_ij a_ik a_jk x_j x_k."""
        members, x = group.members, group.shares
        among = self.affinity.submatrix(members).to_dense() * np.outer(x, x)
        np.fill_diagonal(among, 0.0)
        result = np.empty(len(items))
        for block in row_blocks(len(items), self.affinity.n):
            context.check()
            to_members = self.affinity.rows(items[block])[:, members]
            result[block] = np.einsum("ij,ij->i", to_members @ among, to_members)
        return result / 6


def _draw(n: int, most: int, context: Context) -> Ints:
    context.progress(0, 1, "comparing triples")
    if n <= most:
        return np.arange(n)
    return np.sort(context.rng.permutation(n)[:most])
