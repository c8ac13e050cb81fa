"""Products and city-block distances of all pairs."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.inner_products import (
    city_block_distances,
    inner_products,
    intersections,
)


def test_sparse_blocks_give_the_same_as_dense(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).poisson(0.5, (17, 30)).astype(np.float64)
    monkeypatch.setattr(row_blocks, "__defaults__", (8 * 17 * 3,))
    checks: list[int] = []

    def halve(block: np.ndarray) -> None:
        block /= 2

    found = inner_products(csr_array(X), halve, check=lambda: checks.append(1))
    np.testing.assert_array_equal(found, X @ X.T / 2)
    np.testing.assert_array_equal(found, inner_products(X, halve))
    assert len(checks) == 6


def test_intersection_and_difference_make_up_the_sums() -> None:
    X = np.random.default_rng(0).random((9, 4))
    sums = X.sum(axis=1)
    np.testing.assert_allclose(
        2 * intersections(X) + city_block_distances(X), sums[:, None] + sums[None]
    )
