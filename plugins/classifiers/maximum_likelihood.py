"""Gaussian maximum likelihood: the group whose normal distribution makes an item most likely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from coterie.core import Array, Context, Field, Floats, Model
from coterie.core.numerics.partitions.trained_classifier import TrainedClassifier, TrainingSet


class MaximumLikelihood(TrainedClassifier):
    """Give an item to the group of largest posterior, each a normal distribution of its own.

    Mean and covariance of each group come from its items. A covariance is drawn towards that
    within all groups, the more the fewer items it comes from, so small groups are possible.
    """

    id, title = "maximum-likelihood", "Maximum likelihood"
    reference = "Swain, Davis (1978). Remote Sensing: The Quantitative Approach."

    class Params(TrainedClassifier.Params):
        """How likely groups are beforehand, and how much covariances are drawn together."""

        priors: Literal["equal", "sample"] = Field(
            "equal",
            description="Prior probability of each group: equal, or its share of the items.",
        )
        shrinkage: float = Field(
            1.0,
            ge=0,
            description="Weight of the common covariance, as a number of items in multiples of "
            "the features.",
            json_schema_extra={"advanced": True},
        )

    def learn(
        self, lesson: TrainingSet, params: Params, context: Context
    ) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
        """Return the mean of each group, and what whitens its items."""
        X, y, k = lesson.X, lesson.y, lesson.k
        d = X.shape[1]
        counts = np.bincount(y, minlength=k)
        means = np.zeros((k, d))
        np.add.at(means, y, X)
        means /= np.maximum(counts, 1)[:, None]
        common = _covariance(X - means[y], max(1, len(y) - k))
        # Some spread of its own for each feature: a group, or a feature, may have none.
        floor = np.maximum(X.var(axis=0), np.finfo(float).tiny) * 1e-6 + np.finfo(float).tiny
        weight = params.shrinkage * d
        whitening, heights = np.zeros((k, d, d)), np.full(k, -np.inf)
        for group in range(k):
            context.check()
            if not counts[group]:
                continue
            own = _covariance(X[y == group] - means[group], int(counts[group]))
            mixed = (counts[group] * own + weight * common) / max(counts[group] + weight, 1)
            values, vectors = np.linalg.eigh(mixed + np.diag(floor))
            values = np.maximum(values, values.max() * 1e-12)
            whitening[group] = vectors / np.sqrt(values)
            prior = counts[group] / len(y) if params.priors == "sample" else 1.0
            heights[group] = np.log(prior) - 0.5 * np.log(values).sum()
        return {"means": means, "whitening": whitening, "heights": heights}, {}

    def shares(self, model: Model, X: Floats) -> Floats:
        """Return the posteriors."""
        means, whitening, heights = (
            np.asarray(model.arrays[name]) for name in ("means", "whitening", "heights")
        )
        logs = np.empty((len(X), len(means)))
        for group in range(len(means)):
            away = (X - means[group]) @ whitening[group]
            logs[:, group] = heights[group] - 0.5 * np.einsum("ij,ij->i", away, away)
        logs -= logs.max(axis=1, keepdims=True)
        likely: Floats = np.exp(logs)
        likely /= likely.sum(axis=1, keepdims=True)
        return likely


def _covariance(centred: Floats, n: int) -> Floats:
    found: Floats = centred.T @ centred / n
    return found
