"""Walks that begin again: personalised PageRank, and other sums Σ wᵗ Mᵗ s over all lengths of walk.

On a symmetric graph these are positive definite systems, solved by conjugate gradients for all
seeds at once; on a directed one by the walk itself. Either way the stop is by the residual of the
fixed point, not by how little a step moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from coterie.core.api.components import Cost, Ranker
from coterie.core.api.context import Context
from coterie.core.api.curves import Curve
from coterie.core.api.parameters import Field
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.results import Clustering, Ranking
from coterie.core.numerics.walks.item_weights import weighed
from coterie.core.numerics.walks.markov import Walk, random_walk

Product = Callable[[Floats], Floats]
# Told after each round: its number, the residual, and what has been found so far.
Watch = Callable[[int, float, Floats], None]

TOLERANCE = 1e-11  # residual of a distribution, summed over the items
MOST_ROUNDS = 10_000


@dataclass(frozen=True, eq=False)
class Visits:
    """(n, r) scores, one column for each seed, and how the search for them ended."""

    scores: Floats
    residual: float
    rounds: int
    converged: bool
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> dict[str, Any]:
        """For the details of a result."""
        return {"rounds": self.rounds, "residual": self.residual, **self.more}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person must know: that the limit of rounds was hit."""
        if self.converged:
            return ()
        return (
            f"Stopped at the limit of {self.rounds} rounds, with a residual of "
            f"{self.residual:.2g}.",
        )


def personalised_pagerank(
    walk: Walk,
    seeds: Floats,
    restart: float,
    *,
    dangling: Literal["uniform", "seed"] = "seed",
    tolerance: float = TOLERANCE,
    max_rounds: int = MOST_ROUNDS,
    watch: Watch | None = None,
) -> Visits:
    """Return where a walk is found that begins again at the seed with chance α in every step.

    That is π = α (I − (1 − α) Pᵀ)⁻¹ s, the fixed point of π ← (1 − α) Pᵀπ + α s.

    Parameters
    ----------
    walk : the walk without teleport
    seeds : (n, r), each column a distribution s
    restart : α, above 0 and at most 1
    dangling : from a vertex without an edge the walk jumps to its home, or to the seed
    tolerance : Σ_i of what the fixed point misses at item i
    watch : called after each round; may raise to stop

    Returns
    -------
    Scores that sum to one in each column. Memory: some arrays like `seeds`.

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> walk = random_walk(Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]])))
    >>> personalised_pagerank(walk, np.array([[1.0], [0.0]]), 0.5).scores.round(9).tolist()
    [[0.666666667], [0.333333333]]
    """
    jumps = len(walk.dangling) > 0 and dangling == "uniform"
    given = np.column_stack([seeds, walk.home]) if jumps else seeds
    visits = _visits_both_ways if walk.affinity.symmetric else _visits_by_steps
    found = visits(walk, given, restart, tolerance, max_rounds, watch)
    scores = _with_jumps(walk, found.scores, restart) if jumps else found.scores
    scores = np.maximum(scores, 0.0)
    scores /= scores.sum(axis=0)
    return replace(found, scores=scores)


def _visits_both_ways(
    walk: Walk, seeds: Floats, restart: float, tolerance: float, most: int, watch: Watch | None
) -> Visits:
    """Of a symmetric graph, losing what comes to a dangling vertex.

    Pᵀ = D^½ S D^−½ with S symmetric: the system is positive definite in D^−½ π.
    """
    root = np.sqrt(walk.degrees)[:, None]
    scale = restart * root

    def product(y: Floats) -> Floats:
        inside = y / root
        inside[walk.dangling] = 0.0
        return np.asarray(walk.affinity.matvec(inside), dtype=np.float64) / root

    def unscaled(round_: int, residual: float, y: Floats) -> None:
        if watch is not None:
            watch(round_, residual, scale * y)

    found = discounted_sum(
        product,
        seeds / root,
        1.0 - restart,
        scale=scale,
        tolerance=tolerance,
        max_rounds=most,
        watch=unscaled,
    )
    return replace(found, scores=scale * found.scores)


def _visits_by_steps(
    walk: Walk, seeds: Floats, restart: float, tolerance: float, most: int, watch: Watch | None
) -> Visits:
    """Of any graph, losing what comes to a dangling vertex."""

    def backward(x: Floats) -> Floats:
        inside = x.copy()
        inside[walk.dangling] = 0.0
        return walk.backward(inside)

    return spread_by_steps(
        backward,
        restart * seeds,
        1.0 - restart,
        tolerance=tolerance,
        max_rounds=most,
        watch=watch,
    )


def _with_jumps(walk: Walk, scores: Floats, restart: float) -> Floats:
    """What is lost at the dangling vertices begins again anywhere, and is lost there again.

    The last column of `scores` has the visits of a walk that begins anywhere.
    """
    weight = 1.0 - restart
    lost, again = scores[walk.dangling].sum(axis=0), scores[:, -1:]
    more = weight / restart * lost[:-1] / (1.0 - weight / restart * lost[-1])
    return np.asarray(scores[:, :-1] + again * more)


def discounted_sum(
    product: Product,
    seeds: Floats,
    weight: float,
    *,
    scale: Floats | float = 1.0,
    tolerance: float = TOLERANCE,
    max_rounds: int = MOST_ROUNDS,
    watch: Watch | None = None,
) -> Visits:
    """Return Σ_t wᵗ Sᵗ b = (I − w S)⁻¹ b for a symmetric S with eigenvalues from −1 to 1.

    Conjugate gradients, each column with steps of its own, all with one product a round.

    Parameters
    ----------
    product : S applied to an (n, r) block
    seeds : (n, r) right-hand sides b
    weight : w from 0 to below 1
    scale : what the residual is multiplied by, item by item, before it is summed
    tolerance : of that sum, for every column

    Examples
    --------
    >>> S = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> discounted_sum(lambda x: S @ x, np.array([[1.0], [0.0]]), 0.5).scores.round(9).tolist()
    [[1.333333333], [0.666666667]]
    """
    x = seeds.astype(np.float64, copy=True)
    r = weight * product(x)  # the residual of the first guess, b itself
    p = r.copy()
    energy = np.einsum("ij,ij->j", r, r)
    residual, rounds = float("inf"), 0
    while True:
        residual = float(np.abs(r * scale).sum(axis=0).max(initial=0.0))
        if watch is not None:
            watch(rounds, residual, x)
        if residual <= tolerance or rounds >= max_rounds:
            break
        applied = p - weight * product(p)
        curvature = np.einsum("ij,ij->j", p, applied)
        step = np.divide(energy, curvature, out=np.zeros_like(energy), where=curvature > 0)
        x += step * p
        rounds += 1
        if rounds % 50 == 0:
            r = seeds - x + weight * product(x)  # rounding adds up
        else:
            r -= step * applied
        fresh = np.einsum("ij,ij->j", r, r)
        p *= np.divide(fresh, energy, out=np.zeros_like(fresh), where=energy > 0)
        p += r
        energy = fresh
        if not energy.any():
            residual = 0.0
            break
    return Visits(x, residual, rounds, residual <= tolerance)


def spread_by_steps(
    product: Product,
    seeds: Floats,
    weight: float,
    *,
    tolerance: float = TOLERANCE,
    max_rounds: int = MOST_ROUNDS,
    watch: Watch | None = None,
) -> Visits:
    """Return Σ_t wᵗ Mᵗ b for any M with no eigenvalue above one in size, by x ← w M x + b.

    >>> M = np.array([[0.0, 1.0], [0.0, 0.0]])
    >>> spread_by_steps(lambda x: M @ x, np.array([[0.0], [1.0]]), 0.5).scores.tolist()
    [[0.5], [1.0]]
    """
    x = seeds.astype(np.float64, copy=True)
    rounds, residual = 0, float("inf")
    while True:
        moved = weight * product(x) + seeds
        residual = float(np.abs(moved - x).sum(axis=0).max(initial=0.0))
        x = moved
        if watch is not None:
            watch(rounds, residual, x)
        if residual <= tolerance or rounds >= max_rounds:
            return Visits(x, residual, rounds, residual <= tolerance)
        rounds += 1


def items_held(shares: Floats) -> int:
    """Return by how many items the shares are held, as if these held the same: (Σ x)² / Σ x².

    >>> items_held(np.array([0.25, 0.25, 0.25, 0.25, 0.0])), items_held(np.array([1.0, 0.0]))
    (4, 1)
    """
    squares = float(shares @ shares)
    return round(float(shares.sum()) ** 2 / squares) if squares > 0 else 0


def rounds_shown(context: Context) -> Watch:
    """Return a `watch` that shows each round, and can be cancelled in each."""

    def watch(round_: int, residual: float, x: Floats) -> None:
        shares = x[:, 0] if x.shape[1] else None
        context.frame(
            round_,
            residual=residual,
            support=0 if shares is None else items_held(shares),
            shares=shares,
            phase="walking",
        )

    return watch


def walking_cost(affinity: Affinity, seeds: int, *, rounds: int = 40) -> Cost:
    """Return what some dozen products for each seed take: vectors, and no matrix."""
    n = affinity.n
    return Cost(
        bytes=8 * n * (8 * seeds + 8),
        seconds=1e-9 * affinity.stored.size * rounds * (0.8 + 0.2 * seeds),
    )


class RestartRanker(Ranker):
    """What both sorts of PageRank are; they differ in where a walk goes that can go nowhere."""

    weighs_items = True
    dangling: ClassVar[Literal["uniform", "seed"]]
    curves = (
        Curve(
            "residual",
            "residual",
            "How far the shares are from satisfying their equation; falls to the tolerance.",
            log=True,
        ),
        Curve(
            "support",
            "items visited",
            "Effective number of items that share the walk.",
        ),
    )

    class Params(ScopedParams):
        """How often the walk begins again, and where."""

        restart_probability: float = Field(
            0.15,
            gt=0,
            le=1,
            description="Probability α of restarting at the seed, in each step.",
            json_schema_extra={"slider": [0.01, 0.99]},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return how often each item is visited, and the order of the items in scope."""
        context.check()
        scope = find_scope(params, affinity.n, clustering, affinity.dataset)
        graph, shares = weighed(affinity)
        walk = random_walk(graph, home=shares)
        found = self.visits(walk, scope.seed_vectors(shares), params, context)
        return scope.ranking(
            found.scores,
            title=self.title,
            dataset=affinity.dataset,
            notes=found.notes,
            details={
                "restart_probability": params.restart_probability,
                "dangling": len(walk.dangling),
                **found.summary,
            },
        )

    def visits(self, walk: Walk, seeds: Floats, params: Params, context: Context) -> Visits:
        """Return how often each item is visited, in a column for each seed."""
        return personalised_pagerank(
            walk,
            seeds,
            params.restart_probability,
            dangling=self.dangling,
            watch=rounds_shown(context),
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Some vectors for each seed, and a few dozen products."""
        seeds = 1 if clustering is None else max(1, clustering.k)
        return walking_cost(affinity, seeds)
