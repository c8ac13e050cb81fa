"""Histogram intersection is what two histograms share."""

from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.histogram_intersection import HistogramIntersection
from tests.refusals import refuses
from tests.rounding import rounding


def similarities(X: Any) -> Affinity:
    return HistogramIntersection().compute(
        Dataset(features=X), params=HistogramIntersection.Params(), context=Context()
    )


def test_it_equals_its_definition_and_is_positive_semidefinite() -> None:
    X = np.random.default_rng(0).random((15, 6))
    K = similarities(X).to_dense()
    np.testing.assert_allclose(K, np.minimum(X[:, None], X[None]).sum(2), atol=rounding(6, 6.0))
    np.testing.assert_allclose(np.diagonal(K), X.sum(axis=1))
    assert np.linalg.eigvalsh(K).min() > -1e-9


def test_negative_counts_are_refused() -> None:
    with refuses("negative-values"):
        similarities(np.array([[1.0, -1.0]]))
