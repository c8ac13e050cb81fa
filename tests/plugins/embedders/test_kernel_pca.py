"""Kernel principal components."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Embedding
from coterie.plugins.embedders import kernel_pca
from coterie.plugins.embedders.kernel_pca import KernelPCA
from tests.refusals import refuses

F = np.random.default_rng(0).normal(size=(30, 5)) + 1


def embed(affinity: Affinity, **params: Any) -> Embedding:
    output = KernelPCA().compute(affinity, params=KernelPCA.Params(**params), context=Context())
    assert isinstance(output.main, Embedding)
    return output.main


def test_with_all_coordinates_inner_products_are_the_similarities() -> None:
    Z = embed(Affinity(values=F @ F.T), components=5).coordinates
    np.testing.assert_allclose(Z @ Z.T, F @ F.T, atol=1e-9)


@pytest.mark.parametrize("wide", [1000, 2], ids=["decomposed", "by products"])
@pytest.mark.parametrize("centre", [False, True])
def test_every_form_gives_the_same_and_centring_is_that_of_scikit_learn(
    centre: bool, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn.decomposition import KernelPCA as Reference

    monkeypatch.setattr(kernel_pca, "WIDE", wide)
    K = F @ F.T
    values, vectors = np.linalg.eigh(K)
    expected = vectors[:, ::-1][:, :3] * np.sqrt(values[::-1][:3])
    if centre:
        expected = Reference(3, kernel="precomputed").fit_transform(K)
    for affinity in (Affinity(values=K), Affinity(sparse=csr_array(K)), Affinity(factor=F)):
        Z = embed(affinity, components=3, centre=centre).coordinates
        np.testing.assert_allclose(np.abs(Z), np.abs(expected), atol=1e-8)


def test_only_positive_eigenvalues_give_coordinates() -> None:
    embedding = embed(Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]])))
    assert embedding.coordinates.shape == (2, 1)
    assert "Only 1 of 2" in embedding.notes[0]
    nothing = embed(Affinity(values=np.zeros((3, 3))))
    assert not nothing.coordinates.any()


def test_a_directed_graph_is_refused() -> None:
    with refuses("not-symmetric"):
        embed(Affinity(values=np.triu(np.ones((3, 3))), symmetric=False))
