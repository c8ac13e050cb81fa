"""The spatial pyramid weighs what pictures share by where they share it."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.spatial_pyramid import SpatialPyramid
from tests.refusals import refuses


def similarities(X: Any, levels: int = 3) -> Affinity:
    return SpatialPyramid().compute(
        Dataset(features=X), params=SpatialPyramid.Params(levels=levels), context=Context()
    )


def test_three_levels_weigh_a_quarter_a_quarter_and_a_half() -> None:
    X = np.random.default_rng(0).random((7, 2 * 21))
    common = np.minimum(X[:, None], X[None])
    expected = (
        common[..., :2].sum(2) / 4 + common[..., 2:10].sum(2) / 4 + common[..., 10:].sum(2) / 2
    )
    affinity = similarities(X)
    np.testing.assert_allclose(affinity.to_dense(), expected)
    assert np.linalg.eigvalsh(affinity.to_dense()).min() > -1e-9


def test_matches_add_up_to_one_for_pyramids_of_one_picture() -> None:
    # The same points, counted at every level: each finer match is a coarser one as well.
    X = np.array([[1.0] + [0.25] * 4 + [0.0625] * 16])
    assert similarities(X).to_dense()[0, 0] == pytest.approx(1.0)


def test_columns_that_are_no_pyramid_are_refused() -> None:
    with refuses("columns-mismatch"):
        similarities(np.ones((2, 20)))
