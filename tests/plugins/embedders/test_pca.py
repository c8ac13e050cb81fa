"""Principal components."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Context, Dataset, Embedding, Model, Output, Spectrum
from coterie.plugins.embedders.pca import PCA


def embed(X: np.ndarray, **params: Any) -> tuple[Embedding, Output]:
    output = PCA().compute(Dataset(features=X), params=PCA.Params(**params), context=Context())
    assert isinstance(output.main, Embedding)
    return output.main, output


@given(st.integers(3, 30), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_it_agrees_with_scikit_learn_up_to_sign(n: int, d: int, seed: int) -> None:
    from sklearn import decomposition

    X = np.random.default_rng(seed).normal(size=(n, d)) * np.arange(1, d + 1)
    embedding, _ = embed(X)
    reference = decomposition.PCA(2, svd_solver="full").fit(X)
    np.testing.assert_allclose(
        np.abs(embedding.coordinates), np.abs(reference.transform(X)), atol=1e-8
    )
    assert embedding.spectrum is not None
    np.testing.assert_allclose(embedding.spectrum[:2], reference.explained_variance_)


def test_all_components_keep_all_distances() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    embedding, _ = embed(X, components=4)
    Z = embedding.coordinates
    np.testing.assert_allclose(
        ((Z[:, None] - Z[None]) ** 2).sum(2), ((X[:, None] - X[None]) ** 2).sum(2)
    )


def test_the_model_puts_new_items_where_the_old_would_be() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    embedding, output = embed(X)
    model = output.parts["model"]
    assert isinstance(model, Model)
    assert isinstance(output.parts["spectrum"], Spectrum)
    again = PCA().apply(model, Dataset(features=X), Context())
    np.testing.assert_allclose(again.coordinates, embedding.coordinates)


def test_the_direction_does_not_depend_on_the_library_s_choice_of_sign() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    _, output = embed(X, components=3)
    axes = output.parts["model"].arrays["axes"]  # type: ignore[union-attr]
    largest = axes[np.arange(3), np.abs(axes).argmax(axis=1)]
    assert (largest > 0).all()


@pytest.mark.parametrize("X", [np.ones((5, 3)), np.ones((1, 3))])
def test_items_that_do_not_vary_lie_in_one_point(X: np.ndarray) -> None:
    embedding, _ = embed(X)
    assert not embedding.coordinates.any()


def test_fewer_directions_than_asked_for_are_said() -> None:
    embedding, _ = embed(np.arange(5.0)[:, None])
    assert embedding.coordinates.shape == (5, 1)
    assert "1 directions, not 2" in embedding.notes[0]
