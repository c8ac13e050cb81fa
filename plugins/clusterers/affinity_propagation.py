"""Affinity propagation: items agree on exemplars by passing messages."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import density_result, quiet
from coterie.core.numerics.similarity.distances import squared_distances


class AffinityPropagation(Clusterer):
    """Items choose exemplars among themselves; an exemplar and those who chose it are a group.

    The number of groups follows from the preference: how willing items are to be exemplars. Many
    small groups are usual. Similarity is the squared distance below zero. On scikit-learn's engine;
    takes some n × n matrices.
    """

    id, title = "affinity-propagation", "Affinity propagation"
    reference = "Frey, Dueck (2007). Clustering by passing messages. Science 315."
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """How many exemplars, and how carefully."""

        preference: float | Literal["auto"] = Field(
            "auto",
            description="Similarity of an item with itself, below zero; lower gives fewer groups. "
            "'auto': the median of all similarities.",
        )
        damping: float = Field(
            0.9,
            ge=0.5,
            lt=1,
            description="Share of the old messages that is kept; larger values converge more "
            "reliably.",
            json_schema_extra={"slider": [0.5, 0.99], "advanced": True},
        )
        max_iterations: int = Field(
            500, ge=1, description="Maximum number of rounds.", json_schema_extra={"advanced": True}
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups, and the positions of their exemplars."""
        from sklearn.cluster import AffinityPropagation as Engine

        context.check()
        X = data.dense_features()
        similarities = -squared_distances(X, check=context.check)
        labels, exemplars = np.zeros(data.n, dtype=np.int64), [0]
        notes: tuple[str, ...] = ()
        if similarities.min() < 0:
            engine = Engine(
                preference=None if params.preference == "auto" else params.preference,
                damping=params.damping,
                max_iter=params.max_iterations,
                affinity="precomputed",
                random_state=context.seed % 2**32,
            )
            context.progress(1, 4, "messages")
            with quiet():
                engine.fit(similarities)
            labels, exemplars = engine.labels_, list(engine.cluster_centers_indices_)
            if engine.n_iter_ >= params.max_iterations:
                notes = (
                    f"The messages did not settle in {params.max_iterations} rounds. "
                    "Raise 'max_iterations' or 'damping'.",
                )
        context.progress(1, 1, "done")
        result = density_result(labels)
        result["notes"] += notes
        result["details"]["exemplars"] = [int(item) for item in exemplars]
        return Clustering(title="Affinity propagation", dataset=data, **result)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Five n × n matrices, every round."""
        n = data.n
        return Cost(
            bytes=44 * n * n + (16 << 20),
            seconds=n * n * 2e-8 * min(params.max_iterations, 200),
            alternatives=("use k-means or HDBSCAN",),
        )
