"""How well groups can be told apart."""

import numpy as np
import pytest

from coterie.core.numerics.assessing.separability import nearest_of, separability


def blobs(apart: float, n: int = 4000, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2 * n, d))
    X[n:, 0] += apart
    return X, np.repeat([0, 1], n)


@pytest.mark.parametrize("apart", [0.0, 1.0, 3.0])
def test_of_equal_gaussians_it_follows_from_their_distance(apart: float) -> None:
    found = separability(*blobs(apart), 2)
    # The Bhattacharyya distance of unit Gaussians is a²/8; the means are known to about 1/√n.
    assert found[0, 1] == pytest.approx(2 * (1 - np.exp(-(apart**2) / 8)), abs=0.05)
    np.testing.assert_allclose(found, found.T)
    np.testing.assert_allclose(np.diag(found), 0, atol=1e-9)


def test_units_do_not_count() -> None:
    X, labels = blobs(1.5)
    mixed = X @ np.array([[3.0, 1.0], [0.0, 1000.0]]) + 7
    found, other = separability(X, labels, 2), separability(mixed, labels, 2)
    np.testing.assert_allclose(found, other, rtol=1e-4)


def test_small_groups_and_many_columns_are_no_hindrance() -> None:
    X, labels = blobs(6.0, n=15, d=60)
    labels[-1] = 2  # alone
    labels[0] = -1
    found = separability(X, labels, 4)
    assert np.isfinite(found[0, 1])
    assert np.isnan(found[2]).all()
    assert nearest_of(found, 0) == (1, found[0, 1])
    assert nearest_of(found, 2) is None
