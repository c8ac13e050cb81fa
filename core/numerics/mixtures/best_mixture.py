"""One Gaussian mixture: the most likely of several starts from k-means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.mixtures.fitting import Mixtures, fit_mixtures, start_from
from coterie.core.numerics.mixtures.gaussians import Covariance, Whitening, quadratic_features
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition
from coterie.core.numerics.partitions.groups import settled_order
from coterie.core.numerics.similarity.tiles import Check


@dataclass(frozen=True, eq=False)
class BestMixture:
    """A mixture, and where its iteration began.

    Attributes
    ----------
    start, coefficients : (k, 1, p) before the first and after the last iteration
    shares : (n, k) the chance that each item came from each Gaussian
    likelihood : mean log-likelihood of an item
    iterations : how many it took
    settled : whether it ended by the tolerance
    """

    start: Floats
    coefficients: Floats
    shares: Floats
    likelihood: float
    iterations: int
    settled: bool

    @property
    def labels(self) -> Ints:
        """The likeliest Gaussian of each item."""
        return np.asarray(self.shares.argmax(axis=1))


@dataclass(frozen=True, eq=False)
class MixtureFits:
    """Fits mixtures to the same items, in coordinates in which no digits are lost.

    Attributes
    ----------
    linear, features : of the items, in an order that depends on what they are alone
    order : that order
    """

    space: Whitening
    linear: Floats
    features: Floats
    order: Ints
    covariance: Covariance

    @staticmethod
    def of(X: Floats, regularisation: float, covariance: Covariance = "full") -> MixtureFits:
        """Prepare items; `regularisation` is a share of the mean variance of the columns."""
        middle = X - X.mean(axis=0)
        order = settled_order(middle)
        ordered = middle[order]
        # Of data without any spread, any positive width will do.
        ridge = regularisation * (float(ordered.var(axis=0).mean()) or 1.0)
        space = Whitening.of(ordered, ridge, covariance)
        features = quadratic_features(space.apply(ordered), covariance)
        return MixtureFits(space, linear_features(ordered), features, order, covariance)

    def best(
        self,
        k: int,
        restarts: int,
        rng: np.random.Generator,
        *,
        max_iterations: int = 200,
        tolerance: float = 1e-4,
        check: Check | None = None,
    ) -> BestMixture:
        """Return the most likely mixture of k Gaussians from so many starts.

        >>> X = np.repeat([[0.0], [1.0]], 20, axis=0) + np.linspace(0, 0.1, 40)[:, None]
        >>> found = MixtureFits.of(X, 1e-6).best(2, 1, np.random.default_rng(0))
        >>> sorted(np.bincount(found.labels).tolist())
        [20, 20]
        """
        seeds = [int(rng.integers(2**31 - 1)) for _ in range(restarts)]
        ends = (self.from_seed(k, seed, max_iterations, tolerance, check) for seed in seeds)
        return best_of_starts(ends)

    def from_seed(
        self,
        k: int,
        seed: int,
        max_iterations: int,
        tolerance: float,
        check: Check | None = None,
    ) -> BestMixture:
        """Return where one start ends."""
        start = self._start(k, np.random.default_rng(seed), check)
        fit = self._fitted(start, max_iterations, tolerance, check)
        return BestMixture(
            start,
            fit.coefficients,
            self._in_place(fit.posteriors[:, 0]),
            float(fit.likelihoods[0]) + self.space.log_volume,
            int(fit.iterations[0]),
            fit.unfinished == 0,
        )

    def states(
        self, start: Floats, iterations: int, check: Check | None = None
    ) -> Iterator[tuple[float, Ints]]:
        """Yield the log-likelihood of an item, and the labels, after each iteration."""
        for _ in range(iterations):
            fit = self._fitted(start, 1, 0.0, check)
            start = fit.coefficients
            labels = self._in_place(fit.posteriors[:, 0]).argmax(axis=1)
            yield float(fit.likelihoods[0]) + self.space.log_volume, labels

    def _start(self, k: int, rng: np.random.Generator, check: Check | None) -> Floats:
        groups = partition(self.linear, k, 1, rng, check=check)
        ridge = self.space.ridge
        return start_from(groups, self.linear, self.features, ridge, self.covariance, check=check)

    def _fitted(
        self, start: Floats, iterations: int, tolerance: float, check: Check | None
    ) -> Mixtures:
        return fit_mixtures(
            start, self.features, self.space.ridge, self.covariance,
            max_iterations=iterations, tolerance=tolerance, check=check,
        )  # fmt: skip

    def _in_place(self, ordered: Floats) -> Floats:
        rows = np.empty_like(ordered)
        rows[self.order] = ordered
        return rows


def best_of_starts(ends: Iterable[BestMixture]) -> BestMixture:
    """Return the most likely of several fits, the first of equal ones."""
    return max(ends, key=lambda end: end.likelihood)
