"""Clustering as people do it today, nothing tuned: what quality is compared with.

`PEERS` find the number of groups themselves; `TOLD` are given it, which nobody with unlabelled data
could do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Labels = NDArray[np.int64]
Method = Callable[[Points], tuple[Labels, dict[str, Any]]]
Told = Callable[[Points, int], Labels]

MOST_SILHOUETTE = 2000  # items that a silhouette is taken of


def _standardised(X: Points) -> Points:
    spread = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _hdbscan(size: int, *, rest: bool = False, root: bool = False) -> Callable[[Points], Labels]:
    def labels_of(X: Points) -> Labels:
        from sklearn.cluster import HDBSCAN
        from sklearn.neighbors import KNeighborsClassifier

        least = max(5, round(float(np.sqrt(len(X))))) if root else size
        samples = 5 if root else None
        found = HDBSCAN(min_cluster_size=least, min_samples=samples, copy=True).fit_predict(X)
        inside = found >= 0
        if rest and inside.any() and not inside.all():
            near = KNeighborsClassifier(1).fit(X[inside], found[inside])
            found[~inside] = near.predict(X[~inside])
        return np.asarray(found)

    return labels_of


def _means_by_silhouette(X: Points) -> Labels:
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    best: tuple[float, Any] = (-2.0, None)
    for k in range(2, min(15, len(X) - 1) + 1):
        found = KMeans(k, n_init=3, random_state=0).fit_predict(X)
        size = min(len(X), MOST_SILHOUETTE)
        score = silhouette_score(X, found, sample_size=size, random_state=0)
        if score > best[0]:
            best = (score, found)
    return np.asarray(best[1])


def _mixture_by_criterion(X: Points) -> Labels:
    from sklearn.mixture import GaussianMixture

    models = [
        GaussianMixture(k, random_state=0, reg_covar=1e-6).fit(X)
        for k in range(1, min(15, len(X) // 2) + 1)
    ]
    return np.asarray(min(models, key=lambda model: model.bic(X)).predict(X))


def _dbscan_by_knee(X: Points) -> Labels:
    from sklearn.cluster import DBSCAN
    from sklearn.neighbors import NearestNeighbors

    distances = np.sort(NearestNeighbors(n_neighbors=5).fit(X).kneighbors()[0][:, -1])
    # The point of the curve that is farthest from the line between its ends.
    steps = np.linspace(0, 1, len(distances))
    height = (distances - distances[0]) / max(float(np.ptp(distances)), 1e-300)
    knee = float(distances[int(np.argmax(steps - height))])
    return np.asarray(DBSCAN(eps=max(knee, 1e-12), min_samples=5).fit_predict(X))


def _leiden(X: Points) -> Labels:
    """Communities of the graph of the 15 nearest neighbours, by modularity."""
    import graspologic_native as native
    from sklearn.neighbors import kneighbors_graph

    graph = kneighbors_graph(X, min(15, len(X) - 1)).tocoo()
    ends = zip(graph.row.tolist(), graph.col.tolist(), strict=True)
    pairs = {(min(i, j), max(i, j)) for i, j in ends}
    edges = [(str(i), str(j), 1.0) for i, j in sorted(pairs)]
    _, found = native.leiden(
        edges=edges, starting_communities=None, resolution=1.0, randomness=0.001, iterations=2,
        use_modularity=True, seed=0, trials=1,
    )  # fmt: skip
    return np.array([found.get(str(item), -1) for item in range(len(X))])


def _genie(X: Points, k: int) -> Labels:
    """Coterie's own Genie, whose groups are those of the package of its authors."""
    from coterie.core.numerics.partitions.genie import genie_joins, groups_after, spanning_tree

    edges, _ = spanning_tree(X)
    return groups_after(edges, genie_joins(edges, len(X), 0.3), len(X), k)


def _spectral(X: Points, k: int) -> Labels:
    from sklearn.cluster import SpectralClustering

    model = SpectralClustering(k, affinity="nearest_neighbors", random_state=0)
    return np.asarray(model.fit_predict(X))


def _mixture(X: Points, k: int) -> Labels:
    from sklearn.mixture import GaussianMixture

    return np.asarray(GaussianMixture(k, n_init=3, random_state=0).fit_predict(X))


def _ward(X: Points, k: int) -> Labels:
    from sklearn.cluster import AgglomerativeClustering

    return np.asarray(AgglomerativeClustering(k).fit_predict(X))


def _means(X: Points, k: int) -> Labels:
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(k, n_init=10, random_state=0).fit_predict(X))


def _both(name: str, method: Callable[[Points], Labels]) -> dict[str, Method]:
    def quiet(X: Points) -> tuple[Labels, dict[str, Any]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return method(X), {}

    return {name: quiet, f"{name}, standardised": lambda X: quiet(_standardised(X))}


PEERS: dict[str, Method] = {
    **_both("HDBSCAN 5", _hdbscan(5)),
    **_both("HDBSCAN 15", _hdbscan(15)),
    **_both("HDBSCAN √n, rest to nearest", _hdbscan(0, rest=True, root=True)),
    **_both("k-means by silhouette", _means_by_silhouette),
    **_both("mixture by BIC", _mixture_by_criterion),
    **_both("DBSCAN by knee", _dbscan_by_knee),
    **_both("Leiden", _leiden),
}


def _told(name: str, method: Told) -> dict[str, Told]:
    def quiet(X: Points, k: int) -> Labels:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return method(X, k)

    return {
        f"given k: {name}": quiet,
        f"given k: {name}, standardised": lambda X, k: quiet(_standardised(X), k),
    }


TOLD: dict[str, Told] = {
    **_told("Genie", _genie),
    **_told("spectral", _spectral),
    **_told("mixture", _mixture),
    **_told("Ward", _ward),
    **_told("k-means", _means),
}
