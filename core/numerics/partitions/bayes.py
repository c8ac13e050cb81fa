"""What classifiers share that keep their training items and weigh groups by them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

from coterie.core.api.components import Classifier, Cost
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model, Ranking
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.distances import require_squares


class SampleBayes(Classifier):
    """Keeps the training items and their groups; how a new item is weighed, its heirs say."""

    class Params(Classifier.Params):
        """How likely groups are before an item is looked at."""

        priors: Literal["sample", "equal"] = Field(
            "sample",
            description="How likely each group is beforehand: by its training items, or alike.",
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
        return Model(
            title=self.title,
            dataset=data,
            arrays={"samples": X, "labels": chosen.labels},
            settings={
                **self.settled(X, params),
                "priors": params.priors,
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
