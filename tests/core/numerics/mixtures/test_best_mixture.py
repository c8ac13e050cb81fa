"""The most likely mixture of several starts, its likelihood worked out in another way."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from coterie.core.model.arrays import Floats
from coterie.core.numerics.mixtures.best_mixture import MixtureFits


def clouds(d: int = 3) -> Floats:
    rng = np.random.default_rng(d)
    return np.concatenate([rng.normal(size=(60, d)) * scale + 5 * number
                           for number, scale in enumerate((0.5, 1.0, 2.0))])  # fmt: skip


def test_the_log_likelihood_is_that_of_the_items_in_their_own_units() -> None:
    X = clouds() * [1.0, 100.0, 0.01]
    found = MixtureFits.of(X, 1e-12).best(3, 2, np.random.default_rng(0), tolerance=1e-9)
    assert found.settled
    density = np.zeros(len(X))
    for share in found.shares.T:
        mean, spread = np.average(X, axis=0, weights=share), np.cov(X.T, aweights=share, ddof=0)
        density += share.mean() * multivariate_normal(mean, spread).pdf(X)
    assert found.likelihood == pytest.approx(float(np.log(density).mean()), abs=1e-6)


def test_more_starts_are_never_less_likely_and_begin_with_the_same() -> None:
    fits = MixtureFits.of(clouds(), 1e-6)
    likelihoods = [
        fits.best(6, starts, np.random.default_rng(1)).likelihood for starts in (1, 2, 5)
    ]
    assert likelihoods == sorted(likelihoods)


def test_the_states_lead_from_the_start_to_the_end() -> None:
    fits = MixtureFits.of(clouds(), 1e-6)
    best = fits.best(3, 1, np.random.default_rng(0))
    states = list(fits.states(best.start, best.iterations))
    assert len(states) == best.iterations
    reached, labels = states[-1]
    assert reached == pytest.approx(best.likelihood, rel=1e-9)
    assert labels.tolist() == best.labels.tolist()
    rising = np.array([likelihood for likelihood, _ in states])
    assert (np.diff(rising) >= -1e-9 * np.abs(rising[:-1])).all()


def test_the_order_of_the_items_does_not_matter() -> None:
    X = clouds()
    order = np.random.default_rng(5).permutation(len(X))
    one = MixtureFits.of(X, 1e-6).best(3, 1, np.random.default_rng(0))
    other = MixtureFits.of(X[order], 1e-6).best(3, 1, np.random.default_rng(0))
    assert one.labels[order].tolist() == other.labels.tolist()


def test_items_without_any_spread_are_fitted() -> None:
    found = MixtureFits.of(np.ones((9, 2)), 1e-6).best(1, 1, np.random.default_rng(0))
    assert np.isfinite(found.likelihood)
    assert found.labels.tolist() == [0] * 9
