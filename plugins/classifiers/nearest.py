"""Classify by the nearest labelled items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.core import (
    Classifier,
    Clustering,
    Context,
    Cost,
    Dataset,
    Field,
    Floats,
    Ints,
    Model,
    Output,
    Ranking,
)
from coterie.core.numerics.partitions.held_out import (
    NOTHING_TO_SPARE,
    chosen_in_words,
    held_out,
    score_of,
)
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.nearest import NearestGroup, vote_of_nearest


class Nearest(Classifier):
    """The group of the nearest training item, or the majority of the nearest ones.

    Distances are Euclidean; what is compared in float32 is compared again in float64 wherever that
    could make a difference. Of groups with as many neighbours the nearest one is taken.
    """

    id, title = "nearest", "Nearest neighbour"
    reference = "Cover, Hart (1967). Nearest neighbor pattern classification. IEEE TIT 13(1)."

    class Params(Classifier.Params):
        """How many neighbours."""

        neighbours: int = Field(
            1,
            ge=1,
            description="Number of nearest items that decide (k).",
            json_schema_extra={"slider": [1, 25]},
        )
        held_out: float = Field(
            0.0,
            ge=0,
            lt=1,
            description="Share of the items of each group held out to measure the accuracy, in "
            "whole squares of a scene; the final model uses all items. 0: none.",
        )

    def compute(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Model | Output:
        """Return the items to compare with and their groups, and the accuracy on items held out."""
        context.check()
        X = data.dense_features()
        require_squares(X)
        chosen = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        model = Model(
            title=f"{len(chosen.items)} labelled items in {chosen.k} groups",
            dataset=data,
            arrays={"samples": X[chosen.items], "labels": chosen.labels},
            settings={
                "k": chosen.k,
                "names": list(clustering.names),
                "columns": list(data.columns),
                "neighbours": params.neighbours,
            },
        )
        if not params.held_out:
            return model
        rng, names = context.rng, clustering.names
        out, by_place = held_out(chosen.labels, params.held_out, rng, chosen.places(data))
        if not out.any():
            return Output(replace(model, notes=(NOTHING_TO_SPARE,)))
        part = (X[chosen.items][~out], chosen.labels[~out])
        found = _nearest(X[chosen.items][out], *part, chosen.k, params.neighbours, context)
        score = score_of(found, chosen.labels[out], names, chosen.k)
        notes = (*score.notes, chosen_in_words(by_place=by_place))
        return Output(replace(model, notes=notes), {"accuracy": score})

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each new item."""
        context.check()
        samples = np.asarray(model.arrays["samples"])
        labels = np.asarray(model.arrays["labels"])
        require_columns(data, samples.shape[1])
        X, k = data.clean_features(), int(model.settings["k"])
        X = data.dense_features() if hasattr(X, "tocsr") else X
        require_squares(X)
        neighbours = int(model.settings.get("neighbours", 1))
        found = _nearest(X, samples, labels, k, neighbours, context)
        return Clustering(
            title="Nearest neighbour",
            dataset=data,
            labels=found,
            names=tuple(str(name) for name in model.settings.get("names", ())),
        )

    def estimate(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
    ) -> Cost:
        """A copy of the items."""
        return Cost(bytes=16 * data.n * data.d, seconds=1e-8 * data.n * data.d)


def _nearest(
    X: Floats, samples: Floats, labels: Ints, k: int, neighbours: int, context: Context
) -> Ints:
    if neighbours == 1:
        near = NearestGroup(samples, labels)
        return near.labels_of(X, check=context.check, workers=context.workers)
    return vote_of_nearest(X, samples, labels, k, neighbours, context.check)
