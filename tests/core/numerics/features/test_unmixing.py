"""Shares of materials in mixed spectra."""

import numpy as np
import pytest
from scipy.optimize import nnls

from coterie.core.numerics.features.unmixing import unmixed
from tests.rounding import rounding


def by_nnls(spectra: np.ndarray, materials: np.ndarray) -> np.ndarray:
    """The same by another way: a heavily weighted equation makes the shares sum to 1."""
    weight = 1e4 * np.abs(materials).max()
    A = np.vstack([materials.T, np.full((1, len(materials)), weight)])
    return np.stack([nnls(A, np.append(spectrum, weight))[0] for spectrum in spectra])


@pytest.mark.parametrize(("k", "d"), [(2, 3), (3, 6), (6, 6), (8, 40)])
def test_shares_are_those_of_least_squares(k: int, d: int) -> None:
    rng = np.random.default_rng(k)
    materials = rng.gamma(2.0, 0.2, (k, d))
    spectra = rng.dirichlet(np.full(k, 0.4), 60) @ materials + rng.normal(0, 0.1, (60, d))
    shares, left = unmixed(spectra, materials)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-9)
    # The weight makes the sums of nnls right to about 1e-8 of the spectra.
    np.testing.assert_allclose(shares, by_nnls(spectra, materials), atol=1e-5)
    expected = np.sqrt(((spectra - shares @ materials) ** 2).mean(axis=1))
    np.testing.assert_allclose(
        left, expected, rtol=0, atol=rounding(4 * (k + d), float(np.abs(spectra).max()))
    )


def test_exact_mixtures_are_found_and_nothing_is_left() -> None:
    rng = np.random.default_rng(0)
    materials = rng.gamma(2.0, 0.2, (4, 7))
    true = np.vstack([rng.dirichlet(np.ones(4), 50), np.eye(4)])
    shares, left = unmixed(true @ materials, materials)
    np.testing.assert_allclose(shares, true, atol=1e-8)
    assert left.max() < 1e-9


def test_a_material_that_is_a_mixture_of_others_does_no_harm() -> None:
    materials = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    shares, left = unmixed(np.array([[0.3, 0.7], [2.0, -1.0]]), materials)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert left[0] < 1e-9
    np.testing.assert_allclose(shares[1], [1, 0, 0], atol=1e-9)
