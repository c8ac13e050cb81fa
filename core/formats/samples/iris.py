"""Fisher's iris flowers, from scikit-learn."""

from __future__ import annotations

from coterie.core.formats.samples.shipped import labelled
from coterie.core.model.dataset import Dataset


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 150 flowers; there are no others to draw."""
    features, species, names = labelled("iris.csv")
    return Dataset(
        title="Iris flowers",
        features=features,
        columns=("sepal length", "sepal width", "petal length", "petal width"),
        truth=species,
        truth_names=names,
        truth_column="species",
        details={"unit": "cm", "source": "Fisher (1936), as distributed by scikit-learn"},
    )
