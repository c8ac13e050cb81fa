"""Joint ranking and clustering on data: how compact it makes groups, and what queries find.

The recipes in projects/recipe/shipped/joint give the groups and rankings; this adds what they do
not print. Every parameter is the default. Files are sought in the folder COTERIE_DATA, and left out
when it has none.

    python bench/reproduce_joint.py [gaussians] [queries]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Context, Dataset, Floats, Ints, Output
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.embedders.kernel_pca import KernelPCA
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster
from coterie.plugins.rankers.distance import Distance
from coterie.plugins.rankers.joint import JointRanking
from coterie.plugins.readers.csv import CSV
from coterie.plugins.transforms.svd import SVD

EACH = 400  # fours, and nines
QUERIES, LISTED = 50, 15
DRAWS = 5


def made(component: Any, *inputs: Any, seed: int = 0, **params: Any) -> Any:
    """Run a component with these parameters."""
    context = Context(seed=seed, workers=os.cpu_count() or 1)
    result = component().compute(*inputs, params=component.Params(**params), context=context)
    return result.main if isinstance(result, Output) else result


def spread_share(coordinates: Floats, truth: Ints) -> float:
    """The share of the variance that is left within the known classes: 0 is most compact."""
    middle = coordinates - coordinates.mean(axis=0)
    within = sum(
        float(np.square(middle[truth == c] - middle[truth == c].mean(axis=0)).sum())
        for c in np.unique(truth)
    )
    return within / float(np.square(middle).sum())


def gaussians() -> None:
    """Three clouds: variance within them in the joint embedding, and in kernel PCA."""
    print("three-gaussians, share of the variance within clouds (joint, kernel PCA, features)")
    for seed in range(DRAWS):
        data = SAMPLES["three-gaussians"].make(seed=seed)
        assert data.truth is not None
        kernel = made(ProbabilisticCluster, data, seed=seed)
        joint = made(JointEmbedding, kernel, components=3, form="document").coordinates
        plain = made(KernelPCA, kernel, components=3).coordinates
        shares = [spread_share(Z, data.truth) for Z in (joint, plain, data.dense_features())]
        print(f"  draw {seed}: " + "  ".join(f"{share:.3f}" for share in shares), flush=True)


def queries() -> None:
    """Fours and nines: the share of the query's own digit among the first, the query left out."""
    file = Path(os.environ.get("COTERIE_DATA", ".")) / "usps.csv.gz"
    if not file.is_file():
        print("usps.csv.gz is not there")
        return
    usps: Dataset = made(CSV, file, truth="label")
    assert usps.truth is not None
    names = np.array(usps.truth_names)[usps.truth]
    print(f"{EACH} fours and {EACH} nines, {QUERIES} queries, share of the own digit in {LISTED}")
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        chosen = [rng.choice(np.flatnonzero(names == d), EACH, replace=False) for d in "49"]
        data = usps.take(np.sort(np.concatenate(chosen)))
        reduced = made(SVD, data, components=20)
        kernel = made(ProbabilisticCluster, reduced, seed=draw)
        joint = made(JointEmbedding, kernel, components=0, form="document")
        ways = {
            "by rank": (JointRanking, joint, kernel),
            "distance": (Distance, data),
            "distance after svd": (Distance, reduced),
        }
        asked = rng.choice(data.n, QUERIES, replace=False)
        words = []
        for way, (ranker, *inputs) in ways.items():
            found = [_own(ranker, inputs, int(query), data.truth) for query in asked]
            words.append(f"{way} {np.mean(found):.3f} (worst {min(found):.2f})")
        print(f"  draw {draw}: " + ", ".join(words), flush=True)


def _own(ranker: Any, inputs: list[Any], query: int, truth: Any) -> float:
    ranking = made(ranker, *inputs, scope="items", items=[query])
    first = [i for i in ranking.order.tolist() if i != query][:LISTED]
    return float(np.mean(truth[first] == truth[query]))


if __name__ == "__main__":
    asked_for = sys.argv[1:] or ["gaussians", "queries"]
    if "gaussians" in asked_for:
        gaussians()
    if "queries" in asked_for:
        queries()
