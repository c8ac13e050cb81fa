"""Mixtures as linear functions of quadratic features."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from coterie.core.numerics.mixtures.gaussians import (
    Covariance,
    Whitening,
    coefficients_from,
    feature_count,
    inverse_lower,
    quadratic_features,
)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("d", [1, 3, 9])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_scores_are_log_densities_of_weighted_gaussians(
    covariance: Covariance, d: int, offset: float
) -> None:
    rng = np.random.default_rng(d)
    n, r = 60, 1e-3
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + offset
    R = rng.dirichlet(np.ones(4), n).T
    space = Whitening.of(X, r, covariance)
    features = quadratic_features(space.apply(X), covariance)
    assert features.shape[1] == feature_count(d, covariance)
    theta = coefficients_from(R @ features, n, space.ridge, covariance)
    scores = theta @ features.T + space.log_volume
    for share, score in zip(R, scores, strict=True):
        mean = share @ X / share.sum()
        C = (share[:, None] * (X - mean)).T @ (X - mean) / share.sum()
        if covariance == "diagonal":
            C = np.diag(np.diag(C))
        density = multivariate_normal(mean, C + r * np.eye(d))
        expected = np.log(share.mean()) + np.atleast_1d(density.logpdf(X))
        np.testing.assert_allclose(score, expected, rtol=1e-6, atol=1e-6)


def test_whitened_items_are_centred_with_unit_covariance() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4)) * [1e-3, 1, 5, 1e3] + 7
    Z = Whitening.of(X, 1e-12).apply(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(Z.T @ Z / 200, np.eye(4), atol=1e-5)


def test_a_constant_column_stays_where_it_is() -> None:
    X = np.column_stack([np.arange(9.0), np.full(9, 3.0)])
    Z = Whitening.of(X, 1e-6).apply(X)
    assert np.isfinite(Z).all()
    np.testing.assert_allclose(Z.var(axis=0).max(), 1.0, atol=1e-5)
    assert np.linalg.matrix_rank(Z) == 1


def test_a_component_without_items_is_still_a_gaussian() -> None:
    space = Whitening.of(np.random.default_rng(0).normal(size=(20, 3)), 1e-6)
    theta = coefficients_from(np.zeros((1, 10)), 20, space.ridge)
    assert np.isfinite(theta).all()
    item = quadratic_features(np.array([[1.0, 0.0, 0.0]]))
    assert (item @ theta[0])[0] < -1000  # no item that is not exactly there is drawn to it


def test_a_covariance_that_rounding_spoiled_becomes_round() -> None:
    moments = np.array([[2.0, 0.0, 0.0, 2.0, 2.5, 2.0], [2.0, 0.0, 0.0, 2.0, 1.0, 2.0]])
    theta = coefficients_from(moments, 4, np.array([1e-9, 1e-9]))  # correlations 1.25 and 0.5
    assert np.isfinite(theta).all()
    assert theta[0, 4] == 0.0
    np.testing.assert_allclose(theta[1, 3:], [-2 / 3, 2 / 3, -2 / 3], rtol=1e-6)


@pytest.mark.parametrize("d", [1, 2, 7, 8, 11, 15, 20])
def test_triangles_are_inverted(d: int) -> None:
    rng = np.random.default_rng(d)
    L = np.tril(rng.normal(size=(6, d, d)))
    L[:, np.arange(d), np.arange(d)] = 1 + rng.random((6, d))
    out = inverse_lower(L)
    np.testing.assert_allclose(out @ L, np.broadcast_to(np.eye(d), L.shape), atol=1e-6)
    np.testing.assert_array_equal(out, np.tril(out))
