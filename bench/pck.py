"""The probabilistic cluster kernel against the same fits by scikit-learn on the same cores.

Mixtures of 2 … 30 components from 30 starts each, 870 in all, at the same regularisation, tolerance
and limit, for 400 items of 19 correlated columns (spectra) and 1,965 of 20 (faces after an SVD).
The peer is `GaussianMixture` under joblib on two processes that are already running. Ours includes
the kernel itself, theirs the fits alone. A faster fit that ends lower does not count: the mean
final log-likelihoods are printed, with the standard error of their difference. Wanted: a ratio of
0.2 or less, and a difference not below zero by more than its error. `--quick` takes 6 starts.
"""

from __future__ import annotations

import statistics
import sys
import warnings

import numpy as np
from tools.measuring import report, seconds_of

from coterie.core import Context, Dataset, Floats
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster

MOST, CORES = 30, 2
TURNS = 3


def spectra(n: int, d: int) -> Floats:
    """Pixels of a few kinds: smooth spectra, bright or dark, columns nearly collinear."""
    rng = np.random.default_rng(0)
    bands = np.linspace(0.0, 1.0, d)
    kinds = rng.integers(0, 6, n)
    curves = np.stack([np.exp(-((bands - at) ** 2) / 0.1) for at in np.linspace(0, 1, 6)])
    bright = rng.gamma(6.0, 0.15, (n, 1))
    mixed = 0.9 * curves[kinds] + 0.1 * curves[rng.integers(0, 6, n)]
    return np.asarray(bright * mixed + 0.02 * rng.normal(size=(n, d)))


def faces(n: int, d: int) -> Floats:
    """A dozen bent sheets with heavy tails, their columns falling off as singular values do."""
    rng = np.random.default_rng(1)
    kinds, along = rng.integers(0, 12, n), rng.normal(size=(n, 3))
    centres, sheets = rng.normal(size=(12, d)), rng.normal(size=(12, 3, d))
    X = 1.2 * centres[kinds] + 0.6 * np.einsum("ni,nid->nd", along, sheets[kinds])
    X += 0.35 * rng.standard_t(5, size=(n, d))
    return np.asarray(X / np.sqrt(np.arange(1, d + 1)))


def one_by_one(X: Floats, g: int, start: int) -> tuple[float, int]:
    """One fit of scikit-learn's: where it ended, and after how many iterations."""
    from sklearn.mixture import GaussianMixture

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit at the limit is one of ours as well
        mixture = GaussianMixture(
            g, reg_covar=1e-6 * float(X.var(axis=0).mean()), random_state=start
        ).fit(X)
    return float(mixture.score(X)), int(mixture.n_iter_)


def against_scikit_learn(name: str, X: Floats, starts: int) -> None:
    """Measure both in turns."""
    from joblib import Parallel, delayed

    data = Dataset(features=X)
    params = ProbabilisticCluster.Params(initialisations=starts, max_components=MOST)
    pool = Parallel(n_jobs=CORES)
    reached: list[float] = []
    theirs: list[tuple[float, int]] = []

    def ours() -> None:
        context = Context(seed=len(reached), workers=CORES)
        output = ProbabilisticCluster().compute(data, params=params, context=context)
        reached.append(output.main.details["mean_log_likelihood"])

    def plain() -> None:
        fits = ((g, s) for g in range(MOST, 1, -1) for s in range(starts))
        theirs.extend(pool(delayed(one_by_one)(X, g, s) for g, s in fits))

    with pool:
        pool(delayed(one_by_one)(X, 2, s) for s in range(2 * CORES))  # start the processes
        own = seconds_of(ours, 1)
        peer = seconds_of(plain, 1)
        own += seconds_of(ours, TURNS - 1)
    fits = (MOST - 1) * starts
    what = f"{name}, n = {X.shape[0]}, d = {X.shape[1]}, {fits} fits"
    report(what, own, "GaussianMixture by joblib", peer[0])
    ends = np.array([end for end, _ in theirs]).reshape(MOST - 1, starts)
    error = float(np.sqrt(ends.var(axis=1, ddof=1).sum() / starts)) / (MOST - 1)
    error *= np.sqrt(1 + 1 / len(reached))
    mean = statistics.mean(reached)
    print(
        f"{what}: mean log-likelihood {mean:.4f}; GaussianMixture: {ends.mean():.4f}; "
        f"difference {mean - ends.mean():+.4f} ± {error:.4f}; "
        f"its iterations {np.mean([taken for _, taken in theirs]):.1f}",
        flush=True,
    )


def main() -> None:
    """Measure both shapes of data."""
    starts = 6 if "--quick" in sys.argv else 30
    against_scikit_learn("spectra", spectra(400, 19), starts)
    against_scikit_learn("faces", faces(1965, 20), starts)


if __name__ == "__main__":
    main()
