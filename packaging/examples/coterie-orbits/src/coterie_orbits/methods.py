"""A sample with the steps that it opens with, and recipes on data and on a selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Context,
    DataError,
    Dataset,
    Field,
    Model,
    Output,
    RecipeTemplate,
    Sample,
    Step,
    Transform,
)


class Orbits(Sample):
    """Points on three orbits around one centre, which no straight line can separate."""

    id, title = "orbits", "Three orbits"
    recipe = (
        Step("around", "transform/polar", ("data",)),
        Step("distance", "transform/select", ("around",), {"columns": ["distance"]}),
        Step("groups", "clusterer/kmeans", ("distance",), {"k": 3}),
        Step("picture", "embedder/pca", ("data",)),
    )

    class Params(Sample.Params):
        """How many points, and how far from their orbits."""

        n: int = Field(450, ge=3, le=1_000_000, description="Number of items.")
        spread: float = Field(0.08, ge=0, description="How far points are from their orbit.")

    def make(self, *, params: Params, context: Context) -> Dataset:
        """Return the points; all that is random comes from the seed."""
        orbit = np.arange(params.n) % 3
        radius = 1.0 + orbit + context.rng.normal(0.0, params.spread, params.n)
        angle = context.rng.uniform(0.0, 2 * np.pi, params.n)
        return Dataset(
            title=self.title,
            features=np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]),
            columns=("x", "y"),
            truth=orbit,
            truth_names=("inner", "middle", "outer"),
            truth_column="orbit",
        )


class Polar(Transform):
    """Distance from the centre and direction, of two columns."""

    id, title = "polar", "Polar coordinates"

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Output:
        """Return the new features, with the centre as the model for new items."""
        context.check()
        X = data.dense_features()
        if X.shape[1] < 2 or not len(X):
            raise DataError(
                "Polar coordinates need items with two columns. Choose others with 'columns'."
            )
        model = Model(arrays={"centre": X[:, :2].mean(axis=0)})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Return distance and direction from the centre that was found before."""
        x, y = (data.dense_features()[:, :2] - model.arrays["centre"]).T
        return data.with_features(
            np.column_stack([np.hypot(x, y), np.arctan2(y, x)]), ("distance", "direction")
        )


AROUND = RecipeTemplate(
    id="by-distance",
    title="Groups by distance from the centre",
    summary="Three groups of items that are equally far from the centre of the first two columns.",
    steps=(
        Step("around", "transform/polar", ("data",)),
        Step("distance", "transform/select", ("around",), {"columns": ["distance"]}),
        Step("rings", "clusterer/kmeans", ("distance",), {"k": 3}),
    ),
)

CLOSER = RecipeTemplate(
    id="closer",
    title="Find groups within the selection",
    summary="Scales the selected items on their own, and divides them into two groups.",
    on="selection",
    steps=(
        Step("closer", "transform/standardise", ("selection",)),
        Step("within", "clusterer/kmeans", ("closer",), {"k": 2}),
        Step("closer-picture", "embedder/pca", ("closer",)),
    ),
)
