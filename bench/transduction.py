"""What graph transduction costs, against scikit-learn's LabelSpreading at α = .99.

On 10-neighbour graphs with 2% of the items labelled: 5,000 digits of USPS, where a file of them is
named (`./dev bench transduction usps.csv.gz`: pixels, then the digit), else 5,000 points of ten
overlapping clouds; and 20,000 items of curved strands. The strands: four arms r = 0.2 + t,
φ = πh/2 + 3t for t uniform in [0, 1], with normal noise of 0.02 in both coordinates. The peer runs
its own 30 rounds, whether it has converged or not; ours runs to an equilibrium. Two ratios: from
points (each forms its own graph), limit 2, and on the same given graph. Processor seconds; one
thread (OPENBLAS_NUM_THREADS=1) keeps them comparable on a busy machine.
"""

from __future__ import annotations

import statistics
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.neighbors import kneighbors_graph
from sklearn.semi_supervised import LabelSpreading
from tools.measuring import cpu_seconds_of, report

from coterie.core import Affinity, Clustering, Context, Floats, Ints
from coterie.plugins.clusterers.transduction import Transduction

REPETITIONS = 3
SHARE = 0.02


def strands(n: int) -> tuple[Floats, Ints]:
    """Items along four curved arms."""
    rng = np.random.default_rng(0)
    arm, t = rng.integers(4, size=n), rng.random(n)
    angle = np.pi / 2 * arm + 3 * t
    X = (0.2 + t)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + 0.02 * rng.normal(size=(n, 2)), arm


def clouds(n: int) -> tuple[Floats, Ints]:
    """Points in ten overlapping clouds."""
    rng = np.random.default_rng(0)
    cloud = rng.integers(10, size=n)
    return rng.random((10, 20))[cloud] + 0.3 * rng.normal(size=(n, 20)), cloud


def digits(path: Path, n: int) -> tuple[Floats, Ints]:
    """Some of the digits in a table whose last column says which they are."""
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    table = table[np.random.default_rng(0).permutation(len(table))[:n]]
    return table[:, :-1], np.unique(table[:, -1], return_inverse=True)[1]


def graph(X: Floats) -> csr_array:
    """10 neighbours of each, either way."""
    nearest = kneighbors_graph(X, 10)
    return csr_array(nearest.maximum(nearest.T))


def compare(name: str, X: Floats, truth: Ints) -> None:
    """One set of items, from points and on a given graph."""
    labels = np.full(len(X), -1)
    known = np.random.default_rng(1).permutation(len(X))[: round(SHARE * len(X))]
    labels[known] = truth[known]
    given = graph(X)
    found: list[Clustering] = []

    def ours(of: csr_array) -> None:
        start = Clustering(labels=labels)
        params, context = Transduction.Params(), Context()
        affinity = Affinity(sparse=of)
        found.append(Transduction().compute(affinity, start, params=params, context=context))

    own = LabelSpreading(kernel="knn", n_neighbors=10, alpha=0.99)
    same = LabelSpreading(kernel=lambda _, __: given, alpha=0.99)
    peer = statistics.median(cpu_seconds_of(lambda: own.fit(X, labels), REPETITIONS))
    whole = cpu_seconds_of(lambda: ours(graph(X)), REPETITIONS)
    report(f"{name}, from points", whole, "label spreading", peer)
    peer = statistics.median(cpu_seconds_of(lambda: same.fit(X, labels), REPETITIONS))
    alone = cpu_seconds_of(lambda: ours(given), REPETITIONS)
    report(f"{name}, on the same graph", alone, "label spreading", peer)
    last = found[-1]
    print(
        f"  {last.details['iterations']} rounds, converged: {last.details['converged']}, gap "
        f"{last.details['payoff_gap']:.2g}; right: {(last.labels == truth).mean():.4f}, "
        f"label spreading {(same.transduction_ == truth).mean():.4f}"
    )


def main() -> None:
    """Measure both."""
    warnings.simplefilter("ignore")  # the peer says that 30 rounds were not enough
    if len(sys.argv) > 1:
        compare("5,000 digits", *digits(Path(sys.argv[1]), 5000))
    else:
        compare("5,000 points in clouds", *clouds(5000))
    compare("20,000 items in strands", *strands(20_000))


if __name__ == "__main__":
    main()
