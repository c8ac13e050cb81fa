"""The base of classifiers that are trained: they learn from labelled items and give shares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from coterie.core.api.components import Classifier, Cost, Output
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model, Ranking
from coterie.core.numerics.partitions.held_out import (
    NOTHING_TO_SPARE,
    chosen_in_words,
    held_out,
    score_of,
)
from coterie.core.numerics.partitions.training import Training, training_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares, row_blocks


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """What there is to learn: (n, d) items and the group of each, from 0 to k − 1."""

    X: Floats
    y: Ints
    k: int


class TrainedClassifier(Classifier):
    """Learns from labelled items; subclasses say how (`learn`, `shares`)."""

    class Params(Classifier.Params):
        """How the accuracy is measured."""

        held_out: float = Field(
            0.25,
            ge=0,
            lt=1,
            description="Share of the items of each group held out to measure the accuracy; the "
            "final model learns from all items. 0: none.",
        )
        held_out_by: Literal["place", "items"] = Field(
            "place",
            description="Whether whole squares of a scene are held out, or single items.",
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
    ) -> Output:
        """Return what was learnt, and how well it does on items held out."""
        context.check()
        X = data.dense_features()
        require_squares(X)
        chosen = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        _require_two(chosen)
        names = tuple(str(name) for name in clustering.names)
        lesson = TrainingSet(X[chosen.items], chosen.labels, chosen.k)
        parts, notes = self._judged(lesson, chosen, names, data, params, context)
        arrays, settings = self.learn(lesson, params, context)
        model = Model(
            title=f"{self.title} of {len(chosen.items)} items in {chosen.k} groups",
            dataset=data,
            arrays=arrays,
            settings={
                **settings,
                "k": chosen.k,
                "d": int(X.shape[1]),
                "names": list(names),
                "columns": list(data.columns),
            },
            notes=notes,
        )
        return Output(model, parts)

    @abstractmethod
    def learn(
        self, lesson: TrainingSet, params: Any, context: Context
    ) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
        """Return arrays and settings that say all that was learnt."""

    @abstractmethod
    def shares(self, model: Model, X: Floats) -> Floats:
        """Return (n, k) how much of each item is in each group; a row of zeros is in none."""

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each new item, and its share in each group."""
        require_columns(data, int(model.settings["d"]))
        X = data.dense_features()
        require_squares(X)
        k = int(model.settings["k"])
        shares = np.empty((data.n, k))
        for rows in row_blocks(data.n, 16 * k + 64):
            context.check()
            shares[rows] = self.shares(model, X[rows])
        labels = np.where(shares.any(axis=1), shares.argmax(axis=1), -1).astype(np.int64)
        return Clustering(
            title=self.title,
            dataset=data,
            labels=labels,
            membership=shares,
            names=tuple(str(name) for name in model.settings.get("names", ())),
        )

    def _judged(
        self,
        lesson: TrainingSet,
        chosen: Training,
        names: tuple[str, ...],
        data: Dataset,
        params: Params,
        context: Context,
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        if not params.held_out:
            return {}, ()
        places, by = chosen.places(data), params.held_out_by
        out, by_place = held_out(lesson.y, params.held_out, context.rng, places, by)
        if not out.any():
            return {}, (NOTHING_TO_SPARE,)
        some = TrainingSet(lesson.X[~out], lesson.y[~out], lesson.k)
        arrays, settings = self.learn(some, params, context)
        trial = Model(
            arrays=arrays, settings={**settings, "k": lesson.k, "d": int(lesson.X.shape[1])}
        )
        shares = self.shares(trial, lesson.X[out])
        found = np.where(shares.any(axis=1), shares.argmax(axis=1), -1).astype(np.int64)
        score = score_of(found, lesson.y[out], names, lesson.k)
        return {"accuracy": score}, (*score.notes, chosen_in_words(by_place=by_place))

    def estimate(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
    ) -> Cost:
        """A few copies of the items."""
        return Cost(bytes=64 * data.n * data.d + (32 << 20), seconds=0.5 + 2e-6 * data.n * data.d)


def _require_two(chosen: Training) -> None:
    if len(np.unique(chosen.labels)) < 2:
        raise DataError(
            "All labelled items are in one group, so there is nothing to learn. Label items of "
            "at least two groups.",
            code="too-few-groups",
        )
