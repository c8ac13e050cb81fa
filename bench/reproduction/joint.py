"""Joint ranking and clustering: known classes, compactness, queries, and what the figures compare.

Every parameter is the default, as the source keeps all parameters fixed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Clustering
from coterie.core.formats.samples import SAMPLES
from reproduction.shared import error, markdown, nmi, read, run, short, table

SEEDS = range(5)
EACH, QUERIES, LISTED = 400, 50, 15


def scores(groups: Clustering) -> str:
    """Return NMI, arithmetic, and error."""
    return f"{short(nmi(groups, 'arithmetic'))}/{short(error(groups))}"


def learned(data: Any, seed: int = 0) -> Any:
    """Return the probabilistic cluster kernel."""
    return run("kernel/probabilistic-cluster", data, seed=seed)


def groups_of(kernel: Any, k: int = 0, seed: int = 0, **params: Any) -> Any:
    """Return joint groups in the form of the document."""
    return run("clusterer/joint", kernel, k=k, form="document", seed=seed, **params)


def known_classes() -> str:
    """Joint clustering and k-means where classes are known, over five seeds."""
    wine = run("transform/standardise", table("wine"))
    forms = {
        "three-gaussians": table("three-gaussians"),
        "iris": table("iris"),
        "wine, standardised, 5 principal directions": run("transform/pca", wine, components=5),
        "wine, standardised": wine,
        "wine as it is": table("wine"),
    }
    rows = []
    for name, data in forms.items():
        kernels = [learned(data, seed) for seed in SEEDS]
        found = [groups_of(kernel, seed=seed) for seed, kernel in zip(SEEDS, kernels, strict=True)]
        ordered = sorted(found, key=lambda one: nmi(one, "arithmetic"))
        k = len(data.truth_names)
        rows.append(
            [name, f"{scores(ordered[0])} to {scores(ordered[-1])}",
             ", ".join(str(one.k) for one in found),
             scores(run("clusterer/kmeans", data, k=k)),
             scores(run("clusterer/rankclus", kernels[0], k=k)),
             scores(run("clusterer/consensus", run("kernel/cluster", data), k=k)),
             " and ".join(
                 f"{scores(one)} (k {one.k})" for one in (
                     run("clusterer/consensus", data, linkage="average", rule=rule)
                     for rule in ("lifetime", "information")))]
        )  # fmt: skip
    header = ["data", "joint, seeds 0 to 4", "groups found", "k-means", "RankClus",
              "consensus, k given", "resampled: k by lifetime, by information"]  # fmt: skip
    return markdown(header, rows)


def compactness() -> str:
    """Share of the variance within three clouds, in the joint embedding and in kernel PCA."""
    rows = []
    for seed in SEEDS:
        data = SAMPLES["three-gaussians"].make(seed=seed)
        kernel = learned(data, seed)
        joint = run("embedder/joint", kernel, components=3, form="document").coordinates
        plain = run("embedder/kernel-pca", kernel, components=3).coordinates
        found = [_within(Z, data.truth) for Z in (joint, plain, data.dense_features())]
        rows.append([str(seed), *(short(one) for one in found)])
    return markdown(["draw", "joint embedding", "kernel PCA, same kernel", "features"], rows)


def _within(coordinates: Any, truth: Any) -> float:
    middle = coordinates - coordinates.mean(axis=0)
    within = sum(
        float(np.square(middle[truth == c] - middle[truth == c].mean(axis=0)).sum())
        for c in np.unique(truth)
    )
    return within / float(np.square(middle).sum())


def queries() -> str:
    """Fours and nines: the share of the query's own digit among the first 15, itself left out."""
    usps = read("usps.csv", truth="label")
    if usps is None:
        return "no file"
    names = np.array(usps.truth_names)[usps.truth]
    rows: dict[str, list[float]] = {}
    for draw in SEEDS:
        rng = np.random.default_rng(draw)
        chosen = [rng.choice(np.flatnonzero(names == d), EACH, replace=False) for d in "49"]
        data = usps.take(np.sort(np.concatenate(chosen)))
        reduced = run("transform/svd", data, components=20)
        kernel = learned(reduced, draw)
        joint = run("embedder/joint", kernel, components=0, form="document")
        near = run("graph/self-tuning", data, neighbour=7, keep=10)
        ways = {
            "by joint rank": ("ranker/joint", joint, kernel),
            "by rank on 10 neighbours": ("ranker/personalised-pagerank", near),
            "by distance, 256 pixels": ("ranker/distance", data),
            "by distance, 20 columns": ("ranker/distance", reduced),
        }
        asked = rng.choice(data.n, QUERIES, replace=False).tolist()
        for way, means in ways.items():
            found = [_own(means, query, data.truth) for query in asked]
            rows.setdefault(way, []).append(float(np.mean(found)))
    lines = [[way, *(short(v) for v in found), short(float(np.mean(found)))]
             for way, found in rows.items()]  # fmt: skip
    return markdown(["draw", *(str(seed) for seed in SEEDS), "mean"], lines)


def _own(means: tuple[Any, ...], query: int, truth: Any) -> float:
    ranking = run(means[0], *means[1:], scope="items", items=[query])
    first = [i for i in ranking.order.tolist() if i != query][:LISTED]
    return float(np.mean(truth[first] == truth[query]))


def few_labels() -> str:
    """Three labels of each class: a linear machine on the embedding, and what else spreads them."""
    rows = []
    for name in ("iris", "wine", "digits"):
        data = table(name)
        assert data is not None
        assert data.truth is not None
        data = data if name == "digits" else run("transform/standardise", data)
        reduced = run("transform/svd", data, components=20) if data.d > 20 else data
        kernel = learned(reduced)
        joint = run("embedder/joint", kernel, components=20)
        found: dict[str, list[float]] = {}
        for seed in range(10):
            rng = np.random.default_rng(seed)
            few = np.full(data.n, -1)
            for c in range(len(data.truth_names)):
                few[rng.choice(np.flatnonzero(data.truth == c), 3, replace=False)] = c
            hidden = few < 0
            for way, labels in _spread(data, joint, kernel, few).items():
                right = labels[hidden] == data.truth[hidden]
                found.setdefault(way, []).append(float(right.mean()))
        rows.append(
            [name, *(f"{np.mean(v):.3f} ± {np.std(v, ddof=1):.3f}" for v in found.values())]
        )
    header = ["accuracy, ten draws", "linear on the joint embedding", "linear on the features",
              "transduction, learned", "transduction, 10 neighbours"]  # fmt: skip
    return markdown(header, rows)


def _spread(data: Any, joint: Any, kernel: Any, few: Any) -> dict[str, Any]:
    from sklearn.svm import LinearSVC

    known = few >= 0
    given = Clustering(labels=few, dataset=data)
    ways = {}
    for name, X in (("joint", joint.coordinates), ("features", data.dense_features())):
        ways[name] = LinearSVC(random_state=0).fit(X[known], few[known]).predict(X)
    for name, graph in (
        ("learned", kernel),
        ("near", run("graph/self-tuning", data, neighbour=7, keep=10)),
    ):
        spread = run("clusterer/transduction", graph, given, labelled="clustering")
        ways[name] = spread.labels
    return ways
