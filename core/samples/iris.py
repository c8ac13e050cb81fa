"""Fisher's iris flowers, from scikit-learn."""

from __future__ import annotations

import numpy as np

from coterie.core.dataset import Dataset


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 150 flowers; there are no others to draw."""
    from sklearn.datasets import load_iris

    iris = load_iris()
    return Dataset(
        title="Iris flowers",
        features=np.asarray(iris.data, dtype=np.float64),
        columns=tuple(name.removesuffix(" (cm)") for name in iris.feature_names),
        truth=np.asarray(iris.target, dtype=np.int64),
        truth_names=tuple(str(name) for name in iris.target_names),
        truth_column="species",
        details={"unit": "cm", "source": "Fisher (1936), as distributed by scikit-learn"},
    )
