"""Joint ranking: personalised PageRank as a projection in the joint embedding."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    Cost,
    DataError,
    Embedding,
    Field,
    Floats,
    Ranker,
    Ranking,
)
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.numerics.similarity.affinity_ops import summed_degrees
from coterie.core.numerics.spectral.adjusted_laplacian import (
    Form,
    form_of,
    projected,
    require_symmetric,
)

SMALL = 1 << 22  # entries of an affinity up to which one more product costs no one's patience


class JointRanking(Ranker):
    """Order the items by their projection onto the centre of the seed in the joint embedding.

    The score of item i is √d_i z_iᵀ m, m the mean of z_j / √d_j over the seed; in the form of the
    document it is (d_i / Vol) z_iᵀ m, m the mean of the seed's coordinates. With all coordinates it
    is personalised PageRank with the restart probability of the embedding; with a few it is what
    these keep of it. One product with the coordinates: quick enough to ask often.
    """

    id, title, version = "joint", "Joint ranking", "2"
    reference = "Chung, Zhao (2010). PageRank and random walks on graphs. Fete of Combinatorics."
    needs = ("embedding", "affinity", "clustering?")

    class Params(ScopedParams):
        """What to rank."""

        form: Form = Field(
            "normalised",
            description="How to project coordinates that come from elsewhere; a joint embedding "
            "is projected in its own form.",
            json_schema_extra={"advanced": True},
        )

    def compute(
        self,
        embedding: Embedding,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return the projections as scores, and the order of the items in scope."""
        context.check()
        Z = np.asarray(embedding.coordinates, dtype=np.float64)
        if len(Z) != affinity.n:
            raise DataError(
                f"An embedding of {len(Z)} items does not fit similarities of {affinity.n}. "
                "Give the similarities that were embedded.",
                code="items-mismatch",
            )
        dataset = affinity.dataset or embedding.dataset
        scope = find_scope(params, affinity.n, clustering, dataset)
        require_symmetric(affinity, look=False)
        degrees = summed_degrees(affinity)  # quicker than to look at each entry
        if degrees.min() < 0 or degrees.sum() <= 0:
            raise DataError(
                "Joint ranking needs similarities of at least 0, and not all 0. Keep the "
                "positive ones (graph/threshold), or choose another kernel.",
                code="negative-similarities",
            )
        context.check()
        seeds = scope.seed_vectors()
        with np.errstate(over="ignore", invalid="ignore"):
            scores = projected(Z, degrees, seeds, form_of(embedding, params.form))
        if not np.isfinite(scores).all():
            raise DataError("The coordinates are missing or too large.", code="missing-values")
        notes, details = _exactness(embedding, affinity, scores, seeds, degrees)
        return scope.ranking(
            scores, title="Joint ranking", dataset=dataset, notes=notes, details=details
        )

    def estimate(
        self,
        embedding: Embedding,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
    ) -> Cost:
        """A score for each seed, and one look at the similarities."""
        seeds = 1 if clustering is None else max(1, clustering.k)
        return Cost(
            bytes=32 * affinity.n * seeds + 8 * embedding.coordinates.size,
            seconds=1e-9 * affinity.stored.size + 2e-9 * embedding.coordinates.size * seeds,
        )


def _exactness(
    embedding: Embedding, affinity: Affinity, scores: Floats, seeds: Floats, degrees: Floats
) -> tuple[tuple[str, ...], dict[str, float]]:
    """How far the scores are from personalised PageRank, as far as that is cheap to know."""
    restart = embedding.details.get("restart_probability")
    if not isinstance(restart, float):
        return (
            "The coordinates are not those of the joint embedding: the order is by projection, "
            "not by personalised PageRank.",
        ), {}
    details = {"restart_probability": restart}
    m = embedding.coordinates.shape[1]
    if m == affinity.n or affinity.stored.size > SMALL or not scores.size:
        kept = f"The scores are what {m} of {affinity.n} coordinates keep of them."
        return ((kept,) if m < affinity.n else ()), details
    steps = affinity.matvec(scores / np.where(degrees > 0, degrees, 1.0)[:, None])
    missed = np.abs((1.0 - restart) * steps + restart * seeds - scores).sum(axis=0)
    # The sum of what the fixed point misses, over α, bounds the sum of all errors.
    details["most_error"] = float(missed.max() / restart)
    return (
        f"{m} of {affinity.n} coordinates: the scores differ from personalised PageRank by "
        f"{details['most_error']:.2g} in sum at most.",
    ), details
