"""Expectation–maximisation for many Gaussian mixtures at once; what has converged leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.mixtures.em_pass import shares_of, sweep
from coterie.core.numerics.mixtures.gaussians import Covariance, coefficients_from
from coterie.core.numerics.mixtures.kmeans_batch import Partitions
from coterie.core.numerics.similarity.tiles import Check


@dataclass(frozen=True)
class Mixtures:
    """Mixtures with the same number of components, fitted to the same items."""

    coefficients: Floats
    """(g, fits, p): ln of weight × density of each component, as coefficients of φ."""
    posteriors: Floats
    """(n, fits, g): the chance that each item came from each component."""
    likelihoods: Floats
    """(fits,) mean log-likelihood of an item."""
    iterations: Ints
    """(fits,) how many each took."""
    unfinished: int
    """How many were still rising at the limit."""
    history: tuple[Floats, ...]
    """For each iteration the (fits,) mean log-likelihoods, NaN for fits that have left."""


def start_from(
    partitions: Partitions,
    linear: Floats,
    features: Floats,
    ridge: Floats,
    covariance: Covariance = "full",
    *,
    check: Check | None = None,
) -> Floats:
    """Return the (g, fits, p) mixtures whose components are the groups of the partitions."""
    moments, _ = sweep(partitions.coefficients, linear, features, soft=False, check=check)
    return coefficients_from(moments, len(features), ridge, covariance, check=check)


def fit_mixtures(
    start: Floats,
    features: Floats,
    ridge: Floats,
    covariance: Covariance = "full",
    *,
    max_iterations: int = 100,
    tolerance: float = 1e-3,
    check: Check | None = None,
) -> Mixtures:
    """Raise the likelihood of all mixtures until each changes by less than `tolerance`.

    A fit whose likelihood would fall, which the regularisation can bring about, ends with the
    mixture before that: likelihoods never fall. Otherwise iterations, stopping rule and final step
    are those of scikit-learn's `GaussianMixture`, with the same result from the same start.

    Parameters
    ----------
    start : (g, fits, p) coefficients
    features : (n, p) φ of the whitened items, from `quadratic_features`
    ridge : (d,) added to the variances
    tolerance : change of the mean log-likelihood of an item
    check : called for every block, to let a run be cancelled

    Returns
    -------
    Memory: the posteriors, n × fits × g numbers, and three times the coefficients.
    """
    g, fits, _ = start.shape
    n = len(features)
    final, posteriors = np.empty_like(start), np.empty((n, fits, g))
    likelihoods, taken = np.full(fits, -np.inf), np.zeros(fits, dtype=np.int64)
    active, theta, before = np.arange(fits), start, start
    history: list[Floats] = []
    unfinished = 0
    for iteration in range(1, max_iterations + 1):
        moments, now = sweep(theta, features, features, soft=True, check=check)
        then = likelihoods[active]
        fell = now < then
        risen = coefficients_from(moments, n, ridge, covariance, check=check)
        leaving = fell | (now - then < tolerance)
        if iteration == max_iterations:
            unfinished = int((~leaving).sum())
            leaving[:] = True
        likelihoods[active] = np.maximum(now, then)
        taken[active] = iteration
        history.append(_row(likelihoods, active))
        if leaving.any():
            ends = np.where(fell[leaving, None], before[:, leaving], risen[:, leaving])
            kept = np.where(fell[leaving, None], before[:, leaving], theta[:, leaving])
            gone = active[leaving]
            final[:, gone], posteriors[:, gone], likelihoods[gone] = _last(
                ends, kept, features, likelihoods[gone], check
            )
            active = active[~leaving]
            if not len(active):
                break
        theta, before = risen[:, ~leaving], theta[:, ~leaving]
    history.append(likelihoods.copy())
    return Mixtures(final, posteriors, likelihoods, taken, unfinished, tuple(history))


def _last(
    ends: Floats, kept: Floats, features: Floats, reached: Floats, check: Check | None
) -> tuple[Floats, Floats, Floats]:
    """Mixtures after their last step, or before it where that was better; posteriors with them."""
    g, fits, _ = ends.shape
    posteriors = np.empty((len(features), fits, g))
    now = shares_of(ends, features, posteriors, soft=True, check=check)
    worse = np.flatnonzero(now < reached)
    if len(worse):
        ends[:, worse] = kept[:, worse]
        again = np.empty((len(features), len(worse), g))
        now[worse] = shares_of(kept[:, worse], features, again, soft=True, check=check)
        posteriors[:, worse] = again
    return ends, posteriors, now


def _row(likelihoods: Floats, active: Ints) -> Floats:
    row = np.full_like(likelihoods, np.nan)
    row[active] = likelihoods[active]
    return row
