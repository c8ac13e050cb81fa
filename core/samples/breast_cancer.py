"""Tumours of the breast, benign and malignant, from scikit-learn."""

from __future__ import annotations

import numpy as np

from coterie.core.dataset import Dataset


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 569 tumours; there are no others to draw."""
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer()
    return Dataset(
        title="Breast tumours",
        features=np.asarray(tumours.data, dtype=np.float64),
        columns=tuple(str(name) for name in tumours.feature_names),
        truth=np.asarray(tumours.target, dtype=np.int64),
        truth_names=tuple(str(name) for name in tumours.target_names),
        truth_column="diagnosis",
        details={"source": "Wolberg et al. (1995), UCI, as distributed by scikit-learn"},
    )
