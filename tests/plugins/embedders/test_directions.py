"""Singular directions and Euler principal components."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset, Embedding, Model
from coterie.core.numerics.features.euler import euler_features
from coterie.plugins.embedders.euler_pca import EulerPCA
from coterie.plugins.embedders.svd import SVD
from tests.refusals import refuses

X = np.random.default_rng(0).random((25, 6))


def embed(embedder: Any, features: Any = X, **params: Any) -> tuple[Embedding, Model]:
    output = embedder().compute(
        Dataset(features=features), params=embedder.Params(**params), context=Context()
    )
    assert isinstance(output.main, Embedding)
    assert isinstance(output.parts["model"], Model)
    return output.main, output.parts["model"]


def test_singular_directions_keep_inner_products_best() -> None:
    embedding, _ = embed(SVD, components=6)
    Z = embedding.coordinates
    np.testing.assert_allclose(Z @ Z.T, X @ X.T)
    left, values, _ = np.linalg.svd(X, full_matrices=False)
    two, _ = embed(SVD)
    np.testing.assert_allclose(np.abs(two.coordinates), np.abs(left[:, :2] * values[:2]))


def test_sparse_counts_give_the_same_as_dense_ones() -> None:
    counts = np.where(X > 0.7, 3.0, 0.0)
    dense, _ = embed(SVD, counts)
    sparse, _ = embed(SVD, csr_array(counts))
    np.testing.assert_allclose(sparse.coordinates, dense.coordinates, atol=1e-9)


def test_euler_components_keep_the_euler_distances() -> None:
    embedding, _ = embed(EulerPCA, components=12)
    Z, E = embedding.coordinates, euler_features(X, 1.9)
    np.testing.assert_allclose(
        ((Z[:, None] - Z[None]) ** 2).sum(2), ((E[:, None] - E[None]) ** 2).sum(2), atol=1e-10
    )


@pytest.mark.parametrize("embedder", [SVD, EulerPCA])
def test_new_items_are_put_where_old_ones_like_them_are(embedder: Any) -> None:
    embedding, model = embed(embedder)
    again = embedder().apply(model, Dataset(features=X[3:5]), Context())
    np.testing.assert_allclose(again.coordinates, embedding.coordinates[3:5])
    with refuses("columns-mismatch"):
        embedder().apply(model, Dataset(features=X[:, :5]), Context())


def test_euler_components_need_features_from_0_to_1() -> None:
    with refuses("values-out-of-range"):
        embed(EulerPCA, 5 * X)


def test_fewer_directions_than_asked_for_are_said() -> None:
    for embedder in (SVD, EulerPCA):
        embedding, _ = embed(embedder, X[:2], components=9)
        assert "2 directions only" in embedding.notes[0]
