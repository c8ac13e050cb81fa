"""What the joint embedding costs, against the dense eigendecomposition of the same subset.

Ten coordinates of n = 8,000 items under a Gaussian kernel (limit: an eighth of the time that
LAPACK takes for the same ten eigenpairs), and a personalised ranking of them after the embedding
(limit: 0.1 s). `--quick` takes a quarter of the items. With `COTERIE_DATA` set to a folder that has
it, also of handwritten digits (usps.csv.gz).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from measuring import report, seconds_of

from coterie.core import Affinity, Context, Embedding, Floats
from coterie.core.similarity.distances import gaussian_similarities, median_distance
from coterie.core.spectral.adjusted_laplacian import adjusted_laplacian, joint_coordinates
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.rankers.joint import JointRanking

COORDINATES = 10
RESTART = 0.15


def three_clouds(n: int) -> Floats:
    """Three overlapping clouds in ten dimensions."""
    rng = np.random.default_rng(0)
    middles = 4.0 * rng.normal(size=(3, 10))
    return np.asarray(middles[rng.integers(0, 3, n)] + rng.normal(size=(n, 10)))


def digits(n: int) -> Floats | None:
    """Handwritten digits, where they are at hand."""
    path = Path(os.environ.get("COTERIE_DATA", "")) / "usps.csv.gz"
    if not path.is_file():
        return None
    return np.loadtxt(path, delimiter=",", skiprows=1, max_rows=n)[:, :-1]


def measure(name: str, X: Floats, fraction: float) -> None:
    """Embed, hold against LAPACK, rank."""
    from scipy.linalg import eigh

    n = len(X)
    affinity = Affinity(values=gaussian_similarities(X, sigma=fraction * median_distance(X)))
    laplacian = adjusted_laplacian(affinity, RESTART)
    rounds = 0

    def ours() -> None:
        nonlocal rounds
        rounds = joint_coordinates(laplacian, COORDINATES, np.random.default_rng(0)).rounds

    def lapack() -> None:
        eigh(
            laplacian.to_dense(),
            subset_by_index=[0, COORDINATES - 1],
            overwrite_a=True,
            check_finite=False,
        )

    own, dense = seconds_of(ours, 3), seconds_of(lapack, 1)
    report(f"joint embedding of {name}, n = {n}", own, "eigh of the subset", dense[0])
    print(f"  {dense[0] / sorted(own)[1]:.1f} × faster, in {rounds} rounds", flush=True)
    output = JointEmbedding().compute(affinity, params=JointEmbedding.Params(), context=Context())
    embedding = output.main
    assert isinstance(embedding, Embedding)

    def ranked() -> None:
        JointRanking().compute(
            embedding,
            affinity,
            params=JointRanking.Params(scope="items", items=[0]),
            context=Context(),
        )

    report(f"personalised ranking of {name}, n = {n}", seconds_of(ranked), "limit", 0.1)


def main() -> None:
    """Measure clouds, and digits where they are."""
    n = 2000 if "--quick" in sys.argv else 8000
    measure("three clouds", three_clouds(n), 0.15)
    pictures = digits(n)
    if pictures is not None:
        measure("digits", pictures, 0.3)


if __name__ == "__main__":
    main()
