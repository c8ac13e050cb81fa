"""SALSA: a walk that follows a link forth and another one back."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.sparse import csr_array, hstack, vstack
from scipy.sparse.csgraph import connected_components

from coterie.core import Affinity, Context, Cost, Field, Ranker, Ranking
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.walks.item_weights import weighed
from coterie.core.numerics.walks.links import matrix_of, require_links, to_targets


class Salsa(Ranker):
    """Order the items by how often a walk that goes along a link and back along another is there.

    Its long-run shares have a closed form: in each connected part of the links, an item's share is
    the sum of its incoming (authority) or outgoing (hub) similarities, and a part counts by the
    number of its items. Small, dense parts do not take all of the weight, as they do with hubs and
    authorities.
    """

    id, title = "salsa", "SALSA"
    reference = (
        "Lempel, Moran (2001). SALSA: the stochastic approach for link-structure analysis. "
        "ACM TOIS 19(2)."
    )
    needs = ("affinity",)
    weighs_items = True

    class Params(Ranker.Params):
        """Which end of the links."""

        rank_by: Literal["authority", "hub"] = Field(
            "authority",
            description="Rank by the items that point to an item, or by those it points to.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Ranking:
        """Return the long-run shares, which sum to one."""
        context.check()
        require_items(affinity)
        graph, shares = weighed(affinity)
        A = matrix_of(graph)
        require_links(graph, A)
        n = affinity.n
        links = csr_array(A, copy=True)
        links.eliminate_zeros()
        context.check()
        # Each item twice: as the beginning of links, and as their end.
        nothing = csr_array((n, n))
        both = vstack([hstack([nothing, links]), hstack([links.T, nothing])])
        _, part = connected_components(both, directed=False)
        context.check()
        ends = part[n:] if params.rank_by == "authority" else part[:n]
        ones = np.ones(n)
        sums = to_targets(A, ones) if params.rank_by == "authority" else np.asarray(A @ ones)
        linked = sums > 0
        weights = np.bincount(ends[linked], sums[linked])
        items = ones if shares is None else shares
        counts = np.bincount(ends[linked], items[linked])
        scores = np.zeros(n)
        scores[linked] = sums[linked] / weights[ends[linked]] * counts[ends[linked]]
        scores /= items[linked].sum()
        parts = int((counts > 0).sum())
        return Ranking(
            title="SALSA authorities" if params.rank_by == "authority" else "SALSA hubs",
            dataset=affinity.dataset,
            scores=scores,
            notes=(f"The links are in {parts} parts.",) if parts > 1 else (),
            details={"parts": parts, "unlinked": int(n - linked.sum())},
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """The links once more, and in both directions."""
        size = int(affinity.sparse.nnz) if affinity.sparse is not None else affinity.n**2
        return Cost(bytes=64 * size + 80 * affinity.n, seconds=5e-8 * size)
