"""Singular directions as features."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.svd import SingularDirections


def reduced(X: Any, components: int) -> Output:
    return SingularDirections().compute(
        Dataset(features=X),
        params=SingularDirections.Params(components=components),
        context=Context(),
    )


def features(output: Output) -> np.ndarray:
    assert isinstance(output.main, Dataset)
    return output.main.dense_features()


@pytest.mark.parametrize("components", [1, 3, 9, 50])
def test_sparse_and_dense_agree_and_keep_the_most(components: int) -> None:
    X = np.random.default_rng(0).poisson(0.7, (30, 12)).astype(np.float64)
    dense, sparse = reduced(X, components), reduced(csr_array(X), components)
    np.testing.assert_allclose(features(dense), features(sparse), atol=1e-8)
    values = np.linalg.svd(X, compute_uv=False)
    kept = min(components, 12)
    np.testing.assert_allclose((features(dense) ** 2).sum(axis=0), values[:kept] ** 2, atol=1e-8)
    noted = any("directions only" in note for note in dense.main.notes)
    assert noted == (components > 12)


def test_inner_products_survive() -> None:
    X = np.random.default_rng(0).normal(size=(10, 4)) + 3
    Z = features(reduced(X, 4))
    np.testing.assert_allclose(Z @ Z.T, X @ X.T, atol=1e-9)
