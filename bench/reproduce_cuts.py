"""Cuts and spectra on data with known classes: what their source reports, and what defaults give.

Mutual information normalised by the geometric mean, and error after the best matching, as in the
source. The best of a sweep is chosen with the classes in hand: an upper bound, as in the source,
and not what a person gets. Lines "default" are the graphs' and methods' defaults with the number of
classes given. Files other than the samples are sought in the folder COTERIE_DATA and left out
when it has none.

    python bench/reproduce_cuts.py [iris] [multi-scale] [segment] [usps]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Affinity, Clusterer, Clustering, Context, Dataset, Output
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.clusterers.digraph_spectral import DigraphSpectral
from coterie.plugins.clusterers.ncut import NCut
from coterie.plugins.clusterers.njw import NJW
from coterie.plugins.graphs.knn import KNN
from coterie.plugins.graphs.local_gaussian import LocalGaussian
from coterie.plugins.graphs.self_tuning import SelfTuning
from coterie.plugins.kernels.gaussian import Gaussian
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from coterie.plugins.readers.csv import CSV
from coterie.plugins.transforms.minmax import MinMax

NEIGHBOURS = (10, 15, 20, 25, 30)
REGULARISATIONS = (1.0, 0.1, 0.01)
SEEDS = range(10)


def made(component: Any, *inputs: Any, **params: Any) -> Any:
    """Run a component with these parameters."""
    result = component().compute(*inputs, params=component.Params(**params), context=Context())
    return result.main if isinstance(result, Output) else result


def load(name: str) -> Dataset | None:
    """A sample, or a file with features to [0, 1]."""
    if name in SAMPLES:
        return SAMPLES[name].make()
    for ending in (".csv", ".csv.gz"):
        file = Path(os.environ.get("COTERIE_DATA", ".")) / f"{name}{ending}"
        if file.is_file():
            found: Dataset = made(CSV, file, truth="label")
            return made(MinMax, found) if name == "segment" else found  # type: ignore[no-any-return]
    return None


def judged(groups: Clustering) -> tuple[float, float]:
    """Mutual information and error against the known classes; unassigned items are wrong."""
    nmi = made(NMI, groups, average="geometric", unassigned="own-class")
    error = made(ClusteringError, groups, unassigned="own-class")
    return float(nmi.value), float(error.value)


def score(method: type[Clusterer], graph: Affinity, k: int, **params: Any) -> tuple[float, float]:
    """Group a graph and hold it against the classes."""
    return judged(made(method, graph, k=k, **params))


def told(what: str, scores: tuple[float, float]) -> None:
    """Print one line."""
    print(f"  {what}: NMI {scores[0]:.3f}, error {scores[1]:.3f}", flush=True)


def local_gaussians(data: Dataset) -> Iterator[tuple[int, float, Affinity]]:
    """The graphs of the sweep."""
    for neighbours in NEIGHBOURS:
        for regularisation in REGULARISATIONS:
            graph = made(LocalGaussian, data, neighbours=neighbours, regularisation=regularisation)
            yield neighbours, regularisation, graph


def swept(name: str, k: int) -> None:
    """The sweep of digraph-spectral, NJW at its best width, and the defaults."""
    data = load(name)
    if data is None:
        print(f"{name}: no file")
        return
    print(f"{name}, n = {data.n}")
    for relaxation in ("walk", "symmetric"):
        found = [
            (score(DigraphSpectral, graph, k, relaxation=relaxation), m, r)
            for m, r, graph in local_gaussians(data)
        ]
        best, m, r = max(found)
        told(f"digraph-spectral, {relaxation}, best at {m} neighbours, {r:g}", best)
    if data.n <= 3000:
        found = [(score(NJW, made(Gaussian, data, sigma=float(s)), k), 0, s) for s in widths(data)]
        best, _, s = max(found)
        told(f"njw on a Gaussian, best at width {s:.3g}", best)
        told("njw on self-tuning, default", score(NJW, made(SelfTuning, data), k))
    told(
        "digraph-spectral on local-gaussian, default",
        score(DigraphSpectral, made(LocalGaussian, data), k),
    )
    near = made(KNN, data)
    told("ncut on knn, default", score(NCut, near, k))
    told("njw on knn, default", score(NJW, near, k))


def widths(data: Dataset) -> Any:
    """Widths from a fiftieth of the spread of the data to all of it."""
    X = data.dense_features()
    return float(np.sqrt(X.var(axis=0).sum())) * np.geomspace(0.02, 1.0, 14)


def usps(size: int = 500) -> None:
    """Digits 2, 3, 5, 6, 8 of which `size` each are drawn, as in the source."""
    data = load("usps")
    if data is None:
        print("usps: no file")
        return
    truth: Any = data.truth
    rng = np.random.default_rng(0)
    names = [data.truth_names.index(digit) for digit in ("2", "3", "5", "6", "8")]
    chosen = [rng.choice(np.flatnonzero(truth == t), size, replace=False) for t in names]
    some = data.take(np.sort(np.concatenate(chosen)))
    print(f"usps, digits 2 3 5 6 8, n = {some.n}")
    for neighbours in (5, 10, 20, 30):
        graph = made(LocalGaussian, some, neighbours=neighbours)
        for relaxation in ("walk", "symmetric"):
            found = score(DigraphSpectral, graph, 5, relaxation=relaxation)
            told(f"digraph-spectral, {relaxation}, {neighbours} neighbours", found)
    near = made(KNN, some)
    told("ncut on knn, default", score(NCut, near, 5))
    told("njw on knn, default", score(NJW, near, 5))


def multi_scale() -> None:
    """Ten draws of one wide and two narrow groups, equal and 8 : 1 : 1."""
    for name in ("multi-scale", "multi-scale-uneven"):
        walk, symmetric, knn = [], [], []
        njw: dict[float, list[float]] = {}
        for seed in SEEDS:
            data = SAMPLES[name].make(seed)
            graph = made(LocalGaussian, data, neighbours=20, regularisation=0.01)
            walk.append(score(DigraphSpectral, graph, 3)[1])
            symmetric.append(score(DigraphSpectral, graph, 3, relaxation="symmetric")[1])
            knn.append(score(NCut, made(KNN, data), 3)[1])
            for sigma in np.geomspace(0.1, 3.0, 8).round(3):
                error = score(NJW, made(Gaussian, data, sigma=float(sigma)), 3)[1]
                njw.setdefault(float(sigma), []).append(error)
        sigma = min(njw, key=lambda s: float(np.mean(njw[s])))
        each = np.min(list(njw.values()), axis=0)
        print(f"{name}, mean error (largest) over {len(walk)} seeds")
        for what, errors in (
            ("digraph-spectral on local-gaussian (20, 0.01)", walk),
            ("digraph-spectral, symmetric, same graph", symmetric),
            (f"njw at its best width {sigma:g}", njw[sigma]),
            ("njw at the best width of each draw", each),
            ("ncut on knn, default", knn),
        ):
            print(f"  {what}: {np.mean(errors):.4f} ({np.max(errors):.4f})", flush=True)


def main() -> None:
    """All of it, or what is named."""
    asked = sys.argv[1:] or ["iris", "multi-scale", "segment", "usps"]
    for name, k in (("iris", 3), ("wine", 3), ("breast-cancer", 2), ("segment", 7)):
        if name in asked:
            swept(name, k)
    if "multi-scale" in asked:
        multi_scale()
    if "usps" in asked:
        usps()


if __name__ == "__main__":
    main()
