"""Cosine similarity looks at directions alone."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.cosine import Cosine
from tests.rounding import rounding


def similarities(X: Any) -> Affinity:
    return Cosine().compute(Dataset(features=X), params=Cosine.Params(), context=Context())


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("shape", [(9, 3), (4, 9)])
def test_length_does_not_matter(shape: tuple[int, int], sparse: bool) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape)
    longer = X * rng.uniform(1, 1e3, (shape[0], 1))
    K = similarities(csr_array(X) if sparse else X).to_dense()
    np.testing.assert_allclose(similarities(longer).to_dense(), K, atol=rounding(8 * 9))
    lengths = np.linalg.norm(X, axis=1)
    np.testing.assert_allclose(K, X @ X.T / np.outer(lengths, lengths), atol=rounding(8 * 9))
    np.testing.assert_allclose(np.diagonal(K), 1)


def test_an_item_of_zeros_is_similar_to_none() -> None:
    affinity = similarities(np.array([[0.0, 0.0], [1.0, 2.0], [1e200, 0.0]]))
    assert not affinity.to_dense()[0].any()
    assert affinity.to_dense()[2, 2] == pytest.approx(1.0)
    assert "zeros" in affinity.notes[0]
