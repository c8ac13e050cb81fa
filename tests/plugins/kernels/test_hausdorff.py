"""Hausdorff similarity, compared with scipy's distance."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import directed_hausdorff

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.hausdorff import Hausdorff
from tests.refusals import refuses


def similarities(X: np.ndarray, **params: Any) -> Affinity:
    return Hausdorff().compute(
        Dataset(features=X), params=Hausdorff.Params(**params), context=Context()
    )


def test_distances_are_those_of_scipy_each_way() -> None:
    X = np.random.default_rng(0).random((5, 8))
    found = similarities(X, sigma=1.0)
    assert not found.symmetric
    for i in range(5):
        for j in range(5):
            apart = directed_hausdorff(X[i].reshape(-1, 2), X[j].reshape(-1, 2))[0]
            assert found.to_dense()[i, j] == pytest.approx(np.exp(-apart))
    both = similarities(X, sigma=1.0, direction="both")
    assert both.symmetric
    np.testing.assert_allclose(both.to_dense(), np.minimum(found.to_dense(), found.to_dense().T))


def test_a_part_is_near_the_whole_and_not_the_other_way() -> None:
    part = [0.0, 0.0, np.nan, np.nan]
    whole = [0.0, 0.0, 3.0, 4.0]
    found = similarities(np.array([part, whole]), sigma=5.0).to_dense()
    assert found[0, 1] == 1
    assert found[1, 0] == pytest.approx(np.exp(-1))


def test_columns_that_make_no_points_are_refused() -> None:
    with refuses("wrong-shape"):
        similarities(np.ones((3, 5)))
    with refuses("missing-values"):
        similarities(np.array([[1.0, np.nan], [0.0, 1.0]]))
