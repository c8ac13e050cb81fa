"""What similarities cost beyond the arithmetic that cannot be avoided.

Dense kernels at n = 8,000, d = 50, against one bare matrix product of their columns followed by one
exponential over the same array (limit: 1.5 × the time, 1.3 × the memory of the result), and against
scikit-learn's `rbf_kernel`. Nearest neighbours at n = 100,000, d = 20, against scikit-learn's
`kneighbors_graph`; `--quick` takes a tenth of the items.
"""

from __future__ import annotations

import statistics
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np
from tools.measuring import report, seconds_of

from coterie.core import Context, Dataset, Floats
from coterie.core.numerics.features.euler import euler_features
from coterie.plugins.graphs.knn import KNN
from coterie.plugins.kernels.euler_gaussian import EulerGaussian
from coterie.plugins.kernels.gaussian import Gaussian

REPETITIONS = 5


def bare(X: Floats) -> Callable[[], object]:
    """One matrix product, and one exponential over its result."""
    other = X.copy()  # of X with itself numpy takes another, slower routine

    def product_and_exponential() -> object:
        values = X @ other.T
        return np.exp(values, out=values)

    return product_and_exponential


def in_turns(*actions: Callable[[], object]) -> list[list[float]]:
    """Seconds of each action, measured in turns so that a busy machine hinders all alike."""
    for action in actions:
        action()
    taken: list[list[float]] = [[] for _ in actions]
    for _ in range(REPETITIONS):
        for times, action in zip(taken, actions, strict=True):
            times += seconds_of(action, 1)
    return taken


def peak_bytes(action: Callable[[], object]) -> int:
    """Most memory that `action` held at once."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def dense_kernels(n: int, d: int) -> None:
    """Gaussian and Euler-Gaussian."""
    from sklearn.metrics.pairwise import rbf_kernel

    X = np.random.default_rng(0).random((n, d))
    data = Dataset(features=X)

    def gaussian() -> object:
        return Gaussian().compute(data, params=Gaussian.Params(sigma=0.5), context=Context())

    def euler() -> object:
        return EulerGaussian().compute(data, params=EulerGaussian.Params(), context=Context())

    ours, plain, theirs = in_turns(gaussian, bare(X), lambda: rbf_kernel(X, gamma=2.0))
    report(f"gaussian, n = {n}", ours, "bare product and exp", statistics.median(plain))
    report(f"gaussian, n = {n}", ours, "rbf_kernel", statistics.median(theirs))
    ours, plain, narrow = in_turns(euler, bare(euler_features(X, 1.9)), bare(X))
    name = f"euler-gaussian, n = {n}"
    report(name, ours, f"bare product of its {2 * d} columns and exp", statistics.median(plain))
    report(name, ours, f"bare product of {d} columns and exp", statistics.median(narrow))
    for name, action in (("gaussian", gaussian), ("euler-gaussian", euler)):
        megabytes = peak_bytes(action) / 1e6
        report(f"{name}, memory", [megabytes], "its result", 8 * n * n / 1e6, "MB")


def neighbours(n: int, d: int) -> None:
    """The graph of nearest neighbours."""
    from sklearn.neighbors import kneighbors_graph

    X = np.random.default_rng(0).normal(size=(n, d))
    data = Dataset(features=X)

    def ours() -> object:
        params = KNN.Params(mode="directed")
        return KNN().compute(data, params=params, context=Context())

    own = seconds_of(ours, 1)
    theirs = seconds_of(lambda: kneighbors_graph(X, 10), 1)
    report(f"knn, n = {n}, d = {d}", own, "kneighbors_graph", theirs[0])
    small = X[: min(n, 20_000)]
    data = Dataset(features=small)
    share = peak_bytes(ours) / 1e6
    report(f"knn, n = {len(small)}, memory", [share], "n × n", 8 * len(small) ** 2 / 1e6, "MB")


def main() -> None:
    """Measure all, or a tenth of all."""
    quick = "--quick" in sys.argv
    dense_kernels(2000 if quick else 8000, 50)
    neighbours(10_000 if quick else 100_000, 20)


if __name__ == "__main__":
    main()
