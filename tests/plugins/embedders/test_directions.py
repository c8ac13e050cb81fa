"""Singular directions and Euler principal components."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset, Embedding, Model
from coterie.core.model.recipes import Recipe, Step
from coterie.core.numerics.features.euler import euler_features
from coterie.plugins.embedders.euler_pca import EulerPCA
from coterie.plugins.embedders.euler_pca_real import EulerPCAReal
from coterie.plugins.embedders.svd import SVD
from coterie.projects.recipe.upgrade import upgrade
from tests.refusals import refuses

X = np.random.default_rng(0).random((25, 6))


def embed(embedder: Any, features: Any = X, **params: Any) -> tuple[Embedding, Model]:
    output = embedder().compute(
        Dataset(features=features), params=embedder.Params(**params), context=Context()
    )
    assert isinstance(output.main, Embedding)
    assert isinstance(output.parts["model"], Model)
    return output.main, output.parts["model"]


def features_of(part: Any) -> Any:
    assert isinstance(part, Dataset)
    return part.dense_features()


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


@pytest.mark.parametrize(("embedder", "components"), [(EulerPCA, 6), (EulerPCAReal, 12)])
def test_euler_components_keep_the_euler_distances(embedder: Any, components: int) -> None:
    embedding, _ = embed(embedder, components=components)
    Z, E = embedding.coordinates, euler_features(X, 1.9)
    np.testing.assert_allclose(
        ((Z[:, None] - Z[None]) ** 2).sum(2), ((E[:, None] - E[None]) ** 2).sum(2), atol=1e-10
    )


@pytest.mark.parametrize("embedder", [SVD, EulerPCA, EulerPCAReal])
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
    for embedder in (SVD, EulerPCAReal):
        embedding, _ = embed(embedder, X[:2], components=9)
        assert "2 directions only" in embedding.notes[0]
    embedding, _ = embed(EulerPCA, X[:2], components=9, centre=False)
    assert "2 directions only" in embedding.notes[-1]


@pytest.mark.parametrize("n", [4, 25])
@pytest.mark.parametrize("centre", [False, True])
def test_euler_components_are_singular_vectors_of_the_wound_features(n: int, centre: bool) -> None:
    """Against a complex singular value decomposition, which forms no Hermitian matrix."""
    Z = np.exp(1.9j * np.pi * X[:n]) / np.sqrt(2)
    Z = Z - Z.mean(axis=0) * centre
    left, values, right = np.linalg.svd(Z, full_matrices=False)
    embedding, model = embed(EulerPCA, X[:n], components=2, centre=centre)
    found = embedding.coordinates[:, ::2] + 1j * embedding.coordinates[:, 1::2]
    axes = model.arrays["axes_real"] + 1j * model.arrays["axes_imaginary"]
    for j in range(2):
        assert abs(np.vdot(axes[j], right[j])) == pytest.approx(1)
        assert abs(np.vdot(found[:, j], left[:, j] * values[j])) == pytest.approx(values[j] ** 2)
    assert embedding.spectrum is not None
    kept = min(Z.shape)
    np.testing.assert_allclose(embedding.spectrum[:kept] * (n - 1), values**2, atol=1e-10)


@pytest.mark.parametrize("centre", [False, True])
def test_all_components_give_the_features_back(centre: bool) -> None:
    output = EulerPCA().compute(
        Dataset(features=X), params=EulerPCA.Params(components=6, centre=centre), context=Context()
    )
    np.testing.assert_allclose(features_of(output.parts["reconstruction"]), X, atol=1e-10)


def test_an_occluded_pixel_comes_back_as_the_others_have_it() -> None:
    rng = np.random.default_rng(1)
    clean = np.outer(np.linspace(0.2, 0.6, 40), np.ones(30)) + 0.01 * rng.random((40, 30))
    spoilt = clean.copy()
    spoilt[rng.random(clean.shape) < 0.1] = 1.0
    output = EulerPCA().compute(
        Dataset(features=spoilt), params=EulerPCA.Params(components=1), context=Context()
    )
    again = features_of(output.parts["reconstruction"])
    assert np.abs(again - clean).mean() < 0.5 * np.abs(spoilt - clean).mean()


def test_a_recipe_of_0_1_keeps_the_real_form() -> None:
    old = Recipe(steps=(Step("view", "embedder/euler-pca", ("data",), {"alpha": 1.5}),))
    assert upgrade(old, 1).step("view").use == "embedder/euler-pca-real"
    assert upgrade(old, 2).step("view").use == "embedder/euler-pca"
