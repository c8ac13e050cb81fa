"""What classifiers share that keep their training items and weigh groups by them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

import numpy as np

from coterie.core.api.components import Classifier, Cost
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model, Ranking
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.distances import require_squares


class SampleBayes(Classifier):
    """Keeps the training items and their groups; subclasses say how a new item is weighed."""

    class Params(Classifier.Params):
        """How likely groups are before an item is looked at."""

        priors: Literal["sample", "equal"] = Field(
            "sample",
            description="Prior probability of each group: its share of the training items, or "
            "equal.",
            json_schema_extra={"advanced": True},
        )
        loss: list[list[float]] = Field(
            default_factory=list,
            description="Cost of assigning an item of the row's group to the column's group; the "
            "assignment with the least expected loss is taken. None: 1 for every mistake.",
            json_schema_extra={"advanced": True},
        )

    def compute(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Model:
        """Keep the training items, their groups, and the settings."""
        context.check()
        X = data.dense_features()
        chosen = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        X = X[chosen.items]
        require_squares(X)
        require_losses(params.loss, chosen.k)
        return Model(
            title=self.title,
            dataset=data,
            arrays={"samples": X, "labels": chosen.labels},
            settings={
                **self.settled(X, params),
                "priors": params.priors,
                **({"loss": params.loss} if params.loss else {}),
                "k": chosen.k,
                "names": list(clustering.names),
                "columns": list(data.columns),
            },
        )

    @abstractmethod
    def settled(self, X: Floats, params: Any) -> dict[str, Any]:
        """Return the settings that follow from the training items X."""

    def estimate(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
    ) -> Cost:
        """A copy of the training items."""
        return Cost(bytes=24 * data.n * data.d + (8 << 20), seconds=1e-3 + 1e-8 * data.n * data.d)


def least_loss(shares: Floats, loss: list[list[float]] | None) -> Ints:
    """Return the group of least expected loss Σ_t loss(t, f) p(t | x), by posteriors (n, k).

    Without losses that is the group of largest posterior.

    >>> least_loss(np.array([[0.6, 0.4]]), None).tolist()
    [0]
    >>> least_loss(np.array([[0.6, 0.4]]), [[0, 1], [5, 0]]).tolist()
    [1]
    """
    if not loss:
        return np.asarray(shares.argmax(axis=1))
    return np.asarray((shares @ np.asarray(loss, dtype=np.float64)).argmin(axis=1))


def require_losses(loss: list[list[float]], k: int) -> None:
    """Raise a clear error unless there is a loss for every two of k groups, or none at all."""
    if not loss:
        return
    if len(loss) != k or any(len(row) != k for row in loss):
        raise ParameterError(
            f"There are {k} groups, so 'loss' must be {k} rows of {k} numbers. Got {len(loss)} "
            f"rows of {', '.join(str(len(row)) for row in loss[:5])}.",
            code="invalid-parameters",
        )
