"""Wines of three growers, from scikit-learn."""

from __future__ import annotations

import numpy as np

from coterie.core.dataset import Dataset


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 178 wines; there are no others to draw."""
    from sklearn.datasets import load_wine

    wine = load_wine()
    return Dataset(
        title="Wines",
        features=np.asarray(wine.data, dtype=np.float64),
        columns=tuple(name.replace("_", " ") for name in wine.feature_names),
        truth=np.asarray(wine.target, dtype=np.int64),
        truth_names=("grower 1", "grower 2", "grower 3"),
        truth_column="grower",
        details={"source": "Forina et al. (1988), UCI, as distributed by scikit-learn"},
    )
