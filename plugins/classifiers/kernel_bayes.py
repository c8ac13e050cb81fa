"""Kernel Bayes: the class whose items make a new item most likely."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    Dataset,
    Field,
    Floats,
    Model,
)
from coterie.core.numerics.partitions.sample_bayes import SampleBayes, least_loss
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import (
    median_distance,
    row_blocks,
    squared_distances,
)


class KernelBayes(SampleBayes):
    """Give an item to the group of largest posterior under Gaussian kernel densities.

    Each group's density is the mean of Gaussians of one width around its items, its prior its
    share of them; then P(group | x) is the share of the group in Σ exp(−‖x − x_j‖² / 2σ²). An item
    far from all goes to the group of the nearest. The shares are kept as memberships. Instead of
    Gaussians the windows may be cubes, Parzen's first example: then the share of a group is that of
    its items within σ / 2 in every column.
    """

    id, title = "kernel-bayes", "Kernel Bayes"
    reference = "Parzen (1962). On estimation of a probability density function and mode."

    class Params(SampleBayes.Params):
        """How wide the Gaussians are."""

        window: Literal["gaussian", "cube"] = Field(
            "gaussian", description="Shape of the window around each training item."
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ, or the edge of a cube; 'auto': a share of the median distance of "
            "training items.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.15,
            gt=0,
            description="With 'auto', σ is this fraction of the median distance.",
            json_schema_extra={"only_if": {"sigma": ["auto"]}, "advanced": True},
        )

    def settled(self, X: Floats, params: Params) -> dict[str, Any]:
        """Return the width, and the window unless it is the usual one."""
        return {"sigma": self._width(X, params)} | (
            {"window": params.window} if params.window != "gaussian" else {}
        )

    def _width(self, X: Floats, params: Params) -> float:
        if params.sigma != "auto":
            return float(params.sigma)
        middle = median_distance(X) if len(X) > 1 else 0.0
        # Of one item, or of duplicates, any width gives the same answer.
        return float(params.auto_fraction * middle) if middle > 0 else 1.0

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each item, and its share in each."""
        trained = np.asarray(model.arrays["samples"])
        require_columns(data, trained.shape[1])
        X = data.dense_features()
        context.check()
        k, sigma = int(model.settings["k"]), float(model.settings["sigma"])
        member = (np.asarray(model.arrays["labels"])[:, None] == np.arange(k)).astype(np.float64)
        if model.settings["priors"] == "equal":
            member /= np.maximum(member.sum(axis=0), 1.0)
        window = _cubes if model.settings.get("window") == "cube" else _gaussians
        shares = np.empty((data.n, k))
        for rows in row_blocks(data.n, len(trained)):
            context.check()
            shares[rows] = window(X[rows], trained, sigma) @ member
        shares /= shares.sum(axis=1, keepdims=True)
        return Clustering(
            title="Kernel Bayes",
            dataset=data,
            labels=least_loss(shares, model.settings.get("loss")),
            membership=shares,
            names=tuple(model.settings.get("names", ())),
            details={"sigma": sigma, "trained_on": len(trained)},
        )


def _gaussians(X: Floats, trained: Floats, sigma: float) -> Floats:
    logs = squared_distances(X, trained)
    # From the nearest on: far from all items every exponential would vanish.
    logs -= logs.min(axis=1, keepdims=True)
    logs /= sigma
    logs /= -2.0 * sigma
    return np.asarray(np.exp(logs, out=logs))


def _cubes(X: Floats, trained: Floats, sigma: float) -> Floats:
    """Which training items have each item in their cube; of one in none, the nearest of all."""
    from scipy.spatial.distance import cdist

    away = cdist(X, trained, "chebyshev")
    reach = np.maximum(sigma / 2, away.min(axis=1, keepdims=True))
    return np.asarray(away <= reach, dtype=np.float64)
