"""What cuts of a graph cost, against other ways to the same groups.

`ncut` and `njw` on a 10-neighbour graph of 10,000 points against `SpectralClustering` of the same
graph by scikit-learn (limit: as fast, at a normalised cut as low); `--quick` takes a tenth of the
points. Blobs that touch in the plane give a graph that is easily solved with; a single cloud in ten
dimensions gives one that fills up, and no clear groups. Times are those of the processor, taken in
turns: set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1, as threads that wait for each other would
count as work.

Theirs groups the rows of the eigenvectors of the walk, as `ncut` does. `njw` brings rows to unit
length, which is another relaxation with another minimum; so its cut is also compared with what
scikit-learn's embedding and k-means give when their rows are brought to unit length. Both are taken
as they come, and with `refine`, which goes on from there to what all of them are after.
"""

from __future__ import annotations

import statistics
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
from tools.measuring import cpu_seconds_of, report

from coterie.core import Affinity, Clusterer, Clustering, Context, Dataset, Floats, Ints
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.core.numerics.spectral.discretise import unit_rows
from coterie.plugins.clusterers.ncut import NCut
from coterie.plugins.clusterers.njw import NJW
from coterie.plugins.graphs.knn import KNN

REPETITIONS = 11


def blobs(n: int, groups: int, seed: int = 0) -> Floats:
    """Return groups of points in the plane that touch."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-10, 10, (groups, 2))
    return np.asarray(centres[np.arange(n) % groups] + rng.normal(0, 1.5, (n, 2)))


def neighbour_graph(X: Floats) -> Affinity:
    """Return the undirected graph of ten neighbours."""
    return KNN().compute(Dataset(features=X), params=KNN.Params(), context=Context())


OURS: dict[str, tuple[type[Clusterer], bool]] = {
    "ncut": (NCut, False),
    "ncut, refined": (NCut, True),
    "njw": (NJW, False),
    "njw, refined": (NJW, True),
}


def groups_of(method: type[Clusterer], graph: Affinity, k: int, refine: bool = False) -> Ints:
    """Return the labels that one of ours gives."""
    params = method.Params.model_validate({"k": k, "refine": refine})
    found = method().compute(graph, params=params, context=Context()).main
    assert isinstance(found, Clustering)
    return found.labels


def spectral_clustering(name: str, X: Floats, k: int, repetitions: int = REPETITIONS) -> None:
    """Both of ours and scikit-learn's in turns, on one graph."""
    from scipy.sparse import csr_array
    from sklearn.cluster import SpectralClustering

    graph = neighbour_graph(X)
    given: Any = graph.sparse
    # Theirs takes indices of 32 bits only.
    short = (given.data, given.indices.astype(np.int32), given.indptr.astype(np.int32))
    matrix = csr_array(short, shape=given.shape)
    labels: dict[str, Ints] = {}
    times: dict[str, list[float]] = {name: [] for name in (*OURS, "theirs")}

    def theirs() -> None:
        model = SpectralClustering(k, affinity="precomputed", random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the graph may be in pieces
            labels["theirs"] = model.fit_predict(matrix).astype(np.int64)

    def ours(name: str) -> None:
        method, refine = OURS[name]
        labels[name] = groups_of(method, graph, k, refine)

    groups_of(NCut, neighbour_graph(X[:200]), 2)  # the libraries are loaded
    for _ in range(repetitions):
        for key in OURS:
            times[key] += cpu_seconds_of(partial(ours, key))
        times["theirs"] += cpu_seconds_of(theirs)
    peer = statistics.median(times["theirs"])
    least = normalised_cut(graph, labels["theirs"])
    for key in OURS:
        what = f"{key}, {name}, n = {len(X)}, k = {k}"
        report(what, times[key], "SpectralClustering", peer)
        cut = normalised_cut(graph, labels[key])
        report(f"{what}, normalised cut", [cut], "SpectralClustering", max(least, 1e-300), "")
        if key == "njw":
            alike = normalised_cut(graph, on_the_sphere(matrix, k))
            report(f"{what}, normalised cut", [cut], "theirs, rows at unit length", alike, "")


def on_the_sphere(matrix: Any, k: int) -> Ints:
    """Return k-means groups of scikit-learn's embedding with rows at unit length."""
    from sklearn.cluster import KMeans
    from sklearn.manifold import spectral_embedding

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = spectral_embedding(matrix, n_components=k, drop_first=False, random_state=0)
    model = KMeans(k, n_init=10, random_state=0)
    return np.asarray(model.fit_predict(unit_rows(rows)), dtype=np.int64)


def main() -> None:
    """Measure all, or a tenth of all."""
    n = 1000 if "--quick" in sys.argv else 10_000
    rng = np.random.default_rng(1)
    spectral_clustering("blobs in the plane", blobs(n, 8), 8)
    # Once: theirs solves with a matrix that fills up, for minutes.
    spectral_clustering("one cloud in ten dimensions", rng.normal(size=(n, 10)), 5, 1)


if __name__ == "__main__":
    main()
