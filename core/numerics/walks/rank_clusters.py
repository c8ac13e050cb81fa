"""Ranking and clustering that improve each other on links (RankClus)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints, is_sparse
from coterie.core.numerics.walks.links import to_targets

SMOOTH = 0.1  # of each conditional rank is the rank in the whole: nothing has a chance of 0
AUTHORITY_ROUNDS = 30
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """One state of the iteration.

    Attributes
    ----------
    labels : (n,) the group of each item
    ends : (n, k) rank of each item as the end of links of a group; columns sum to 1
    begins : (n, k) rank of each item as the beginning of links, given those ends
    weights : (k,) share of the links of each group
    shares : (n, k) how much of each item is of each group; rows sum to 1
    likelihood : mean logarithm of the chance of a link
    changed : items whose group changed last
    """

    labels: Ints
    ends: Floats
    begins: Floats
    weights: Floats
    shares: Floats
    likelihood: float
    changed: int


def rank_clusters(
    links: Any,
    labels: Ints,
    k: int,
    *,
    ranking: Literal["simple", "authority"] = "authority",
    mixture_rounds: int = 5,
    max_iterations: int = 30,
    check: Callable[[], None] | None = None,
) -> Iterator[RankedGroups]:
    """Rank within groups, see what share of each item each group explains, and group again.

    1. Ends of links are ranked within each group: by the sum of links from its members, or as
       authorities of them; beginnings of links by their links to well-ranked ends.
    2. The chance of a link i → j is Σ_g w_g · begins_ig · ends_jg; w is estimated by a few rounds
       of expectation and maximisation. The share of i in g is w_g · begins_ig, scaled to sum to 1.
    3. Each item joins the group whose mean share points most nearly in the direction of its own.

    Parameters
    ----------
    links : (n, n) dense or sparse, not negative
    labels : (n,) groups to begin with, none empty; −1 for items without links

    References
    ----------
    Sun, Han, Zhao, Yin, Cheng, Wu (2009). RankClus: integrating clustering with ranking for
    heterogeneous information network analysis. EDBT.
    """
    whole = _ranks(links, np.ones(len(labels)), ranking)
    for _ in range(max_iterations):
        if check is not None:
            check()
        columns = [_ranks(links, (labels == g).astype(np.float64), ranking) for g in range(k)]
        ends = (1 - SMOOTH) * np.column_stack(columns) + SMOOTH * whole[:, None]
        begins = np.asarray(links @ ends)
        begins = begins / np.maximum(begins.sum(axis=0), TINY)
        weights, likelihood = _weights(links, begins, ends, mixture_rounds)
        shares = begins * weights
        totals = shares.sum(axis=1, keepdims=True)
        shares = np.divide(shares, totals, out=np.zeros_like(shares), where=totals > 0)
        joined = _nearest(shares, labels, k)
        changed = int((joined != labels).sum())
        yield RankedGroups(joined, ends, begins, weights, shares, likelihood, changed)
        if not changed or len(np.unique(joined[joined >= 0])) < k:
            return
        labels = joined


def _ranks(links: Any, members: Floats, ranking: str) -> Floats:
    """Ranks of the ends of the members' links, which sum to 1."""
    ranks = to_targets(links, members)
    ranks = ranks / max(float(ranks.sum()), TINY)
    if ranking == "authority":
        for _ in range(AUTHORITY_ROUNDS):
            hubs = members * np.asarray(links @ ranks)
            ranks = to_targets(links, hubs)
            ranks = ranks / max(float(ranks.sum()), TINY)
    return np.asarray(ranks)


def _weights(links: Any, begins: Floats, ends: Floats, rounds: int) -> tuple[Floats, float]:
    """The share of links that each group explains, and the mean logarithm of a link's chance."""
    k = ends.shape[1]
    weights = np.full(k, 1.0 / k)
    total = float(links.sum())
    likelihood = -np.inf
    for _ in range(rounds):
        explained = np.zeros(k)
        likelihood = 0.0
        for rows, columns, values in _blocks(links):
            chances = begins[rows] * weights * ends[columns]
            together = np.maximum(chances.sum(axis=1), TINY)
            explained += values @ (chances / together[:, None])
            likelihood += float(values @ np.log(together))
        weights = explained / total
    return weights, likelihood / total


def _blocks(links: Any) -> Iterator[tuple[Ints, Ints, Floats]]:
    """The links, some rows at a time: where they begin, where they end, and what they weigh."""
    n = links.shape[0]
    height = max(1, (1 << 18) // n)
    for start in range(0, n, height):
        part = links[start : start + height]
        if is_sparse(part):
            part = part.tocoo()
            yield part.row + start, part.col, np.asarray(part.data, dtype=np.float64)
        else:
            rows, columns = np.nonzero(part)
            yield rows + start, columns, np.asarray(part[rows, columns], dtype=np.float64)


def _nearest(shares: Floats, labels: Ints, k: int) -> Ints:
    """The group whose centre has the largest cosine with each item's shares."""
    linked = labels >= 0
    centres = np.stack([shares[labels == g].mean(axis=0) for g in range(k)])
    lengths = np.linalg.norm(centres, axis=1) * np.maximum(
        np.linalg.norm(shares, axis=1, keepdims=True), TINY
    )
    cosines = (shares @ centres.T) / np.maximum(lengths, TINY)
    return np.where(linked, cosines.argmax(axis=1), -1)
