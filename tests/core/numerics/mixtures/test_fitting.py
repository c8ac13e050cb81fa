"""Many mixtures at once, against scikit-learn's one at a time."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from coterie.core import Floats
from coterie.core.numerics.mixtures.fitting import Mixtures, fit_mixtures, start_from
from coterie.core.numerics.mixtures.gaussians import Covariance, Whitening, quadratic_features
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition


def correlated(n: int, d: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * np.geomspace(1, 1e-2, d)
    return np.asarray(X + 2 * rng.integers(0, 3, (n, 1)) * X.std(axis=0) + 50)


class Problem:
    """Items, and mixtures to start from."""

    def __init__(
        self, X: Floats, g: int, fits: int, covariance: Covariance = "full", share: float = 1e-6
    ) -> None:
        self.X, self.g, self.covariance = X, g, covariance
        self.ridge = share * float(X.var(axis=0).mean())
        self.space = Whitening.of(X, self.ridge, covariance)
        self.features = quadratic_features(self.space.apply(X), covariance)
        self.linear = linear_features(X)
        self.groups = partition(self.linear, g, fits, np.random.default_rng(g))
        self.start = start_from(
            self.groups, self.linear, self.features, self.space.ridge, covariance
        )

    def fit(self, start: Floats | None = None, **settings: float) -> Mixtures:
        return fit_mixtures(
            self.start if start is None else start,
            self.features,
            self.space.ridge,
            self.covariance,
            **settings,  # type: ignore[arg-type]
        )

    def labels(self, fit: int) -> Floats:
        scores = self.groups.coefficients[:, fit] @ self.linear.T
        return np.asarray(scores.argmax(axis=0))

    def peer(self, fit: int, **settings: float) -> GaussianMixture:
        """scikit-learn's, from the same groups."""
        labels = self.labels(fit)
        parts = [self.X[labels == k] for k in range(self.g)]
        covariances = [
            np.cov(part.T, bias=True).reshape(self.X.shape[1], -1)
            + self.ridge * np.eye(self.X.shape[1])
            for part in parts
        ]
        if self.covariance == "full":
            precisions = np.linalg.inv(covariances)
        else:
            precisions = 1.0 / np.stack([np.diag(C) for C in covariances])
        mixture = GaussianMixture(
            self.g,
            covariance_type="full" if self.covariance == "full" else "diag",
            reg_covar=self.ridge,
            weights_init=[len(part) / len(self.X) for part in parts],
            means_init=[part.mean(axis=0) for part in parts],
            precisions_init=precisions,
            **settings,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return mixture.fit(self.X)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize(("n", "d", "g"), [(300, 2, 3), (400, 7, 5), (150, 1, 2)])
def test_it_matches_scikit_learn_from_the_same_start(
    covariance: Covariance, n: int, d: int, g: int
) -> None:
    problem = Problem(correlated(n, d), g, 6, covariance)
    found = problem.fit()
    for fit in range(6):
        peer = problem.peer(fit)
        assert found.iterations[fit] == peer.n_iter_
        reached = found.likelihoods[fit] + problem.space.log_volume
        assert reached == pytest.approx(peer.score(problem.X), rel=1e-6)
        np.testing.assert_allclose(
            found.posteriors[:, fit], peer.predict_proba(problem.X), atol=1e-5
        )


def test_narrow_components_far_from_the_centre_lose_no_digits() -> None:
    rng = np.random.default_rng(4)
    centres = np.array([[0.0, 0.0], [1e4, 0.0], [1e4, 1.0]])
    X = centres[rng.integers(0, 3, 300)] + 0.01 * rng.normal(size=(300, 2))
    problem = Problem(X, 3, 4, share=1e-13)
    found = problem.fit()
    for fit in range(4):
        reached = found.likelihoods[fit] + problem.space.log_volume
        assert reached == pytest.approx(problem.peer(fit).score(X), rel=1e-4)


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 6))
@settings(max_examples=15)
def test_likelihoods_never_fall(seed: int, g: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.standard_t(3, size=(40, d)).round(1)  # with duplicates, and components that collapse
    problem = Problem(X, g, 3)
    before = np.full(3, -np.inf)
    for limit in (1, 2, 3, 5, 60):
        found = problem.fit(tolerance=1e-9, max_iterations=limit)
        scores = np.einsum("gfp,np->gfn", found.coefficients, problem.features)
        now = logsumexp(scores, axis=0).mean(axis=1)
        assert (now >= before - 1e-9).all()
        np.testing.assert_allclose(now, found.likelihoods, rtol=1e-9, atol=1e-9)
        before = now
    # A log-density is a sum of p products, known to within p · eps of the sum of their sizes.
    sizes = np.einsum("gfp,np->gfn", np.abs(found.coefficients), np.abs(problem.features))
    rounding = problem.features.shape[1] * np.finfo(np.float64).eps * sizes.max(axis=(0, 2))
    for rows, known in zip(np.array(found.history).T, rounding, strict=True):
        assert (np.diff(rows[np.isfinite(rows)]) >= -known).all()
    np.testing.assert_allclose(found.posteriors.sum(axis=2), 1.0)


def test_a_fit_that_would_fall_ends_before() -> None:
    # A ridge as wide as the groups is no maximiser: from sharper mixtures the likelihood falls.
    X = correlated(120, 3)
    sharp = Problem(X, 4, 5).fit().coefficients
    blurred = Problem(X, 4, 5, share=1.0)
    space = Problem(X, 4, 5).space
    found = fit_mixtures(sharp, quadratic_features(space.apply(X)), blurred.space.ridge)
    history = np.array(found.history)
    np.testing.assert_array_equal(found.coefficients, sharp)
    assert (found.iterations == 2).all()
    np.testing.assert_allclose(history[-1], history[0])


def test_a_fit_does_not_depend_on_its_company() -> None:
    problem = Problem(correlated(200, 4), 4, 7)
    together = problem.fit()
    assert len(set(together.iterations)) > 1  # some left before the others
    for fit in range(7):
        alone = problem.fit(problem.start[:, fit : fit + 1])
        np.testing.assert_allclose(alone.likelihoods[0], together.likelihoods[fit], rtol=1e-10)
        np.testing.assert_allclose(alone.posteriors[:, 0], together.posteriors[:, fit], atol=1e-8)


def test_posteriors_and_likelihoods_belong_to_the_coefficients() -> None:
    problem = Problem(correlated(100, 3), 3, 4)
    found = problem.fit()
    scores = np.exp(np.einsum("gfp,np->nfg", found.coefficients, problem.features))
    total = scores.sum(axis=2)
    np.testing.assert_allclose(found.posteriors, scores / total[:, :, None], atol=1e-9)
    np.testing.assert_allclose(found.likelihoods, np.log(total).mean(axis=0), rtol=1e-9)


def test_the_limit_is_told() -> None:
    problem = Problem(correlated(200, 4), 5, 6)
    found = problem.fit(max_iterations=2, tolerance=1e-9)
    assert found.unfinished == 6
    assert (found.iterations == 2).all()
    assert problem.peer(0, max_iter=2, tol=1e-9).score(problem.X) == pytest.approx(
        found.likelihoods[0] + problem.space.log_volume, rel=1e-6
    )
