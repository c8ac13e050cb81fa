"""Support vectors: the widest margin between each group and all others, in a Gaussian kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Array, Context, Field, Floats, Model
from coterie.core.numerics.partitions.trained_classifier import TrainedClassifier, TrainingSet

BLOCK = 4096  # items compared with all support vectors at a time


class SupportVectors(TrainedClassifier):
    """Give an item to the group on whose side of its margin it is farthest.

    One machine for each group against all others, in a Gaussian kernel of features scaled to unit
    variance. Shares grow with the distance from the margin; they are not probabilities.
    """

    id, title = "support-vectors", "Support vectors"
    reference = "Cortes, Vapnik (1995). Support-vector networks. Machine Learning 20."

    class Params(TrainedClassifier.Params):
        """How strict the machines are, and how wide the kernel."""

        penalty: float = Field(
            10.0,
            gt=0,
            description="Penalty of an item on the wrong side (C).",
            json_schema_extra={"slider": [0.1, 1000.0], "log": True},
        )
        gamma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Kernel exp(−γ‖x − y‖²) of scaled features; 'auto': 1 / their number.",
            json_schema_extra={"advanced": True},
        )

    def learn(
        self, lesson: TrainingSet, params: Params, context: Context
    ) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
        """Return the support vectors of all machines, and their weights in each."""
        from sklearn.svm import SVC

        X, y, k = lesson.X, lesson.y, lesson.k
        mean, spread = X.mean(axis=0), X.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        scaled = (X - mean) / spread
        gamma = 1.0 / X.shape[1] if params.gamma == "auto" else float(params.gamma)
        weights, bias = np.zeros((len(X), k)), np.full(k, -np.inf)
        for group in np.unique(y):
            context.check()
            machine = SVC(
                # Without it, each fit draws from numpy's global random numbers.
                C=params.penalty,
                gamma=gamma,
                class_weight="balanced",
                random_state=0,
            )
            machine.fit(scaled, y == group)
            weights[machine.support_, group] = machine.dual_coef_[0]
            bias[group] = machine.intercept_[0]
        used = weights.any(axis=1)
        arrays = {
            "vectors": scaled[used],
            "weights": weights[used],
            "bias": bias,
            "mean": mean,
            "spread": spread,
        }
        return arrays, {"gamma": gamma}

    def shares(self, model: Model, X: Floats) -> Floats:
        """Return weights that grow with the distance from each margin."""
        vectors, weights, bias, mean, spread = (
            np.asarray(model.arrays[name])
            for name in ("vectors", "weights", "bias", "mean", "spread")
        )
        gamma = float(model.settings["gamma"])
        own = np.einsum("ij,ij->i", vectors, vectors)
        margins = np.empty((len(X), len(bias)))
        for start in range(0, len(X), BLOCK):
            some = (X[start : start + BLOCK] - mean) / spread
            squares = np.einsum("ij,ij->i", some, some)[:, None] + own - 2 * some @ vectors.T
            near = np.exp(-gamma * np.maximum(squares, 0))
            margins[start : start + BLOCK] = near @ weights + bias
        margins -= margins.max(axis=1, keepdims=True)
        found: Floats = np.exp(2 * margins)
        found /= found.sum(axis=1, keepdims=True)
        return found
